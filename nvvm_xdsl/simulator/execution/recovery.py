"""Invalid accesses after which a kernel continues, in the wording of compute-sanitizer's memcheck.

Faulting lanes read zeros and their writes have no effect: their accesses are redirected to the
    scratch area at the end of the arena.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from nvvm_xdsl.simulator.execution.memory import (
    CODE,
    GENERIC,
    GLOBAL,
    LOCAL,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_SHIFT,
    WRITES,
    Access,
    Lanes,
    Mask,
    Memory,
)

SCRATCH_BYTES: Final = 4096
"""Maximum size of an invalid access after which a kernel continues."""

_NULL_PAGE = 4096

Fault = tuple[str, int, int, int, int]
"""The error, the first lane, the window, the address in it, the number of lanes."""


def recover(
    memory: Memory,
    mask: Mask,
    address: Lanes,
    window: int,
    size: int,
    alignment: int,
    lane_base: Lanes,
    kind: str,
) -> tuple[Access, list[Fault]]:
    """The access with faulting lanes redirected to the scratch area, and their errors.

    The arguments are those of `memory.resolve` and the kind of the access.
    """
    index = mask.index
    low = np.broadcast_to(address, mask.bits.shape)[index].astype(np.uint64).view(np.int64)
    if window == GENERIC:
        tags, low = low >> WINDOW_SHIFT, low & WINDOW_MASK
    else:
        tags = np.full(low.shape, window, np.int64)
    nowhere = (tags < 0) | (tags >= CODE)
    safe = np.where(nowhere, 0, tags)
    relative = low - memory.base_of(safe)
    outside = (relative < 0) | (relative > memory.length_of(safe) - size)
    position = np.where(nowhere | outside, 0, relative) + memory.offset_of(safe)
    position = np.where(safe == LOCAL, position + lane_base[index], position)
    head = memory.owner[position]
    bad = outside | (head == 0) | (memory.owner[position + (size - 1)] != head)
    reasons = [
        ("no memory is there", nowhere),
        ("null pointer", bad & (tags == GLOBAL) & (low < _NULL_PAGE)),
        ("out of bounds", bad),
        (f"not aligned to {alignment} bytes", (low & (alignment - 1)) != 0),
    ]
    if kind in WRITES:
        reasons.append(("read-only", position >= memory.read_only))
    faults: list[Fault] = []
    wrong = np.zeros(low.shape, bool)
    for what, where in reasons:
        new = where & ~wrong
        wrong |= where
        for tag in np.unique(tags[new]).tolist():
            here = np.flatnonzero(new & (tags == tag))
            first = int(here[0])
            faults.append((what, int(index[first]), tag, int(low[first]), here.size))
    memory.bytes[memory.scratch : memory.scratch + size] = 0
    if memory.undefined is not None:
        memory.undefined[memory.scratch : memory.scratch + size] = 0
    position = np.where(wrong, memory.scratch, position)
    rows = None if mask.all else index
    return Access(memory, position, rows, mask.bits.size, False, alignment), faults


def access_title(kind: str, window: int, size: int) -> str:
    """`Invalid __global__ write of size 4 bytes`."""
    name = WINDOW_NAMES[window] if 0 <= window < len(WINDOW_NAMES) else "unknown"
    doing = {"load": "read", "store": "write", "atomic load": "read", "atomic store": "write"}
    return f"Invalid __{name}__ {doing.get(kind, kind)} of size {size} bytes"


def address_notes(memory: Memory, what: str, window: int, address: int) -> list[str]:
    """The error of an address, and the closest allocation."""
    freed = memory.freed_at(window, address)
    if freed is not None and what == "out of bounds":
        allocation, where = freed
        return [
            f"Address {address:#x} was freed: use after free",
            f"and is {address - allocation.address} bytes into '{allocation.name}' of size"
            f" {allocation.size} bytes",
            allocation.origin,
            f"freed{where}",
        ]
    words = {
        "out of bounds": "is out of bounds",
        "null pointer": "is a null pointer or close to one",
        "no memory is there": "is in no memory",
        "read-only": "is in memory that kernels only read",
    }
    notes = [f"Address {address:#x} {words.get(what, f'is misaligned ({what})')}"]
    nearest = None if what == "null pointer" else memory.nearest_allocation(window, address)
    if nearest is not None:
        distance, a = nearest
        side = "inside" if not distance else ("before" if address < a.address else "after")
        far = f"{distance} bytes {side}" if distance else "inside"
        if not distance and what == "out of bounds":
            far = "inside, and reaches past the end of,"
        notes.append(
            f"and is {far} the nearest allocation '{a.name}' at {a.address:#x} of size"
            f" {a.size} bytes"
        )
        if a.origin:
            notes.append(f"which is {a.origin}")
    return notes
