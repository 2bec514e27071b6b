"""Branch weights of blocks whose incoming edges are threaded.

      edges 80, 20 into                       edges -, 20 into
    ^merge(%z: i1):                         ^merge(%z: i1):
      llvm.cond_br %z weights([91, 9]) ->     llvm.cond_br %z weights([11, 9])

The executions of an edge that is threaded past a block no longer pass through the block. The block
is executed less often, and its branch is taken less often to the successor of the threaded edge
(`updateBlockFreqAndEdgeWeight` in LLVM's JumpThreading.cpp).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, Operation, Region

from nvvm_xdsl.analysis.branch_probability import BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.cfg import set_weights
from nvvm_xdsl.transforms.thread_edges import IncomingEdge

SCALE = 1 << 30
"""The sum of the weights of a branch."""


class EdgeFrequencies:
    """Frequencies of blocks and edges of a region, updated while edges are threaded.

    Nothing is computed until an edge is threaded past a branch with weights.

    Arguments:
        region: a function's body.
    """

    def __init__(self, region: Region) -> None:
        self._region = region
        self._blocks: dict[Block, float] | None = None
        self._probabilities: dict[Operation, list[float]] = {}

    def of_edges(self, block: Block, edges: Iterable[IncomingEdge]) -> float:
        """The frequency of edges into the block; 0 until an edge is threaded past a block with
        weights."""
        if self._blocks is None:
            if "branch_weights" not in branches.terminator_of(block).properties:
                return 0.0
            self._compute()
        return sum(self._of_edge(edge) for edge in edges)

    def threaded(self, block: Block, successor: int | None, reached: Block, moved: float) -> None:
        """Updates the frequencies and the block's branch weights.

        Arguments:
            block: the block that edges were threaded past.
            successor: the successor that these edges take; None if it is unknown and the copy has
                the same branch.
            reached: the block that these edges lead to now.
            moved: the result of `of_edges` for these edges before they were threaded.
        """
        if self._blocks is None:
            return
        before = self._blocks.get(block, 0.0)
        # The frequency of a new block is the sum of its incoming edges.
        self._blocks.setdefault(reached, moved)
        self._blocks[block] = max(before - moved, 0.0)
        terminator = branches.terminator_of(block)
        if successor is None:
            self._probabilities[branches.terminator_of(reached)] = self._of_terminator(terminator)
            return
        flows = [before * p for p in self._of_terminator(terminator)]
        flows[successor] = max(flows[successor] - moved, 0.0)
        total = sum(flows)
        shares = [f / total if total else 1 / len(flows) for f in flows]
        self._probabilities[terminator] = shares
        if "branch_weights" in terminator.properties:
            set_weights(terminator, [round(share * SCALE) for share in shares])

    def _compute(self) -> None:
        graph = CFG(self._region)
        found = BlockFrequency(BranchProbability(graph, LoopInfo(DominatorTree(graph))))
        self._blocks = dict(zip(graph.blocks, found.frequencies))
        for block, shares in zip(graph.blocks, found.probability.probabilities):
            self._probabilities[branches.terminator_of(block)] = shares

    def _of_terminator(self, terminator: Operation) -> list[float]:
        """The probability of each successor; a new branch has equal probabilities."""
        count = len(fast.successors_of(terminator))
        return self._probabilities.get(terminator) or [1 / count] * count

    def _of_edge(self, edge: IncomingEdge) -> float:
        assert self._blocks is not None
        source = self._blocks.get(edge.source, 0.0)
        return source * self._of_terminator(edge.terminator)[edge.successor_index]
