"""Finding data races: two threads at one byte, one of them writing, nothing ordering them.

Threads of a block are ordered by vector clocks: a barrier joins those of all that meet at it, a
warp-wide op with a member mask those of its members, as `__syncwarp` promises. A byte keeps its
last write and its last two readers. Blocks are ordered only by atomic operations on a common
address, after which a block may see what the other wrote before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.errors import describe
from nvvm_xdsl.simulator.memory import LOCAL, Access, Lanes, Mask

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.runtime import Block


class RaceDetector:
    """The history of every byte of shared and global memory."""

    def __init__(self, size: int, lanes: int, excluded: tuple[int, int]) -> None:
        self.lanes = lanes
        self.excluded = excluded
        # Lanes are counted from 1, so that fresh zeros, which cost nothing, say that nobody was here.
        self.write_lane = np.zeros(size, np.int32)
        self.write_clock = np.zeros(size, np.int32)
        self.write_block = np.zeros(size, np.int32)
        self.write_site = np.zeros(size, np.int32)
        self.write_atomic = np.zeros(size, bool)
        self.read_lane = np.zeros((2, size), np.int32)
        self.read_clock = np.zeros((2, size), np.int32)
        self.read_block = np.zeros((2, size), np.int32)
        self.read_site = np.zeros((2, size), np.int32)
        self._clocks: dict[int, Lanes] = {}
        self._seen: dict[int, set[int]] = {}
        self._atomics: dict[int, set[int]] = {}

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a block that starts has no history."""
        self.write_lane[start:end] = 0
        self.read_lane[:, start:end] = 0

    @staticmethod
    def _number(block: Block) -> int:
        x, y, z = block.index
        gx, gy, _ = block.grid.grid
        return (z * gy + y) * gx + x + 1

    def _clock(self, block: Block) -> Lanes:
        number = self._number(block)
        clock = self._clocks.get(number)
        if clock is None:
            self._clocks.clear()
            clock = self._clocks[number] = np.zeros((self.lanes, self.lanes), np.int32)
            np.fill_diagonal(clock, 1)
        return clock

    def synchronize(self, block: Block, lanes: Lanes) -> None:
        """All of `lanes` have met."""
        clock = self._clock(block)
        clock[lanes] = clock[lanes].max(axis=0)
        index = np.flatnonzero(lanes)
        clock[index, index] += 1

    def synchronize_warp(self, block: Block, lanes: Lanes, members: Lanes) -> None:
        """The lanes of each warp in `lanes` have met."""
        for warp in np.unique(block.warp_of_lane[lanes]):
            self.synchronize(block, lanes & (block.warp_of_lane == warp))

    def synchronize_cluster(self, blocks: list[Block]) -> None:
        """All threads of several blocks have met."""
        for block in blocks:
            self.synchronize(block, np.ones(self.lanes, bool))
            seen = self._seen.setdefault(self._number(block), set())
            seen.update(self._number(b) for b in blocks)

    def note(
        self, block: Block, site: int, mask: Mask, access: Access, size: int, kind: str
    ) -> None:
        """Records an access and reports what it races with."""
        low, high = self.excluded
        index = mask.index
        position = np.broadcast_to(access.position, index.shape)
        outside = (position < low) | (position >= high)
        if not outside.all():
            position, index = position[outside], index[outside]
        if not index.size:
            return
        number = self._number(block)
        clock = self._clock(block)
        own = clock[index, index]
        writes = kind in ("store", "atomic")
        atomic = kind in ("atomic", "atomic load", "atomic store")
        writes = writes or kind == "atomic store"
        if atomic:
            self._order_blocks(number, position)
        seen = self._seen.setdefault(number, set())
        for i in range(size):
            at = position + i
            self._against(
                block,
                site,
                at,
                index,
                clock,
                number,
                seen,
                self.write_lane,
                self.write_clock,
                self.write_block,
                self.write_site,
                atomic,
            )
            if writes:
                for slot in range(2):
                    self._against(
                        block,
                        site,
                        at,
                        index,
                        clock,
                        number,
                        seen,
                        self.read_lane[slot],
                        self.read_clock[slot],
                        self.read_block[slot],
                        self.read_site[slot],
                        False,
                        atomic,
                    )
                if not atomic:
                    self._collisions(block, site, at, index)
                self.write_lane[at] = index + 1
                self.write_clock[at] = own
                self.write_block[at] = number
                self.write_site[at] = site
                self.write_atomic[at] = atomic
            else:
                other = (self.read_lane[0][at] != index + 1) | (self.read_block[0][at] != number)
                moved = at[other]
                for table in (self.read_lane, self.read_clock, self.read_block, self.read_site):
                    table[1][moved] = table[0][moved]
                if atomic:
                    continue
                # With several readers now, the first in the slot that this access leaves free.
                self.read_lane[0][at] = index + 1
                self.read_clock[0][at] = own
                self.read_block[0][at] = number
                self.read_site[0][at] = site
                _, first = np.unique(at, return_index=True)
                if first.size < at.size:
                    lead = at[first]
                    self.read_lane[1][lead] = index[first] + 1
                    self.read_clock[1][lead] = own[first]
                    self.read_block[1][lead] = number
                    self.read_site[1][lead] = site

    def _order_blocks(self, number: int, position: Lanes) -> None:
        seen = self._seen.setdefault(number, set())
        for at in np.unique(position):
            users = self._atomics.setdefault(int(at), set())
            seen |= users
            for user in list(users):
                seen |= self._seen.get(user, set())
            users.add(number)

    def _collisions(self, block: Block, site: int, at: Lanes, index: Lanes) -> None:
        unique, _, counts = np.unique(at, return_index=True, return_counts=True)
        if unique.size == at.size:
            return
        where = int(np.flatnonzero(counts > 1)[0])
        lanes = index[at == unique[where]]
        raise block.lane_error(
            "race",
            f"{block.thread(int(lanes[1]))} writes the byte that is written at the same time by",
            int(lanes[0]),
            site,
        )

    def _against(
        self, block: Block, site: int, at: Lanes, index: Lanes, clock: Lanes, number: int, seen: set[int],
        lanes: Lanes, clocks: Lanes, blocks: Lanes, sites: Lanes, atomic: bool, excused: Any = False,
    ) -> None:  # fmt: skip
        other = lanes[at] - 1
        same_block = blocks[at] == number
        conflict = other >= 0
        if atomic:
            conflict = conflict & ~self.write_atomic[at]
        ordered = clock[index, np.maximum(other, 0)] >= clocks[at]
        racing = conflict & same_block & (other != index) & ~ordered
        foreign = conflict & ~same_block
        if foreign.any():
            unknown = ~np.isin(blocks[at], list(seen)) if seen else np.ones(at.shape, bool)
            racing = racing | (foreign & unknown)
        if not racing.any():
            return
        where = int(np.flatnonzero(racing)[0])
        earlier = int(blocks[at][where]) - 1
        gx, gy, _ = block.grid.grid
        place = (earlier % gx, earlier // gx % gy, earlier // (gx * gy))
        first_op = block.grid.sites[int(sites[at][where])]
        raise block.lane_error(
            "race",
            f"a data race with {block.thread(int(other[where]))} of block {place} ({describe(first_op)}) in",
            int(index[where]),
            site,
        )


def for_memory(size: int, lanes: int, local_start: int, local_end: int) -> RaceDetector:
    """A detector for an arena whose bytes in a range are private to threads."""
    return RaceDetector(size, lanes, (local_start, local_end))


__all__ = ["LOCAL", "RaceDetector", "for_memory"]
