"""No-wrap flags of recurrences, from trip counts and the loops' exit conditions.

A counter that is tested in each iteration before it is incremented is below its bound at the
increment, so it does not reach the maximum of its type in any iteration. This needs no trip count.
(Corresponds to LLVM's `proveNoWrapViaConstantRanges` and `proveNoSignedWrapViaInduction`.)
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from xdsl.dialects.llvm import CondBrOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loop_progress import is_finite_by_assumption, reaches_latch_or_exit
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.comparison_counts import GREATER, LESS
from nvvm_xdsl.analysis.scev.expressions import NW, Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.guards import comparisons
from nvvm_xdsl.analysis.scev.trip_counts import ExitCounts
from nvvm_xdsl.analysis.values.constant_range import INVERSE, NE, SLE, SLT, SWAPPED, ULE, ULT
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.ir import fast

MAX_NESTED_PROOFS = 24
"""Maximum number of loops whose counts and tests are examined for the sake of one proof: the test of a
loop may depend on the counter of an earlier loop, and so on."""

_EXTENSIONS = {"llvm.zext": Kind.ZERO_EXTEND, "llvm.sext": Kind.SIGN_EXTEND}


class Wrapping(ExitCounts):
    """The part of ScalarEvolution that proves that recurrences do not wrap."""

    _proving: set[Loop]

    def _prove_no_wrap(self, recurrence: Scev) -> None:
        """Sets the flags of an affine recurrence that the loop's tests and its count prove."""
        loop = recurrence.loop
        if loop is None or loop in self._proving:
            return
        if len(self._proving) + len(self._counting) >= MAX_NESTED_PROOFS:
            return
        with self._looks_into(self._proving, loop):
            self._prove_by_tests(recurrence, loop)
        if loop in self._counting:
            return
        if recurrence.flags & NSW and all(
            not r.is_empty and r.smin() >= 0
            for r in (self.range(o, signed=True) for o in recurrence.operands)
        ):
            recurrence.flags |= NUW
        most = self.constant_max_backedge_taken_count(loop)
        if most is None:
            return
        start = self.range(recurrence.start)
        step = self.range(recurrence.step, signed=True)
        if start.is_empty or step.is_empty:
            return
        width = recurrence.width
        if start.umax() + step.umax() * most < 1 << width:
            recurrence.flags |= NUW | NW
        half = 1 << (width - 1)
        low = start.smin() + min(0, step.smin() * most)
        high = start.smax() + max(0, step.smax() * most)
        if -half <= low and high < half:
            recurrence.flags |= NSW | NW

    def _prove_by_tests(self, recurrence: Scev, loop: Loop) -> None:
        latch = loop.latch()
        if latch is None:
            return
        for block in loop.exiting_blocks():
            last = block.last_op
            if not isinstance(last, CondBrOp) or not self.tree.dominates(block, latch):
                continue
            stays = loop.contains(fast.successors_of(last)[0])
            condition = fast.operands_of(last)[0]
            is_single = loop.exiting_blocks() == [block]
            for op, holds in comparisons(condition, stays):
                is_only = is_single and op is condition.owner
                self._prove_by_test(recurrence, loop, op, holds, is_only)

    def _prove_by_test(
        self, at: Scev, loop: Loop, op: Operation, holds: bool, is_only: bool
    ) -> None:
        """Uses a comparison with the result `holds` on every backedge.

        Arguments:
            is_only: whether the loop has no other exit condition.
        """
        x, y = fast.operands_of(op)
        predicate = predicate_of(op) if holds else INVERSE[predicate_of(op)]
        for value, other, found in ((x, y, predicate), (y, x, SWAPPED[predicate])):
            extension, value = _peeled(value)
            if self.width_of(value.type) != at.width:
                continue
            tested = self.get(value)
            if not tested.is_affine or tested.loop is not loop or tested.step is not at.step:
                continue
            if found == NE:
                if extension is None:
                    self._prove_by_equality_exit(at, tested, self.get(other))
            elif found in LESS or found in GREATER:
                self._prove_by_bound(at, tested, extension, found, self.get(other), is_only)

    def _prove_by_bound(
        self, at: Scev, tested: Scev, extension: Kind | None, predicate: int, bound: Scev,
        is_only: bool,
    ) -> None:  # fmt: skip
        """`tested`, extended or not, satisfies the bound in iterations that continue."""
        is_rising = predicate in LESS
        or_equal, is_signed = (LESS if is_rising else GREATER)[predicate]
        if extension is Kind.SIGN_EXTEND and not is_signed:
            return
        region = self.range(bound, signed=is_signed)
        strides = self.range(at.step, signed=True)
        if region.is_empty or strides.is_empty:
            return
        width = at.width
        half = 1 << (width - 1)
        reads_signed = extension is Kind.SIGN_EXTEND or (extension is None and is_signed)
        if not is_rising:
            # A falling value stays above the minimum, as signed.
            if reads_signed and strides.smax() < 0 and tested is at:
                lowest = max(region.smin() + (not or_equal), -half)
                if lowest + strides.smin() >= -half:
                    at.flags |= NSW | NW
            return
        if strides.smin() <= 0:
            return
        step = strides.smax()
        top = half - 1 if reads_signed else 2 * half - 1
        highest = min((region.smax() if is_signed else region.umax()) - (not or_equal), top)
        flag = NSW if reads_signed else NUW
        loop = at.loop
        assert loop is not None
        # Up to a bound that it never exceeds, the counter would never end.
        ends = (
            at.step.constant == 1
            and is_only
            and is_invariant(bound, loop)
            and is_finite_by_assumption(self.func, loop)
            and reaches_latch_or_exit(self.func, self.loops, loop)
        )
        if highest + step > top and not ends:
            return
        tested.flags |= flag | NW
        ex = self.expressions
        if tested.start is ex.add(at.start, at.step):
            # The test follows the step: the first step is not tested.
            limit = ex.constant(width, top - step)
            guard = SLE if reads_signed else ULE
            if self.is_guarded(loop, guard, at.start, limit):
                at.flags |= flag | NW
        elif at.start is ex.add(tested.start, at.step) and highest + 2 * step <= top:
            at.flags |= flag | NW

    def _prove_by_equality_exit(self, at: Scev, tested: Scev, bound: Scev) -> None:
        """`tested` counts up by one from below the bound until it equals it."""
        loop = at.loop
        if loop is None or at.step.constant != 1:
            return
        if not is_invariant(bound, loop):
            return
        ex = self.expressions
        for flag, up_to, below in ((NSW, SLE, SLT), (NUW, ULE, ULT)):
            if tested is at and self.is_guarded(loop, up_to, at.start, bound):
                at.flags |= flag | NW
            elif tested.start is ex.add(at.start, at.step) and self.is_guarded(
                loop, below, at.start, bound
            ):
                at.flags |= flag | NW
                tested.flags |= flag | NW


def _peeled(value: SSAValue) -> tuple[Kind | None, SSAValue]:
    """The operand and kind of an extension; the value itself for other expressions."""
    if isinstance(value, OpResult) and value.op.name in _EXTENSIONS:
        return _EXTENSIONS[value.op.name], fast.operands_of(value.op)[0]
    return None, value
