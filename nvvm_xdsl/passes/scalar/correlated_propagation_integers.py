"""Makes integer ops cheaper by the ranges of their operands, for `correlated-propagation`."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import AddOp, ExtractValueOp, LShrOp, MulOp, ShlOp, SubOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.values.constant_range import SGE, SLE, UGE, ULE, ConstantRange
from nvvm_xdsl.dialects.llvm.accessors import int_property, integer_width, position_of
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    is_exact,
    is_non_negative,
    overflow_flags,
    set_overflow_flags,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import (
    SAddSatOp,
    SAddWithOverflowOp,
    SMaxOp,
    SMinOp,
    SMulWithOverflowOp,
    SSHLSatOp,
    SSubSatOp,
    SSubWithOverflowOp,
    UAddSatOp,
    UAddWithOverflowOp,
    UMaxOp,
    UMinOp,
    UMulWithOverflowOp,
    USHLSatOp,
    USubSatOp,
    USubWithOverflowOp,
)
from nvvm_xdsl.dialects.llvm.types import I1, UNIT, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.correlated_propagation_rewriter import CHEAPENED, RangeRewriter

EXTREMES: Final[dict[type[Operation], tuple[int, type[Operation] | None]]] = {
    SMinOp: (SLE, UMinOp),
    SMaxOp: (SGE, UMaxOp),
    UMinOp: (ULE, None),
    UMaxOp: (UGE, None),
}
"""By op: the predicate for which it returns its first operand, and the op that replaces it if the
operands are non-negative.
"""


SATURATING: Final[dict[type[Operation], tuple[type[Operation], int]]] = {
    SAddSatOp: (AddOp, NSW),
    UAddSatOp: (AddOp, NUW),
    SSubSatOp: (SubOp, NSW),
    USubSatOp: (SubOp, NUW),
    SSHLSatOp: (ShlOp, NSW),
    USHLSatOp: (ShlOp, NUW),
}
"""By saturating op: the plain op, and the flag that holds if the op never saturates."""


WITH_OVERFLOW: Final[dict[type[Operation], tuple[type[Operation], int]]] = {
    SAddWithOverflowOp: (AddOp, NSW),
    UAddWithOverflowOp: (AddOp, NUW),
    SSubWithOverflowOp: (SubOp, NSW),
    USubWithOverflowOp: (SubOp, NUW),
    SMulWithOverflowOp: (MulOp, NSW),
    UMulWithOverflowOp: (MulOp, NUW),
}
"""By op with an overflow bit: the plain op, and the flag that holds if it never wraps."""


def simplify_extreme(work: RangeRewriter, op: Operation) -> bool:
    """Decides a minimum or maximum, or makes it unsigned."""
    found = work.ranges(op)
    if found is None:
        return False
    a, b = fast.operands_of(op)
    predicate, unsigned = EXTREMES[type(op)]
    first = found[0].icmp(predicate, found[1])
    if first is not None:
        return work.decide(op, a if first else b)
    # Either operand is correct for equal numbers.
    second = found[1].icmp(predicate, found[0])
    if second is not None:
        return work.decide(op, b if second else a)
    if unsigned is not None and all(r.smin() >= 0 for r in found):
        return work.become(op, work.new(unsigned, (a, b), op))
    return False


def simplify_absolute(work: RangeRewriter, op: Operation) -> bool:
    """Replaces an absolute value by its operand or the negation, if the sign is known."""
    (value,) = fast.operands_of(op)
    known = work.range(value, op)
    if known is None:
        return False
    if known.smin() >= 0:
        return work.decide(op, value)
    least = -(1 << (known.width - 1))
    poison = int_property(op, "is_int_min_poison") != 0
    if known.smax() <= 0:
        zero = work.constants.zero(value.type)
        flags = NSW if poison or known.smin() > least else 0
        negated = fast.create(SubOp, (zero, value), (value.type,), location=op.location)
        fast.insert_before(negated, op)
        if flags:
            set_overflow_flags(negated, flags)
        return work.become(op, negated.results[0])
    if not poison and not known.contains(least):
        op.properties["is_int_min_poison"] = int_attr(1, I1)
        return True
    return False


def simplify_saturating(work: RangeRewriter, op: Operation) -> bool:
    """Replaces saturating arithmetic that never saturates."""
    found = work.ranges(op)
    cls, flag = SATURATING[type(op)]
    if found is None or not _never_wraps(cls, flag, *found):
        return False
    return work.become(op, _wrapping(work, cls, flag, op))


def remove_overflow_bit(work: RangeRewriter, op: Operation) -> bool:
    """Removes the overflow bit of arithmetic that never wraps."""
    users = list(fast.users_of(op.results[0]))
    if not users or any(type(user) is not ExtractValueOp for user in users):
        return False
    found = work.ranges(op)
    cls, flag = WITH_OVERFLOW[type(op)]
    if found is None or not _never_wraps(cls, flag, *found):
        return False
    value = _wrapping(work, cls, flag, op)
    for user in users:
        part = value if position_of(user) == (0,) else work.constants.boolean(False)
        fast.replace_all_uses(user.results[0], part)
    # The walk over the block has not visited them yet.
    work.dead += [*users, op]
    CHEAPENED.add()
    return True


def _wrapping(work: RangeRewriter, cls: type[Operation], flag: int, op: Operation) -> SSAValue:
    operands = fast.operands_of(op)
    new = fast.create(cls, operands, (operands[0].type,), location=op.location)
    set_overflow_flags(new, flag)
    fast.insert_before(new, op)
    return new.results[0]


def make_shift_logical(work: RangeRewriter, op: Operation) -> bool:
    """Makes an arithmetic right shift of a non-negative value logical."""
    value, _ = fast.operands_of(op)
    known = work.range(value, op)
    if known is None:
        return False
    if known.smin() >= -1 and known.smax() <= 0:
        # All shifts of a value of sign bits give the same result.
        return work.decide(op, value)
    if known.smin() < 0:
        return False
    exact = {"isExact": UNIT} if is_exact(op) else None
    return work.become(op, work.new(LShrOp, fast.operands_of(op), op, properties=exact))


def make_extension_zero(work: RangeRewriter, op: Operation) -> bool:
    """Makes an extension of a non-negative value a zero extension, marked `nneg`."""
    (value,) = fast.operands_of(op)
    if type(op) is ZExtOp and is_non_negative(op):
        return False
    known = work.range(value, op)
    if known is None or known.smin() < 0:
        return False
    type_ = op.results[0].type
    return work.become(op, work.new(ZExtOp, (value,), op, type_, {"nonNeg": UNIT}))


def remove_mask(work: RangeRewriter, op: Operation) -> bool:
    """Removes a mask that clears no bit."""
    found = work.ranges(op)
    value, mask = fast.operands_of(op)
    bits = constant_integer(mask)
    if found is None or bits is None:
        return False
    low = bits & ((1 << found[0].width) - 1)
    # A range only decides this for masks of low bits.
    ones = (~low & (low + 1)) - 1
    return found[0].umax() <= ones and work.decide(op, value)


def add_wrap_flags(work: RangeRewriter, op: Operation) -> bool:
    """Adds `nsw` and `nuw` where the ranges exclude wrapping, and to sums without carries."""
    flags = overflow_flags(op)
    if flags == NSW | NUW:
        return False
    if type(op) is AddOp and _have_no_common_bits(work, op):
        set_overflow_flags(op, NSW | NUW)
        return True
    found = work.ranges(op)
    if found is None:
        return False
    new = flags
    for flag in (NSW, NUW):
        if not flags & flag and _never_wraps(type(op), flag, *found):
            new |= flag
    if new == flags:
        return False
    set_overflow_flags(op, new)
    return True


def _have_no_common_bits(work: RangeRewriter, op: Operation) -> bool:
    """True if no bit may be one in both operands.

    The sum of such operands is their `or`, with the sign of the operands or of the negative one, so it
    has no unsigned or signed overflow. (LLVM's `haveNoCommonBitsSet`.)
    """
    a, b = fast.operands_of(op)
    if not integer_width(a.type):
        return False
    first, second = work.lvi.facts.fact(a).bits, work.lvi.facts.fact(b).bits
    return (first.zeros | second.zeros) == first.mask


def add_truncation_flags(work: RangeRewriter, op: Operation) -> bool:
    """Adds `nsw` and `nuw` where the range fits the result."""
    flags = overflow_flags(op)
    if flags == NSW | NUW:
        return False
    (value,) = fast.operands_of(op)
    known = work.range(value, op)
    width = integer_width(op.results[0].type)
    if known is None:
        return False
    new = flags
    if known.umax() < 1 << width:
        new |= NUW
    if signed_bits(known) <= width:
        new |= NSW
    if new == flags:
        return False
    set_overflow_flags(op, new)
    return True


def _never_wraps(cls: type[Operation], flag: int, x: ConstantRange, y: ConstantRange) -> bool:
    """True if an op of this class never wraps, signed or unsigned, on operands in these ranges."""
    width = x.width
    if cls is ShlOp:
        if y.umax() >= width:
            return False
        if flag == NUW:
            return x.umax() << y.umax() < 1 << width
        low, high = x.smin() << y.umax(), x.smax() << y.umax()
    elif flag == NUW:
        if cls is SubOp:
            return x.umin() >= y.umax()
        high = x.umax() + y.umax() if cls is AddOp else x.umax() * y.umax()
        return high < 1 << width
    elif cls is AddOp:
        low, high = x.smin() + y.smin(), x.smax() + y.smax()
    elif cls is SubOp:
        low, high = x.smin() - y.smax(), x.smax() - y.smin()
    else:
        corners = [a * b for a in (x.smin(), x.smax()) for b in (y.smin(), y.smax())]
        low, high = min(corners), max(corners)
    half = 1 << (width - 1)
    return low >= -half and high < half


def signed_bits(known: ConstantRange) -> int:
    """The number of bits, including the sign bit, in which all values of a range fit."""
    low, high = known.smin(), known.smax()
    return 1 + max(
        (~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()
    )
