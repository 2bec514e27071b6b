"""Redirects edges past blocks that only branch, for `simplifycfg`.

      llvm.cond_br %c, ^empty(%x : i32), ^b        llvm.cond_br %c, ^join(%x : i32), ^b
    ^empty(%y: i32):                          ->
      llvm.br ^join(%y : i32)

Legal because the block has no op except its branch.
"""

from __future__ import annotations

from xdsl.dialects.llvm import BrOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import (
    Worklist,
    are_acceptable_edges,
    are_only_used_by,
    has_loop_annotation,
)
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation

MANY_EDGES = 256
"""Maximum number of edges of a switch for which empty successor blocks are removed: updating them
costs time for each edge.
"""
MANY_SOURCES = 16
"""Number of predecessors of an empty block above which an empty successor is removed first."""


class EmptyBlocks:
    """Removes the empty blocks of a function."""

    def __init__(self, func: FuncOp, work: Worklist, keep_loops: bool, most_selects: int) -> None:
        """Records the loop headers of a function.

        Arguments:
            func: the function.
            work: the worklist, which gets the changed blocks.
            keep_loops: whether the single latch of a loop is kept.
            most_selects: maximum number of selects that edges to one block may need.
        """
        self._work = work
        self._keep_loops = keep_loops
        self._most_selects = most_selects
        graph = CFG(func.regions[0])
        self._headers = {graph.blocks[target] for _, target in graph.retreating_edges}
        """The initial targets of backedges."""
        self._deferred: dict[Block, Block] = {}
        """For each empty block, the last empty successor that was simplified first."""

    def skip(self, block: Block) -> bool:
        """Redirects the edges of an empty block to its successor; returns whether it did."""
        terminator = branches.terminator_of(block)
        if block.first_op is not terminator or block is self._work.region.first_block:
            return False
        ((target, values),) = branches.edges_of(terminator)
        if target is block or self._is_single_latch(block, target):
            return False
        if not are_only_used_by(block.args, terminator):
            return False
        sources = list(dict.fromkeys(fast.users_of(block)))
        if any(len(fast.successors_of(source)) > MANY_EDGES for source in sources):
            # Each empty successor block requires rewriting all edges of the terminator.
            return False
        if len(sources) > MANY_SOURCES and self._is_skipped_later(block, target):
            return False
        annotated = has_loop_annotation(terminator)
        rewritten: list[tuple[Operation, list[branches.Edge]]] = []
        for source in sources:
            edges = _past(block, source, target, values)
            if not are_acceptable_edges(source, edges, self._most_selects):
                return False
            if annotated and has_loop_annotation(source):
                return False
            rewritten.append((source, edges))
        for source, edges in rewritten:
            branches.set_edges(source, edges)
            if annotated:
                copy_loop_annotation(terminator, source)
            assert source.parent is not None
            self._work.push(source.parent)
        cfg.drop_blocks([block])
        self._work.push(target)
        return True

    def _is_single_latch(self, block: Block, target: Block) -> bool:
        """Returns True if the block is the single latch of a loop and has several predecessors."""
        return (
            self._keep_loops
            and target in self._headers
            and len(fast.predecessors_of(block)) > 1
        )  # fmt: skip

    def _is_skipped_later(self, block: Block, target: Block) -> bool:
        """Returns True if the target is simplified first, once for each pair of block and target.

        The edges to the start of a chain of empty blocks are then redirected once, to its end,
        instead of once for each block.
        """
        if self._deferred.get(block) is target or type(target.first_op) is not BrOp:
            return False
        self._deferred[block] = target
        self._work.push(block)
        self._work.push_first(target)
        return True


def _past(
    block: Block, source: Operation, target: Block, values: tuple[SSAValue, ...]
) -> list[branches.Edge]:
    """The edges of a terminator after those to an empty block are redirected.

    Arguments:
        block: the empty block.
        source: the terminator of a predecessor.
        target: the successor of the block.
        values: the operands of the block's branch.
    """
    position: dict[SSAValue, int] = {argument: i for i, argument in enumerate(block.args)}
    edges: list[branches.Edge] = []
    for edge_target, sent in branches.edges_of(source):
        if edge_target is block:
            passed = tuple(sent[position[v]] if v in position else v for v in values)
            edges.append((target, passed))
        else:
            edges.append((edge_target, sent))
    return edges
