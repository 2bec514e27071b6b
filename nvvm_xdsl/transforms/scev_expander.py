"""Creates ops for expressions of ScalarEvolution. (LLVM's SCEVExpander.)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.llvm import (
    AddOp,
    LLVMPointerType,
    MulOp,
    PtrToIntOp,
    SExtOp,
    SubOp,
    TruncOp,
    UDivOp,
    ZExtOp,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.ops import SMaxOp, SMinOp, UMaxOp, UMinOp
from nvvm_xdsl.dialects.llvm.types import integer
from nvvm_xdsl.transforms.builder import Builder

_CASTS: Final[dict[Kind, type[Operation]]] = {
    Kind.TRUNCATE: TruncOp,
    Kind.ZERO_EXTEND: ZExtOp,
    Kind.SIGN_EXTEND: SExtOp,
}
_CHAINS: Final[dict[Kind, type[Operation]]] = {
    Kind.MUL: MulOp,
    Kind.UMAX: UMaxOp,
    Kind.SMAX: SMaxOp,
    Kind.UMIN: UMinOp,
    Kind.SMIN: SMinOp,
}
DIVISION_COST: Final = 6
"""Cost of a division by a constant that is not a power of two."""


class Expander:
    """Creates ops that compute expressions at positions where they are not available.

    Ops are created without wrap flags: they are poison only if a value of the expression is. No op
    is created whose execution could be undefined, such as a division by a value that may be 0.

    Arguments:
        se: the expressions of the current function.
        constants: creates constants of the function.
        known: values by expression that are available at all insertion points. A value must not be
            poison if a result that is computed from it must not be.
    """

    def __init__(
        self,
        se: ScalarEvolution,
        constants: Constants,
        known: Mapping[Scev, SSAValue] | None = None,
    ) -> None:
        self._se = se
        self._constants = constants
        self._known: Mapping[Scev, SSAValue] = {} if known is None else known

    def cost(self, expression: Scev, where: Block) -> int | None:
        """Number of ops at the end of a block that would compute the expression; None if it cannot
        be computed there."""
        total = 0
        pending = [expression]
        seen: set[Scev] = set(self._known)
        while pending:
            part = pending.pop()
            if part in seen:
                continue
            seen.add(part)
            cost = self._cost_of(part, where)
            if cost is None:
                return None
            total += cost
            if part.kind is not Kind.ADD_REC:
                pending += part.operands
        return total

    def _cost_of(self, part: Scev, where: Block) -> int | None:
        kind = part.kind
        if kind is Kind.CONSTANT:
            return 0
        if kind is Kind.UNKNOWN:
            value = part.value
            return 0 if value is not None and self._is_at_hand(value, where) else None
        if kind is Kind.ADD_REC:
            return None if self._counter(part, where) is None else 0
        if kind is Kind.UDIV:
            divisor = part.operands[1]
            if divisor.kind is not Kind.CONSTANT or divisor.is_zero:
                return None
            return DIVISION_COST if divisor.constant & (divisor.constant - 1) else 1
        if kind is Kind.ADD or kind in _CHAINS:
            return len(part.operands) - 1
        return 1 if kind in _CASTS else None

    def _is_at_hand(self, value: SSAValue, where: Block) -> bool:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        return block is not None and self._se.tree.dominates(block, where)

    def _counter(self, recurrence: Scev, where: Block) -> BlockArgument | None:
        """The argument of the loop header that equals a recurrence."""
        loop = recurrence.loop
        if loop is None or not loop.contains(where):
            return None
        for argument in loop.header.args:
            if self._se.width_of(argument.type) and self._se.get(argument) is recurrence:
                return argument
        return None

    def expand(self, expression: Scev, before: Operation) -> SSAValue:
        """Expands an expression before an op; returns the resulting integer."""
        return self._expand(expression, Builder(before, self._constants), dict(self._known))

    def _expand(self, at: Scev, builder: Builder, done: dict[Scev, SSAValue]) -> SSAValue:
        found = done.get(at)
        if found is None:
            found = done[at] = self._make(at, builder, done)
        return found

    def _make(self, at: Scev, builder: Builder, done: dict[Scev, SSAValue]) -> SSAValue:
        kind = at.kind
        type_ = integer(at.width)
        if kind is Kind.CONSTANT:
            return self._constants.integer(at.constant, type_)
        if kind in (Kind.UNKNOWN, Kind.ADD_REC):
            where = builder.before.parent
            assert where is not None
            value = at.value if kind is Kind.UNKNOWN else self._counter(at, where)
            assert value is not None
            if isinstance(value.type, LLVMPointerType):
                return builder.value(PtrToIntOp, (value,), type_)
            return value
        if kind is Kind.ADD:
            return self._sum(at, builder, done)
        parts = [self._expand(part, builder, done) for part in at.operands]
        if kind in _CASTS:
            return builder.value(_CASTS[kind], parts, type_)
        if kind is Kind.UDIV:
            return builder.value(UDivOp, parts, type_)
        cls = _CHAINS[kind]
        total = parts[0]
        for part in parts[1:]:
            total = builder.value(cls, (total, part), type_)
        return total

    def _sum(self, at: Scev, builder: Builder, done: dict[Scev, SSAValue]) -> SSAValue:
        """A sum; subtracted terms come last."""
        type_ = integer(at.width)
        negated = [p for p in at.operands if _is_negated(p)]
        positive = [p for p in at.operands if not _is_negated(p)]
        # A constant is added last, so that addresses can fold it.
        positive.sort(key=lambda p: p.kind is Kind.CONSTANT)
        total: SSAValue | None = None
        for part in positive:
            value = self._expand(part, builder, done)
            total = value if total is None else builder.value(AddOp, (total, value), type_)
        if total is None:
            total = self._constants.integer(0, type_)
        for part in negated:
            ex = self._se.expressions
            value = self._expand(ex.negate(part), builder, done)
            total = builder.value(SubOp, (total, value), type_)
        return total


def _is_negated(part: Scev) -> bool:
    return (
        part.kind is Kind.MUL
        and part.operands[0].kind is Kind.CONSTANT
        and (part.operands[0].signed == -1)
    )
