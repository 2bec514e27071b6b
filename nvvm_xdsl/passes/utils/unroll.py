"""Copies of a loop's rounds in the place of the loop, or in it."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.llvm import FuncOp, UnreachableOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.ir import branches, fast
from nvvm_xdsl.passes.utils.alias_scopes import ScopeNames
from nvvm_xdsl.passes.utils.cfg import (
    drop_block,
    drop_blocks,
    merge_into_predecessor,
    replace_arguments,
)
from nvvm_xdsl.passes.utils.conditionals import fold_users
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES, Constants
from nvvm_xdsl.passes.utils.loops import LoopCopier


class Unroller:
    """Unrolls loops of one function, which are simplified and in LCSSA form.

    Blocks that are reached no more may be left over: the caller takes them out, once for all loops.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._constants = Constants(func)
        self._names = ScopeNames(func)

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
        # What comes behind is to see the values that leave the copies.
        _drop_unreached(made)
        for block in (*made, *exits):
            if block.parent is not None:
                merge_into_predecessor(block)

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
    """Lets a latch of the last round not go on: its other edge is taken, or none."""
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
