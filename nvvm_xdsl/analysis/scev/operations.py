"""The expression of each op's result in ScalarEvolution, from those of its operands.

The arguments of each function are the analysis, the op and the result's width; None means that the
result is an unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from xdsl.dialects.llvm import ICmpOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.values.constant_range import (
    INVERSE,
    SGE,
    SGT,
    SLE,
    SLT,
    SWAPPED,
    UGE,
    UGT,
    ULE,
    ULT,
    ConstantRange,
)
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, is_disjoint, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast


class Evolution(Protocol):
    """The interface of ScalarEvolution that the rules use."""

    @property
    def expressions(self) -> Expressions:
        """The table of interned expressions."""
        ...

    def get(self, value: SSAValue) -> Scev:
        """Returns the expression of a value."""
        ...

    def known(self, value: SSAValue) -> Scev:
        """Returns the cached expression of a value, or the value as an unknown; computes nothing."""
        ...

    def width_of(self, type_: Attribute) -> int:
        """Returns the width of a type, in bits."""
        ...

    def is_known(self, predicate: int, a: Scev, b: Scev) -> bool:
        """Returns whether the comparison holds in all cases."""
        ...

    def range(self, expression: Scev, *, signed: bool = False) -> ConstantRange:
        """Returns the range of an expression."""
        ...

    def zext(self, expression: Scev, width: int) -> Scev:
        """Zero-extends an expression to `width` bits."""
        ...

    def sext(self, expression: Scev, width: int) -> Scev:
        """Sign-extends an expression to `width` bits."""
        ...


def _add(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    return se.expressions.add(se.known(a), se.known(b))


def _sub(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    return se.expressions.sub(se.known(a), se.known(b))


def _mul(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    return se.expressions.mul(se.known(a), se.known(b))


def _shl(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    amount = constant_number(b)
    if amount is None or not 0 <= amount < width:
        return None
    return se.expressions.mul(se.known(a), se.expressions.constant(width, 1 << amount))


def _lshr(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    amount = constant_number(b)
    if amount is None or not 0 <= amount < width:
        return None
    return se.expressions.udiv(se.known(a), se.expressions.constant(width, 1 << amount))


def _udiv(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    return se.expressions.udiv(se.known(a), se.known(b))


def _urem(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = (se.known(v) for v in fast.operands_of(op))
    ex = se.expressions
    return ex.sub(a, ex.mul(ex.udiv(a, b), b))


def _when_not_negative(
    create: Callable[[Evolution, Operation, int], Scev | None],
) -> Callable[[Evolution, Operation, int], Scev | None]:
    """A signed division equals the unsigned one if no operand is negative."""

    def checked(se: Evolution, op: Operation, width: int) -> Scev | None:
        for value in fast.operands_of(op):
            range_ = se.range(se.known(value), signed=True)
            if range_.is_empty or range_.smin() < 0:
                return None
        return create(se, op, width)

    return checked


def _and(se: Evolution, op: Operation, width: int) -> Scev | None:
    """A mask with one run of ones: a division by the weight of its lowest bit, a remainder by its
    width, and a multiplication.
    """
    a, b = fast.operands_of(op)
    mask = constant_number(b)
    if mask is None:
        return None
    mask &= (1 << width) - 1
    low = (mask & -mask).bit_length() - 1
    run = mask >> max(low, 0)
    if not mask or run & (run + 1) or run.bit_length() == width:
        return None
    ex = se.expressions
    scale = ex.constant(width, 1 << low)
    found = ex.udiv(se.known(a), scale)
    if mask.bit_length() < width:
        found = ex.zext(ex.trunc(found, run.bit_length()), width)
    return ex.mul(scale, found)


def _or(se: Evolution, op: Operation, width: int) -> Scev | None:
    return _add(se, op, width) if is_disjoint(op) else None


def _xor(se: Evolution, op: Operation, width: int) -> Scev | None:
    a, b = fast.operands_of(op)
    if constant_number(b) != -1 or width < 2:
        return None
    ex = se.expressions
    return ex.sub(ex.constant(width, -1), se.known(a))


def _trunc(se: Evolution, op: Operation, width: int) -> Scev | None:
    return se.expressions.trunc(se.known(fast.operands_of(op)[0]), width)


_WIDENED = {"llvm.add": _add, "llvm.sub": _sub, "llvm.mul": _mul}


def _extension(kind: Kind, flag: int) -> Callable[[Evolution, Operation, int], Scev | None]:
    def create(se: Evolution, op: Operation, width: int) -> Scev | None:
        (inner,) = fast.operands_of(op)
        extend = se.sext if kind is Kind.SIGN_EXTEND else se.zext
        if isinstance(inner, OpResult) and inner.op.name in _WIDENED:
            # An expression that does not overflow can be computed in a wider type.
            if overflow_flags(inner.op) & flag:
                a, b = (extend(se.known(v), width) for v in fast.operands_of(inner.op))
                ex = se.expressions
                if inner.op.name == "llvm.add":
                    return ex.add(a, b)
                return ex.sub(a, b) if inner.op.name == "llvm.sub" else ex.mul(a, b)
        return extend(se.known(inner), width)

    return create


def _pointer_cast(se: Evolution, op: Operation, width: int) -> Scev | None:
    inner = se.known(fast.operands_of(op)[0])
    ex = se.expressions
    is_cast_to_integer = op.name == "llvm.ptrtoint"
    return ex.ptr_to_int(inner, width) if is_cast_to_integer else ex.int_to_ptr(inner, width)


def _vscale(se: Evolution, op: Operation, width: int) -> Scev | None:
    return se.expressions.vscale(width)


def _minimum(kind: Kind) -> Callable[[Evolution, Operation, int], Scev | None]:
    def create(se: Evolution, op: Operation, width: int) -> Scev | None:
        a, b = fast.operands_of(op)
        return se.expressions.min_max(kind, se.known(a), se.known(b))

    return create


_CHOSEN = {
    SLT: Kind.SMIN, SLE: Kind.SMIN, SGT: Kind.SMAX, SGE: Kind.SMAX,
    ULT: Kind.UMIN, ULE: Kind.UMIN, UGT: Kind.UMAX, UGE: Kind.UMAX,
}  # fmt: skip


def compared_by(condition: SSAValue) -> tuple[SSAValue, ...]:
    """The operands of a condition; empty if it is not a comparison of integers or pointers."""
    if not isinstance(condition, OpResult) or not isinstance(condition.op, ICmpOp):
        return ()
    return fast.operands_of(condition.op)


def _select(se: Evolution, op: Operation, width: int) -> Scev | None:
    condition, yes, no = fast.operands_of(op)
    known = constant_number(condition)
    if known is not None:
        return se.known(yes if known else no)
    compared = compared_by(condition)
    if not compared:
        return None
    a, b = compared
    predicate = predicate_of(fast.producer_of(condition))
    sides = se.known(a), se.known(b)
    # Ranges of recurrences depend on counts, which an expression must not depend on.
    if not any(p.kind is Kind.ADD_REC for side in sides for p in side.walk()):
        for found, value in ((predicate, yes), (INVERSE[predicate], no)):
            if se.is_known(found, *sides):
                return se.known(value)
    if (b, a) == (yes, no):
        predicate = SWAPPED[predicate]
    elif (a, b) != (yes, no):
        return None
    kind = _CHOSEN.get(predicate)
    return None if kind is None else se.expressions.min_max(kind, se.known(a), se.known(b))


CREATE: dict[str, Callable[[Evolution, Operation, int], Scev | None]] = {
    "llvm.add": _add,
    "llvm.sub": _sub,
    "llvm.mul": _mul,
    "llvm.shl": _shl,
    "llvm.lshr": _lshr,
    "llvm.udiv": _udiv,
    "llvm.urem": _urem,
    "llvm.sdiv": _when_not_negative(_udiv),
    "llvm.srem": _when_not_negative(_urem),
    "llvm.ashr": _when_not_negative(_lshr),
    "llvm.and": _and,
    "llvm.or": _or,
    "llvm.xor": _xor,
    "llvm.trunc": _trunc,
    "llvm.zext": _extension(Kind.ZERO_EXTEND, NUW),
    "llvm.sext": _extension(Kind.SIGN_EXTEND, NSW),
    "llvm.ptrtoint": _pointer_cast,
    "llvm.inttoptr": _pointer_cast,
    "llvm.select": _select,
    "llvm.intr.smin": _minimum(Kind.SMIN),
    "llvm.intr.smax": _minimum(Kind.SMAX),
    "llvm.intr.umin": _minimum(Kind.UMIN),
    "llvm.intr.umax": _minimum(Kind.UMAX),
    "llvm.intr.vscale": _vscale,
}
"""By op name."""
