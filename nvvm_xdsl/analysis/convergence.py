"""Where threads of a warp may be kept apart for longer without an op that they run together.

Threads that a divergent branch parts go on together where its paths meet. A transformation that
sends some of the edges into a block elsewhere, a copy of the block included, can move that place:
threads that met in block B meet only at the immediate post-dominator J of B afterwards, since
every way from B and from where the edges lead now still comes to J. What is reached from B before
J, convergent ops among it, they then run apart: a barrier waits for threads that come another way,
a shuffle reads lanes that are not there.

So the edges into B may be parted

- if no convergent op is reached from B before J; or
- if no divergent branch parts the threads that come to B by different edges: whichever edge one
  thread of the warp takes, all take. That B's own branch is uniform is not enough: threads that come
  by different edges may agree on it.

J alone would not do for the blocks whose threads meet at B's in its turn, so that one parting can
make another one illegal: `parted` says when this object's answers end.
"""

from __future__ import annotations

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.ir import fast


class ConvergenceRule:
    """Which blocks of a function may have their in-edges parted, as the function is now.

    Arguments:
        func: a function with a body, without blocks that nothing reaches.
        am: where to find the graph, the post-dominators and the uniformity.
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
        self._meetings: set[int] | None = None
        self._moved = False
        if convergent:
            tree = am.get(PostDominatorTree, func)
            self._deciding = tree.iterated_control_dependences(convergent)
        self._has_convergent_ops = bool(convergent)

    def decides_on_convergent_op(self, block: Block) -> bool:
        """Whether a convergent op is reached from the block before its post-dominator."""
        return block in self._deciding

    def arrives_together(self, block: Block) -> bool:
        """Whether the threads of a warp that come to the block together come by one edge.

        May say no though they do.
        """
        if self._moved:
            return False
        graph = self._am.get(CFG, self._func)
        number = graph.numbers.get(block)
        if number is None:
            return False
        uniformity = self._am.get(Uniformity, self._func)
        if self._meetings is None:
            tree = self._am.get(PostDominatorTree, self._func)
            self._meetings = {
                tree.idom[n]
                for n, other in enumerate(graph.blocks)
                if uniformity.has_divergent_branch(other)
            }
        return not uniformity.is_divergent_block(block) and number not in self._meetings

    def may_part(self, block: Block, condition: SSAValue | None = None) -> bool:
        """Whether edges into the block may be sent another way.

        Arguments:
            block: has a branch at its end.
            condition: what decides on a branch that is made for this, in front of the block.
        """
        if block not in self._deciding:
            return True
        if not self.arrives_together(block):
            return False
        return condition is None or self.is_uniform(condition)

    def is_uniform(self, condition: SSAValue) -> bool:
        """Whether all threads of a warp have the same of a value that was there at the start."""
        return self._am.get(Uniformity, self._func).is_uniform(condition)

    def parted(self, block: Block) -> bool:
        """Takes note that edges into the block were sent another way.

        Returns whether the answers hold on. Where no convergent op is reached they do: threads
        may meet later, but not behind another convergent op; only, it is not known any more which
        threads arrive together.
        """
        self._moved = self._has_convergent_ops
        return block not in self._deciding
