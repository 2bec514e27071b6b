"""Flags of ops: poison-generating flags and fast-math flags.

The numbers are MLIR's: `IntegerOverflowFlags` and `GEPNoWrapFlags` of its LLVM dialect.
"""

from __future__ import annotations

from typing import Any, Final, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.llvm import FastMathAttr, OverflowAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.llvm.accessors import int_property, int_value
from nvvm_xdsl.dialects.llvm.types import I32, int_attr

NSW: Final = 1
"""No signed wrap: a result that wraps in the signed range is poison."""

NUW: Final = 2
"""No unsigned wrap."""

GEP_FLAG_BITS: Final = {"inbounds_flag": 1, "nusw": 2, "inbounds": 3, "nuw": 4}
"""Bits of `noWrapFlags` of a getelementptr by keyword; inbounds implies nusw."""

INBOUNDS: Final = int_attr(GEP_FLAG_BITS["inbounds"], I32)
"""`noWrapFlags` of an address that stays within its object: inbounds, which implies nusw."""


def overflow_flags(op: Operation) -> int:
    """The `NSW` and `NUW` bits of an add, sub, mul, shl or trunc; 0 for other ops.

    MLIR keeps them as an i32; xDSL's own ops have an attribute of flag names.
    """
    attribute = op.properties.get("overflowFlags")
    if type(attribute) is OverflowAttr:
        return attribute.to_int()
    return int_value(attribute)


def set_overflow_flags(op: Operation, flags: int) -> None:
    """Sets exactly these `NSW` and `NUW` bits of an add, sub, mul, shl or trunc."""
    op.properties["overflowFlags"] = int_attr(flags, I32)


def is_exact(op: Operation) -> bool:
    """True if a division or right shift is poison when it drops nonzero bits."""
    return "isExact" in op.properties


def is_disjoint(op: Operation) -> bool:
    """True if an `or` is poison when both operands have a common one bit."""
    return "isDisjoint" in op.properties


def is_non_negative(op: Operation) -> bool:
    """True if a zero extension or unsigned conversion is poison for negative operands."""
    return "nonNeg" in op.properties


def no_wrap_flags_of(gep: Operation) -> Attribute | None:
    """The `noWrapFlags` of a getelementptr; None if it has none."""
    return gep.properties.get("noWrapFlags")


def is_inbounds(gep: Operation) -> bool:
    """True if the result of a getelementptr is poison when it leaves the bounds of its object."""
    return bool(int_property(gep, "noWrapFlags") & GEP_FLAG_BITS["inbounds_flag"])


def fast_math_attribute(op: Operation) -> Attribute:
    """The fast-math flags of an op as an attribute, without flags if it has none."""
    return op.properties.get("fastmathFlags", NO_FASTMATH)


def fast_math_flags(op: Operation) -> frozenset[FastMathFlag]:
    """The fast-math flags of an op; `fast` is all of them."""
    attribute = op.properties.get("fastmathFlags")
    return attribute.data if isinstance(attribute, FastMathAttr) else frozenset()


def has_fast_math(op: Operation, flag: str) -> bool:
    """Returns True if the op has the fast-math flag, by itself or as part of `fast`."""
    return any(str(f.value) in (flag, "fast") for f in fast_math_flags(op))


def common_flags(mine: Attribute, other: Attribute) -> Attribute:
    """The flags that two attributes of one class have in common."""
    if type(mine) is IntegerAttr:
        a, b = mine, cast("IntegerAttr[Any]", other)
        return IntegerAttr(a.value.data & b.value.data, a.type)
    common = [f for f in cast(Any, mine).data if f in cast(Any, other).data]
    return type(cast(Any, mine))(common)
