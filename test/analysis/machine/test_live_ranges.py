"""Live ranges, and sets of positions, against simple models."""

from __future__ import annotations

import pytest
from helpers.graphs import graphs
from helpers.random_machine_code import KernelMaker
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import Block, Region, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.live_ranges import (
    LiveRanges,
    Positions,
    add,
    covers,
    overlap,
    positions_of,
)
from nvvm_xdsl.dialects.nvptx import branch
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import machine_functions

STRETCHES = st.frozensets(st.integers(0, 40))


def members(positions: Positions) -> set[int]:
    assert len(positions) % 2 == 0
    assert positions == sorted(set(positions)), "ranges are disjoint and sorted"
    pairs = zip(positions[::2], positions[1::2])
    return {at for first, behind in pairs for at in range(first, behind)}


def of_members(found: frozenset[int]) -> Positions:
    return positions_of((at, at + 1) for at in found)


@given(STRETCHES, STRETCHES, st.integers(-2, 42))
def test_sets_of_positions(a: frozenset[int], b: frozenset[int], at: int):
    one, other = of_members(a), of_members(b)
    assert members(one) == a
    assert covers(one, at) == (at in a)
    assert overlap(one, other) == bool(a & b)
    rest = of_members(b - a)
    add(one, rest)
    assert members(one) == a | b
    assert members(rest) == b - a


def plain_range(ranges: LiveRanges, region: Region, value: SSAValue) -> set[int]:
    """Returns the positions at which a value is live, by a backward walk from each use."""
    blocks = list(fast.blocks_of(region))
    at_start = {ranges.start[block]: block for block in blocks}
    owner = value.owner
    home = owner if isinstance(owner, Block) else owner.parent
    assert home is not None
    definition = ranges.definition(value)
    found = {definition}
    work: list[int] = []
    for op, index in fast.uses_of(value):
        block = op.parent
        assert block is not None
        leaves = isinstance(op, TerminatorOp) and index >= op.own_operands
        work.append(ranges.end[block] if leaves else ranges.read_at(op, index))
    while work:
        at = work.pop()
        if at in found:
            continue
        found.add(at)
        if at not in at_start:
            work.append(at - 1)
        else:
            work.extend(ranges.end[before] for before in fast.predecessors_of(at_start[at]))
    return found


def check_ranges(region: Region) -> None:
    ranges = LiveRanges(LoopInfo(CFG(region)))
    for block in fast.blocks_of(region):
        for value in [*block.args, *(v for op in fast.ops_of(block) for v in op.results)]:
            assert members(ranges.range_of(value)) == plain_range(ranges, region, value)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 30))
def test_ranges_in_kernels(seed: int):
    for func in machine_functions(KernelMaker(seed).module()):
        check_ranges(func.body)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 1 << 30))
def test_ranges_in_graphs(edges: list[list[int]], seed: int):
    """Nested loops, and cycles with several entries."""
    graph = [targets or [number] for number, targets in enumerate(edges)]
    (func,) = machine_functions(KernelMaker(seed, graph).module())
    check_ranges(func.body)


@pytest.mark.parametrize("seed", range(6))
def test_an_unreachable_block(seed: int):
    """The unreachable block branches into loops."""
    nest = [[1], [2], [2, 3], [1, 4], [4]]
    (func,) = machine_functions(KernelMaker(seed, nest).module())
    unreachable = fast.new_block()
    fast.append_block(func.body, unreachable)
    for block in list(fast.blocks_of(func.body))[1:-1]:
        if not block.args:
            fast.append(unreachable, branch(block))
            check_ranges(func.body)
            fast.erase(fast.terminator_of(unreachable))
