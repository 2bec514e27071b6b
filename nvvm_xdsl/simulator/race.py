"""Finding data races: two threads at one byte, one of them writing, nothing ordering them.

Threads of a block are ordered by vector clocks: a barrier joins those of all that meet at it, a
warp-wide op with a member mask those of its members, as `__syncwarp` promises. A byte keeps its
last write and its last two readers. Blocks are ordered only by atomic operations on a common
address, after which a block may see what the other wrote before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError, describe
from nvvm_xdsl.simulator.memory import Access, Lanes, Mask, zeros

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.scheduling import Lockstep

MAX_CLOCKS = 32
"""Blocks whose clocks are kept: more than run at the same time."""


class _History:
    """For each byte the last access of a kind."""

    def __init__(self, size: int) -> None:
        # Lanes are counted from 1, so that fresh zeros, which cost nothing, say that nobody was here.
        self.lane = zeros(size, np.int32)
        self.clock = zeros(size, np.int32)
        self.block = zeros(size, np.int32)
        self.site = zeros(size, np.int32)

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a block that starts has no history."""
        self.lane[start:end] = 0

    def record(self, at: Lanes, lane: Lanes, clock: Lanes, block: int, site: int) -> None:
        """Sets the last access of bytes."""
        self.lane[at] = lane + 1
        self.clock[at] = clock
        self.block[at] = block
        self.site[at] = site

    def move(self, to: _History, at: Lanes) -> None:
        """Copies what is known of some bytes."""
        to.lane[at] = self.lane[at]
        to.clock[at] = self.clock[at]
        to.block[at] = self.block[at]
        to.site[at] = self.site[at]


class RaceDetector:
    """The history of every byte of shared and global memory.

    Arguments:
        size: of the arena.
        lanes: threads of a block.
        excluded: the part of the arena that is private to threads.
    """

    def __init__(self, size: int, lanes: int, excluded: tuple[int, int]) -> None:
        self.lanes = lanes
        self.excluded = excluded
        self._writes = _History(size)
        self._reads = (_History(size), _History(size))
        self._atomic_write = zeros(size, bool)
        self._clocks: dict[int, Lanes] = {}
        self._seen: dict[int, set[int]] = {}
        self._atomics: dict[int, set[int]] = {}

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a block that starts has no history."""
        for history in (self._writes, *self._reads):
            history.forget(start, end)

    @staticmethod
    def _number(block: Lockstep) -> int:
        x, y, z = block.index
        gx, gy, _ = block.grid.grid
        return (z * gy + y) * gx + x + 1

    def _clock(self, block: Lockstep) -> Lanes:
        number = self._number(block)
        clock = self._clocks.get(number)
        if clock is None:
            if len(self._clocks) >= MAX_CLOCKS:
                del self._clocks[min(self._clocks)]
            clock = self._clocks[number] = np.zeros((self.lanes, self.lanes), np.int32)
            np.fill_diagonal(clock, 1)
        return clock

    def synchronize(self, block: Lockstep, lanes: Lanes) -> None:
        """All of `lanes` have met."""
        clock = self._clock(block)
        clock[lanes] = clock[lanes].max(axis=0)
        index = np.flatnonzero(lanes)
        clock[index, index] += 1

    def synchronize_warp(self, block: Lockstep, lanes: Lanes) -> None:
        """The lanes of each warp in `lanes` have met."""
        for warp in np.unique(block.warp_of_lane[lanes]):
            self.synchronize(block, lanes & (block.warp_of_lane == warp))

    def synchronize_cluster(self, blocks: Sequence[Lockstep]) -> None:
        """All threads of several blocks have met."""
        for block in blocks:
            self.synchronize(block, np.ones(self.lanes, bool))
            seen = self._seen.setdefault(self._number(block), set())
            seen.update(self._number(b) for b in blocks)

    def note(
        self, block: Lockstep, site: int, mask: Mask, access: Access, size: int, kind: str
    ) -> None:
        """Records an access and reports what it races with."""
        low, high = self.excluded
        lane = mask.index
        position = np.broadcast_to(access.position, lane.shape)
        outside = (position < low) | (position >= high)
        if not outside.all():
            position, lane = position[outside], lane[outside]
        if not lane.size:
            return
        number = self._number(block)
        atomic = kind.startswith("atomic")
        if atomic:
            self._order_blocks(number, position)
        at = (position[:, None] + np.arange(size)).reshape(-1)
        lane = np.repeat(lane, size)
        own = self._clock(block)[lane, lane]
        self._against(block, site, at, lane, self._writes, atomic)
        if kind not in ("store", "atomic", "atomic store"):
            if not atomic:
                self._note_reads(at, lane, own, number, site)
            return
        for reads in self._reads:
            self._against(block, site, at, lane, reads, False)
        if not atomic:
            self._collisions(block, site, at, lane)
        self._writes.record(at, lane, own, number, site)
        self._atomic_write[at] = atomic

    def _note_reads(self, at: Lanes, lane: Lanes, own: Lanes, number: int, site: int) -> None:
        first, second = self._reads
        other = (first.lane[at] != lane + 1) | (first.block[at] != number)
        first.move(second, at[other])
        first.record(at, lane, own, number, site)
        places, lead = np.unique(at, return_index=True)
        if lead.size < at.size:
            # Several lanes read these bytes: the last is in the first slot, another in the second.
            second.record(places, lane[lead], own[lead], number, site)

    def _order_blocks(self, number: int, position: Lanes) -> None:
        seen = self._seen.setdefault(number, set())
        for at in np.unique(position):
            users = self._atomics.setdefault(int(at), set())
            seen |= users
            for user in list(users):
                seen |= self._seen.get(user, set())
            users.add(number)

    def _collisions(self, block: Lockstep, site: int, at: Lanes, lane: Lanes) -> None:
        order = np.argsort(at, kind="stable")
        same = np.flatnonzero(at[order][1:] == at[order][:-1])
        if not same.size:
            return
        first, second = (int(lane[order[same[0] + i]]) for i in (0, 1))
        raise block.lane_error(
            "race",
            f"{block.thread(second)} writes the byte that is written at the same time by",
            first,
            site,
        )

    def _against(
        self, block: Lockstep, site: int, at: Lanes, lane: Lanes, history: _History, atomic: bool
    ) -> None:
        other = history.lane[at] - 1
        conflict = other >= 0
        if not conflict.any():
            return
        number = self._number(block)
        blocks = history.block[at]
        same_block = blocks == number
        if atomic:
            conflict = conflict & ~self._atomic_write[at]
        clock = self._clock(block)
        ordered = clock[lane, np.maximum(other, 0)] >= history.clock[at]
        racing = conflict & same_block & (other != lane) & ~ordered
        foreign = conflict & ~same_block
        if foreign.any():
            seen = self._seen.get(number)
            unknown = ~np.isin(blocks, list(seen)) if seen else np.ones(at.shape, bool)
            racing = racing | (foreign & unknown)
        if racing.any():
            raise self._report(block, site, at, lane, history, int(np.flatnonzero(racing)[0]))

    def _report(
        self, block: Lockstep, site: int, at: Lanes, lane: Lanes, history: _History, where: int
    ) -> SimulationError:
        place = at[where]
        earlier = int(history.block[place]) - 1
        gx, gy, _ = block.grid.grid
        index = (earlier % gx, earlier // gx % gy, earlier // (gx * gy))
        first = describe(block.grid.sites[int(history.site[place])])
        other = block.thread(int(history.lane[place]) - 1)
        return block.lane_error(
            "race",
            f"a data race with {other} of block {index} ({first}) in",
            int(lane[where]),
            site,
        )
