"""Unrolling of loops whose trip count is computed at run time (LLVM's UnrollRuntimeLoopRemainder)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import AddOp, AndOp, FuncOp, ICmpOp, MulOp, SubOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.expressions import Scev
from nvvm_xdsl.analysis.scev.guards import SIGNED
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
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
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, loop_annotation_of, predicate_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.ops import FreezeOp, SMaxOp, SMinOp, UMaxOp, UMinOp
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.types import I1, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.cfg import replace_terminator
from nvvm_xdsl.transforms.loops import LoopCopier
from nvvm_xdsl.transforms.scev_expander import Expander
from nvvm_xdsl.transforms.unroll import Unroller, disable_unrolling

_INCREASING: Final = frozenset({SLT, SLE, ULT, ULE})


_STRICT: Final = {SLE: SLT, SGE: SGT, ULE: ULT, UGE: UGT}


_CLAMP: Final[dict[tuple[bool, bool], type[Operation]]] = {
    (True, True): SMaxOp,
    (True, False): UMaxOp,
    (False, True): SMinOp,
    (False, False): UMinOp,
}
"""By whether a counter increases and whether it is signed: the op that clamps a bound away from the
end of the type."""


@dataclass(frozen=True)
class CountedLoop:
    """The trip count of a loop, as values available before it.

    Arguments:
        taken: the number of times that the backedge is taken, as an expression.
        width: the width of that expression in bits.
        expander: creates the ops of the expression.
        counter: a header argument of that width that has each value at most once, so that its final
            value identifies the last iteration; None if there is none.
        step: the increment of the counter.
    """

    taken: Scev
    width: int
    expander: Expander
    counter: BlockArgument | None = None
    step: int = 0


@dataclass(frozen=True)
class BoundedLoop:
    """A loop that continues while a counter, after its step, has not reached a bound.

    Without a trip count it can be tested whether `count` more iterations follow a value `x` of the
    counter: `x < bound` must still hold `count - 1` steps later, that is
    `x < bound - (count - 1) * step`.

    Arguments:
        counter: a header argument whose next value is compared at the latch.
        step: the increment of the counter: a constant or, if the counter increases, a value defined
            before the loop.
        bound: the other operand of the comparison, defined before the loop.
        shift: a number that is added to the bound, which is then a constant. If the loop compares
            the counter before its step, the bound of the next value is one step farther.
        predicate: the `llvm.icmp` predicate for which the backedge is taken; the counter is the
            first operand, increases for `lt` and `le`, and decreases for `gt` and `ge`.
        fits: whether `bound - (count - 1) * step` is known not to wrap. The product never wraps.
        may_wrap: whether the counter may wrap before it reaches the bound. The loop may then run any
            number of iterations after the last whole group.
    """

    counter: BlockArgument
    step: SSAValue | int
    bound: SSAValue
    predicate: int
    fits: bool
    may_wrap: bool
    shift: int = 0


def bounded_loop(loop: Loop, count: int, se: ScalarEvolution) -> BoundedLoop | None:
    """The bound of a loop that the conditional branch of its latch may leave; None if there is none.

    The latch must compare the next value of a counter with an invariant bound by `<`, `<=`, `>` or
    `>=`. The counter must approach the bound by at least one per iteration, and `count - 1` steps
    must fit in its type. Then the counter does not wrap in the iterations that the limit permits,
    regardless of the flags of its addition.
    """
    latch = loop.latch()
    assert latch is not None
    terminator = branches.terminator_of(latch)
    test = fast.producer_of(fast.operands_of(terminator)[0])
    if type(test) is not ICmpOp:
        return None
    predicate, (tested, bound) = predicate_of(test), fast.operands_of(test)
    (into, values), _ = branches.edges_of(terminator)
    if into is not loop.header:
        predicate = INVERSE[predicate]
        _, (_, values) = branches.edges_of(terminator)
    if loop.is_invariant(tested):
        predicate, tested, bound = SWAPPED[predicate], bound, tested
    counter = next((a for a in loop.header.args if tested in (a, values[a.index])), None)
    is_before_step = counter is tested
    if counter is None or not loop.is_invariant(bound) or predicate in (EQ, NE):
        return None
    step = _step_of(counter, values[counter.index], loop)
    width = se.width_of(bound.type)
    if step is None or not width:
        return None
    shift = 0
    if is_before_step:
        found = _shift(se, counter, step, bound, predicate)
        if found is None:
            return None
        shift = found
    rises = predicate in _INCREASING
    steps = se.range(se.get(step), signed=True)
    least, most = (steps.smin(), steps.smax()) if rises else (-steps.smax(), -steps.smin())
    half = 1 << (width - 1)
    if steps.is_empty or least <= 0 or most * (count - 1) >= half:
        return None
    number = constant_integer(step)
    if number is None and not rises:
        return None
    return BoundedLoop(
        counter,
        step if number is None else signed(number, width),
        bound,
        predicate,
        _fits(
            loop,
            se,
            predicate,
            se.expressions.add(se.get(bound), se.expressions.constant(width, shift)),
            most * (count - 1),
        ),
        # The range of a counter that is compared before its step excludes that it wraps.
        not is_before_step and _may_wrap(loop, se, predicate, counter, tested, se.get(bound), most),
        shift,
    )


def _shift(
    se: ScalarEvolution, counter: SSAValue, step: SSAValue, bound: SSAValue, predicate: int
) -> int | None:
    """Returns the step if the counter and the bound plus one step do not wrap, otherwise None.

    The next value may then be compared with the bound plus one step.
    """
    by, limit, width = constant_integer(step), constant_integer(bound), se.width_of(bound.type)
    if by is None or limit is None or predicate not in SIGNED:
        return None
    by, limit = signed(by, width), signed(limit, width)
    values = se.range(se.get(counter), signed=True)
    half = 1 << (width - 1)
    reached = (values.smin() + by, values.smax() + by, limit + by)
    return by if all(-half <= value < half for value in reached) else None


def _step_of(counter: BlockArgument, following: SSAValue, loop: Loop) -> SSAValue | None:
    """The loop-invariant step of a counter."""
    op = fast.producer_of(following)
    if type(op) is not AddOp:
        return None
    one, two = fast.operands_of(op)
    if two is counter:
        one, two = two, one
    return two if one is counter and loop.is_invariant(two) else None


def _fits(loop: Loop, se: ScalarEvolution, predicate: int, bound: Scev, distance: int) -> bool:
    """Whether a bound is known to be far enough from the end of its type at loop entry."""
    is_signed, half = predicate in SIGNED, 1 << (bound.width - 1)
    lowest = -half if is_signed else 0
    if predicate in _INCREASING:
        order, limit = SGE if is_signed else UGE, lowest + distance
    else:
        order, limit = SLE if is_signed else ULE, lowest + 2 * half - 1 - distance
    return se.is_guarded(loop, order, bound, se.expressions.constant(bound.width, limit))


def _may_wrap(
    loop: Loop,
    se: ScalarEvolution,
    predicate: int,
    counter: BlockArgument,
    following: SSAValue,
    bound: Scev,
    step: int,
) -> bool:
    """Whether a counter may wrap before its next value fails the comparison with the bound.

    A flag of the increment excludes it, because the latch branches on the next value. So does a bound
    that is at least a step away from the end of the type, if the first increment does not wrap.

    Arguments:
        step: the maximum distance of two values of the counter.
    """
    rises, is_signed = predicate in _INCREASING, predicate in SIGNED
    if overflow_flags(fast.producer_of(following)) & (NSW if is_signed else NUW):
        return False
    preheader = loop.preheader()
    assert preheader is not None
    ((_, starts),) = branches.edges_of(branches.terminator_of(preheader))
    start = se.get(starts[counter.index])
    lowest = -(1 << (bound.width - 1)) if is_signed else 0
    last = lowest + (1 << bound.width) - 1 - step if rises else lowest + step
    is_strict = predicate not in _STRICT
    order = (SLE if is_signed else ULE) if rises else (SGE if is_signed else UGE)

    def stays_within(value: Scev, limit: int) -> bool:
        return se.is_guarded(loop, order, value, se.expressions.constant(value.width, limit))

    if not stays_within(bound, last + (is_strict if rises else -is_strict)):
        return True
    return not (se.is_guarded(loop, predicate, start, bound) or stays_within(start, last))


@dataclass(frozen=True)
class RuntimeCheck:
    """Values computed before a loop that is to be unrolled.

    Arguments:
        enough: whether the loop has at least as many iterations as one group.
        count: the number of times that the backedge is taken; for a `BoundedLoop` the limit that
            the counter must not have reached so that a whole group of iterations follows.
    """

    enough: SSAValue
    count: SSAValue


class RuntimeUnroller(Unroller):
    """An unroller that also unrolls loops whose trip count is computed at run time."""

    def __init__(self, func: FuncOp) -> None:
        super().__init__(func)
        self.headers: list[Block] = []
        """Headers of loops unrolled at run time and of their remainder loops, which are not
        unrolled again."""

    def runtime_check(
        self, loop: Loop, count: int, counted: CountedLoop | BoundedLoop
    ) -> RuntimeCheck:
        """Creates the test before a loop whether it has at least `count` iterations."""
        preheader = loop.preheader()
        assert preheader is not None
        entry = branches.terminator_of(preheader)
        if isinstance(counted, BoundedLoop):
            check = self._bound_check(entry, count, counted)
            if loop.exiting_blocks() == [loop.latch()]:
                return check
            # The original loop may end before it tests the counter, which may be poison.
            frozen = Builder(entry, self._constants).value(FreezeOp, (check.enough,), I1)
            return RuntimeCheck(frozen, check.count)
        taken = counted.expander.expand(counted.taken, entry)
        least = self._constants.integer(count - 1, integer(counted.width))
        return RuntimeCheck(Builder(entry, self._constants).compare(UGE, taken, least), taken)

    def _bound_check(self, entry: Operation, count: int, loop: BoundedLoop) -> RuntimeCheck:
        """The limit of the counter for `count` more iterations, and the test of its initial value.

        The comparison with the limit is strict. If the limit would wrap, it is the minimum (or
        maximum) of the type, and no value of the counter is less (or greater).
        """
        builder = Builder(entry, self._constants)
        type_ = loop.bound.type
        width = integer_width(type_)
        rises, is_signed = loop.predicate in _INCREASING, loop.predicate in SIGNED
        strict = _STRICT.get(loop.predicate, loop.predicate)
        is_strict = strict == loop.predicate
        lowest = -(1 << (width - 1)) if is_signed else 0
        farthest = lowest if rises else lowest + (1 << width) - 1
        number = self._constants.integer
        if isinstance(loop.step, int):
            distance = abs(loop.step) * (count - 1) - (not is_strict)
            by = number(distance, type_)
            nearest = number(farthest + (distance if rises else -distance), type_)
        else:
            by = builder.value(MulOp, (loop.step, number(count - 1, type_)), type_)
            if not is_strict:
                by = builder.value(SubOp, (by, number(1, type_)), type_)
            nearest = builder.value(AddOp, (number(farthest, type_), by), type_)
        bound = self._bound_of(loop)
        if not loop.fits:
            bound = builder.value(_CLAMP[rises, is_signed], (bound, nearest), type_)
        limit = builder.value(SubOp if rises else AddOp, (bound, by), type_)
        (starts,) = (values for _, values in branches.edges_of(entry))
        enough = builder.compare(strict, starts[loop.counter.index], limit)
        return RuntimeCheck(enough, limit)

    def _bound_of(self, loop: BoundedLoop) -> SSAValue:
        """The bound of the next value of the counter."""
        if not loop.shift:
            return loop.bound
        limit = constant_integer(loop.bound)
        assert limit is not None
        return self._constants.integer(limit + loop.shift, loop.bound.type)

    def unroll_at_runtime(
        self,
        loop: Loop,
        count: int,
        counted: CountedLoop | BoundedLoop,
        check: RuntimeCheck,
        *,
        leaves_loop: bool = False,
    ) -> Block:
        """Unrolls a loop by `count`, a power of two.

        The remaining iterations are executed by a copy of the loop after it. The latch must be an
        exit. Each copy of the body keeps the other exits, which only a `BoundedLoop` may have.

        Arguments:
            check: the loop's `runtime_check`. If it was created for several loops before the first
                of them is unrolled, the loops must have been brought into LCSSA form again: the
                count of one may be computed from values of another.
            leaves_loop: whether ptxas or a later pass may unroll the unrolled loop again.

        Returns the header of the copy.
        """
        header, latch, preheader = loop.header, loop.latch(), loop.preheader()
        assert latch is not None
        assert preheader is not None
        (exit_,) = (
            block
            for block in fast.successors_of(branches.terminator_of(latch))
            if not loop.contains(block)
        )
        copier = LoopCopier(self._func, loop, self._names)
        remainder, _ = copier.copy(loop.blocks[-1])
        annotation = loop_annotation_of(branches.terminator_of(latch))
        disable_unrolling(branches.terminator_of(remainder[latch]), annotation)
        self.headers += (header, remainder[header])
        entry = branches.terminator_of(preheader)
        (starts,) = (values for _, values in branches.edges_of(entry))
        epilogue = self._branch_to_epilogue(loop, preheader, remainder[header], check.enough)
        trips = iterations = limit = check.count
        if isinstance(counted, CountedLoop):
            builder = Builder(entry, self._constants)
            number, type_ = self._constants.integer, limit.type
            trips = builder.value(AddOp, (check.count, number(1, type_)), type_)
            iterations = builder.value(AndOp, (trips, number(-count, type_)), type_)
            limit = self._last_count(builder, iterations, starts, counted)

        def close(end: Block) -> None:
            last = branches.terminator_of(end)
            into, out = (
                next(
                    values for target, values in branches.edges_of(last) if (target is header) is go
                )
                for go in (True, False)
            )
            forwarded = list(into)
            if counted.counter is not None:
                goes_on = self._compare_counter(last, counted, into[counted.counter.index], limit)
            else:
                goes_on, left = self._count_down(last, header, entry, iterations, count)
                forwarded.append(left)
            epilogue_check = fast.new_block([*epilogue.arg_types, *exit_.arg_types])
            fast.set_name(epilogue_check, "unrolled")
            fast.insert_block_after(epilogue_check, end)
            new = branches.conditional_branch(
                goes_on, header, forwarded, epilogue_check, (*into, *out)
            )
            kept = annotation if leaves_loop else loop_annotation_of(last)
            if kept is not None:
                set_loop_annotation(new, kept)
            replace_terminator(last, new)
            self._end_epilogue_check(epilogue_check, epilogue, exit_, counted, trips, count)

        self.unroll_partially(loop, count, {latch: count - 1}, close)
        return remainder[header]

    def _branch_to_epilogue(
        self, loop: Loop, preheader: Block, remainder: Block, enough: SSAValue
    ) -> Block:
        """Enters the loop only if enough iterations follow; returns the block before the
        remainder loop, which is entered otherwise."""
        entry = branches.terminator_of(preheader)
        (starts,) = (values for _, values in branches.edges_of(entry))
        epilogue, main = fast.new_block([a.type for a in loop.header.args]), fast.new_block()
        fast.set_name(epilogue, "remainder")
        fast.insert_block_after(main, preheader)
        fast.insert_block_after(epilogue, loop.blocks[-1])
        fast.append(epilogue, branches.branch(remainder, epilogue.args))
        branch = branches.conditional_branch(enough, main, (), epilogue, starts)
        fast.insert_before(branch, entry)
        fast.detach(entry)
        fast.append(main, entry)
        return epilogue

    def _compare_counter(
        self,
        last: Operation,
        counted: CountedLoop | BoundedLoop,
        following: SSAValue,
        limit: SSAValue,
    ) -> SSAValue:
        """The condition for another group of iterations, from the next value of the counter."""
        predicate = NE
        if isinstance(counted, BoundedLoop):
            predicate = _STRICT.get(counted.predicate, counted.predicate)
        return Builder(last, self._constants).compare(predicate, following, limit)

    def _count_down(
        self, last: Operation, header: Block, entry: Operation, iterations: SSAValue, count: int
    ) -> tuple[SSAValue, SSAValue]:
        """Adds a counter of the remaining iterations to the loop.

        Returns the condition for another group of iterations, and the next value of the counter.
        """
        builder = Builder(last, self._constants)
        number, type_ = self._constants.integer, iterations.type
        ((_, starts),) = branches.edges_of(entry)
        left = fast.add_argument(header, type_)
        fast.set_name(left, "rounds")
        following = builder.value(SubOp, (left, number(count, type_)), type_)
        goes_on = builder.compare(NE, following, number(0, type_))
        branches.set_edges(entry, [(header, (*starts, iterations))])
        return goes_on, following

    def _end_epilogue_check(
        self,
        block: Block,
        epilogue: Block,
        exit_: Block,
        counted: CountedLoop | BoundedLoop,
        trips: SSAValue,
        count: int,
    ) -> None:
        """Ends the block after the unrolled loop with a branch to the remainder loop, which is
        taken if iterations remain, or to the exit."""
        carried = len(epilogue.args)
        values = block.args
        jump = branches.branch(exit_, values[carried:])
        fast.append(block, jump)
        builder = Builder(jump, self._constants)
        if isinstance(counted, BoundedLoop):
            following = values[counted.counter.index]
            more = builder.compare(counted.predicate, following, self._bound_of(counted))
        else:
            number, type_ = self._constants.integer, trips.type
            extra = builder.value(AndOp, (trips, number(count - 1, type_)), type_)
            more = builder.compare(NE, extra, number(0, type_))
        replace_terminator(
            jump,
            branches.conditional_branch(more, epilogue, values[:carried], exit_, values[carried:]),
        )

    def _last_count(
        self, builder: Builder, rounds: SSAValue, starts: Sequence[SSAValue], counted: CountedLoop
    ) -> SSAValue:
        """The value of the counter after a number of iterations, or that number if there is no
        counter.
        """
        if counted.counter is None:
            return rounds
        start, step, type_ = starts[counted.counter.index], counted.step, rounds.type
        limit = rounds
        if abs(step) != 1:
            by = self._constants.integer(abs(step), type_)
            limit = builder.value(MulOp, (rounds, by), type_)
        if constant_integer(start) != 0 or step < 0:
            limit = builder.value(AddOp if step > 0 else SubOp, (start, limit), type_)
        return limit
