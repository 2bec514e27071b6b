"""The order of the blocks of a compiled function, and values used across its segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components


def crossing_values(
    segments: Sequence[tuple[Block, list[Operation]]],
    first_segment: Mapping[Block, int],
    waits: Callable[[Operation], bool],
) -> set[SSAValue]:
    """The values that are used outside of the segment that defines them.

    Arguments:
        segments: block and ops of each segment.
        first_segment: the number of the first segment of each block.
        waits: returns whether lanes may have to wait at an op.
    """
    segment: dict[SSAValue, int] = {}
    for number, (block, ops) in enumerate(segments):
        if first_segment[block] == number:
            for argument in block.args:
                segment[argument] = number
        for op in ops:
            for result in op.results:
                segment[result] = number
    crossing: set[SSAValue] = set()
    for number, (_, ops) in enumerate(segments):
        for op in ops:
            for operand in fast.operands_of(op):
                if segment.get(operand) != number:
                    crossing.add(operand)
        if ops and waits(ops[-1]):
            # The result of a wait is assigned in the segment after it, or in a stub.
            crossing.update(ops[-1].results)
    return crossing


def linear_order(region: Region) -> list[Block]:
    """The reachable blocks, with contiguous loops, every exit of a loop after the loop."""
    blocks = list(fast.blocks_of(region))
    numbers = {b: i for i, b in enumerate(blocks)}
    successors = [
        [numbers[s] for s in fast.successors_of(b.last_op)] if b.last_op is not None else []
        for b in blocks
    ]
    reachable = _reach(0, successors)
    order = _order(sorted(reachable), 0, successors)
    return [blocks[i] for i in order]


def _reach(start: int, successors: Sequence[Sequence[int]]) -> set[int]:
    found = {start}
    work = [start]
    while work:
        for s in successors[work.pop()]:
            if s not in found:
                found.add(s)
                work.append(s)
    return found


def _order(nodes: Sequence[int], entry: int, successors: Sequence[Sequence[int]]) -> list[int]:
    result: list[int] = []
    placed: set[int] = set()
    for component in reversed(strongly_connected_components([entry, *nodes], successors)):
        if len(component) == 1:
            result += component
            placed.update(component)
            continue
        inside = set(component)
        # The header: the block that is entered from outside the loop.
        entered = [
            n
            for n in component
            if n == entry or any(n in successors[p] for p in nodes if p not in inside)
        ]
        header = min(entered) if entered else min(component)
        without = [[s for s in successors[i] if s != header] for i in range(len(successors))]
        result += _order(component, header, without)
        placed.update(inside)
    return result
