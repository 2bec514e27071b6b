"""Memory ranges that a thread passes to an asynchronous unit."""

from __future__ import annotations

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import (
    CODE,
    GENERIC,
    GLOBAL,
    LOCAL,
    SHARED_SHIFT,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_SHIFT,
    Lanes,
    Mask,
)


def locate(
    blk: Block,
    site: int,
    lane: int,
    address: int,
    window: int,
    size: int,
    alignment: int,
    what: str,
) -> int:
    """The position of a range in the arena; it must be in one allocation.

    Arguments:
        window: the window of the address, or GENERIC.
        what: the access as text for the error: `cp.async.bulk reads`.
    Raises:
        SimulationError: the range is misaligned or leaves its allocation.
    """
    memory = blk.memory
    if window == GENERIC:
        window, address = address >> WINDOW_SHIFT, address & WINDOW_MASK
    if not GLOBAL <= window < CODE or window == LOCAL:
        name = WINDOW_NAMES[window] if window < len(WINDOW_NAMES) else "no"
        raise _error(blk, site, lane, f"{what} {name} memory at {address:#x}", "")
    place = f"{what} {size} bytes at {WINDOW_NAMES[window]} address {address:#x}"
    if address % alignment:
        raise _error(blk, site, lane, place, f"not aligned to {alignment} bytes: ")
    relative = address - memory.base[window]
    position = relative + memory.offset[window]
    inside = 0 <= relative <= memory.length[window] - size
    if inside and size:
        head = int(memory.owner[position])
        inside = head != 0 and bool((memory.owner[position : position + size] == head).all())
    if not inside:
        near = f" ({memory.nearest(window, address)})"
        raise _error(blk, site, lane, place + near, "out of bounds: ")
    return position


def rank_of(address: int) -> int:
    """The rank in its cluster of the block that owns a shared address."""
    return (address & WINDOW_MASK) >> SHARED_SHIFT


def in_block(address: int, rank: int) -> int:
    """The same address in the shared memory of another block of the cluster."""
    return address & ~(((1 << 22) - 1) << SHARED_SHIFT) | rank << SHARED_SHIFT


def numbers(blk: Block, *values: Lanes) -> list[list[int]]:
    """Values as Python numbers, one per lane."""
    wide = [np.broadcast_to(v, (blk.lanes,)) for v in values]
    return [w.tolist() for w in wide]


def lanes_of(mask: Mask) -> list[int]:
    """The numbers of the active lanes."""
    return mask.index.tolist()


def check_own(blk: Block, site: int, lane: int, address: int, what: str) -> None:
    """`.shared::cta` addresses the executing block's shared memory only."""
    rank = rank_of(address)
    if rank != blk.rank:
        text = f"{what} shared memory of block {rank} of the cluster, not its own"
        raise _error(blk, site, lane, text, "")


def _error(blk: Block, site: int, lane: int, text: str, head: str) -> SimulationError:
    return blk.lane_error("memory", f"{head}{text}, in", lane, site)
