"""Flags of arithmetic ops: what makes more results poison, and what fast-math allows."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation

NSW = 1
"""No signed wrap."""

NUW = 2
"""No unsigned wrap."""

_OVERFLOW_BITS = {"nsw": NSW, "nuw": NUW}


def overflow_flags(op: Operation) -> int:
    """The op's `NSW` and `NUW` bits.

    MLIR keeps them as an i32; xDSL's own `trunc` has an attribute of flag names.
    """
    attribute = op.properties.get("overflowFlags")
    if attribute is None:
        return 0
    if isinstance(attribute, IntegerAttr):
        return cast("IntegerAttr[Any]", attribute).value.data
    return sum(_OVERFLOW_BITS[str(f.value)] for f in cast(Any, attribute).data)


def has_fast_math(op: Operation, flag: str) -> bool:
    """Whether the op carries the fast-math flag, by itself or as part of `fast`."""
    attribute = op.properties.get("fastmathFlags")
    if attribute is None:
        return False
    return any(str(f.value) in (flag, "fast") for f in cast(Any, attribute).data)


def meet(mine: Attribute, other: Attribute) -> Attribute:
    """The flags that both attributes of one kind state."""
    if isinstance(mine, IntegerAttr):
        a, b = cast("IntegerAttr[Any]", mine), cast("IntegerAttr[Any]", other)
        return IntegerAttr(a.value.data & b.value.data, a.type)
    common = [f for f in cast(Any, mine).data if f in cast(Any, other).data]
    return cast(Any, mine).__class__(common)
