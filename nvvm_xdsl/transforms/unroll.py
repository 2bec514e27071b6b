"""Full unrolling, partial unrolling and peeling of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from xdsl.dialects.llvm import AddOp, FuncOp, UnreachableOp
from xdsl.ir import Attribute, Block, Operation, OpResult

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, loop_annotation_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.flags import overflow_flags, set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.setters import remove_loop_annotation, set_loop_annotation
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopUnrollAttr
from nvvm_xdsl.dialects.llvm.types import I1, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.alias_scopes import ScopeNames
from nvvm_xdsl.transforms.cfg import (
    drop_block,
    drop_blocks,
    merge_into_predecessor,
    replace_arguments,
    replace_terminator,
)
from nvvm_xdsl.transforms.conditionals import erase_dead, fold_users
from nvvm_xdsl.transforms.loops import LoopCopier, annotated, redirect


class Unroller:
    """Unrolls loops of one function, which are simplified and in LCSSA form.

    Unreachable blocks may remain; the caller removes them once for all loops.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._constants = Constants(func)
        self._names = ScopeNames(func)

    def unroll_fully(self, loop: Loop, rounds: int) -> None:
        """Replaces a loop with at most `rounds` iterations by that many copies of its body."""
        copier = LoopCopier(self._func, loop, self._names)
        header = loop.header
        latches = loop.latches()
        made: list[Block] = []
        exits = loop.exit_blocks()
        for block in loop.entering_blocks():
            _propagate_constant_arguments(block)
        for number in range(rounds):
            blocks = copier.peel()
            made += blocks.values()
            first = blocks[header]
            fold_single_entry_arguments(first)
            if number == rounds - 1:
                for latch in latches:
                    _remove_backedge(blocks[latch], header)
            self._fold(blocks.values())
            if not any(block not in loop.block_set for block in fast.predecessors_of(header)):
                drop_blocks(loop.blocks)
                break
        # Code after the loop uses the values that leave the copies.
        _erase_unreachable(made)
        for block in (*made, *exits):
            if block.parent is not None:
                merge_into_predecessor(block)

    def peel(self, loop: Loop, rounds: int) -> None:
        """Peels the first iterations of a loop."""
        copier = LoopCopier(self._func, loop, self._names)
        for block in loop.entering_blocks():
            _propagate_constant_arguments(block)
        made: list[Block] = []
        for _ in range(rounds):
            blocks = copier.peel()
            made += blocks.values()
            fold_single_entry_arguments(blocks[loop.header])
            self._fold(blocks.values())
        _erase_unreachable(made)
        for block in made:
            if block.parent is not None:
                merge_into_predecessor(block)

    def unroll_partially(
        self,
        loop: Loop,
        count: int,
        leaves: Mapping[Block, int],
        close: Callable[[Block], None] | None = None,
    ) -> None:
        """Unrolls a loop by `count`, without a test of the remaining iterations.

        Arguments:
            loop: a loop with one latch.
            leaves: by exiting block, the index of the only copy, below `count`, in which it may
                leave the loop; the tests of its other copies are removed. Exiting blocks end in
                conditional branches.
            close: replaces the terminator of the latch of the unrolled loop, before tests are
                folded: the original test may be constant in the last copy.
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
        annotation = loop_annotation_of(branches.terminator_of(latch))
        # The first copy, the loop itself, is redirected last, so that the last copy can branch to
        # its header.
        for this, following in zip(reversed(rounds), reversed([*rounds[1:], rounds[0]])):
            redirect(this[latch], this[header], following[header])
            remove_loop_annotation(branches.terminator_of(this[latch]))
        for blocks in rounds[1:]:
            fold_single_entry_arguments(blocks[header])
        for block, place in leaves.items():
            for number, blocks in enumerate(rounds):
                if number != place:
                    inside = rounds[(number + 1) % count][header] if block is latch else None
                    _remove_exit_test(blocks[block], set(blocks.values()), inside)
        end = rounds[-1][latch]
        disable_unrolling(branches.terminator_of(end), annotation)
        if close is not None:
            close(end)
        made = [block for blocks in rounds[1:] for block in blocks.values()]
        self._fold([*loop.blocks, *made])
        self._combine_increments(made)
        for block in made:
            merge_into_predecessor(block)

    def _combine_increments(self, blocks: Iterable[Block]) -> None:
        """Computes the values of a counter in the copies of an iteration from one value.

            %n = llvm.add %i, %c1 overflow<nsw>          %n = llvm.add %i, %c1 overflow<nsw>
            %m = llvm.add %n, %c1 overflow<nsw>   ->     %m = llvm.add %i, %c2 overflow<nsw>

        Addresses are then one value plus constants, and the sums keep their flags: if neither of
        the two sums nor the sum of the constants wraps, the combined sum does not wrap.
        """
        for block in blocks:
            for op in fast.ops_of(block):
                if type(op) is not AddOp:
                    continue
                first, by = fast.operands_of(op)
                step = constant_integer(by)
                if step is None or not isinstance(first, OpResult):
                    continue
                if type(first.op) is not AddOp:
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


def _propagate_constant_arguments(block: Block) -> None:
    """Replaces arguments of a block whose only incoming value is a constant.

    Arguments with other incoming values are kept, to preserve LCSSA form. A constant outside of the
    entry block is copied, because it may be in a loop that is removed.
    """
    brought = [
        values
        for source in dict.fromkeys(fast.predecessors_of(block))
        for target, values in branches.edges_of(branches.terminator_of(source))
        if target is block
    ]
    region = block.parent
    assert region is not None
    entry = region.first_block
    for argument in block.args:
        values = {edge[argument.index] for edge in brought}
        if len(values) == 1:
            (value,) = values
            if type(value.owner) in CONSTANT_CLASSES:
                constant = fast.producer_of(value)
                if constant.parent is not entry:
                    constant = fast.clone(constant)
                    fast.prepend(block, constant)
                fast.replace_all_uses(argument, constant.results[0])


def disable_unrolling(latch: Operation, annotation: Attribute | None) -> None:
    """Marks a loop at its backedge as not to be unrolled again."""
    unroll = LoopUnrollAttr.of(disable=int_attr(1, I1))
    set_loop_annotation(latch, annotated(annotation, unroll=unroll))


def _remove_exit_test(block: Block, inside: set[Block], following: Block | None) -> None:
    """Removes the exit test of a block that has one successor in the loop."""
    terminator = branches.terminator_of(block)
    edges = branches.edges_of(terminator)
    (edge,) = [e for e in edges if (e[0] in inside if following is None else e[0] is following)]
    replace_terminator(terminator, branches.branch(*edge))


def _erase_unreachable(blocks: Iterable[Block]) -> None:
    """Removes the given blocks without predecessors, and then given blocks that only removed blocks
    reach.
    """
    candidates = dict.fromkeys(blocks)
    work = [block for block in candidates if block.first_use is None]
    while work:
        block = work.pop()
        if block.parent is None:
            continue
        after = fast.successors_of(branches.terminator_of(block))
        drop_block(block)
        work += [b for b in after if b in candidates and b.first_use is None]


def fold_single_entry_arguments(block: Block) -> None:
    """Replaces the arguments of a block with a single incoming edge by the values of the edge."""
    before = fast.predecessors_of(block)
    if len(before) != 1:
        return
    terminator = branches.terminator_of(before[0])
    edges = branches.edges_of(terminator)
    (values,) = [brought for target, brought in edges if target is block]
    branches.set_edges(terminator, [(b, () if b is block else v) for b, v in edges])
    replace_arguments(block, values)


def _remove_backedge(latch: Block, header: Block) -> None:
    """Removes the backedge of the last iteration's latch: its other edge is always taken, or the
    latch is unreachable."""
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
