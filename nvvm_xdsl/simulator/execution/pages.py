"""Reuse of zeroed memory between launches.

The first write to a fresh page costs some microseconds in the operating system, as much as clearing
a hundred mapped pages. Without reuse, small launches would spend most of their time in page faults.
"""

from __future__ import annotations

import mmap
from typing import Any, Final, cast

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

MOST_SPARE: Final = 32
"""Maximum number of pooled arrays of one capacity."""

_spare: dict[int, list[Bytes]] = {}
"""Pooled arrays of zeros, by capacity."""

_PRIVATE: Final[dict[str, int]] = (
    {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
)
"""A forked process must not share its parent's arrays."""


def take(size: int) -> Bytes:
    """An array of zeros of at least `size` bytes, a power of two.

    `np.zeros` of some megabytes clears the memory each time, because the C library allocates it on
    its heap.
    """
    capacity = max(1 << (size - 1).bit_length(), mmap.PAGESIZE)
    kept = _spare.get(capacity)
    if kept:
        return kept.pop()
    return np.frombuffer(cast(Any, mmap.mmap(-1, capacity, **_PRIVATE)), np.uint8)


def give(piece: Bytes) -> None:
    """Returns memory from `take` to the pool; the caller has zeroed it."""
    kept = _spare.setdefault(piece.size, [])
    if len(kept) < MOST_SPARE:
        kept.append(piece)
