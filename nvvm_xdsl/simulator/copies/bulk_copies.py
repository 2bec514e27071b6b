"""Asynchronous bulk copies and reductions (PTX ISA 9.7.9.25.4, 9.7.9.12, 9.7.9.13, 9.7.13.7).

A copy is performed when it is issued, which is one of the orders that PTX allows. Its completion is
signalled immediately: a barrier object expects fewer bytes, or the bulk group is already empty when
a thread waits for it. Under the `race` check a copy is ordered only before the threads that wait
for it, so that reads of its destination and writes to its source before the wait are reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nvvm_xdsl.simulator.copies.ranges import (
    check_own,
    in_block,
    lanes_of,
    locate,
    numbers,
    rank_of,
)
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution import mbarriers
from nvvm_xdsl.simulator.execution.atomics import combine
from nvvm_xdsl.simulator.execution.block import Block, Unit
from nvvm_xdsl.simulator.execution.memory import GLOBAL, SHARED, Lanes, Mask

CHUNK = 16
"""Alignment in bytes of sizes and addresses."""


@dataclass(frozen=True)
class Reduction:
    """The combination of elements: the operation as named by `atomicrmw`, the element width, and
    the format of floats."""

    name: str
    bits: int
    fmt: str = ""

    def apply(self, old: Lanes, new: Lanes) -> Lanes:
        """The bytes at the destination after a reduction, from those at the destination and the
        source."""
        kind = f"u{self.bits // 8}"
        flushes = self.fmt == "f32"
        values = combine(self.name, self.bits, self.fmt, old.view(kind), new.view(kind), flushes)
        return np.ascontiguousarray(values).view(np.uint8)


@dataclass(frozen=True)
class Transfer:
    """A copy between two locations in the arena, and its completion."""

    blk: Block
    site: int
    lane: int

    def begin(self) -> int:
        """Starts a new copy; returns its time, for the threads that wait for it."""
        races = self.blk.grid.races
        return 0 if races is None else races.begin_copy(self.blk, self.lane)

    def read(self, at: Lanes) -> tuple[Lanes, Lanes | None]:
        """The bytes at positions of the arena, and their undefined bits."""
        self._note(at, "load")
        memory = self.blk.memory
        return memory.bytes[at], None if memory.undefined is None else memory.undefined[at]

    def write(
        self, at: Lanes, data: Lanes, undefined: Lanes | None, reduction: Reduction | None = None
    ) -> None:
        """Sets bytes, or combines them with the current contents."""
        self._note(at, "store" if reduction is None else "atomic")
        memory = self.blk.memory
        if reduction is not None:
            data = reduction.apply(memory.bytes[at], data)
        memory.bytes[at] = data
        if memory.undefined is not None and undefined is not None:
            memory.undefined[at] = (
                undefined if reduction is None else memory.undefined[at] | undefined
            )

    def complete(self, barrier: int, size: int) -> None:
        """Decreases the number of bytes that the barrier object at a shared address expects."""
        position = locate(
            self.blk,
            self.site,
            self.lane,
            barrier,
            SHARED,
            8,
            8,
            "a copy signals a barrier object of",
        )
        mbarriers.signal(
            self.blk, self.site, self.lane, position, expect=-size, agent=self.blk.lanes
        )

    def _note(self, at: Lanes, kind: str) -> None:
        races = self.blk.grid.races
        if races is not None:
            races.note_copy(self.blk, self.site, self.lane, at, kind)

    def error(self, kind: str, what: str) -> SimulationError:
        """An error of the issuing thread."""
        return self.blk.lane_error(kind, f"{what}, in", self.lane, self.site)


def places(position: int, size: int) -> Lanes:
    """The positions of a range of bytes."""
    return np.arange(position, position + size)


def blocks_of(transfer: Transfer, mask: int) -> list[int]:
    """The blocks of a multicast, by their ranks in the cluster."""
    count = max(len(transfer.blk.peers), 1)
    if mask >> count:
        raise transfer.error("memory", f"a multicast mask of {mask:#x} in a cluster of {count}")
    return [rank for rank in range(count) if mask >> rank & 1]


@dataclass(frozen=True)
class BulkCopy:
    """`cp.async.bulk` and `cp.reduce.async.bulk`.

    Arguments:
        name: the instruction, for errors.
        target, source: the windows.
        own: whether the destination must be memory of the executing block (`.shared::cta`).
    """

    name: str
    target: int
    source: int
    own: bool = False
    reduction: Reduction | None = None

    def __call__(
        self,
        blk: Block,
        site: int,
        mask: Mask,
        target: Lanes,
        source: Lanes,
        size: Lanes,
        barrier: Lanes | None = None,
        blocks: Lanes | None = None,
        byte_mask: Lanes | None = None,
    ) -> None:
        """Copies for each active lane.

        Arguments:
            barrier: shared addresses of barrier objects; None for completion by bulk groups.
            blocks: masks of the destination blocks of a multicast.
            byte_mask: masks of the bytes that are copied of each 16.
        """
        targets, sources, sizes = numbers(blk, target, source, size)
        barriers = None if barrier is None else numbers(blk, barrier)[0]
        ranks = None if blocks is None else numbers(blk, blocks)[0]
        wanted = None if byte_mask is None else numbers(blk, byte_mask)[0]
        for lane in lanes_of(mask):
            transfer = Transfer(blk, site, lane)
            self._copy(
                transfer,
                targets[lane],
                sources[lane],
                sizes[lane],
                None if barriers is None else barriers[lane],
                None if ranks is None else ranks[lane] & 0xFFFF,
                0xFFFF if wanted is None else wanted[lane],
            )

    def _copy(
        self,
        transfer: Transfer,
        target: int,
        source: int,
        size: int,
        barrier: int | None,
        blocks: int | None,
        byte_mask: int,
    ) -> None:
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        if size % CHUNK:
            raise transfer.error(
                "memory", f"{self.name} of {size} bytes, not a multiple of {CHUNK}"
            )
        self._check_blocks(transfer, target, source, barrier, blocks)
        start = locate(blk, site, lane, source, self.source, size, CHUNK, f"{self.name} reads")
        chosen = np.flatnonzero(np.resize(_bits(byte_mask), size))
        time = transfer.begin()
        data, undefined = transfer.read(places(start, size)[chosen])
        targets, barriers = [target], [barrier]
        if blocks is not None and barrier is not None:
            ranks = blocks_of(transfer, blocks)
            targets = [in_block(target, rank) for rank in ranks]
            barriers = [in_block(barrier, rank) for rank in ranks]
        for to in targets:
            for place in self.copies(transfer, to, size):
                transfer.write(places(place, size)[chosen], data, undefined, self.reduction)
        if barrier is None:
            blk.unit(BulkGroups).add(lane, time)
        for at in barriers:
            if at is not None:
                transfer.complete(at, size)

    def copies(self, transfer: Transfer, target: int, size: int) -> list[int]:
        """The positions in the arena of the destinations: one for each block of a multicast."""
        what = f"{self.name} writes"
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        return [locate(blk, site, lane, target, self.target, size, CHUNK, what)]

    def _check_blocks(
        self, transfer: Transfer, target: int, source: int, barrier: int | None, blocks: int | None
    ) -> None:
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        if self.source == SHARED:
            check_own(blk, site, lane, source, f"{self.name} reads")
        if self.target != SHARED:
            return
        if self.own:
            check_own(blk, site, lane, target, f"{self.name} writes")
        if barrier is not None and blocks is None and rank_of(barrier) != rank_of(target):
            what = f"{self.name} signals a barrier object of another block than it writes to"
            raise transfer.error("memory", what)
        if self.source == SHARED and self.reduction is None and rank_of(target) == blk.rank:
            what = f"{self.name} from shared memory to the executing block itself, not another"
            raise transfer.error("memory", what)


def _bits(mask: int) -> Lanes:
    return (mask >> np.arange(CHUNK)) & 1


class BulkGroups(Unit):
    """The bulk async-groups of the threads of a block."""

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self._open: dict[int, int] = {}
        self._committed: dict[int, list[int]] = {}

    def add(self, lane: int, time: int) -> None:
        """Adds a copy to the group that is not committed yet."""
        self._open[lane] = time

    def commit(self, lane: int) -> None:
        """`cp.async.bulk.commit_group`."""
        last = self._committed.setdefault(lane, [])
        last.append(self._open.pop(lane, last[-1] if last else 0))

    def wait(self, lane: int, pending: int) -> int:
        """The time of the last copy that is complete when at most `pending` groups are pending."""
        committed = self._committed.get(lane, [])
        done = len(committed) - pending
        return committed[done - 1] if done > 0 else 0


def commit_groups(blk: Block, mask: Mask) -> None:
    """`cp.async.bulk.commit_group`."""
    if blk.grid.races is not None:
        for lane in lanes_of(mask):
            blk.unit(BulkGroups).commit(lane)


def wait_for_groups(blk: Block, mask: Mask, pending: int) -> None:
    """`cp.async.bulk.wait_group`: orders the copies before the waiting threads."""
    races = blk.grid.races
    if races is not None:
        for lane in lanes_of(mask):
            races.await_copy(blk, lane, blk.unit(BulkGroups).wait(lane, pending))


def arrive_after_copies(
    blk: Block, site: int, mask: Mask, barrier: Lanes, window: int, counted: bool
) -> None:
    """`cp.async.mbarrier.arrive`: arrives when the thread's `cp.async` are complete, which is
    immediately.

    Arguments:
        counted: whether the expected count of the barrier object includes the arrival (`.noinc`).
            If not, the instruction increments the count, so that the arrival has no net effect.
    """
    (places_,) = numbers(blk, barrier)
    for lane in lanes_of(mask):
        what = "cp.async.mbarrier.arrive arrives at"
        position = locate(blk, site, lane, places_[lane], window, 8, 8, what)
        mbarriers.signal(blk, site, lane, position, arrivals=int(counted))


def prefetch(blk: Block, site: int, mask: Mask, source: Lanes, size: Lanes) -> None:
    """`cp.async.bulk.prefetch`: has no effect, but the range must be valid."""
    sources, sizes = numbers(blk, source, size)
    name = "cp.async.bulk.prefetch"
    for lane in lanes_of(mask):
        if sizes[lane] % CHUNK:
            what = f"{name} of {sizes[lane]} bytes, not a multiple of {CHUNK}, in"
            raise blk.lane_error("memory", what, lane, site)
        locate(blk, site, lane, sources[lane], GLOBAL, sizes[lane], CHUNK, f"{name} reads")


def store_async(
    blk: Block,
    site: int,
    mask: Mask,
    target: Lanes,
    barrier: Lanes,
    width: int,
    values: tuple[Lanes, ...],
    undefined: tuple[Lanes | int, ...],
    reduction: Reduction | None = None,
) -> None:
    """`st.async` and `red.async`: a store to a block of the cluster that signals its barrier object.

    Arguments:
        width: bytes of an element.
        values: bits, one array for each element of the vector.
        undefined: masks of the undefined bits, of the same shape.
        reduction: the operation performed instead of a store.
    """
    name = "st.async" if reduction is None else "red.async"
    targets, barriers = numbers(blk, target, barrier)
    size = width * len(values)
    rows = np.stack([_wide(blk, v, width) for v in values], axis=1).reshape(blk.lanes, size)
    marks = np.stack([_wide(blk, u, width) for u in undefined], axis=1).reshape(blk.lanes, size)
    for lane in lanes_of(mask):
        transfer = Transfer(blk, site, lane)
        if rank_of(targets[lane]) != rank_of(barriers[lane]):
            what = f"{name} signals a barrier object of another block than it writes to"
            raise transfer.error("memory", what)
        at = locate(blk, site, lane, targets[lane], SHARED, size, size, f"{name} writes")
        transfer.begin()
        transfer.write(places(at, size), rows[lane], marks[lane], reduction)
        transfer.complete(barriers[lane], size)


def _wide(blk: Block, values: Lanes | int, width: int) -> Lanes:
    """The bytes of the value of each lane."""
    array = np.asarray(values).astype(f"u{width}")
    return (
        np.ascontiguousarray(np.broadcast_to(array, (blk.lanes,))).view(np.uint8).reshape(-1, width)
    )


BULK_STORE_LIMIT = 1 << 24
"""Maximum number of bytes set by `st.bulk`."""


def store_bulk(blk: Block, site: int, mask: Mask, target: Lanes, window: int, size: Lanes) -> None:
    """`st.bulk`: an ordinary, not asynchronous, store of zeros by each lane."""
    targets, sizes = numbers(blk, target, size)
    for lane in lanes_of(mask):
        count = sizes[lane]
        if count % 8 or count > BULK_STORE_LIMIT:
            what = f"st.bulk of {count} bytes, not a multiple of 8 up to {BULK_STORE_LIMIT}, in"
            raise blk.lane_error("memory", what, lane, site)
        if not count:
            continue
        start = locate(blk, site, lane, targets[lane], window, count, 8, "st.bulk writes")
        bits = np.zeros(blk.lanes, bool)
        bits[lane] = True
        address = np.array([targets[lane]], np.uint64)
        blk.access(site, Mask(bits), address, window, count, 8, "store")
        blk.memory.bytes[start : start + count] = 0
        if blk.memory.undefined is not None:
            blk.memory.undefined[start : start + count] = 0
