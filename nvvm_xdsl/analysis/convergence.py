"""Legality of redirecting edges without separating threads at a convergent op.

Threads of a warp that a divergent branch separates run apart until its reconvergence point, the
immediate post-dominator of the branch. Redirecting some of the edges into a block B, for example
to a copy of B, changes this in two ways. Let J be the immediate post-dominator of B.

- A branch whose reconvergence point is B reconverges no later than J, because every path from B
  and from the new target still reaches J.
- A branch D with several edges into B, of which only some are redirected, separates threads that
  take these edges. They ran together from B on. Now they run apart until D's own reconvergence
  point, which may come after J.

A barrier that threads reach apart waits for threads on another path, and a shuffle reads inactive
lanes. So the edges may be redirected only if both of the following hold:

- no convergent op is reached from B before J, or no divergent branch separates the threads that
  reach B by different edges: all threads of a warp then take the same edge. A uniform branch in B
  is not enough, since threads that reach B by different edges may agree on it;
- for each D, no convergent op is reached from D before its reconvergence point, or D is uniform.

The edge into a loop from its preheader may be redirected to a copy of the header under weaker
conditions. The preheader and the only latch branch to the header and nowhere else, so every path of
the changed function is a path of the original one with some occurrences of the header replaced by
the copy. Each branch keeps its reconvergence point, unless that is the header. Therefore rotation is
legal if the header contains no convergent op, as this op would be duplicated, and either no
convergent op is reached from the header before its post-dominator, or no divergent branch reconverges
in the header. (One does in an inner loop with an exit to its own preheader.) Convergent ops in the
body, and divergent branches around the loop or at its exits, do not matter. Rotating one loop leaves
these facts about other loops unchanged.

B may be the reconvergence point J of another block, so that one redirection can make another one
illegal: `parted` returns whether the answers of an object stay valid.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.llvm import BrOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.ir import fast


class ConvergenceRule:
    """Legality of redirecting edges into the blocks of a function.

    Arguments:
        func: a function with a body and without unreachable blocks.
        am: provides the control-flow graph, the post-dominators and the uniformity.
    """

    def __init__(self, func: FuncOp, am: AnalysisManager) -> None:
        self._func = func
        self._am = am
        convergent = [
            block
            for block in fast.blocks_of(func.regions[0])
            if any(effects(op) & CONVERGENT for op in fast.ops_of(block))
        ]
        self._deciding: set[Block] = set()
        self._meetings: set[Block] | None = None
        self._moved = False
        if convergent:
            tree = am.get(PostDominatorTree, func)
            self._deciding = tree.iterated_control_dependences(convergent)
        self._has_convergent_ops = bool(convergent)

    def decides_on_convergent_op(self, block: Block) -> bool:
        """Returns True if a convergent op is reachable from the block before its post-dominator."""
        return block in self._deciding

    def arrives_together(self, block: Block) -> bool:
        """True if all threads of a warp that reach the block together take the same edge into it.

        Conservative: the result may be False although the condition holds.
        """
        if self._moved:
            return False
        graph = self._am.get(CFG, self._func)
        number = graph.numbers.get(block)
        if number is None:
            return False
        uniformity = self._am.get(Uniformity, self._func)
        return not uniformity.is_divergent_block(block) and block not in self._reconverging()

    def runs_twice(self, block: Block, target: Block) -> bool:
        """Returns True if a warp may execute `target` twice once some edges into the block lead
        there.

        Requires `find_reconvergence_points`. A divergent branch reconverges at the block. Threads that take the redirected edges then
        execute the target apart from the others, which reach it through the block, unless all
        paths from the block lead to the target.
        """
        graph = self._am.get(CFG, self._func)
        if target not in graph.numbers:
            # A copy that was created after the analyses.
            return False
        tree = self._am.get(PostDominatorTree, self._func)
        return block in self._reconverging() and not tree.dominates(target, block)

    def find_reconvergence_points(self) -> None:
        """Computes the answers of `runs_twice`. Call this before a change that adds blocks, which
        the analyses do not contain."""
        self._reconverging()

    def _reconverging(self) -> set[Block]:
        """The reconvergence points of divergent branches."""
        if self._meetings is None:
            graph = self._am.get(CFG, self._func)
            uniformity = self._am.get(Uniformity, self._func)
            tree = self._am.get(PostDominatorTree, self._func)
            points = {
                tree.idom[number]
                for number, block in enumerate(graph.blocks)
                if uniformity.has_divergent_branch(block)
            }
            self._meetings = {b for n, b in enumerate(graph.blocks) if n in points}
        return self._meetings

    def may_part(
        self,
        block: Block,
        edges: Collection[tuple[Operation, int]] | None = None,
        condition: SSAValue | None = None,
    ) -> bool:
        """Returns True if edges into the block may be redirected.

        Arguments:
            block: ends in a branch.
            edges: the edges that are redirected to one place, as terminators and successor
                numbers; None if any subset of the incoming edges may be.
            condition: the condition of a branch that the caller inserts before the block.
        """
        if not all(self._may_separate(op.parent) for op in _split_terminators(block, edges)):
            return False
        if block not in self._deciding:
            return True
        if not self.arrives_together(block):
            return False
        return condition is None or self.is_uniform(condition)

    def may_rotate(self, header: Block) -> bool:
        """True if the edge from a loop's preheader may be redirected to a copy of the header.

        The header is the only successor of the preheader and of the only latch. The answers for
        other loops of the function stay valid when a loop is rotated.
        """
        if not all(self._may_separate(op.parent) for op in _split_terminators(header, None)):
            return False
        return header not in self._deciding or header not in self._reconverging()

    def _may_separate(self, source: Block | None) -> bool:
        """True if threads that take different edges from a block to one successor may stay
        separated."""
        if source not in self._deciding:
            return True
        assert source is not None
        return not self._moved and not self._am.get(Uniformity, self._func).has_divergent_branch(
            source
        )

    def is_uniform(self, condition: SSAValue) -> bool:
        """True if a value, which must have existed before this object, is uniform in a warp."""
        return self._am.get(Uniformity, self._func).is_uniform(condition)

    def parted(self, block: Block) -> bool:
        """Records that edges into the block were redirected.

        Returns whether the answers of this object stay valid. They do if no convergent op is
        reached from the block before its post-dominator: no reconvergence point then moves past a
        convergent op. From then on, threads are not assumed to arrive together.
        """
        self._moved = self._has_convergent_ops
        return block not in self._deciding


def _split_terminators(
    block: Block, edges: Collection[tuple[Operation, int]] | None
) -> list[Operation]:
    """The terminators with several edges into the block of which only some are in `edges`.

    An edge may lead through a block that only branches, because passes split and merge edges.
    """
    counts: dict[Operation, int] = {}
    chosen: dict[Operation, int] = {}
    for edge in fast.edges_to(block):
        for terminator in _sources(edge[0]):
            counts[terminator] = counts.get(terminator, 0) + 1
            if edges is not None and edge in edges:
                chosen[terminator] = chosen.get(terminator, 0) + 1
    several = [op for op, count in counts.items() if count > 1]
    if edges is None:
        return several
    return [op for op in several if 0 < chosen.get(op, 0) < counts[op]]


def _sources(terminator: Operation) -> list[Operation]:
    """The terminator, or for a block that only branches, those of its incoming edges."""
    block = terminator.parent
    if not isinstance(terminator, BrOp) or block is None or block.first_op is not terminator:
        return [terminator]
    found = [op for op, _ in fast.edges_to(block)]
    return found or [terminator]
