"""Regions built from adjacency lists, for tests of control-flow analyses."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from xdsl.dialects.test import TestTermOp
from xdsl.ir import Block, Region

from nvvm_xdsl.ir import fast


def region_of(edges: Sequence[Sequence[int]]) -> Region:
    """Returns a region whose block `n` branches to the blocks `edges[n]`, with block 0 as the entry."""
    region = Region()
    blocks = [fast.new_block() for _ in edges]
    for number, block in enumerate(blocks):
        fast.set_name(block, f"b{number}")
        fast.append_block(region, block)
    for block, targets in zip(blocks, edges):
        fast.append(block, fast.create(TestTermOp, successors=[blocks[t] for t in targets]))
    return region


def set_edges(region: Region, number: int, targets: Sequence[int]) -> None:
    """Makes block `number` branch to these blocks."""
    blocks = list(region.blocks)
    last = blocks[number].last_op
    assert last is not None
    fast.set_successors(last, [blocks[t] for t in targets])


def names(blocks: Sequence[Block]) -> list[int]:
    """Returns the numbers that `region_of` gave the blocks."""
    return [int((b.name_hint or "b-1")[1:]) for b in blocks]


@st.composite
def graphs(draw: st.DrawFn, max_size: int = 12) -> list[list[int]]:
    """Adjacency lists with unreachable blocks, self-loops and repeated edges; no edge to 0."""
    size = draw(st.integers(1, max_size))
    if size == 1:
        return [[]]
    target = st.integers(1, size - 1)
    return [draw(st.lists(target, max_size=3)) for _ in range(size)]


def reaching(edges: list[list[int]], start: int, without: int) -> set[int]:
    seen: set[int] = set()
    work = [start]
    while work:
        node = work.pop()
        if node != without and node not in seen:
            seen.add(node)
            work += edges[node]
    return seen
