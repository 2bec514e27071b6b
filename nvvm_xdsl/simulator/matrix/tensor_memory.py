"""Tensor memory: its contents, and the allocation of its columns.

A block has 128 lanes of 512 columns of 32 bits (PTX ISA 9.7.16.1). The upper 16 bits of an address
are the lane, the lower 16 the column. A whole warp allocates a number of columns that is a power of
two and at least 32. With `.cta_group::2` one warp of each block of a pair allocates the same
columns in both blocks (9.7.16.5, 9.7.16.7).

The operations on tensor memory are asynchronous; here each is performed when it is issued, which is
one of the orders that the ISA allows. Uses of results before the wait are therefore not reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.block import Block, Unit
from nvvm_xdsl.simulator.execution.memory import UNINITIALIZED, Lanes, Mask

LANES = 128
COLUMNS = 512
UNIT = 32
"""Minimum number of allocated columns."""

_FRESH = int.from_bytes(bytes([UNINITIALIZED] * 4), "little")


@dataclass
class _Request:
    """A request of one warp: allocation or deallocation of columns."""

    block: Block
    site: int
    lanes: Lanes
    columns: int
    group: int
    target: tuple[int, int] | None = None
    """The address that receives the column number, and its window; None for a deallocation."""
    start: int = 0
    """For a deallocation, the first column."""
    done: bool = False
    parked: bool = False
    """Whether the warp waits for the request."""

    @property
    def name(self) -> str:
        """The instruction."""
        return "tcgen05.alloc" if self.target is not None else "tcgen05.dealloc"

    def error(self, kind: str, message: str) -> SimulationError:
        """An error of the warp's first thread."""
        first = int(np.flatnonzero(self.lanes)[0])
        return self.block.lane_error(kind, f"{self.name} {message}", first, self.site)


class TensorMemory(Unit):
    """The tensor memory of one block."""

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self.words = np.full((LANES, COLUMNS), _FRESH, np.uint32)
        self.undefined: Lanes | None = None
        """The uninitialized bits, if they are tracked."""
        if block.memory.undefined is not None:
            self.undefined = np.full((LANES, COLUMNS), 0xFFFFFFFF, np.uint32)
        self.owner = np.zeros(COLUMNS, bool)
        """The allocated columns."""
        self.group = 0
        """The `.cta_group` of the kernel; 0 before the first instruction with one."""
        self._sizes: dict[int, int] = {}
        self._arrived: dict[int, Lanes] = {}
        self._requests: list[_Request] = []
        self._relinquished = False
        self._smallest = COLUMNS

    # Checks

    def use_group(self, group: int, site: int) -> None:
        """Reports a `.cta_group` that differs from an earlier one (9.7.16.7.1)."""
        if self.group not in (0, group):
            raise self.block.error(
                "sync",
                f"an instruction of .cta_group::{group} in a kernel that uses .cta_group::{self.group}",
                site,
            )
        self.group = group

    def check(
        self, site: int, what: str, lane: int, lanes: int, column: int, columns: int, thread: int
    ) -> None:
        """Reports an access to columns that do not exist or are not allocated.

        Arguments:
            what: the access, for the message. lane, lanes, column, columns: the accessed area.
            thread: the thread that issued the access.
        """
        where = f"lanes {lane} to {lane + lanes - 1}, columns {column} to {column + columns - 1}"
        if lane + lanes > LANES or column + columns > COLUMNS:
            message = f"out of bounds: {what} of {where} of tensor memory, by"
            raise self.block.lane_error("memory", message, thread, site)
        free = np.flatnonzero(~self.owner[column : column + columns])
        if free.size:
            message = (
                f"{what} of {where} of tensor memory, where column {column + int(free[0])} is not "
                "allocated, by"
            )
            raise self.block.lane_error("memory", message, thread, site)

    def write(self, lanes: Lanes, columns: Lanes, words: Lanes, undefined: Lanes | int = 0) -> None:
        """`tcgen05.alloc`: true if the lanes need not wait; otherwise they are parked."""
        self.words[lanes, columns] = words
        if self.undefined is not None:
            self.undefined[lanes, columns] = undefined

    # Allocation

    def allocate(
        self, site: int, mask: Mask, address: Lanes, columns: Lanes, window: int, group: int
    ) -> bool:
        """`tcgen05.alloc`: true if the lanes need not wait; otherwise they are parked."""
        self.use_group(group, site)
        return self._request(site, mask, address, columns, group, window)

    def release(self, site: int, mask: Mask, start: Lanes, columns: Lanes, group: int) -> bool:
        """`tcgen05.dealloc`: true if the lanes need not wait; otherwise they are parked."""
        self.use_group(group, site)
        return self._request(site, mask, start, columns, group, None)

    def relinquish(self, site: int, group: int) -> None:
        """`tcgen05.relinquish_alloc_permit`."""
        self.use_group(group, site)
        self._relinquished = True

    def _request(
        self, site: int, mask: Mask, address: Lanes, columns: Lanes, group: int, window: int | None
    ) -> bool:
        """Creates requests of the complete warps."""
        block = self.block
        counts = np.broadcast_to(columns, (block.lanes,))
        addresses = np.broadcast_to(address, (block.lanes,))
        arrived = mask.bits | self._arrived.get(site, np.zeros(1, bool))
        present = block.warp_words(arrived)
        missing = block.warp_words(~arrived & ~block.exited)
        requests: list[_Request] = []
        for warp in np.flatnonzero((present != 0) & (missing == 0)).tolist():
            lanes = arrived & (block.warp_of_lane == warp)
            arrived = arrived & ~lanes
            count, place = int(counts[lanes][0]), int(addresses[lanes][0])
            request = _Request(block, site, lanes, count, group)
            if window is None:
                request.start = place
            else:
                request.target = place, window
            if (counts[lanes] != count).any() or (addresses[lanes] != place).any():
                raise request.error("sync", "has operands that differ within a warp, first in")
            self._check_request(request)
            requests.append(request)
        self._arrived[site] = arrived
        self._requests += requests
        self._advance()
        done = np.zeros(block.lanes, bool)
        for request in requests:
            request.parked = not request.done
            if request.done:
                done |= request.lanes
        if bool((done == mask.bits).all()):
            return True
        if done.any():
            block.resume(done)
        return False

    def _check_request(self, request: _Request) -> None:
        columns = request.columns
        if columns < UNIT or columns > COLUMNS or columns & (columns - 1):
            raise request.error(
                "memory", f"of {columns} columns, not a power of two from {UNIT} to {COLUMNS}, by"
            )
        if request.target is not None:
            if self._relinquished:
                raise request.error("sync", "after tcgen05.relinquish_alloc_permit, by")
            if columns > self._smallest:
                raise request.error(
                    "sync",
                    f"of {columns} columns after one of {self._smallest}: sizes must not increase, by",
                )
            self._smallest = columns
            return
        self.check_return(request)

    def check_return(self, request: _Request) -> None:
        """Reports the deallocation of columns that are not allocated."""
        size = self._sizes.get(request.start)
        if size != request.columns:
            held = f"there are {size}" if size else "nothing is allocated there"
            raise request.error(
                "memory", f"of {request.columns} columns at {request.start:#x}, where {held}, by"
            )

    def _peer(self, request: _Request) -> _Request | None:
        """The matching request of the other block of the pair, if it exists."""
        for other in peer_of(self.block, request.site).unit(TensorMemory).requests():
            if other.name != request.name:
                continue
            if (other.columns, other.start) != (request.columns, request.start):
                raise request.error(
                    "sync",
                    f"of {request.columns} columns, where the other block of the pair has "
                    f"{other.columns}, by",
                )
            return other
        return None

    def requests(self) -> list[_Request]:
        """Pending allocation requests."""
        return [r for r in self._requests if not r.done]

    def _advance(self) -> None:
        """Grants possible requests in their order."""
        granted = True
        while granted:
            self._requests = self.requests()
            granted = any(self._grant(r) for r in self._requests)

    def _grant(self, request: _Request) -> bool:
        partners = [request]
        if request.group == 2:
            peer = self._peer(request)
            if peer is None:
                return False
            partners.append(peer)
        memories = [r.block.unit(TensorMemory) for r in partners]
        if request.target is None:
            for memory, r in zip(memories, partners):
                memory.check_return(r)
                memory.take_back(r.start)
        else:
            start = _first_free(memories, request.columns)
            if start is None:
                return False
            for memory, r in zip(memories, partners):
                memory.give(r, start)
        for r in partners:
            r.done = True
            if r.parked:
                r.block.resume(r.lanes)
        return True

    def give(self, request: _Request, start: int) -> None:
        """Allocates columns for a request, and stores their address."""
        assert request.target is not None
        self._sizes[start] = request.columns
        columns = slice(start, start + request.columns)
        self.owner[columns] = True
        self.words[:, columns] = _FRESH
        if self.undefined is not None:
            self.undefined[:, columns] = 0xFFFFFFFF
        address, window = request.target
        one = np.zeros(self.block.lanes, bool)
        one[np.flatnonzero(request.lanes)[0]] = True
        where = np.array([address], np.uint64)
        access = self.block.access(request.site, Mask(one), where, window, 4, 4, "store")
        access.store(np.array([start], np.uint32), 4)

    def take_back(self, start: int) -> None:
        """Frees the columns of an allocation."""
        self.owner[start : start + self._sizes.pop(start)] = False

    def blocked(self) -> SimulationError | None:
        """The reason for which a warp waits for columns; None if no warp does."""
        for request in self.requests():
            if request.group == 2 and self._peer(request) is None:
                return request.error("sync", "waits for the other block of the pair, in")
            free = int(np.count_nonzero(~self.owner))
            held = ", ".join(f"{s} to {s + n - 1}" for s, n in sorted(self._sizes.items()))
            return request.error(
                "sync",
                f"of {request.columns} columns waits forever: {free} are free and columns {held} "
                "are not deallocated, in",
            )
        for site, lanes in self._arrived.items():
            if lanes.any():
                lane = int(np.flatnonzero(lanes)[0])
                message = "a warp-wide op on tensor memory waits for threads that never arrive, in"
                return self.block.lane_error("sync", message, lane, site)
        return None

    def finish(self) -> None:
        """Reports columns that are still allocated when the block ends (9.7.16.1.2)."""
        for start, count in self._sizes.items():
            raise self.block.error(
                "memory",
                f"the kernel ends with columns {start} to {start + count - 1} of tensor memory "
                "allocated",
            )


def _first_free(memories: Sequence[TensorMemory], columns: int) -> int | None:
    for start in range(0, COLUMNS, columns):
        if not any(m.owner[start : start + columns].any() for m in memories):
            return start
    return None


def peer_of(block: Block, site: int) -> Block:
    """The other block of a pair: their ranks in the cluster differ in the last bit."""
    rank = block.rank ^ 1
    if rank >= len(block.peers):
        message = ".cta_group::2 needs the pair of blocks that a cluster of two has"
        raise block.error("sync", message, site)
    return cast(Block, block.peers[rank])
