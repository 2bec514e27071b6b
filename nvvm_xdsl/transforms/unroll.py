"""Copies of a loop's rounds in the place of the loop, or in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import AddOp, AndOp, FuncOp, MulOp, SubOp, UnreachableOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.expressions import Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import int_value, integer_of, integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.flags import overflow_flags, set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.dialects.llvm.types import I1, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.alias_scopes import ScopeNames
from nvvm_xdsl.transforms.builder import NE, Builder
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
"""Number of iterations that ptxas combines in a loop that it unrolls."""
UNROLLED_SIZE: Final = 48
"""Loops of more ops are taken to stay as they are."""

UGE = 9
"""Of the predicates of `llvm.icmp`, as MLIR numbers them."""


@dataclass(frozen=True)
class Request:
    """What the loop's annotation asks for: never, in full, or so many copies; 0 where nothing."""

    never: bool = False
    full: bool = False
    count: int = 0


def request_of(loop: Loop) -> Request:
    """What the annotation at the loop's latches asks for."""
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
    """Number of iterations that are probably adjacent in machine code."""
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


class Unroller:
    """Unrolls loops of one function, which are simplified and in LCSSA form.

    Blocks that are reached no more may be left over: the caller takes them out, once for all loops.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._constants = Constants(func)
        self._names = ScopeNames(func)
        self.headers: list[Block] = []
        """Headers of loops that were made and are to be left as they are."""

    def unroll_fully(self, loop: Loop, rounds: int) -> None:
        """Puts `rounds` copies of a loop that runs at most so often in its place."""
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
        """Lets a loop run `count` rounds before it goes back.

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

    def test_of_count(self, loop: Loop, count: int, counted: Counted) -> Operation:
        """Creates the test, before a loop, of whether it runs `count` iterations.

        Its first operand is the number of times that the loop goes back.
        """
        preheader = loop.preheader()
        assert preheader is not None
        entry = branches.terminator_of(preheader)
        taken = counted.expander.expand(counted.taken, entry)
        least = self._constants.integer(count - 1, integer(counted.width))
        return fast.producer_of(Builder(entry, self._constants).compare(UGE, taken, least))

    def unroll_at_runtime(
        self,
        loop: Loop,
        count: int,
        counted: Counted,
        enough: Operation,
        *,
        leaves_remainder: bool = False,
    ) -> None:
        """Unrolls a loop by `count`, a power of two.

        The remaining iterations run in a copy of the loop after it. The only exit is at the latch.

        Arguments:
            enough: the loop's `test_of_count`. Where it was created for several loops before the
                first of them is unrolled, the loops must have been brought into LCSSA form again:
                the count of one may be computed from values of another.
            leaves_remainder: whether the copy may be unrolled by ptxas or a later pass.
        """
        header, latch, exit_ = loop.header, loop.latch(), loop.exit_block()
        preheader = loop.preheader()
        assert latch is not None
        assert exit_ is not None
        assert preheader is not None
        copier = LoopCopier(self._func, loop, self._names)
        remainder, _ = copier.copy(loop.blocks[-1])
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        if not leaves_remainder:
            never_unroll(branches.terminator_of(remainder[latch]), annotation)
        self.headers.append(remainder[header])
        entry = branches.terminator_of(preheader)
        (starts,) = (values for _, values in branches.edges_of(entry))
        types = [a.type for a in header.args]
        rest, main = fast.new_block(types), fast.new_block()
        fast.set_name(rest, "remainder")
        fast.insert_block_after(main, preheader)
        fast.insert_block_after(rest, loop.blocks[-1])
        fast.append(rest, branches.branch(remainder[header], rest.args))
        width = counted.width
        number = self._constants.integer
        type_ = integer(width)
        builder = Builder(entry, self._constants)
        taken = fast.operands_of(enough)[0]
        branch = branches.conditional_branch(enough.results[0], main, (), rest, starts)
        fast.insert_before(branch, entry)
        fast.detach(entry)
        fast.append(main, entry)
        trips = builder.value(AddOp, (taken, number(1, type_)), type_)
        rounds = builder.value(AndOp, (trips, number(-count, type_)), type_)
        limit: SSAValue | None = None
        if counted.counter is not None:
            start, step = starts[counted.counter.index], counted.step
            limit = rounds
            if abs(step) != 1:
                limit = builder.value(MulOp, (rounds, number(abs(step), type_)), type_)
            if constant_integer(start) != 0 or step < 0:
                limit = builder.value(AddOp if step > 0 else SubOp, (start, limit), type_)
        end = self.unroll_partially(loop, count, {latch: count - 1})
        last = branches.terminator_of(end)
        into, out = (
            next(values for target, values in branches.edges_of(last) if (target is header) is go)
            for go in (True, False)
        )
        builder = Builder(last, self._constants)
        goes_on = list(into)
        if counted.counter is not None and limit is not None:
            goes = builder.compare(NE, into[counted.counter.index], limit)
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
        kept = last.properties.get("loop_annotation")
        if kept is not None:
            new.properties["loop_annotation"] = kept
        replace_terminator(last, new)
        values = behind.args
        jump = branches.branch(exit_, values[len(types) :])
        fast.append(behind, jump)
        builder = Builder(jump, self._constants)
        extra = builder.value(AndOp, (trips, number(count - 1, type_)), type_)
        more = builder.compare(NE, extra, number(0, type_))
        replace_terminator(
            jump,
            branches.conditional_branch(
                more, rest, values[: len(types)], exit_, values[len(types) :]
            ),
        )

    def _join_steps(self, blocks: Iterable[Block]) -> None:
        """Makes the steps of a counter in adjacent iterations start from one value.

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
    """Puts constants in the place of a block's arguments that nothing else comes to.

    Arguments that get another value stay, for the form of the loop that it comes from.
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
    """Says of a loop at the branch back that it is not to be unrolled (again)."""
    unroll = LoopUnrollAttr.of(disable=int_attr(1, I1))
    latch.properties["loop_annotation"] = annotated(annotation, unroll=unroll)


def _stay(block: Block, inside: set[Block], following: Block | None) -> None:
    """Takes the test out of a block of which one edge leads on in the loop."""
    terminator = branches.terminator_of(block)
    edges = branches.edges_of(terminator)
    (edge,) = [e for e in edges if (e[0] in inside if following is None else e[0] is following)]
    replace_terminator(terminator, branches.branch(*edge))


def _drop_unreached(blocks: Iterable[Block]) -> None:
    """Takes out those of the blocks that no edge leads to, and those that only they lead to."""
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
    """Puts the values of the only edge to a block in the place of its arguments."""
    before = fast.predecessors_of(block)
    if len(before) != 1:
        return
    terminator = branches.terminator_of(before[0])
    edges = branches.edges_of(terminator)
    (values,) = [brought for target, brought in edges if target is block]
    branches.set_edges(terminator, [(b, () if b is block else v) for b, v in edges])
    replace_arguments(block, values)


def _end_at(latch: Block, header: Block) -> None:
    """Prevents a latch of the last iteration from continuing: its other edge is taken, or none."""
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
