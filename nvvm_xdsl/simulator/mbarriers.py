"""Barriers in shared memory (PTX ISA 9.7.13.15).

The 64 bits of a barrier object are opaque; here they hold the pending arrivals (bits 0 to 19),
the count of the next phase (20 to 39), the bytes yet to come, biased (40 to 61), and the parity of
the current phase (63).
"""

from __future__ import annotations

import numpy as np

from nvvm_xdsl.simulator.memory import Access, Lanes, Mask

_BIAS = 1 << 21
_COUNT = (1 << 20) - 1


def initial(count: Lanes) -> Lanes:
    """A new barrier that expects `count` arrivals."""
    return count | (count << np.uint64(20)) | np.uint64(_BIAS << 40)


def passed(state: Lanes, token: Lanes, parity: bool) -> Lanes:
    """Whether the phase of a token, or of a parity, is complete."""
    now = (state >> np.uint64(63)) & np.uint64(1)
    then = token & np.uint64(1) if parity else (token >> np.uint64(63)) & np.uint64(1)
    return now != then


def arrive(access: Access, mask: Mask, count: Lanes, expect: Lanes, drop: bool) -> Lanes:
    """Arrivals of the active lanes, one after the other; returns the state before each."""
    view = access.memory.views[8]
    lanes = mask.bits.size
    tokens = np.zeros(lanes, np.uint64)
    position = np.broadcast_to(access.position, (mask.index.size,)) >> 3
    counts = np.broadcast_to(count, (lanes,))
    expected = np.broadcast_to(expect, (lanes,)).view(np.int64)
    for slot, lane in zip(position, mask.index):
        state = int(view[slot])
        tokens[lane] = state
        pending = (state & _COUNT) - int(counts[lane])
        following = (state >> 20 & _COUNT) - (int(counts[lane]) if drop else 0)
        bytes_ = (state >> 40 & ((1 << 22) - 1)) - _BIAS + int(expected[lane])
        parity = state >> 63
        if pending == 0 and bytes_ == 0:
            parity ^= 1
            pending = following
        view[slot] = (
            (pending & _COUNT)
            | (following & _COUNT) << 20
            | (bytes_ + _BIAS & ((1 << 22) - 1)) << 40
            | parity << 63
        )
    return tokens
