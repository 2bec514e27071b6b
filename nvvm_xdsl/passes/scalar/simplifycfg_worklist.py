"""Worklist of `simplifycfg`: the blocks that are simplified again after a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.llvm import CondBrOp, FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import loop_annotation_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation


class Worklist:
    """The blocks of a function that may be simplified; the last one added is the first taken."""

    region: Region
    """The function's body."""
    constants: Constants

    def __init__(self, func: FuncOp) -> None:
        self.region = func.regions[0]
        self.constants = Constants(func)
        self._blocks: list[Block] = []
        self._queued: set[Block] = set()

    def drain(self) -> Iterator[Block]:
        """Removes and yields the block that was added last, until no block remains."""
        while self._blocks:
            block = self._blocks.pop()
            self._queued.discard(block)
            yield block

    def push(self, block: Block) -> None:
        """Adds a block unless it is in the list."""
        if block not in self._queued:
            self._queued.add(block)
            self._blocks.append(block)

    def push_first(self, block: Block) -> None:
        """Adds a block as the next one to be taken, even if it is in the list."""
        self._queued.add(block)
        self._blocks.append(block)

    def push_successors(self, terminator: Operation) -> None:
        """Adds the successors of a terminator."""
        for target in fast.successors_of(terminator):
            self.push(target)

    def push_adjacent(self, block: Block) -> None:
        """Adds the predecessors and successors of a block."""
        for before in fast.predecessors_of(block):
            self.push(before)
        self.push_successors(branches.terminator_of(block))

    def replace_terminator(self, old: Operation, new: Operation) -> None:
        """Replaces a terminator, and adds its old successors and its block."""
        block = old.parent
        assert block is not None
        copy_loop_annotation(old, new)
        self.push_successors(old)
        cfg.replace_terminator(old, new)
        self.push(block)


def has_loop_annotation(terminator: Operation) -> bool:
    """Returns True if the branch is a backedge with an `llvm.loop` annotation."""
    return loop_annotation_of(terminator) is not None


def are_only_used_by(values: Sequence[SSAValue], op: Operation) -> bool:
    """Returns True if an op is the only user of all values."""
    return all(user is op for value in values for user in fast.users_of(value))


def are_acceptable_edges(
    terminator: Operation, edges: Sequence[branches.Edge], most_selects: int
) -> bool:
    """Returns True if a terminator may have several edges to a block with different values.

    Each such edge of a switch requires a block in PTX; such edges of a conditional branch become
    selects.

    Arguments:
        terminator: the op that gets the edges.
        edges: one for each successor.
        most_selects: maximum number of selects.
    """
    seen: dict[Block, tuple[SSAValue, ...]] = {}
    for target, values in edges:
        if seen.setdefault(target, values) != values:
            if type(terminator) is not CondBrOp:
                return False
            return sum(a is not b for a, b in zip(values, seen[target])) <= most_selects
    return True
