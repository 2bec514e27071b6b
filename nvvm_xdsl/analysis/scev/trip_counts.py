"""How often loops go around, from the tests on which they are left.

The counting half of ScalarEvolution: for each exit, for all together, under assumptions, and at
most. (The subject of LLVM's `computeExitLimit`; what is counted against what is in `scev`.)
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from xdsl.dialects.llvm import CondBrOp, ICmpOp
from xdsl.ir import Attribute, Block, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.ops import constant_integer, predicate_of
from nvvm_xdsl.analysis.scev.expressions import NSW, NUW, NW, Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.invalidation import BackedgeTakenInfo, Invalidation, Predicate
from nvvm_xdsl.analysis.scev.loop_evaluation import rounds_until_exit
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
)
from nvvm_xdsl.ir import fast

_LESS = {SLT: (False, True), SLE: (True, True), ULT: (False, False), ULE: (True, False)}
_GREATER = {SGT: (False, True), SGE: (True, True), UGT: (False, False), UGE: (True, False)}


class ExitCounts(Invalidation):
    """The counting half of ScalarEvolution."""

    tree: DominatorTree
    hits: Counter[str]
    _counting: set[Loop]

    if TYPE_CHECKING:

        def get(self, value: SSAValue) -> Scev: ...

        def width_of(self, type_: Attribute) -> int: ...

        def range(self, expression: Scev, *, signed: bool = False) -> ConstantRange: ...

        def is_known(self, predicate: int, a: Scev, b: Scev) -> bool: ...

        def is_guarded(self, loop: Loop, predicate: int, a: Scev, b: Scev) -> bool: ...

    def exit_count(self, loop: Loop, block: Block) -> Scev:
        """How often the loop goes around before it is left from this exiting block.

        That is, if no other exit is taken before; `could_not_compute` when that is not known.
        """
        key = (loop, block)
        found = self.exit_counts.get(key)
        if found is not None:
            self.hits["exit_counts"] += 1
            return found
        self._counting.add(loop)
        try:
            found = self._count_exit(loop, block, None)
        finally:
            self._counting.discard(loop)
        self.exit_counts[key] = found
        return found

    def _count_exit(self, loop: Loop, block: Block, assumed: list[Predicate] | None) -> Scev:
        last = block.last_op
        latch = loop.latch()
        if not isinstance(last, CondBrOp) or latch is None or not self.tree.dominates(block, latch):
            return self.could_not_compute
        yes, no = fast.successors_of(last)
        if loop.contains(yes) == loop.contains(no):
            return self.could_not_compute
        condition = fast.operands_of(last)[0]
        found = self._count_condition(loop, condition, loop.contains(yes), assumed)
        if found is self.could_not_compute:
            rounds = rounds_until_exit(loop, block, self.knobs)
            if rounds is not None:
                return self.expressions.constant(32, rounds)
        return found

    def _count_condition(
        self, loop: Loop, condition: SSAValue, stays: bool, assumed: list[Predicate] | None
    ) -> Scev:
        """How often the loop goes around while the condition is `stays`."""
        known = constant_integer(condition)
        if known is not None:
            if bool(known) == stays:
                return self.could_not_compute
            return self.expressions.zero(32)
        if not isinstance(condition, OpResult):
            return self.could_not_compute
        op = condition.op
        if op.name in ("llvm.and", "llvm.or"):
            # Both must hold to stay; for the other connective, one that fails is not enough.
            if (op.name == "llvm.and") == stays:
                counts = [
                    self._count_condition(loop, v, stays, assumed) for v in fast.operands_of(op)
                ]
                if self.could_not_compute not in counts:
                    return self._least(counts)
            return self.could_not_compute
        if not isinstance(op, ICmpOp):
            return self.could_not_compute
        a, b = fast.operands_of(op)
        if not self.width_of(a.type):
            return self.could_not_compute
        predicate = predicate_of(op) if stays else INVERSE[predicate_of(op)]
        return self.count_while(loop, predicate, self.get(a), self.get(b), assumed)

    def count_while(
        self, loop: Loop, predicate: int, a: Scev, b: Scev, assumed: list[Predicate] | None = None
    ) -> Scev:
        """How often the loop goes around while `a predicate b` holds at its exit test."""
        if is_invariant(a, loop) and not is_invariant(b, loop):
            predicate, a, b = SWAPPED[predicate], b, a
        if predicate == NE and not is_invariant(b, loop):
            a, b = self.expressions.sub(a, b), self.expressions.zero(a.width)
        if not a.is_affine or a.loop is not loop or not is_invariant(b, loop):
            return self.could_not_compute
        if predicate == NE:
            return self._count_to(loop, a, b, assumed)
        if predicate == EQ and self.knobs.track_trip_count_more:
            return self._count_equal(a, b)
        if predicate in _LESS:
            return self._count_less(loop, a, b, *_LESS[predicate], assumed)
        if predicate in _GREATER:
            return self._count_greater(loop, a, b, *_GREATER[predicate], assumed)
        return self.could_not_compute

    def _count_to(self, loop: Loop, a: Scev, b: Scev, assumed: list[Predicate] | None) -> Scev:
        """Rounds until the recurrence meets the bound exactly."""
        ex = self.expressions
        step = a.step
        distance = ex.sub(b, a.start)
        if step.kind is not Kind.CONSTANT:
            return self.could_not_compute
        width = a.width
        if step.signed == 1:
            return distance
        if step.signed == -1:
            return ex.negate(distance)
        if distance.kind is Kind.CONSTANT:
            # step * n = distance modulo 2^width has its least solution by the inverse.
            power = (step.constant & -step.constant).bit_length() - 1
            if distance.constant & ((1 << power) - 1):
                return self.could_not_compute
            modulus = 1 << (width - power)
            inverse = pow(step.constant >> power, -1, modulus)
            return ex.constant(width, (distance.constant >> power) * inverse % modulus)
        if len(loop.exiting_blocks()) != 1:
            # If the bound is jumped over, the loop is left elsewhere.
            return self.could_not_compute
        if not a.flags & NW:
            if assumed is None:
                return self.could_not_compute
            assumed.append((NW, a))
        if step.signed < 0:
            return ex.udiv(ex.negate(distance), ex.constant(width, -step.signed))
        return ex.udiv(distance, step)

    def _count_equal(self, a: Scev, b: Scev) -> Scev:
        """Rounds that a recurrence equals what stands still: one at most."""
        ex = self.expressions
        if self.is_known(NE, a.start, b):
            return ex.zero(a.width)
        moves = a.step.kind is Kind.CONSTANT and not a.step.is_zero
        return ex.one(a.width) if a.start is b and moves else self.could_not_compute

    def _count_less(
        self, loop: Loop, a: Scev, b: Scev, or_equal: bool, is_signed: bool,
        assumed: list[Predicate] | None,
    ) -> Scev:  # fmt: skip
        """Rounds until a rising recurrence reaches the bound."""
        ex = self.expressions
        width = a.width
        step = a.step
        strides = self.range(step, signed=True)
        if strides.is_empty or strides.smin() <= 0:
            return self.could_not_compute
        if step.kind is not Kind.CONSTANT and not self.knobs.aggressive_positive_stride_analysis:
            return self.could_not_compute
        flag = NSW if is_signed else NUW
        top = (1 << (width - 1)) - 1 if is_signed else (1 << width) - 1
        bound = self.range(b, signed=is_signed)
        most = bound.smax() if is_signed else bound.umax()
        wraps_not = bool(a.flags & flag)
        if or_equal:
            # Up to the greatest value there is the test never fails.
            if most == top and not self.is_known(NE, b, ex.constant(width, top)):
                return self.could_not_compute
            b = ex.add(b, ex.one(width))
            most += 1
        if not wraps_not and most > top - (strides.smax() - 1):
            if assumed is None:
                return self.could_not_compute
            assumed.append((flag, a))
        kind, guard = (Kind.SMAX, SLE) if is_signed else (Kind.UMAX, ULE)
        strict = SLT if is_signed else ULT
        if self.is_guarded(loop, guard, a.start, b) or self.is_guarded(loop, strict, a.start, b):
            end = b
        else:
            end = ex.min_max(kind, b, a.start)
        return self._rounds_up(ex.sub(end, a.start), step)

    def _rounds_up(self, distance: Scev, step: Scev) -> Scev:
        """ceil(distance / step), where the distance is below 2^width."""
        ex = self.expressions
        is_constant = step.kind is Kind.CONSTANT
        if is_constant and step.constant == 1:
            return distance
        if is_constant and distance.kind is Kind.CONSTANT:
            return ex.constant(distance.width, -(-distance.constant // step.constant))
        highest = self.range(distance)
        room = (1 << distance.width) - self.range(step).umax()
        if is_constant and not highest.is_empty and highest.umax() <= room:
            return ex.udiv(ex.add(distance, ex.constant(distance.width, step.constant - 1)), step)
        # distance + step - 1 could overflow: take the first round apart.
        one = ex.one(distance.width)
        some = ex.min_max(Kind.UMIN, distance, one)
        return ex.add(some, ex.udiv(ex.sub(distance, some), step))

    def _count_greater(
        self, loop: Loop, a: Scev, b: Scev, or_equal: bool, is_signed: bool,
        assumed: list[Predicate] | None,
    ) -> Scev:  # fmt: skip
        """Rounds until a falling recurrence reaches the bound."""
        ex = self.expressions
        width = a.width
        if a.step.kind is not Kind.CONSTANT or a.step.signed >= 0:
            return self.could_not_compute
        size = -a.step.signed
        bottom = -(1 << (width - 1)) if is_signed else 0
        bound = self.range(b, signed=is_signed)
        least = bound.smin() if is_signed else bound.umin()
        wraps_not = is_signed and bool(a.flags & NSW)
        if or_equal:
            if least == bottom:
                return self.could_not_compute
            b = ex.sub(b, ex.one(width))
            least -= 1
        if size != 1 and not wraps_not and least < bottom + (size - 1):
            if assumed is None:
                return self.could_not_compute
            assumed.append((NSW if is_signed else NUW, a))
        kind, guard = (Kind.SMIN, SGE) if is_signed else (Kind.UMIN, UGE)
        strict = SGT if is_signed else UGT
        if self.is_guarded(loop, guard, a.start, b) or self.is_guarded(loop, strict, a.start, b):
            end = b
        else:
            end = ex.min_max(kind, b, a.start)
        return self._rounds_up(ex.sub(a.start, end), ex.constant(width, size))

    def _least(self, counts: list[Scev]) -> Scev:
        width = max(c.width for c in counts)
        return self.expressions.min_max(
            Kind.UMIN, *(self.expressions.zext(c, width) for c in counts)
        )

    def backedge_taken_count(self, loop: Loop) -> Scev:
        """How often the loop goes around exactly, or `could_not_compute`."""
        known = self.backedge_taken_counts.get(loop)
        if known is not None and known.exact is not None:
            self.hits["backedge_taken_counts"] += 1
            return known.exact
        counts = [self.exit_count(loop, block) for block in loop.exiting_blocks()]
        if not counts or self.could_not_compute in counts:
            found = self.could_not_compute
        elif len(counts) == 1:
            found = counts[0]
        else:
            width = max(c.width for c in counts)
            found = self.expressions.umin_sequential(
                *(self.expressions.zext(c, width) for c in counts)
            )
        bounds = self.bounds_of_count(loop) if known is None else known.bounds
        self.backedge_taken_counts[loop] = BackedgeTakenInfo(found, bounds)
        return found

    def predicated_backedge_taken_count(self, loop: Loop) -> tuple[Scev, list[Predicate]]:
        """The exact count given that recurrences do not wrap, and which must not."""
        found = self.predicated_backedge_taken_counts.get(loop)
        if found is not None:
            self.hits["predicated_backedge_taken_counts"] += 1
            return found
        exact = self.backedge_taken_count(loop)
        assumed: list[Predicate] = []
        blocks = loop.exiting_blocks()
        if exact is self.could_not_compute and blocks:
            self._counting.add(loop)
            try:
                counts = [self._count_exit(loop, block, assumed) for block in blocks]
            finally:
                self._counting.discard(loop)
            if self.could_not_compute not in counts:
                exact = self._least(counts)
        if exact is self.could_not_compute:
            assumed = []
        found = self.predicated_backedge_taken_counts[loop] = (exact, assumed)
        return found

    def bounds_of_count(self, loop: Loop) -> ConstantRange:
        """The numbers of rounds that the exits leave open.

        The loop is left by one of them, so the number is among what one of them allows; and
        each that has a count leaves it at the latest then.
        """
        blocks = loop.exiting_blocks()
        counts = [self.exit_count(loop, block) for block in blocks]
        known = [self.range(c) for c in counts if c is not self.could_not_compute]
        known = [r for r in known if not r.is_empty]
        width = max((r.width for r in known), default=32)
        known = [r.zext(width) for r in known]
        found = ConstantRange.full(width)
        if known and len(known) == len(counts):
            found = known[0]
            for other in known[1:]:
                found = found.union(other)
        for range_ in known:
            found = found.intersect(ConstantRange.interval(width, 0, range_.umax()))
        return found

    def constant_max_backedge_taken_count(self, loop: Loop) -> int | None:
        """A number of rounds that the loop never goes beyond, or None."""
        known = self.backedge_taken_counts.get(loop)
        bounds = self.bounds_of_count(loop) if known is None else known.bounds
        return None if bounds.is_full or bounds.is_empty else bounds.umax()

    def trip_count(self, loop: Loop) -> int | None:
        """How often the header runs, when that is one number that fits in 32 bits."""
        count = self.backedge_taken_count(loop)
        if count.kind is Kind.CONSTANT and count.constant < (1 << 32) - 1:
            return count.constant + 1
        return None

    def trip_multiple(self, loop: Loop) -> int:
        """A number that divides how often the header runs."""
        count = self.backedge_taken_count(loop)
        if count is self.could_not_compute:
            return 1
        total = self.expressions.add(count, self.expressions.one(count.width))
        if total.kind is Kind.CONSTANT:
            return total.constant or 1
        if total.kind is Kind.MUL and total.operands[0].kind is Kind.CONSTANT:
            # The product may wrap: only the power of two divides it for sure.
            factor = total.operands[0].constant
            return factor & -factor
        return 1

    def at_exit(self, value: SSAValue, loop: Loop) -> Scev:
        """What the value is when the loop is left, as an expression that is invariant in it."""
        count = self.backedge_taken_count(loop)
        expression = self.get(value)
        if count is self.could_not_compute:
            return expression if is_invariant(expression, loop) else self.could_not_compute

        def replace(at: Scev) -> Scev | None:
            if at.is_affine and at.loop is loop:
                resized = (
                    self.expressions.trunc(count, at.width)
                    if count.width > at.width
                    else self.expressions.zext(count, at.width)
                )
                return self.expressions.at_iteration(at, resized)
            return None

        found = self.expressions.rewrite(expression, replace)
        return found if is_invariant(found, loop) else self.could_not_compute
