"""Facts about expressions implied by loop guards (dominating conditions) and ranges.

(The subject of LLVM's `isKnownPredicate` and `isLoopEntryGuardedByCond`.)
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.llvm import CondBrOp, ICmpOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.invalidation import Invalidation
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
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.ir import fast

MAX_GUARDS = 32
"""Maximum number of conditions before a loop that one query considers."""
SIGNED = frozenset({SLT, SLE, SGT, SGE})
"""Signed predicates for which the sign matters."""


class Guards(Invalidation):
    """The part of ScalarEvolution that uses guards."""

    tree: DominatorTree

    if TYPE_CHECKING:

        def get(self, value: SSAValue) -> Scev: ...

        def width_of(self, type_: Attribute) -> int: ...

        def range(self, expression: Scev, *, signed: bool = False) -> ConstantRange: ...

    def is_known(self, predicate: int, a: Scev, b: Scev) -> bool:
        """True if `a predicate b` always holds, by identity, ranges, and constant distance."""
        if a is b:
            return predicate in (EQ, SLE, SGE, ULE, UGE)
        is_signed = predicate in SIGNED
        one, two = self.range(a, signed=is_signed), self.range(b, signed=is_signed)
        if one.icmp(predicate, two) is True:
            return True
        if predicate == NE:
            distance = self.expressions.sub(a, b)
            return distance.kind is Kind.CONSTANT and distance.constant != 0
        return False

    def is_guarded(self, loop: Loop, predicate: int, a: Scev, b: Scev) -> bool:
        """True if `a predicate b` holds whenever the loop is entered, by dominating branches."""
        if self.is_known(predicate, a, b):
            return True
        block: Block | None = loop.predecessor()
        target = loop.header
        for _ in range(MAX_GUARDS):
            if block is None:
                return False
            last = block.last_op
            if isinstance(last, CondBrOp) and self._implied_by(last, target, predicate, a, b):
                self.guards.setdefault(fast.operands_of(last)[0], set()).add(loop)
                return True
            target = block
            unique = dict.fromkeys(fast.predecessors_of(block))
            if len(unique) == 1:
                (block,) = unique
            else:
                up = self.tree.immediate_dominator(block)
                if up is None:
                    return False
                # Between the dominator and the block no single edge is certainly taken.
                target, block = up, self._only_predecessor(up)
        return False

    def _only_predecessor(self, block: Block) -> Block | None:
        unique = dict.fromkeys(fast.predecessors_of(block))
        return next(iter(unique)) if len(unique) == 1 else None

    def _implied_by(
        self, branch: Operation, target: Block, predicate: int, a: Scev, b: Scev
    ) -> bool:
        """Returns True if `a predicate b` holds on the branch's edge to the target."""
        yes, no = fast.successors_of(branch)
        if yes is no or target not in (yes, no):
            return False
        return any(
            self._condition_implies(op, holds, predicate, a, b)
            for op, holds in comparisons(fast.operands_of(branch)[0], target is yes)
        )

    def _condition_implies(
        self, condition: Operation, holds: bool, predicate: int, a: Scev, b: Scev
    ) -> bool:
        """Returns True if `a predicate b` follows from the result `holds` of a comparison."""
        x, y = fast.operands_of(condition)
        if not self.width_of(x.type):
            return False
        found = predicate_of(condition)
        if not holds:
            found = INVERSE[found]
        left, right = self.get(x), self.get(y)
        if left is b and right is a:
            found, left, right = SWAPPED[found], right, left
        if a.kind is Kind.CONSTANT:
            predicate, a, b = SWAPPED[predicate], b, a
        if right is a:
            found, left, right = SWAPPED[found], right, left
        if left is a and right is b:
            return _implies(found, predicate)
        # A guard bounds the range of its operand and of expressions that contain the operand.
        depth = self.knobs.max_scev_operations_implication_depth
        region = ConstantRange.full(left.width)
        if _is_part_of(a, left, depth) or _is_part_of(b, left, depth):
            if self._is_too_little(found, left, predicate, a, b):
                return False
            region = allowed_region(found, self.range(right, signed=found in SIGNED))
        one, two = (self._range_given(e, left, region, depth) for e in (a, b))
        return one.icmp(predicate, two) is True

    def _is_too_little(self, found: int, left: Scev, predicate: int, a: Scev, b: Scev) -> bool:
        """Returns True if `left found right` cannot imply `a predicate b` for any `right`.

        The condition then excludes at most the minimum or the maximum value of `left`. This avoids
        computing the range of `right`, which may be expensive: the range of a counter depends on
        the trip count of its loop, which depends on guards.
        """
        if left is not a or b.operands or found in (EQ, NE):
            return False
        left_open = _end_of(found, a.width)
        return self.range(a).contains(left_open.start) and (
            left_open.icmp(predicate, self.range(b)) is not True
        )

    def _range_given(
        self, at: Scev, known: Scev, region: ConstantRange, depth: int
    ) -> ConstantRange:
        """The range of an expression, given that an expression it may depend on is in a region."""
        if at is known:
            return self.range(at).intersect(region)
        if depth <= 0 or not at.operands or at.kind is Kind.ADD_REC:
            return self.range(at)
        parts = [self._range_given(o, known, region, depth - 1) for o in at.operands]
        return combine(at, parts).intersect(self.range(at))


def comparisons(condition: SSAValue, holds: bool) -> list[tuple[Operation, bool]]:
    """The comparisons that a condition's value `holds` implies, each with its own value.

    These are the operands of a true `and`, or of a false `or`.
    """
    found: list[tuple[Operation, bool]] = []
    work = [(condition, holds)]
    while work and len(found) < MAX_GUARDS:
        value, wanted = work.pop()
        if not isinstance(value, OpResult):
            continue
        if isinstance(value.op, ICmpOp):
            found.append((value.op, wanted))
            continue
        parts = connected(value.op)
        if parts is not None and parts[0] == wanted:
            work += [(parts[1], wanted), (parts[2], wanted)]
    return found


def combine(at: Scev, parts: list[ConstantRange]) -> ConstantRange:
    """The range of an expression from those of its operands; not for recurrences."""
    kind, width = at.kind, at.width
    found = parts[0]
    if kind is Kind.TRUNCATE or kind is Kind.PTR_TO_INT:
        return found.trunc(width)
    if kind is Kind.ZERO_EXTEND:
        return found.zext(width)
    if kind is Kind.SIGN_EXTEND:
        return found.sext(width)
    for other in parts[1:]:
        if kind is Kind.ADD:
            found = found.add(other)
        elif kind is Kind.MUL:
            found = found.mul(other)
        elif kind is Kind.UDIV:
            found = found.udiv(other)
        elif kind is Kind.UMAX:
            found = found.umax_with(other)
        elif kind is Kind.SMAX:
            found = found.smax_with(other)
        elif kind in (Kind.UMIN, Kind.SEQUENTIAL_UMIN):
            found = found.umin_with(other)
        else:
            found = found.smin_with(other)
    return found


def _is_part_of(at: Scev, part: Scev, depth: int) -> bool:
    """Returns True if an expression contains a part within a depth limit."""
    if at is part:
        return True
    if depth <= 0 or at.kind is Kind.ADD_REC:
        return False
    return any(_is_part_of(o, part, depth - 1) for o in at.operands)


def _end_of(predicate: int, width: int) -> ConstantRange:
    """The extreme left operand of an inequality: it satisfies it if any does."""
    half = 1 << (width - 1)
    if predicate in SIGNED:
        return ConstantRange.single(width, half if predicate in (SLT, SLE) else half - 1)
    return ConstantRange.single(width, 0 if predicate in (ULT, ULE) else -1)


def _implies(known: int, wanted: int) -> bool:
    """Returns True if `x known y` implies `x wanted y`."""
    return wanted == known or wanted in {
        EQ: (SLE, SGE, ULE, UGE),
        SLT: (SLE, NE),
        SGT: (SGE, NE),
        ULT: (ULE, NE),
        UGT: (UGE, NE),
    }.get(known, ())
