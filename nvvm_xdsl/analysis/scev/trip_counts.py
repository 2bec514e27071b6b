"""Trip counts of loops, from the conditions of their exits.

Trip counts: the exact and maximum number of iterations for each exit and for the loop, with and
without assumptions. (Corresponds to LLVM's `computeExitLimit`.)
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from math import gcd, prod
from typing import TYPE_CHECKING

from xdsl.dialects.llvm import AddOp, CondBrOp, ICmpOp, SelectOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.scev.comparison_counts import ComparisonCounts
from nvvm_xdsl.analysis.scev.evaluation import at_iteration
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.invalidation import BackedgeTakenInfo, ExitLimit, Predicate
from nvvm_xdsl.analysis.scev.loop_evaluation import iterations_until_exit, iterations_until_stable
from nvvm_xdsl.analysis.values.constant_range import (
    INVERSE,
    NE,
    SGE,
    SGT,
    SLE,
    SLT,
    SWAPPED,
    ConstantRange,
)
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.branches import case_values, terminator_of, values_to
from nvvm_xdsl.dialects.llvm.flags import NSW, overflow_flags
from nvvm_xdsl.dialects.llvm.flow_ops import SwitchOp
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast

MAX_DEGREE = 4
"""Maximum degree of recurrences whose exit values are computed."""


class ExitCounts(ComparisonCounts):
    """The part of ScalarEvolution that computes trip counts."""

    func: Operation
    hits: Counter[str]
    _counting: set[Loop]
    _proving: set[Loop]
    _provisional: dict[SSAValue, None]
    _guessed_ranges: dict[tuple[Scev, bool], ConstantRange]

    if TYPE_CHECKING:

        def trailing_zeros(self, unknown: Scev) -> int: ...

    def exit_count(self, loop: Loop, block: Block) -> Scev:
        """Number of backedges taken before this exiting block leaves the loop.

        This assumes that no other exit is taken before; `could_not_compute` if it is unknown.
        """
        return self.exit_limit(loop, block).exact

    def exit_limit(self, loop: Loop, block: Block) -> ExitLimit:
        """Exact and maximum number of backedges taken before this exiting block leaves the loop."""
        key = (loop, block)
        found = self.exit_counts.get(key)
        if found is not None:
            self.hits["exit_counts"] += 1
            return found
        with self._looks_into(self._counting, loop):
            found = self._count_exit(loop, block, None)
        self.exit_counts[key] = found
        return found

    @contextmanager
    def _looks_into(self, those: set[Loop], loop: Loop) -> Generator[None]:
        """Marks the loop as being analysed, so that queries about it are not answered meanwhile.

        Values visited here, whose extensions may be imprecise, are recomputed later. Imprecise
        ranges are kept as long as the same loops are being analysed: each loop of a sequence may
        ask for the range of the one before it several times.
        """
        those.add(loop)
        outer, self._guessed_ranges = self._guessed_ranges, {}
        try:
            yield
        finally:
            self._guessed_ranges = outer
            those.discard(loop)
            if not self._counting and not self._proving:
                for value in self._provisional:
                    self.value_exprs.pop(value, None)
                self._provisional.clear()

    def _count_exit(self, loop: Loop, block: Block, assumed: list[Predicate] | None) -> ExitLimit:
        last = block.last_op
        latch = loop.latch()
        if last is None or latch is None or not self.tree.dominates(block, latch):
            return self._nothing()
        successors = fast.successors_of(last)
        is_only = loop.has_one_exiting_block()
        if isinstance(last, SwitchOp):
            found = self._count_switch(loop, last, is_only, assumed)
        elif isinstance(last, CondBrOp) and loop.contains(successors[0]) != loop.contains(
            successors[1]
        ):
            found = self._count_condition(
                loop, fast.operands_of(last)[0], loop.contains(successors[0]), is_only, assumed
            )
        else:
            return self._nothing()
        if found.exact is self.could_not_compute:
            rounds = iterations_until_exit(loop, block, self.knobs)
            if rounds is not None:
                return self._exactly(self.expressions.constant(32, rounds))
        return found

    def _count_switch(
        self, loop: Loop, op: SwitchOp, is_only: bool, assumed: list[Predicate] | None
    ) -> ExitLimit:
        """A switch that stays by default: until the value equals one of the exiting cases."""
        default, *targets = fast.successors_of(op)
        (value, *_) = fast.operands_of(op)
        width = self.width_of(value.type)
        leaving = [
            case
            for case, target in zip(case_values(op, signed=False), targets, strict=True)
            if not loop.contains(target)
        ]
        if not loop.contains(default) or not leaving or not width:
            return self._nothing()
        expression = self.get(value)
        is_only = is_only and len(leaving) == 1
        return self._first_of(
            [
                self.count_while(
                    loop, NE, expression, self.expressions.constant(width, case), is_only, assumed
                )
                for case in leaving
            ],
            in_order=False,
        )

    def _count_condition(
        self,
        loop: Loop,
        condition: SSAValue,
        stays: bool,
        is_only: bool,
        assumed: list[Predicate] | None,
    ) -> ExitLimit:
        """Number of backedges taken while the condition equals `stays`.

        Arguments:
            is_only: whether this is the only exit condition of the loop.
        """
        known = constant_number(condition)
        if known is not None:
            if bool(known) == stays:
                return self._nothing()
            return self._exactly(self.expressions.zero(32))
        if not isinstance(condition, OpResult):
            return self._nothing()
        op = condition.op
        parts = connected(op)
        if parts is not None:
            is_and, one, two = parts
            # Both must hold to stay; with the other connective, one false operand is not
            # sufficient.
            is_first = is_and == stays
            counts = [
                self._count_condition(loop, v, stays, is_only and not is_first, assumed)
                for v in (one, two)
            ]
            if is_first:
                return self._first_of(counts, in_order=type(op) is SelectOp)
            is_known = counts[0].exact is not self.could_not_compute
            return counts[0] if is_known and counts[0].exact is counts[1].exact else self._nothing()
        if op.name == "llvm.xor" and constant_number(fast.operands_of(op)[1]) is not None:
            inner, flip = fast.operands_of(op)
            stays = stays != bool(constant_number(flip))
            return self._count_condition(loop, inner, stays, is_only, assumed)
        if not isinstance(op, ICmpOp):
            return self._nothing()
        a, b = fast.operands_of(op)
        if not self.width_of(a.type):
            return self._nothing()
        predicate = predicate_of(op) if stays else INVERSE[predicate_of(op)]
        rounds = self._rounds_between(loop, predicate, a, b)
        if rounds is not None:
            return self._exactly(self.expressions.constant(self.width_of(a.type), rounds))
        found = self.count_while(loop, predicate, self.get(a), self.get(b), is_only, assumed)
        if found.most is self.could_not_compute:
            rounds = iterations_until_stable(self, loop, predicate, a, b)
            if rounds is not None:
                return found._replace(most=self.expressions.constant(32, rounds))
        return found

    def _rounds_between(self, loop: Loop, predicate: int, a: SSAValue, b: SSAValue) -> int | None:
        """Number of iterations of a counter from one sum to another with the same base; None if the
        comparison is not one of these.

            for (int i = x - 1; i <= x + 1; i++)

        The first test makes the program undefined if one of its operands is poison, so the sums
        with nsw, which are its operands, do not wrap. The counter does not wrap either.
        """
        if predicate in (SGT, SGE, SLT, SLE):
            if is_invariant(self.get(a), loop):
                predicate, a, b = SWAPPED[predicate], b, a
            counter = self.get(a)
            if not counter.is_affine or counter.loop is not loop or not counter.flags & NSW:
                return None
            if not is_invariant(self.get(b), loop):
                return None
            step = counter.step
            first, last = _offset_from_base(a, loop), _offset_from_base(b, None)
            if step.kind is not Kind.CONSTANT or first[0] is not last[0]:
                return None
            distance, stride = last[1] - first[1], step.signed
            if predicate in (SGT, SGE):
                distance, stride = -distance, -stride
            if stride > 0:
                # Round up, and up further if the bound itself passes the test.
                return max(0, -(-(distance + (predicate in (SGE, SLE))) // stride))
        return None

    def backedge_taken_count(self, loop: Loop) -> Scev:
        """The exact backedge-taken count, or `could_not_compute`."""
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
            found = self._least(counts, in_order=True)
        bounds = self.bounds_of_count(loop) if known is None else known.bounds
        self.backedge_taken_counts[loop] = BackedgeTakenInfo(found, bounds)
        return found

    def symbolic_max_backedge_taken_count(self, loop: Loop) -> Scev:
        """An upper bound of the backedge-taken count as a formula, or `could_not_compute`.

        The exact count if it is known, else the minimum over the exits with known counts.
        """
        exact = self.backedge_taken_count(loop)
        if exact is not self.could_not_compute:
            return exact
        limits = [self.exit_limit(loop, block).most for block in loop.exiting_blocks()]
        known = [limit for limit in limits if limit is not self.could_not_compute]
        return self._least(known, in_order=True) if known else self.could_not_compute

    def predicated_backedge_taken_count(self, loop: Loop) -> tuple[Scev, list[Predicate]]:
        """The exact count under assumptions, and the assumptions, mostly flags of recurrences."""
        found = self.predicated_backedge_taken_counts.get(loop)
        if found is not None:
            self.hits["predicated_backedge_taken_counts"] += 1
            return found
        exact = self.backedge_taken_count(loop)
        assumed: list[Predicate] = []
        blocks = loop.exiting_blocks()
        if exact is self.could_not_compute and blocks:
            with self._looks_into(self._counting, loop):
                counts = [self._count_exit(loop, block, assumed).exact for block in blocks]
            if self.could_not_compute not in counts:
                exact = self._least(counts, in_order=True)
        if exact is self.could_not_compute:
            assumed = []
        found = self.predicated_backedge_taken_counts[loop] = (exact, assumed)
        return found

    def bounds_of_count(self, loop: Loop) -> ConstantRange | None:
        """The iteration counts that the exits permit; None if they permit all.

        The loop is left by one exit, so the count is permitted by at least one. Exits with a known
        count are upper bounds.
        """
        nothing = self.could_not_compute
        limits = [self.exit_limit(loop, block) for block in loop.exiting_blocks()]
        most = [(self.range(at.most), at.highest) for at in limits if at.most is not nothing]
        most = [(r, highest) for r, highest in most if not r.is_empty]
        if not most:
            return None
        width = max(r.width for r, _ in most)
        found = ConstantRange.full(width)
        exact = [self.range(at.exact) for at in limits if at.exact is not nothing]
        if len(exact) == len(limits) and not any(r.is_empty for r in exact):
            found = exact[0].zext(width)
            for other in exact[1:]:
                found = found.union(other.zext(width))
        for range_, highest in most:
            last = range_.umax() if highest is None else min(range_.umax(), highest)
            found = found.intersect(ConstantRange.interval(width, 0, last))
        return found

    def constant_max_backedge_taken_count(self, loop: Loop) -> int | None:
        """A constant upper bound of the number of iterations, or None."""
        known = self.backedge_taken_counts.get(loop)
        bounds = self.bounds_of_count(loop) if known is None else known.bounds
        return None if bounds is None or bounds.is_empty else bounds.umax()

    def trip_count(self, loop: Loop) -> int | None:
        """The number of times that the header runs, if it is a constant that fits in 32 bits."""
        count = self.backedge_taken_count(loop)
        if count.kind is Kind.CONSTANT and count.constant < (1 << 32) - 1:
            return count.constant + 1
        return None

    def trip_multiple(self, loop: Loop) -> int:
        """A number that divides the number of executions of the header."""
        count = self.backedge_taken_count(loop)
        if count is self.could_not_compute:
            return 1
        total = self.expressions.add(count, self.expressions.one(count.width))
        found = self.multiple_of(total)
        # 2^width iterations are represented as 0: only a power of two divides them, too.
        if not found or self.range(total).contains(0):
            return (found & -found) or 1
        return found

    def multiple_of(self, expression: Scev) -> int:
        """A number that divides the expression's value; 0 if the value is 0."""
        done: dict[Scev, int] = {}
        for at in sorted(expression.walk(), key=lambda e: e.depth):
            done[at] = self._multiple(at, [done[o] for o in at.operands])
        return done[expression]

    def _multiple(self, at: Scev, parts: list[int]) -> int:
        kind = at.kind
        if kind is Kind.CONSTANT:
            return at.constant
        if kind is Kind.UNKNOWN and at.value is not None and integer_width(at.value.type):
            return 1 << self.trailing_zeros(at)
        if kind in (Kind.ZERO_EXTEND, Kind.PTR_TO_INT):
            return parts[0] if kind is Kind.ZERO_EXTEND else 1
        if kind in (Kind.UMAX, Kind.SMAX, Kind.UMIN, Kind.SMIN, Kind.SEQUENTIAL_UMIN):
            return gcd(*parts)
        if kind is Kind.MUL:
            found = prod(parts)
            exact = prod(_most(self.range(o)) for o in at.operands)
        elif kind in (Kind.ADD, Kind.ADD_REC):
            found = gcd(*parts)
            exact = sum(_most(self.range(o)) for o in at.operands) if kind is Kind.ADD else -1
        elif kind in (Kind.TRUNCATE, Kind.SIGN_EXTEND):
            found, exact = parts[0], -1
        else:
            return 1
        if not found:
            return 0
        if 0 <= exact < 1 << at.width:
            return found
        # Modulo 2^width only the power of two remains.
        power = found & -found
        return power if power < 1 << at.width else 0

    def at_exit(self, value: SSAValue, loop: Loop) -> Scev:
        """The exit value, as a loop-invariant expression."""
        return self.at_exit_of(value, loop, self.backedge_taken_count(loop))

    def at_exit_of(self, value: SSAValue, loop: Loop, count: Scev) -> Scev:
        """The value after `count` iterations, as an invariant expression.

        The count and the result may be `could_not_compute`.
        """
        expression = self.get(value)
        if count is self.could_not_compute:
            return expression if is_invariant(expression, loop) else self.could_not_compute

        def replace(at: Scev) -> Scev | None:
            if at.kind is Kind.ADD_REC and at.loop is loop and len(at.operands) <= MAX_DEGREE + 1:
                return at_iteration(self.expressions, at, count)
            return None

        found = self.expressions.rewrite(expression, replace)
        return found if is_invariant(found, loop) else self.could_not_compute


def _offset_from_base(value: SSAValue, loop: Loop | None) -> tuple[SSAValue, int]:
    """The value and the constant whose exact sum is an integer that is not poison.

    Arguments:
        loop: the sum is that of the first iteration of this loop.
    """
    offset = 0
    while True:
        if loop is not None and isinstance(value, BlockArgument) and value.block is loop.header:
            outside = {
                values[value.index]
                for block in fast.predecessors_of(loop.header)
                if not loop.contains(block)
                for values in values_to(terminator_of(block), loop.header)
            }
            if len(outside) != 1:
                return value, offset
            (value,), loop = outside, None
        elif type(value.owner) is AddOp and overflow_flags(value.owner) & NSW:
            base, added = fast.operands_of(value.owner)
            number = constant_number(added)
            if number is None:
                return value, offset
            offset += number
            value = base
        else:
            return value, offset


def _most(range_: ConstantRange) -> int:
    return 0 if range_.is_empty else range_.umax()
