"""Makes divisions unsigned, narrower, or removes them by ranges, for `correlated-propagation`."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import (
    ICmpOp,
    SDivOp,
    SExtOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.values.constant_range import UGE, ULT, ConstantRange
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.flags import is_exact
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.types import I1, I64, UNIT, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.correlated_propagation_integers import signed_bits
from nvvm_xdsl.passes.scalar.correlated_propagation_rewriter import RangeRewriter
from nvvm_xdsl.transforms.conditionals import select

NARROWEST_DIVISION: Final = 32
"""Minimum width of a division. PTX has no 8-bit division, and ptxas makes a call of a function with
20 instructions from a 16-bit one (LLVM's pass narrows to 8 bits)."""


def simplify_division(work: RangeRewriter, op: Operation) -> bool:
    """Makes a division unsigned or narrower, or replaces it by a comparison and a
    subtraction."""
    found = work.ranges(op)
    if found is None:
        return False
    cls = type(op)
    if cls is SDivOp or cls is SRemOp:
        return _as_unsigned(work, op, *found) or _narrower(work, op, *found, signed=True)
    return _expanded(work, op, *found) or _narrower(work, op, *found, signed=False)


def _as_unsigned(work: RangeRewriter, op: Operation, x: ConstantRange, y: ConstantRange) -> bool:
    """Replaces a signed division of operands with known signs by an unsigned one."""
    signs = [_sign(x), _sign(y)]
    if 0 in signs:
        return False
    is_quotient = type(op) is SDivOp
    operands: list[SSAValue] = []
    for value, sign in zip(fast.operands_of(op), signs):
        operands.append(value if sign > 0 else work.negated(value, op))
    exact = {"isExact": UNIT} if is_exact(op) else None
    cls = UDivOp if is_quotient else URemOp
    result = work.new(cls, (operands[0], operands[1]), op, properties=exact)
    unsigned = fast.producer_of(result)
    negative = signs[0] != signs[1] if is_quotient else signs[0] < 0
    if negative:
        result = work.negated(result, op)
    work.become(op, result)
    simplify_division(work, unsigned)
    return True


def _expanded(work: RangeRewriter, op: Operation, x: ConstantRange, y: ConstantRange) -> bool:
    """Expands a division whose quotient is 0, or 0 or 1."""
    a, b = fast.operands_of(op)
    is_quotient = type(op) is UDivOp
    if x.icmp(ULT, y):
        return work.decide(op, work.constants.zero(a.type) if is_quotient else a)
    # The quotient is less than 2 if x < 2y for all values, which always holds if y is above half of
    # the range.
    if x.umax() >= 2 * y.umin():
        return False
    if is_quotient:
        reached = work.new(ICmpOp, (a, b), op, I1, {"predicate": int_attr(UGE, I64)})
        return work.become(op, work.new(ZExtOp, (reached,), op, a.type))
    if x.icmp(UGE, y):
        return work.become(op, work.new(SubOp, (a, b), op))
    a, b = _frozen(work, a, op), _frozen(work, b, op)
    less = work.new(ICmpOp, (a, b), op, I1, {"predicate": int_attr(ULT, I64)})
    rest = work.new(SubOp, (a, b), op)
    return work.become(op, select(less, a, rest, op))


def _frozen(work: RangeRewriter, value: SSAValue, before: Operation) -> SSAValue:
    """The frozen value, which is the same at each use."""
    return value if is_constant(value) else work.new(FreezeOp, (value,), before)


def _narrower(
    work: RangeRewriter, op: Operation, x: ConstantRange, y: ConstantRange, *, signed: bool
) -> bool:
    width = x.width
    if signed:
        needed = max(signed_bits(x), signed_bits(y))
        # The only quotient that needs one more bit.
        if x.contains(-(1 << (needed - 1))) and y.contains(-1):
            needed += 1
    else:
        needed = max(x.umax().bit_length(), y.umax().bit_length())
    narrow = max(1 << (needed - 1).bit_length() if needed else 1, NARROWEST_DIVISION)
    if narrow >= width or _is_power_of_two(fast.operands_of(op)[1]):
        return False
    type_ = integer(narrow)
    a, b = (_truncated(work, value, type_, op) for value in fast.operands_of(op))
    exact = {"isExact": UNIT} if is_exact(op) else None
    result = work.new(type(op), (a, b), op, properties=exact)
    extension = SExtOp if signed else ZExtOp
    return work.become(op, work.new(extension, (result,), op, op.results[0].type))


def _truncated(
    work: RangeRewriter, value: SSAValue, type_: Attribute, before: Operation
) -> SSAValue:
    number = constant_integer(value)
    if number is not None:
        return work.constants.integer(number, type_)
    return work.new(TruncOp, (value,), before, type_, {"overflowFlags": int_attr(0, integer(32))})


def _sign(known: ConstantRange) -> int:
    """1 for non-negative values, -1 for non-positive values, 0 for others."""
    if known.smin() >= 0:
        return 1
    return -1 if known.smax() <= 0 else 0


def _is_power_of_two(value: SSAValue) -> bool:
    """Returns True if a division by the value is a shift, in any width."""
    number = constant_integer(value)
    return number is not None and abs(number) & (abs(number) - 1) == 0
