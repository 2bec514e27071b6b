"""Full unrolling, partial unrolling and peeling of loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import AddOp, AndOp, FuncOp, ICmpOp, MulOp, SubOp, UnreachableOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

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
from nvvm_xdsl.dialects.llvm.accessors import int_value, integer_of, integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.flags import overflow_flags, set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.ops import SMaxOp, SMinOp, UMaxOp, UMinOp
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.dialects.llvm.types import I1, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.alias_scopes import ScopeNames
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.cfg import (
    drop_block,
    drop_blocks,
    merge_into_predecessor,
    replace_arguments,
    replace_terminator,
)
from nvvm_xdsl.transforms.conditionals import erase_dead, fold_users
from nvvm_xdsl.transforms.loops import LoopCopier, annotated, redirect
from nvvm_xdsl.transforms.scev_expander import Expander

MOST_ROUNDS: Final = 4
"""Number of iterations that ptxas combines when it unrolls a loop."""
UNROLLED_SIZE: Final = 48
"""Maximum number of ops of a loop that ptxas unrolls."""

_RISING: Final = frozenset({SLT, SLE, ULT, ULE})
_STRICT: Final = {SLE: SLT, SGE: SGT, ULE: ULT, UGE: UGT}
_NEARER: Final[dict[tuple[bool, bool], type[Operation]]] = {
    (True, True): SMaxOp,
    (True, False): UMaxOp,
    (False, True): SMinOp,
    (False, False): UMinOp,
}
"""By whether a counter increases and whether it is signed: the op that clamps a bound away from the
end of the type."""


@dataclass(frozen=True)
class Request:
    """The unrolling that the loop's annotation requests: none, full, or a number of copies (0 if
    unstated)."""

    never: bool = False
    full: bool = False
    count: int = 0


def request_of(loop: Loop) -> Request:
    """The unrolling that the annotation at the loop's latches requests."""
    for latch in loop.latches():
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        if not isinstance(annotation, LoopAnnotationAttr):
            continue
        found = annotation.unroll
        if not isinstance(found, LoopUnrollAttr):
            continue
        count = int_value(found.count)
        # `unroll.enable` is written as disable = false.
        disable = integer_of(found.disable)
        if disable or count == 1:
            return Request(never=True)
        is_enabled = disable == 0 and not count
        return Request(full=bool(int_value(found.full)) or is_enabled, count=count)
    return Request()


def rounds_by_ptxas(loop: Loop, se: ScalarEvolution) -> int:
    """Number of iterations that ptxas probably combines."""
    if loop.subloops or len(loop.exit_edges()) > 1 or request_of(loop).never:
        return 1
    if se.backedge_taken_count(loop) is se.could_not_compute:
        return 1
    size = sum(1 for block in loop.blocks for _ in fast.ops_of(block))
    return MOST_ROUNDS if size <= UNROLLED_SIZE else 1


@dataclass(frozen=True)
class Counted:
    """The trip count of a loop, as values available before it.

    Arguments:
        taken: how often it goes back, an expression.
        width: the bits of that.
        expander: makes it.
        counter: an argument of the header of that width which gets each value only once while the
            loop runs, so that one tells when to leave it; None when there is no such.
        step: the increment of the counter.
    """

    taken: Scev
    width: int
    expander: Expander
    counter: BlockArgument | None = None
    step: int = 0


@dataclass(frozen=True)
class Bounded:
    """A loop that continues while a counter, after its step, has not reached a bound.

    It is known without a trip count whether `count` more iterations follow a value `x` of the
    counter: `x < bound` must still hold `count - 1` steps later, so `x < bound - (count - 1) * step`.

    Arguments:
        counter: an argument of the header; its next value is compared at the latch.
        step: the increment of the counter, a constant or, if the counter rises, a value defined
            before the loop.
        bound: the other operand of the comparison, defined before the loop.
        predicate: of `llvm.icmp`, under which the loop goes back; the counter is its first operand,
            and rises for `lt` and `le`, and falls for `gt` and `ge`.
        fits: whether `bound - (count - 1) * step` is known not to wrap. The product never does.
    """

    counter: BlockArgument
    step: SSAValue | int
    bound: SSAValue
    predicate: int
    fits: bool


def bounded(loop: Loop, count: int, se: ScalarEvolution) -> Bounded | None:
    """The bound of a loop whose only exit is the conditional branch of its latch; None if there is
    none.

    The comparison must be an order of a counter's next value and an invariant, towards which the
    counter moves by at least one and so little that `count - 1` steps fit its type. Then the counter
    does not wrap in the iterations that the limit admits, whatever the flags of its addition say.
    """
    latch = loop.latch()
    assert latch is not None
    terminator = branches.terminator_of(latch)
    test = fast.producer_of(fast.operands_of(terminator)[0])
    if test.__class__ is not ICmpOp:
        return None
    predicate, (tested, bound) = predicate_of(test), fast.operands_of(test)
    (into, values), _ = branches.edges_of(terminator)
    if into is not loop.header:
        predicate = INVERSE[predicate]
        _, (_, values) = branches.edges_of(terminator)
    if loop.is_invariant(tested):
        predicate, tested, bound = SWAPPED[predicate], bound, tested
    counter = next((a for a in loop.header.args if values[a.index] is tested), None)
    if counter is None or not loop.is_invariant(bound) or predicate in (EQ, NE):
        return None
    step = _step_of(counter, tested, loop)
    width = se.width_of(bound.type)
    if step is None or not width:
        return None
    rises = predicate in _RISING
    steps = se.range(se.get(step), signed=True)
    least, most = (steps.smin(), steps.smax()) if rises else (-steps.smax(), -steps.smin())
    half = 1 << (width - 1)
    if steps.is_empty or least <= 0 or most * (count - 1) >= half:
        return None
    number = constant_integer(step)
    if number is None and not rises:
        return None
    return Bounded(
        counter,
        step if number is None else signed(number, width),
        bound,
        predicate,
        _fits(loop, se, predicate, se.get(bound), most * (count - 1)),
    )


def _step_of(counter: BlockArgument, following: SSAValue, loop: Loop) -> SSAValue | None:
    """The loop-invariant step of a counter."""
    op = fast.producer_of(following)
    if op.__class__ is not AddOp:
        return None
    one, two = fast.operands_of(op)
    if two is counter:
        one, two = two, one
    return two if one is counter and loop.is_invariant(two) else None


def _fits(loop: Loop, se: ScalarEvolution, predicate: int, bound: Scev, distance: int) -> bool:
    """Whether a bound is known to be far enough from the end of its type at loop entry."""
    is_signed, half = predicate in SIGNED, 1 << (bound.width - 1)
    lowest = -half if is_signed else 0
    if predicate in _RISING:
        order, limit = SGE if is_signed else UGE, lowest + distance
    else:
        order, limit = SLE if is_signed else ULE, lowest + 2 * half - 1 - distance
    return se.is_guarded(loop, order, bound, se.expressions.constant(bound.width, limit))


@dataclass(frozen=True)
class Entry:
    """Values computed before a loop that is to be unrolled.

    Arguments:
        enough: whether the loop runs at least as many iterations as are put together.
        count: the number of times that it goes back; of a bounded loop the value that the counter
            must not have reached for a whole group of iterations to follow.
    """

    enough: SSAValue
    count: SSAValue


class Unroller:
    """Unrolls loops of one function, which are simplified and in LCSSA form.

    Unreachable blocks may remain; the caller removes them once for all loops.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._constants = Constants(func)
        self._names = ScopeNames(func)
        self.headers: list[Block] = []
        """Headers of remainder loops, which are not unrolled again."""

    def unroll_fully(self, loop: Loop, rounds: int) -> None:
        """Replaces a loop that runs at most `rounds` times by that many copies of its body."""
        copier = LoopCopier(self._func, loop, self._names)
        header = loop.header
        latches = loop.latches()
        made: list[Block] = []
        exits = loop.exit_blocks()
        for block in loop.entering_blocks():
            _see_constants(block)
        for number in range(rounds):
            blocks = copier.peel()
            made += blocks.values()
            first = blocks[header]
            take_what_is_brought(first)
            if number == rounds - 1:
                for latch in latches:
                    _end_at(blocks[latch], header)
            self._fold(blocks.values())
            if not any(block not in loop.block_set for block in fast.predecessors_of(header)):
                drop_blocks(loop.blocks)
                break
        # Code after the loop uses the values that leave the copies.
        _drop_unreached(made)
        for block in (*made, *exits):
            if block.parent is not None:
                merge_into_predecessor(block)

    def peel(self, loop: Loop, rounds: int) -> None:
        """Peels the first iterations of a loop."""
        copier = LoopCopier(self._func, loop, self._names)
        for block in loop.entering_blocks():
            _see_constants(block)
        made: list[Block] = []
        for _ in range(rounds):
            blocks = copier.peel()
            made += blocks.values()
            take_what_is_brought(blocks[loop.header])
            self._fold(blocks.values())
        _drop_unreached(made)
        for block in made:
            if block.parent is not None:
                merge_into_predecessor(block)

    def unroll_partially(self, loop: Loop, count: int, leaves: Mapping[Block, int]) -> Block:
        """Unrolls a loop by `count`, without a test of the remaining iterations.

        Arguments:
            loop: has one latch.
            leaves: by exiting block, which of the `count` rounds is the only one in which it may
                leave the loop: its other tests are taken out. They end in conditional branches.

        Returns the latch that goes back.
        """
        header, latch = loop.header, loop.latch()
        assert latch is not None
        copier = LoopCopier(self._func, loop, self._names)
        rounds: list[Mapping[Block, Block]] = [{block: block for block in loop.blocks}]
        after = loop.blocks[-1]
        for _ in range(count - 1):
            blocks, _ = copier.copy(after)
            rounds.append(blocks)
            after = blocks[loop.blocks[-1]]
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        # The first branches to its own header last, which then is not a copy's any more.
        for this, following in zip(reversed(rounds), reversed([*rounds[1:], rounds[0]])):
            redirect(this[latch], this[header], following[header])
            branches.terminator_of(this[latch]).properties.pop("loop_annotation", None)
        for blocks in rounds[1:]:
            take_what_is_brought(blocks[header])
        for block, place in leaves.items():
            for number, blocks in enumerate(rounds):
                if number != place:
                    inside = rounds[(number + 1) % count][header] if block is latch else None
                    _stay(blocks[block], set(blocks.values()), inside)
        end = rounds[-1][latch]
        never_unroll(branches.terminator_of(end), annotation)
        made = [block for blocks in rounds[1:] for block in blocks.values()]
        self._fold([*loop.blocks, *made])
        self._join_steps(made)
        for block in made:
            target = merge_into_predecessor(block)
            if block is end and target is not None:
                end = target
        return end

    def test_of_count(self, loop: Loop, count: int, counted: Counted | Bounded) -> Entry:
        """Creates the test before a loop that at least `count` iterations follow."""
        preheader = loop.preheader()
        assert preheader is not None
        entry = branches.terminator_of(preheader)
        if isinstance(counted, Bounded):
            return self._test_of_bound(entry, count, counted)
        taken = counted.expander.expand(counted.taken, entry)
        least = self._constants.integer(count - 1, integer(counted.width))
        return Entry(Builder(entry, self._constants).compare(UGE, taken, least), taken)

    def _test_of_bound(self, entry: Operation, count: int, loop: Bounded) -> Entry:
        """The limit of the counter for `count` more iterations, and the test of its initial value.

        The comparison with the limit is strict: where the limit would wrap, it is the least (or
        greatest) value of the type, and no value of the counter is less (or greater).
        """
        builder = Builder(entry, self._constants)
        type_ = loop.bound.type
        width = integer_width(type_)
        rises, is_signed = loop.predicate in _RISING, loop.predicate in SIGNED
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
        bound = loop.bound
        if not loop.fits:
            bound = builder.value(_NEARER[rises, is_signed], (bound, nearest), type_)
        limit = builder.value(SubOp if rises else AddOp, (bound, by), type_)
        (starts,) = (values for _, values in branches.edges_of(entry))
        enough = builder.compare(strict, starts[loop.counter.index], limit)
        return Entry(enough, limit)

    def unroll_at_runtime(
        self,
        loop: Loop,
        count: int,
        counted: Counted | Bounded,
        known: Entry,
        *,
        leaves_loop: bool = False,
    ) -> Block:
        """Unrolls a loop by `count`, a power of two.

        The remaining iterations run in a copy of the loop after it. The only exit is at the latch.

        Arguments:
            known: the loop's `test_of_count`. Where it was created for several loops before the
                first of them is unrolled, the loops must have been brought into LCSSA form again:
                the count of one may be computed from values of another.
            leaves_loop: whether ptxas or a later pass may unroll the loop itself again.

        Returns the header of the copy.
        """
        header, latch, exit_ = loop.header, loop.latch(), loop.exit_block()
        preheader = loop.preheader()
        assert latch is not None
        assert exit_ is not None
        assert preheader is not None
        copier = LoopCopier(self._func, loop, self._names)
        remainder, _ = copier.copy(loop.blocks[-1])
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        never_unroll(branches.terminator_of(remainder[latch]), annotation)
        self.headers += (header, remainder[header])
        entry = branches.terminator_of(preheader)
        (starts,) = (values for _, values in branches.edges_of(entry))
        types = [a.type for a in header.args]
        rest, main = fast.new_block(types), fast.new_block()
        fast.set_name(rest, "remainder")
        fast.insert_block_after(main, preheader)
        fast.insert_block_after(rest, loop.blocks[-1])
        fast.append(rest, branches.branch(remainder[header], rest.args))
        number = self._constants.integer
        builder = Builder(entry, self._constants)
        branch = branches.conditional_branch(known.enough, main, (), rest, starts)
        fast.insert_before(branch, entry)
        fast.detach(entry)
        fast.append(main, entry)
        trips = rounds = limit = known.count
        type_ = limit.type
        if isinstance(counted, Counted):
            trips = builder.value(AddOp, (known.count, number(1, type_)), type_)
            rounds = builder.value(AndOp, (trips, number(-count, type_)), type_)
            limit = self._last_count(builder, rounds, starts, counted)
        end = self.unroll_partially(loop, count, {latch: count - 1})
        last = branches.terminator_of(end)
        into, out = (
            next(values for target, values in branches.edges_of(last) if (target is header) is go)
            for go in (True, False)
        )
        builder = Builder(last, self._constants)
        goes_on = list(into)
        if counted.counter is not None:
            stays = (
                _STRICT.get(counted.predicate, counted.predicate)
                if isinstance(counted, Bounded)
                else NE
            )
            goes = builder.compare(stays, into[counted.counter.index], limit)
        else:
            left = fast.add_argument(header, type_)
            fast.set_name(left, "rounds")
            following = builder.value(SubOp, (left, number(count, type_)), type_)
            goes = builder.compare(NE, following, number(0, type_))
            branches.set_edges(entry, [(header, (*starts, rounds))])
            goes_on.append(following)
        behind = fast.new_block([*types, *(a.type for a in exit_.args)])
        fast.set_name(behind, "unrolled")
        fast.insert_block_after(behind, end)
        new = branches.conditional_branch(goes, header, goes_on, behind, (*into, *out))
        kept = annotation if leaves_loop else last.properties.get("loop_annotation")
        if kept is not None:
            new.properties["loop_annotation"] = kept
        replace_terminator(last, new)
        values = behind.args
        jump = branches.branch(exit_, values[len(types) :])
        fast.append(behind, jump)
        builder = Builder(jump, self._constants)
        if isinstance(counted, Bounded):
            more = builder.compare(counted.predicate, values[counted.counter.index], counted.bound)
        else:
            extra = builder.value(AndOp, (trips, number(count - 1, type_)), type_)
            more = builder.compare(NE, extra, number(0, type_))
        replace_terminator(
            jump,
            branches.conditional_branch(
                more, rest, values[: len(types)], exit_, values[len(types) :]
            ),
        )
        return remainder[header]

    def _last_count(
        self, builder: Builder, rounds: SSAValue, starts: Sequence[SSAValue], counted: Counted
    ) -> SSAValue:
        """The value of the counter, if there is one, after a number of iterations."""
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

    def _join_steps(self, blocks: Iterable[Block]) -> None:
        """Computes the steps of a counter in combined iterations from one value.

            %n = llvm.add %i, %c1 overflow<nsw>          %n = llvm.add %i, %c1 overflow<nsw>
            %m = llvm.add %n, %c1 overflow<nsw>   ->     %m = llvm.add %i, %c2 overflow<nsw>

        So addresses are one value and constants, and the counter keeps its flags from round to
        round. Where neither sum wraps, nor that of the constants does, the whole does not.
        """
        for block in blocks:
            for op in fast.ops_of(block):
                if op.__class__ is not AddOp:
                    continue
                first, by = fast.operands_of(op)
                step = constant_integer(by)
                if step is None or not isinstance(first, OpResult):
                    continue
                if first.op.__class__ is not AddOp:
                    continue
                start, before = fast.operands_of(first.op)
                offset = constant_integer(before)
                if offset is None:
                    continue
                width = integer_width(by.type)
                total = signed(step, width) + signed(offset, width)
                if signed(total, width) != total:
                    continue
                if total:
                    flags = overflow_flags(op) & overflow_flags(first.op)
                    fast.set_operand(op, 0, start)
                    fast.set_operand(op, 1, self._constants.integer(total, by.type))
                    set_overflow_flags(op, flags)
                else:
                    fast.replace_op(op, (start,))
                erase_dead(first)

    def _fold(self, blocks: Iterable[Block]) -> None:
        fold_users([op for block in blocks for op in fast.ops_of(block)], self._constants)


def _see_constants(block: Block) -> None:
    """Replaces arguments of a block whose only incoming value is a constant.

    Arguments with other values stay, to keep the form of the loop that defines them.
    """
    brought = [
        values
        for source in dict.fromkeys(fast.predecessors_of(block))
        for target, values in branches.edges_of(branches.terminator_of(source))
        if target is block
    ]
    for argument in block.args:
        values = {edge[argument.index] for edge in brought}
        if len(values) == 1:
            (value,) = values
            if value.owner.__class__ in CONSTANT_CLASSES:
                fast.replace_all_uses(argument, value)


def never_unroll(latch: Operation, annotation: Attribute | None) -> None:
    """Marks a loop at its backedge as not to be unrolled again."""
    unroll = LoopUnrollAttr.of(disable=int_attr(1, I1))
    latch.properties["loop_annotation"] = annotated(annotation, unroll=unroll)


def _stay(block: Block, inside: set[Block], following: Block | None) -> None:
    """Removes the test of a block with one successor in the loop."""
    terminator = branches.terminator_of(block)
    edges = branches.edges_of(terminator)
    (edge,) = [e for e in edges if (e[0] in inside if following is None else e[0] is following)]
    replace_terminator(terminator, branches.branch(*edge))


def _drop_unreached(blocks: Iterable[Block]) -> None:
    """Removes those of the blocks that have no predecessors, and then blocks that only they
    reach."""
    candidates = dict.fromkeys(blocks)
    work = [block for block in candidates if block.first_use is None]
    while work:
        block = work.pop()
        if block.parent is None:
            continue
        after = fast.successors_of(branches.terminator_of(block))
        drop_block(block)
        work += [b for b in after if b in candidates and b.first_use is None]


def take_what_is_brought(block: Block) -> None:
    """Replaces the arguments of a block with a single incoming edge by the values of the edge."""
    before = fast.predecessors_of(block)
    if len(before) != 1:
        return
    terminator = branches.terminator_of(before[0])
    edges = branches.edges_of(terminator)
    (values,) = [brought for target, brought in edges if target is block]
    branches.set_edges(terminator, [(b, () if b is block else v) for b, v in edges])
    replace_arguments(block, values)


def _end_at(latch: Block, header: Block) -> None:
    """Removes the backedge of the last iteration's latch: its other edge is taken, or none."""
    terminator = branches.terminator_of(latch)
    others = [edge for edge in branches.edges_of(terminator) if edge[0] is not header]
    if terminator.name == "llvm.cond_br" and len(others) == 1:
        new: Operation = branches.branch(*others[0])
    elif not others:
        new = fast.create(UnreachableOp, (), ())
    else:
        return
    new.location = terminator.location
    fast.insert_before(new, terminator)
    fast.erase(terminator)
