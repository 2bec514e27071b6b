"""The loops around the op at which a kernel exceeded the limit of steps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.ir.locations import Place, place_of


def endless_loop(op: Operation) -> list[str]:
    """A line for each loop around an op, innermost first, with its header and exits."""
    start = op.parent_block()
    region = None if start is None else start.parent
    if region is None or start is None:
        return []
    found: list[list[Block]] = []
    blocks = list(fast.blocks_of(region))
    while (inside := _cycle(blocks, start)) is not None:
        found.insert(0, inside)
        # Without its header the blocks of a loop form its inner loops.
        blocks = inside[1:]
        if inside[0] is start:
            break
    return [_described(loop) for loop in found]


def _cycle(blocks: Sequence[Block], around: Block) -> list[Block] | None:
    """The strongly connected component of `blocks` that contains `around`, in the order of
    `blocks`."""
    numbers = {block: i for i, block in enumerate(blocks)}
    successors = [
        [numbers[s] for s in fast.successors_of(b.last_op) if s in numbers]
        if b.last_op is not None
        else []
        for b in blocks
    ]
    here = numbers.get(around)
    for component in strongly_connected_components(range(len(blocks)), successors):
        if here in component and (len(component) > 1 or here in successors[here]):
            return [blocks[i] for i in sorted(component)]
    return None


def _described(loop: Sequence[Block]) -> str:
    inside = set(loop)
    exits = [
        last
        for block in loop
        if (last := block.last_op) is not None
        and any(s not in inside for s in fast.successors_of(last))
    ]
    begin = next((op for block in loop for op in fast.ops_of(block)), None)
    left = " and ".join(f"at {_place(op)}" for op in exits)
    return f"in the loop that begins at {_place(begin)}, which " + (
        f"is left {left}" if exits else "no branch leaves"
    )


def _place(op: Operation | None) -> str:
    found: Place = place_of(op)
    name = "?" if op is None else op.name
    return name if found.file is None else f"{found} ({name})"
