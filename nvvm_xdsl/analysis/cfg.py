"""The control-flow graph of a region on dense numbers.

Blocks are numbered in the order of the region, so that analyses keep their facts in lists
and big-integer bit sets instead of dictionaries. An edge that a terminator names twice (a
switch whose cases share a target) is in the lists twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.ir import Block, Operation, Region

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import reverse_post_order

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


def function_body(func: Operation) -> Region:
    """The region of a function op: empty for a declaration."""
    return func.regions[0]


def block_name(number: int, block: Block) -> str:
    """The name of a block in messages: its own name, or its position in the region."""
    name = block.name_hint
    return f"^{name}" if name is not None else f"^bb{number}"


class CFG:
    """The blocks and edges of one region at the time of construction.

    `blocks[n]` is block `n`, and `numbers` is the inverse mapping. `successors[n]` and
    `predecessors[n]` hold one number per edge: successors in the order of the terminator,
    predecessors in the order of their blocks. `rpo` is a reverse post-order of the reachable blocks
    and `rpo_index[n]` the position of `n` in it, or -1 for an unreachable block.
    """

    looks_at_cfg_only: ClassVar[bool] = True

    region: Region
    blocks: list[Block]
    numbers: dict[Block, int]
    successors: list[list[int]]
    predecessors: list[list[int]]
    rpo: list[int]
    rpo_index: list[int]

    def __init__(self, region: Region) -> None:
        self.region = region
        blocks = self.blocks = list(fast.blocks_of(region))
        numbers = self.numbers = {block: number for number, block in enumerate(blocks)}
        successors: list[list[int]] = []
        predecessors: list[list[int]] = [[] for _ in blocks]
        successors_of = fast.successors_of
        for number, block in enumerate(blocks):
            last = block.last_op
            targets = [numbers[b] for b in successors_of(last)] if last is not None else []
            successors.append(targets)
            for target in targets:
                predecessors[target].append(number)
        self.successors = successors
        self.predecessors = predecessors
        self.rpo = reverse_post_order(successors, 0) if blocks else []
        rpo_index = self.rpo_index = [-1] * len(blocks)
        for index, number in enumerate(self.rpo):
            rpo_index[number] = index

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The control-flow graph of a function."""
        return cls(function_body(op))

    @property
    def entry(self) -> Block:
        """The entry block; the region must not be empty."""
        return self.blocks[0]

    def number(self, block: Block) -> int:
        """The number of a block of this region."""
        return self.numbers[block]

    def reachable(self, block: Block) -> bool:
        """Returns True if the block is reachable from the entry."""
        return self.rpo_index[self.numbers[block]] >= 0

    def rpo_blocks(self) -> Iterator[Block]:
        """The reachable blocks in reverse post-order."""
        blocks = self.blocks
        return (blocks[n] for n in self.rpo)

    def post_order_blocks(self) -> Iterator[Block]:
        """The reachable blocks, successors first except along back edges."""
        blocks = self.blocks
        return (blocks[n] for n in reversed(self.rpo))

    def edges(self) -> Iterator[tuple[int, int]]:
        """All edges as pairs of block numbers, with repetitions."""
        for source, targets in enumerate(self.successors):
            for target in targets:
                yield source, target

    def critical_edges(self) -> list[tuple[Block, int]]:
        """The critical edges: source block and successor index."""
        found: list[tuple[Block, int]] = []
        predecessors = self.predecessors
        for source, targets in enumerate(self.successors):
            if len(targets) > 1:
                for index, target in enumerate(targets):
                    if len(predecessors[target]) > 1:
                        found.append((self.blocks[source], index))
        return found

    @cached_property
    def retreating_edges(self) -> list[tuple[int, int]]:
        """The edges to an earlier or the same position in the reverse post-order."""
        index = self.rpo_index
        return [
            (source, target)
            for source in self.rpo
            for target in dict.fromkeys(self.successors[source])
            if index[target] <= index[source]
        ]

    def name(self, number: int) -> str:
        """The name of block `number` in messages."""
        return block_name(number, self.blocks[number])

    def verify(self) -> None:
        """Raises AssertionError if the region has changed since construction."""
        fresh = CFG(self.region)
        assert len(fresh.blocks) == len(self.blocks), "the region's blocks have changed"
        for mine, other in zip(self.blocks, fresh.blocks):
            assert mine is other, "the region's blocks have changed"
        for number, (mine, other) in enumerate(zip(self.successors, fresh.successors)):
            assert mine == other, f"the edges out of {self.name(number)} have changed"
