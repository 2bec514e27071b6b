"""Merge sets: for each block, the blocks where its definitions must be merged with others.

The merge set of a block is its iterated dominance frontier. The blocks that need arguments for a
variable are the union over its definitions, also after one more definition. (Das and Ramakrishna,
"A Practical and Fast Iterative Algorithm for φ-Function Computation Using DJ Graphs", 2005.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.ir.graphs import strongly_connected_components

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


class MergeSets:
    """The merge sets of a function; `bits[n]` has bit `m` set when `m` is in that of block `n`."""

    looks_at_cfg_only: ClassVar[bool] = True

    bits: list[int]

    def __init__(self, tree: DominatorTree) -> None:
        self.tree = tree
        frontiers = tree.frontiers()
        self.bits = [0] * len(frontiers)
        # A component comes after the components of its frontiers; its blocks share one set.
        for component in strongly_connected_components(list(range(len(frontiers))), frontiers):
            merged = 0
            for number in component:
                for target in frontiers[number]:
                    merged |= 1 << target | self.bits[target]
            for number in component:
                self.bits[number] = merged

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The merge sets of a function."""
        return cls(am.get(DominatorTree, op))

    def merge_set(self, block: Block) -> list[Block]:
        """The blocks where a definition in this block is merged with others, in block order."""
        return self.merge_blocks([block])

    def merge_blocks(self, blocks: Iterable[Block]) -> list[Block]:
        """The blocks that need an argument for a variable defined in these blocks, in block
        order."""
        merged = 0
        for block in blocks:
            merged |= self.bits[self.tree.cfg.numbers[block]]
        found: list[Block] = []
        while merged:
            lowest = merged & -merged
            found.append(self.tree.cfg.blocks[lowest.bit_length() - 1])
            merged ^= lowest
        return found

    def verify(self) -> None:
        """Recomputes the sets; raises AssertionError if they differ."""
        fresh = MergeSets(DominatorTree(self.tree.cfg.region))
        assert fresh.bits == self.bits, "the merge sets are stale"
