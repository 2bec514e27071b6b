"""The value of an mbarrier object in memory, as one number.

PTX ISA, section "mbarrier": the object has a phase, the pending and the expected arrivals, and the bytes
of asynchronous copies that are still expected. The phase completes when no arrivals and no bytes are
pending.
"""

from __future__ import annotations

_COUNT_BITS = 16
_BYTES_BIAS = 1 << 23


def initial(count: int) -> int:
    """The state in phase 0 that expects some arrivals."""
    return _packed(0, count, count, 0)


def _packed(phase: int, pending: int, count: int, expected_bytes: int) -> int:
    upper = (expected_bytes + _BYTES_BIAS) << _COUNT_BITS | count
    return (upper << _COUNT_BITS | pending) << 1 | phase


def _unpacked(state: int) -> tuple[int, int, int, int]:
    mask = (1 << _COUNT_BITS) - 1
    rest = state >> 1
    return (
        state & 1,
        rest & mask,
        rest >> _COUNT_BITS & mask,
        (rest >> 2 * _COUNT_BITS) - _BYTES_BIAS,
    )


def phase_of(state: int) -> int:
    """The parity of the current phase."""
    return state & 1


def changed(state: int, *, arrivals: int = 0, expected_bytes: int = 0) -> int:
    """The state after some arrivals and a change of the expected bytes."""
    phase, pending, count, left = _unpacked(state)
    pending -= arrivals
    left += expected_bytes
    if pending <= 0 and left == 0:
        return _packed(1 - phase, count, count, 0)
    return _packed(phase, max(pending, 0), count, left)
