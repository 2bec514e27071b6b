"""Barriers in shared memory (PTX ISA 9.7.13.15).

The 64 bits of a barrier object are opaque; here they hold the pending arrivals (bits 0 to 19),
the count of the next phase (20 to 39), the pending bytes, biased (40 to 61), and the parity of the
current phase (63).

`signal` implements `arrive`, `expect-tx` and `complete-tx`. A phase is complete when no arrivals
and no bytes are pending. The waiting lanes of all blocks of the cluster then continue. `test_wait`
and `try_wait` park lanes whose phase is not complete, which is a legal schedule and avoids
spinning. If no other lane can run, parked lanes continue with the result false.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import (
    SHARED,
    SHARED_BASE,
    SHARED_SHIFT,
    Access,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.execution.synchronization import Synchronization

MAX_COUNT = (1 << 20) - 1
"""The maximum arrival count and tx-count (PTX ISA 9.7.13.15.1)."""

_BIAS = 1 << 21
_BYTES = (1 << 22) - 1


@dataclass(frozen=True)
class State:
    """The contents of a barrier object."""

    pending: int
    following: int
    """The expected arrivals of the next phase."""
    bytes: int
    """The pending bytes; negative if copies complete before they are expected."""
    parity: int

    @classmethod
    def of(cls, word: int) -> State:
        """Decodes the 64 bits."""
        return cls(
            word & MAX_COUNT, word >> 20 & MAX_COUNT, (word >> 40 & _BYTES) - _BIAS, word >> 63
        )

    @property
    def word(self) -> int:
        """The 64 bits."""
        return (
            self.pending
            | self.following << 20
            | (self.bytes + _BIAS & _BYTES) << 40
            | self.parity << 63
        )


def initialize(blk: Synchronization, site: int, mask: Mask, access: Access, count: Lanes) -> None:
    """`mbarrier.init`: phase 0, `count` arrivals expected."""
    counts = np.broadcast_to(count, (blk.lanes,))
    for lane, position in _places(access, mask):
        expected = int(counts[lane])
        if not 1 <= expected <= MAX_COUNT:
            what = f"mbarrier.init with a count of {expected}, not 1 to {MAX_COUNT}, by"
            raise blk.lane_error("sync", what, lane, site)
        _set(blk, position, State(expected, expected, 0, 0))
        blk.grid.barriers.add(position)


def invalidate(blk: Synchronization, site: int, mask: Mask, access: Access) -> None:
    """`mbarrier.inval`."""
    for lane, position in _places(access, mask):
        _valid(blk, site, lane, position)
        blk.grid.barriers.discard(position)


def arrive(
    blk: Synchronization,
    site: int,
    mask: Mask,
    access: Access,
    count: Lanes,
    expect: Lanes,
    drop: bool,
) -> Lanes:
    """Arrivals of the active lanes, one after the other; returns the state before each."""
    tokens = np.zeros(blk.lanes, np.uint64)
    counts = np.broadcast_to(count, (blk.lanes,))
    expected = np.broadcast_to(expect, (blk.lanes,)).view(np.int64)
    for lane, position in _places(access, mask):
        tokens[lane] = signal(
            blk, site, lane, position, int(counts[lane]), int(expected[lane]), drop
        )
    return tokens


def signal(
    blk: Synchronization,
    site: int,
    lane: int,
    position: int,
    arrivals: int = 0,
    expect: int = 0,
    drop: bool = False,
    agent: int | None = None,
) -> int:
    """Changes one barrier object and completes its phase if nothing is pending.

    Arguments:
        lane: the thread that errors refer to.
        position: position of the barrier object in the arena.
        arrivals: number of arrivals to subtract from the pending ones.
        expect: bytes to add to the pending bytes; negative for a complete-tx.
        drop: whether the arriving threads leave all following phases.
        agent: the thread that signals, for the race check, if it differs from `lane`; `blk.lanes`
        for an asynchronous copy. Returns: The previous contents of the barrier object. Raises:
        SimulationError: the object was not initialized, or a count leaves its range.
    """
    _valid(blk, site, lane, position)
    word = int(blk.grid.memory.views[8][position >> 3])
    old = State.of(word)
    pending = old.pending - arrivals
    bytes_ = old.bytes + expect
    following = old.following - (arrivals if drop else 0)
    if pending < 0 or following < 0:
        what = f"{arrivals} arrivals at a barrier object that waits for {old.pending}, by"
        raise blk.lane_error("sync", what, lane, site)
    if abs(bytes_) > MAX_COUNT:
        what = f"the tx-count of a barrier object becomes {bytes_}, beyond {MAX_COUNT}, by"
        raise blk.lane_error("sync", what, lane, site)
    if blk.grid.races is not None:
        blk.grid.races.release(blk, lane if agent is None else agent, position)
    if pending == 0 and bytes_ == 0 and (arrivals or expect):
        _set(blk, position, State(following, following, 0, old.parity ^ 1))
        for peer in blk.peers or (blk,):
            peer.complete_phase(position)
    else:
        _set(blk, position, State(pending, following, bytes_, old.parity))
    return word


def wait(
    blk: Synchronization,
    site: int,
    mask: Mask,
    access: Access,
    token: Lanes,
    parity: bool,
    patient: bool = False,
) -> bool:
    """`test_wait` and `try_wait`: true if the lanes continue immediately.

    When a lane continues, `slot[site]` states whether the phase of its token or parity is complete.
    With `patient`, it is always complete.
    """
    passed = test(blk, site, mask, access, token, parity)
    places: dict[int, list[int]] = {}
    for lane, position in _places(access, mask):
        if not passed[lane]:
            places.setdefault(position, []).append(lane)
    return blk.wait_for_phases(site, mask, passed, places, patient)


def test(
    blk: Synchronization, site: int, mask: Mask, access: Access, token: Lanes, parity: bool
) -> Lanes:
    """Whether the phase of each lane's token or parity is complete."""
    tokens = np.broadcast_to(token, (blk.lanes,))
    passed = np.zeros(blk.lanes, bool)
    for lane, position in _places(access, mask):
        _valid(blk, site, lane, position)
        now = int(blk.grid.memory.views[8][position >> 3]) >> 63
        asked = int(tokens[lane])
        if now != (asked & 1 if parity else asked >> 63):
            passed[lane] = True
            blk.pass_phase(lane, position)
    return passed


def pending_count(token: Lanes) -> Lanes:
    """`mbarrier.pending_count` of a state returned by an arrival."""
    return (token & np.uint64(MAX_COUNT)).astype(np.uint32)


def _places(access: Access, mask: Mask) -> list[tuple[int, int]]:
    index = mask.index
    positions = np.broadcast_to(access.position, index.shape)
    return list(zip(index.tolist(), positions.tolist()))


def _valid(blk: Synchronization, site: int, lane: int, position: int) -> None:
    if position not in blk.grid.barriers:
        raise _uninitialized(blk, site, lane, position)


def _uninitialized(blk: Synchronization, site: int, lane: int, position: int) -> SimulationError:
    memory = blk.grid.memory
    at = position - memory.offset[SHARED]
    place = ""
    if SHARED_BASE <= at < memory.length[SHARED]:
        rank, low = at >> SHARED_SHIFT, at
        place = f" at shared address {low:#x}" + (
            f" of block {rank} of the cluster" if rank else ""
        )
    return blk.lane_error(
        "sync", f"use of a barrier object{place} that is not initialized, by", lane, site
    )


def _set(blk: Synchronization, position: int, state: State) -> None:
    blk.grid.memory.views[8][position >> 3] = state.word
    if blk.grid.memory.undefined is not None:
        blk.grid.memory.undefined[position : position + 8] = 0


def never_complete(blk: Synchronization) -> SimulationError | None:
    """The error for lanes that wait for a phase forever; None if no lane of the block does."""
    found = blk.incomplete_phase()
    if found is None:
        return None
    position, site, lane = found
    state = State.of(int(blk.grid.memory.views[8][position >> 3]))
    what = (
        f"the phase of a barrier object never completes ({state.pending} arrivals and "
        f"{state.bytes} bytes are missing), waited for by"
    )
    return blk.lane_error("sync", what, lane, site)
