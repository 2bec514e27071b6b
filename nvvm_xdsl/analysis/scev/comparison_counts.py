"""Number of iterations for which a comparison of recurrences holds.

Corresponds to LLVM's `howManyLessThans`, `howManyGreaterThans`, `howFarToZero` and
`howFarToNonZero`.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, OpResult

from nvvm_xdsl.analysis.loop_progress import is_finite_by_assumption, reaches_latch_or_exit
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.expressions import NW, POSITIVE, ZERO, Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.guards import Guards
from nvvm_xdsl.analysis.scev.invalidation import ExitLimit, Predicate
from nvvm_xdsl.analysis.values.constant_range import (
    EQ,
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
)
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW

LESS = {SLT: (False, True), SLE: (True, True), ULT: (False, False), ULE: (True, False)}
GREATER = {SGT: (False, True), SGE: (True, True), UGT: (False, False), UGE: (True, False)}


class ComparisonCounts(Guards):
    """The part of ScalarEvolution that counts iterations until a comparison changes."""

    func: Operation

    if TYPE_CHECKING:

        def multiple_of(self, expression: Scev) -> int: ...

    def _nothing(self) -> ExitLimit:
        return ExitLimit(self.could_not_compute, self.could_not_compute, None)

    def _exactly(self, count: Scev, highest: int | None = None) -> ExitLimit:
        return ExitLimit(count, count, highest)

    def _first_of(self, limits: list[ExitLimit], *, in_order: bool) -> ExitLimit:
        """The limit of a loop that exits if one of several conditions is false.

        Arguments:
            in_order: whether a condition that is not evaluated may be poison.
        """
        nothing = self.could_not_compute
        known = [limit.most for limit in limits if limit.most is not nothing]
        highest = min((at.highest for at in limits if at.highest is not None), default=None)
        exact = nothing
        if all(limit.exact is not nothing for limit in limits):
            exact = self._least([limit.exact for limit in limits], in_order=in_order)
        most = self._least(known, in_order=in_order) if known else nothing
        return ExitLimit(exact, exact if exact is not nothing else most, highest)

    def count_while(
        self,
        loop: Loop,
        predicate: int,
        a: Scev,
        b: Scev,
        is_only: bool,
        assumed: list[Predicate] | None = None,
    ) -> ExitLimit:
        """Number of backedges taken while `a predicate b` holds at the exit test.

        Arguments:
            is_only: whether this comparison is the only exit condition of the loop.
            assumed: receives the assumptions of the count; None if it must not depend on any.
        """
        if is_invariant(a, loop) and not is_invariant(b, loop):
            predicate, a, b = SWAPPED[predicate], b, a
        if predicate == NE and not is_invariant(b, loop):
            a, b = self.expressions.sub(a, b), self.expressions.zero(a.width)
        if not a.is_affine or a.loop is not loop or not is_invariant(b, loop):
            return self._nothing()
        if predicate == NE:
            return self._exactly(self._count_to(loop, a, b, is_only, assumed))
        if predicate == EQ and self.knobs.track_trip_count_more:
            return self._exactly(self._count_equal(a, b))
        if predicate in LESS:
            return self._count_less(loop, a, b, *LESS[predicate], is_only, assumed)
        if predicate in GREATER:
            return self._count_greater(loop, a, b, *GREATER[predicate], is_only, assumed)
        return self._nothing()

    def _count_to(
        self, loop: Loop, a: Scev, b: Scev, is_only: bool, assumed: list[Predicate] | None
    ) -> Scev:
        """Number of iterations until the recurrence equals the bound."""
        ex = self.expressions
        step, width = a.step, a.width
        distance = ex.sub(b, a.start)
        if step.kind is Kind.CONSTANT and step.signed < 0:
            step, distance = ex.negate(step), ex.negate(distance)
        if step.kind is Kind.CONSTANT and step.constant == 1:
            return distance
        # A counter that skips the bound continues until it wraps, if this test is the only exit and
        # every iteration terminates.
        if a.flags & NW and is_only and reaches_latch_or_exit(self.func, self.loops, loop):
            strides = self.range(step, signed=True)
            if not strides.is_empty and strides.smin() > 0 and distance.kind is not Kind.CONSTANT:
                return ex.udiv(distance, step)
        if step.kind is not Kind.CONSTANT:
            return self.could_not_compute
        # step * n = distance modulo 2^width has a solution if the power of two in the step divides
        # the distance; the least one is computed by the inverse of the odd part.
        power = (step.constant & -step.constant).bit_length() - 1
        odd = step.constant >> power
        multiple = self.multiple_of(distance)
        if multiple % step.constant == 0:
            return ex.udiv(distance, step)
        if multiple % (1 << power) == 0:
            inverse = ex.constant(width, pow(odd, -1, 1 << (width - power)))
            quotient = ex.udiv(distance, ex.constant(width, 1 << power))
            return ex.zext(ex.trunc(ex.mul(quotient, inverse), width - power), width)
        if assumed is None or distance.kind is Kind.CONSTANT:
            return self.could_not_compute
        quotient = ex.udiv(distance, step)
        assumed.append((ZERO, ex.sub(distance, ex.mul(quotient, step))))
        return quotient

    def _count_equal(self, a: Scev, b: Scev) -> Scev:
        """Number of iterations while a recurrence equals an invariant: at most one."""
        ex = self.expressions
        if self.is_known(NE, a.start, b):
            return ex.zero(a.width)
        moves = a.step.kind is Kind.CONSTANT and not a.step.is_zero
        return ex.one(a.width) if a.start is b and moves else self.could_not_compute

    def _count_less(
        self, loop: Loop, a: Scev, b: Scev, or_equal: bool, is_signed: bool, is_only: bool,
        assumed: list[Predicate] | None,
    ) -> ExitLimit:  # fmt: skip
        """Number of iterations until a rising recurrence reaches the bound."""
        ex = self.expressions
        width = a.width
        step = a.step
        strides = self.range(step, signed=is_signed)
        if strides.is_empty:
            return self._nothing()
        least, greatest = (
            (strides.smin(), strides.smax()) if is_signed else (strides.umin(), strides.umax())
        )
        if greatest <= 0:
            return self._nothing()
        flag = NSW if is_signed else NUW
        top = (1 << (width - 1)) - 1 if is_signed else (1 << width) - 1
        wraps_not = bool(a.flags & flag)
        # With a test that never fails the counter would wrap, which is undefined.
        must_fail = wraps_not and is_only and reaches_latch_or_exit(self.func, self.loops, loop)
        if least <= 0 and not (must_fail and is_finite_by_assumption(self.func, loop)):
            # A step of 0 might never end.
            if self.knobs.aggressive_positive_stride_analysis and _is_of_launch(step):
                pass
            elif assumed is None:
                return self._nothing()
            else:
                assumed.append((POSITIVE, step))
        bound = self.range(b, signed=is_signed)
        most = bound.smax() if is_signed else bound.umax()
        kind, guard, strict = (Kind.SMAX, SLE, SLT) if is_signed else (Kind.UMAX, ULE, ULT)
        is_entered = self.is_guarded(loop, strict, a.start, b)
        if or_equal:
            # For the maximum value of the type as bound the test never fails.
            if most == top and not must_fail and not self.is_known(NE, b, ex.constant(width, top)):
                return self._nothing()
            is_entered = is_entered or self.is_guarded(loop, guard, a.start, b)
            b = ex.add(b, ex.one(width))
            most += 1
            is_entered = is_entered or self.is_guarded(loop, strict, a.start, b)
        if not wraps_not and most > top - (greatest - 1):
            if assumed is None:
                return self._nothing()
            assumed.append((flag, a))
        if is_entered or self.is_guarded(loop, guard, a.start, b):
            end = b
        else:
            end = ex.min_max(kind, b, a.start)
        if least <= 0:
            step = ex.min_max(Kind.UMAX, step, ex.one(width))
        starts = self.range(a.start, signed=is_signed)
        lowest, last = (
            (starts.smin(), starts.smax()) if is_signed else (starts.umin(), starts.umax())
        )
        return self._rounds_up(ex.sub(end, a.start), step, max(most, last) - lowest)

    def _rounds_up(self, distance: Scev, step: Scev, highest: int) -> ExitLimit:
        """ceil(distance / step); the distance is at most `highest`, or any value of the type."""
        ex = self.expressions
        width = distance.width
        known = self.range(distance)
        if not known.is_empty:
            highest = min(highest, known.umax())
        highest = max(0, min(highest, (1 << width) - 1))
        strides = self.range(step)
        most = -(-highest // max(1, 0 if strides.is_empty else strides.umin()))
        is_constant = step.kind is Kind.CONSTANT
        if is_constant and step.constant == 1:
            return self._exactly(distance, most)
        if is_constant and distance.kind is Kind.CONSTANT:
            return self._exactly(ex.constant(width, -(-distance.constant // step.constant)), most)
        if is_constant and highest + step.constant <= 1 << width:
            count = ex.udiv(ex.add(distance, ex.constant(width, step.constant - 1)), step)
            return self._exactly(count, most)
        # distance + step - 1 might overflow: peel the first iteration.
        some = ex.min_max(Kind.UMIN, distance, ex.one(width))
        return self._exactly(ex.add(some, ex.udiv(ex.sub(distance, some), step)), most)

    def _count_greater(
        self, loop: Loop, a: Scev, b: Scev, or_equal: bool, is_signed: bool, is_only: bool,
        assumed: list[Predicate] | None,
    ) -> ExitLimit:  # fmt: skip
        """Number of iterations until a falling recurrence reaches the bound."""
        ex = self.expressions
        width = a.width
        strides = self.range(a.step, signed=True)
        if strides.is_empty or strides.smax() >= 0:
            return self._nothing()
        size = -strides.smin()
        bottom = -(1 << (width - 1)) if is_signed else 0
        bound = self.range(b, signed=is_signed)
        least = bound.smin() if is_signed else bound.umin()
        wraps_not = is_signed and bool(a.flags & NSW)
        kind, guard, strict = (Kind.SMIN, SGE, SGT) if is_signed else (Kind.UMIN, UGE, UGT)
        is_entered = self.is_guarded(loop, strict, a.start, b)
        if or_equal:
            if least == bottom and not (
                wraps_not and is_only and reaches_latch_or_exit(self.func, self.loops, loop)
            ):
                return self._nothing()
            is_entered = is_entered or self.is_guarded(loop, guard, a.start, b)
            b = ex.sub(b, ex.one(width))
            least -= 1
            is_entered = is_entered or self.is_guarded(loop, strict, a.start, b)
        if not wraps_not and least < bottom + (size - 1):
            if assumed is None:
                return self._nothing()
            assumed.append((NSW if is_signed else NUW, a))
        if is_entered or self.is_guarded(loop, guard, a.start, b):
            end = b
        else:
            end = ex.min_max(kind, b, a.start)
        starts = self.range(a.start, signed=is_signed)
        highest, last = (
            (starts.smax(), starts.smin()) if is_signed else (starts.umax(), starts.umin())
        )
        return self._rounds_up(ex.sub(a.start, end), ex.negate(a.step), highest - min(least, last))

    def _least(self, counts: list[Scev], *, in_order: bool = False) -> Scev:
        ex = self.expressions
        width = max(c.width for c in counts)
        wide = [ex.zext(c, width) for c in counts]
        return ex.umin_sequential(*wide) if in_order else ex.min_max(Kind.UMIN, *wide)


def _is_of_launch(step: Scev) -> bool:
    """Returns True if the step is a product of the launch's dimensions, extended or not."""
    while step.kind in (Kind.ZERO_EXTEND, Kind.SIGN_EXTEND, Kind.TRUNCATE):
        (step,) = step.operands
    for factor in step.operands if step.kind is Kind.MUL else (step,):
        while factor.kind in (Kind.ZERO_EXTEND, Kind.SIGN_EXTEND):
            (factor,) = factor.operands
        if factor.kind is Kind.CONSTANT and factor.signed > 0:
            continue
        register = special_register(factor.value.op) if isinstance(factor.value, OpResult) else None
        if register is None or not register.startswith(("ntid.", "nctaid.")):
            return False
    return True
