"""Integers that are a power of two or zero."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import (
    AndOp,
    LShrOp,
    MulOp,
    SelectOp,
    ShlOp,
    SubOp,
    TruncOp,
    UDivOp,
    ZExtOp,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import FreezeOp, UMaxOp, UMinOp
from nvvm_xdsl.ir import fast

MAX_VALUES: Final = 32
"""Maximum number of values that are examined for one query."""

_FROM: Final[dict[type[Operation], slice]] = {
    **dict.fromkeys((FreezeOp, LShrOp, ShlOp, TruncOp, ZExtOp), slice(0, 1)),
    **dict.fromkeys((MulOp, UDivOp, UMaxOp, UMinOp), slice(0, 2)),
    SelectOp: slice(1, 3),
}
"""The operands that must be a power of two or zero if the result is to be one. A bit that is shifted
or truncated away leaves zero."""


def is_power_of_two_or_zero(value: SSAValue) -> bool:
    """Returns True if every value of a scalar integer is a power of two, zero, or poison.

    A block argument is one if all incoming values are, where the argument itself is assumed to be
    one: `s = 1; do ... while ((s *= 2) < n)`. (LLVM's `isKnownToBeAPowerOfTwo` with `OrZero`.)
    """
    pending, seen = [value], {value}
    while pending:
        if len(seen) > MAX_VALUES:
            return False
        value = pending.pop()
        number = constant_unsigned(value)
        if number is not None:
            if number & (number - 1):
                return False
            continue
        found = _sources(value)
        if found is None:
            return False
        new = [each for each in found if each not in seen]
        seen.update(new)
        pending += new
    return True


def _sources(value: SSAValue) -> list[SSAValue] | None:
    """The values that must be a power of two or zero; None if that does not suffice."""
    if isinstance(value, BlockArgument):
        return branches.incoming_values(value) or None
    op = fast.producer_of(value)
    operands = fast.operands_of(op)
    if type(op) is AndOp:
        return [] if any(_is_negated(x, y) for x, y in (operands, operands[::-1])) else None
    chosen = _FROM.get(type(op))
    return None if chosen is None else list(operands[chosen])


def _is_negated(value: SSAValue, other: SSAValue) -> bool:
    """Returns True if a value is zero minus another: `x & -x` is the lowest bit of x."""
    if type(value.owner) is not SubOp:
        return False
    zero, subtracted = fast.operands_of(value.owner)
    return subtracted is other and constant_integer(zero) == 0


__all__ = ["MAX_VALUES", "is_power_of_two_or_zero"]
