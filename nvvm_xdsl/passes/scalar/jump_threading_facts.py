"""Values of a block's ops and conditions when it is entered by one of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from xdsl.dialects.llvm import CondBrOp, ICmpOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.constant_folding import FOLDABLE, fold
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.values.constant_range import (
    EQ,
    INVERSE,
    NE,
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
    allowed_region,
)
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import TRANSFER, KnownValue
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import constant_attribute, is_undefined
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.thread_edges import IncomingEdge

MAX_DEPTH: Final = 6
"""Maximum length of a chain of ops of the block that is evaluated."""

MAX_WIDTH: Final = 64
"""Maximum width of integers (004, "PHI Operand Iteration")."""

UNDEFINED: Final = "undefined"
"""The value of a branch condition that is undef or poison: any value may be assumed."""

Outcome = int | Literal["undefined"] | None
"""The value, unsigned; `UNDEFINED`; or None if it is unknown."""


class EdgeValues:
    """Values on edges of one function.

    Arguments:
        ranges: the ranges of values on edges.
        implication_search_threshold: maximum length of a chain of predecessors whose
            branches are examined for an implied condition.
    """

    def __init__(self, ranges: LazyValueInfo, implication_search_threshold: int) -> None:
        self.ranges = ranges
        self.implication_search_threshold = implication_search_threshold
        self._constants: dict[SSAValue, KnownValue] = {}

    def value_on_edge(
        self,
        value: SSAValue,
        block: Block,
        edge: IncomingEdge,
        sent: tuple[SSAValue, ...],
        *,
        implying: bool = True,
    ) -> Outcome:
        """The value of an integer in a block that is entered by an edge; the block computes,
        receives or uses it.

        Arguments:
            value: an integer that is available at the end of the block.
            block: the target of the edge.
            edge: the edge.
            sent: the values of the block's arguments.
            implying: whether branches before the edge are used.
        """
        width = integer_width(value.type)
        if not 0 < width <= MAX_WIDTH:
            return None
        known = self._on_edge(value, block, sent)
        if is_undefined(known):
            return UNDEFINED
        constant = constant_integer(known)
        if constant is not None:
            return constant & ((1 << width) - 1)
        if width == 1 and implying:
            implied = self._implied(value, block, edge, sent)
            if implied is not None:
                return int(implied)
        return self._range(value, block, edge, sent, 0).value()

    def _on_edge(self, value: SSAValue, block: Block, sent: tuple[SSAValue, ...]) -> SSAValue:
        # `sent` is empty for a block without arguments.
        if sent and isinstance(value, BlockArgument) and value.block is block:
            return sent[value.index]
        return value

    def _range(
        self,
        value: SSAValue,
        block: Block,
        edge: IncomingEdge,
        sent: tuple[SSAValue, ...],
        depth: int,
    ) -> ConstantRange:
        """The range of an integer after the edge."""
        width = integer_width(value.type)
        at = self._on_edge(value, block, sent)
        constant = constant_integer(at)
        if constant is not None:
            return ConstantRange.single(width, constant)
        if type(at) is not OpResult or at is not value:
            return self.ranges.range_on_edge(at, edge.source, block)
        op = fast.producer_of(at)
        if op.parent is not block:
            return self.ranges.range_on_edge(at, edge.source, block)
        full = ConstantRange.full(width)
        if depth == MAX_DEPTH:
            return full
        operands = fast.operands_of(op)
        folded = self._fold(op, block, sent)
        if folded is not None:
            return ConstantRange.single(width, folded)
        transfer = TRANSFER.get(op.name)
        # A frozen value may be any value if the original is poison, which ranges ignore.
        if (
            transfer is None
            or op.name == "llvm.freeze"
            or 0 in [integer_width(operand.type) for operand in operands]
        ):
            return full
        facts: list[KnownValue] = []
        for operand in operands:
            fact = self._constants.get(operand)
            if fact is None:
                found = self._range(operand, block, edge, sent, depth + 1)
                fact = KnownValue.of(self.ranges.facts.known_bits(operand), found)
                if constant_integer(operand) is not None:
                    self._constants[operand] = fact
            facts.append(fact)
        return transfer(op, facts).range

    def _fold(self, op: Operation, block: Block, sent: tuple[SSAValue, ...]) -> int | None:
        """The result of an op on constants, or of a comparison of a value with itself."""
        operands = [self._on_edge(v, block, sent) for v in fast.operands_of(op)]
        if type(op) is ICmpOp:
            a, b = operands
            if a is b and not is_undefined(a):
                return int(predicate_of(op) in _REFLEXIVE)
            if not integer_width(a.type):
                one, other = constant_integer(a), constant_integer(b)
                predicate = predicate_of(op)
                if one is None or other is None or predicate not in (EQ, NE):
                    return None
                return int((one == other) == (predicate == EQ))
        if type(op) not in FOLDABLE:
            return None
        known: list[Attribute] = []
        for operand in operands:
            attribute = constant_attribute(operand)
            if attribute is None:
                return None
            known.append(attribute)
        result = fold(op, known)
        number = getattr(getattr(result, "value", None), "data", None)
        return number if isinstance(number, int) else None

    # Implication.

    def _implied(
        self, value: SSAValue, block: Block, edge: IncomingEdge, sent: tuple[SSAValue, ...]
    ) -> bool | None:
        """Returns whether branches on the path to the edge decide a condition."""
        if not isinstance(self._on_edge(value, block, sent), OpResult | BlockArgument):
            return None
        for condition, holds in self._conditions(edge):
            found = self._implies(condition, holds, value, block, sent, 0)
            if found is not None:
                return found
        return None

    def _conditions(self, edge: IncomingEdge) -> Iterator[tuple[SSAValue, bool]]:
        """The facts of branches on the path to the edge, the last one first."""
        terminator, index = edge
        for _ in range(self.implication_search_threshold):
            if type(terminator) is CondBrOp:
                yes, no = fast.successors_of(terminator)
                if yes is not no:
                    yield fast.operands_of(terminator)[0], index == 0
            at = terminator.parent
            assert at is not None
            before = fast.single_predecessor(at)
            if before is None or before.last_op is None:
                return
            terminator = before.last_op
            index = fast.successors_of(terminator).index(at)

    def _implies(
        self,
        condition: SSAValue,
        holds: bool,
        asked: SSAValue,
        block: Block,
        sent: tuple[SSAValue, ...],
        depth: int,
    ) -> bool | None:
        """The value of `asked` in the block after the edge, given the value of the condition."""
        target = self._on_edge(asked, block, sent)
        # A value computed in the block belongs to another iteration if it is known before the edge.
        fresh = target is asked and target.owner is not block and _home(target) is block
        if condition is target and not fresh:
            return holds
        if depth == MAX_DEPTH:
            return None
        parts = connected_parts(condition, holds)
        if parts is not None:
            for part, part_holds in parts:
                found = self._implies(part, part_holds, asked, block, sent, depth + 1)
                if found is not None:
                    return found
            return None
        if not isinstance(condition, OpResult) or not isinstance(target, OpResult):
            return None
        if target.op.name == "llvm.xor" and constant_integer(target.op.operands[1]) in (1, -1):
            inner = target.op.operands[0]
            if not fresh and _home(inner) is block:
                return None
            found = self._implies(condition, holds, inner, block, sent, depth + 1)
            return None if found is None else not found
        if type(condition.op) is not ICmpOp or type(target.op) is not ICmpOp:
            return None
        a, b = fast.operands_of(condition.op)
        x, y = fast.operands_of(target.op)
        if fresh:
            if any(v.owner is not block and _home(v) is block for v in (x, y)):
                return None
            x, y = self._on_edge(x, block, sent), self._on_edge(y, block, sent)
        predicate = predicate_of(condition.op)
        return implied_comparison(
            predicate if holds else INVERSE[predicate], a, b, predicate_of(target.op), x, y
        )


def _home(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


_REFLEXIVE: Final = frozenset({EQ, SLE, SGE, ULE, UGE})
"""Predicates of `llvm.icmp` that hold between a value and itself."""

_SIGNED_OUTCOMES: Final = {EQ: "e", NE: "lg", SLT: "l", SLE: "le", SGT: "g", SGE: "ge"}
_UNSIGNED_OUTCOMES: Final = {EQ: "e", NE: "lg", ULT: "l", ULE: "le", UGT: "g", UGE: "ge"}
"""For each predicate, the orders (less, equal, greater) for which it is true."""


def connected_parts(condition: SSAValue, holds: bool) -> list[tuple[SSAValue, bool]] | None:
    """The values of the operands of a conjunction, disjunction or negation with a known value.

    None for other conditions, or if the value does not determine those of the operands.
    """
    if isinstance(condition, OpResult) and condition.op.name == "llvm.xor":
        a, b = fast.operands_of(condition.op)
        if constant_integer(b) in (1, -1):
            return [(a, not holds)]
    if not isinstance(condition, OpResult):
        return None
    parts = connected(condition.op)
    if parts is None or parts[0] != holds:
        return None
    return [(parts[1], holds), (parts[2], holds)]


def implied_comparison(
    known: int, a: SSAValue, b: SSAValue, asked: int, x: SSAValue, y: SSAValue
) -> bool | None:
    """The result of `x asked y`, given that `a known b` holds; None if it is unknown.

    Both compare the same two values, in either order, or the same value with constants.
    """
    if a is y and b is x and a is not b:
        x, y, asked = y, x, SWAPPED[asked]
    if a is x and b is y:
        for outcomes in (_SIGNED_OUTCOMES, _UNSIGNED_OUTCOMES):
            one, other = outcomes.get(known), outcomes.get(asked)
            if one is not None and other is not None:
                if set(one) <= set(other):
                    return True
                if not set(one) & set(other):
                    return False
        return None
    if constant_integer(a) is not None:
        a, b, known = b, a, SWAPPED[known]
    if constant_integer(x) is not None:
        x, y, asked = y, x, SWAPPED[asked]
    one, other = constant_integer(b), constant_integer(y)
    width = integer_width(a.type)
    if a is not x or one is None or other is None or not width:
        return None
    region = allowed_region(known, ConstantRange.single(width, one))
    return region.icmp(asked, ConstantRange.single(width, other))
