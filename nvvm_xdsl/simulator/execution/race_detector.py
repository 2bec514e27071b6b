"""Detection of data races: unordered accesses of two threads to a byte, at least one a write.

Vector clocks order the threads of a block. A barrier joins the clocks of its threads, a warp-wide op
with a member mask the clocks of its members, as `__syncwarp` guarantees, and a barrier object the
clocks of the arriving threads with those of the threads that wait for its phase. A byte keeps its last write and its last two
readers. Blocks are ordered only by atomic operations on a common address and by barrier objects,
after which a block may see what the other wrote before.

Asynchronous copies are accesses of an additional thread of the block. A copy follows the earlier
accesses of its issuer, and precedes only the accesses of threads that wait for it. A thread that
reads the destination without waiting therefore races, including the issuer.

Two atomic operations on a byte do not race if the scopes of both include the other thread. An operation
of block scope races with those of other blocks, and orders no blocks.

Plain stores of the same value to one byte are no race: they leave the same memory in every order, and
compilers make them (Triton stores the result of a reduction once a thread). compute-sanitizer's
racecheck ranks them lowest, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import string_of
from nvvm_xdsl.simulator.errors import SimulationError, describe, fail
from nvvm_xdsl.simulator.execution import pages
from nvvm_xdsl.simulator.execution.memory import WRITES, Access, Lanes, Mask, Rivals


class Launch(Protocol):
    """The interface of a launch that the detector uses."""

    @property
    def grid(self) -> tuple[int, int, int]:
        """The number of blocks in x, y and z."""
        ...

    @property
    def sites(self) -> Sequence[Operation]:
        """The ops of the program, by site number."""
        ...


class Threads(Protocol):
    """The interface of a block's threads that the detector uses."""

    @property
    def grid(self) -> Launch:
        """The launch that the block belongs to."""
        ...

    @property
    def index(self) -> tuple[int, int, int]:
        """The index of the block in the grid."""
        ...

    @property
    def warp_of_lane(self) -> Lanes:
        """The warp index of each lane."""
        ...

    def thread(self, lane: int) -> str:
        """Describes the thread of a lane, for messages."""
        ...

    def lane_error(
        self,
        kind: str,
        message: str,
        lane: int,
        site: int | None = None,
        *,
        title: str | None = None,
        notes: Sequence[str] = (),
        cause: str = "",
        count: int = 1,
    ) -> SimulationError:
        """Makes an error of one lane, or of `count` lanes of which it is the first."""
        ...


MAX_CLOCKS = 32
"""Maximum number of blocks whose clocks are kept, more than run at the same time."""


class _History:
    """The last access of a kind to each byte."""

    def __init__(self, size: int) -> None:
        # Lanes are counted from 1, so that fresh zeros mean no access.
        self._pages = [pages.take(4 * size) for _ in range(4)]
        self.lane, self.clock, self.block, self.site = (p.view(np.int32) for p in self._pages)

    def close(self, used: Sequence[slice]) -> None:
        """Returns its pages, of which only a part was used, to the pool."""
        for piece in self._pages:
            for part in used:
                piece.view(np.int32)[part] = 0
            pages.give(piece)

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a new block has no history."""
        self.lane[start:end] = 0

    def record(self, at: Lanes, lane: Lanes, clock: Any, block: int, site: int) -> None:
        """Sets the last access of bytes."""
        self.lane[at] = lane + 1
        self.clock[at] = clock
        self.block[at] = block
        self.site[at] = site

    def move(self, to: _History, at: Lanes) -> None:
        """Copies the shadow state of some bytes."""
        to.lane[at] = self.lane[at]
        to.clock[at] = self.clock[at]
        to.block[at] = self.block[at]
        to.site[at] = self.site[at]


class RaceDetector:
    """The history of every byte of shared and global memory.

    Arguments:
        size: of global and shared memory, which come first in the arena.
        lanes: threads of a block.
        report: takes the races that are found.
    """

    def __init__(
        self, size: int, lanes: int, report: Callable[[SimulationError], None] = fail
    ) -> None:
        self.lanes = lanes
        self.report = report
        self.size = size
        self._writes = _History(size)
        self._reads = (_History(size), _History(size))
        self._atomic_write = pages.take(size).view(bool)
        self._block_scope = pages.take(size).view(bool)
        """Whether the last atomic write had block scope."""
        self._narrow_sites: dict[int, bool] = {}
        self._clocks: dict[int, Lanes] = {}
        self._begun: dict[int, dict[int, int]] = {}
        """By block and thread: the start of its last read that may be pending."""
        self._seen: dict[int, set[int]] = {}
        self._atomics: dict[int, set[int]] = {}
        self._rivals: Rivals | None = None
        self._objects: dict[int, dict[int, Lanes]] = {}
        """By position of a barrier object and block: the clock of those that arrived."""

    def close(self, used: Sequence[slice]) -> None:
        """Releases the detector; `used` are the used parts of the arena."""
        for history in (self._writes, *self._reads):
            history.close(used)
        for part in used:
            self._atomic_write[part] = False
            self._block_scope[part] = False
        pages.give(self._atomic_write.view(np.uint8))
        pages.give(self._block_scope.view(np.uint8))

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a new block has no history."""
        for history in (self._writes, *self._reads):
            history.forget(start, end)
        for place in [p for p in self._objects if start <= p < end]:
            del self._objects[place]

    @staticmethod
    def _number(block: Threads) -> int:
        x, y, z = block.index
        gx, gy, _ = block.grid.grid
        return (z * gy + y) * gx + x + 1

    def _clock(self, block: Threads) -> Lanes:
        number = self._number(block)
        clock = self._clocks.get(number)
        if clock is None:
            if len(self._clocks) >= MAX_CLOCKS:
                del self._clocks[min(self._clocks)]
            # The last row and column are those of asynchronous copies.
            clock = np.zeros((self.lanes + 1, self.lanes + 1), np.int32)
            np.fill_diagonal(clock, 1)
            self._clocks[number] = clock
        return clock

    def synchronize(self, block: Threads, lanes: Lanes) -> None:
        """All of `lanes` have synchronized."""
        clock = self._clock(block)
        index = np.flatnonzero(lanes)
        clock[index] = clock[index].max(axis=0)
        clock[index, index] += 1

    def release(self, block: Threads, lane: int, place: int) -> None:
        """A thread arrives at a barrier object. `lane` may be `lanes`: that of the copies."""
        clock = self._clock(block)
        arrived = self._objects.setdefault(place, {})
        number = self._number(block)
        old = arrived.get(number)
        arrived[number] = clock[lane].copy() if old is None else np.maximum(old, clock[lane])
        clock[lane, lane] += 1

    def acquire(self, block: Threads, lane: int, place: int) -> None:
        """A thread has observed that a phase of a barrier object is complete."""
        arrived = self._objects.get(place, {})
        number = self._number(block)
        own = arrived.get(number)
        if own is not None:
            clock = self._clock(block)
            clock[lane] = np.maximum(clock[lane], own)
        self._seen.setdefault(number, set()).update(arrived)

    def begin_copy(self, block: Threads, lane: int) -> int:
        """Starts an asynchronous copy of a thread; returns its time."""
        clock = self._clock(block)
        time = int(clock[self.lanes, self.lanes]) + 1
        clock[self.lanes] = clock[lane]
        clock[self.lanes, self.lanes] = time
        clock[lane, lane] += 1
        return time

    def await_copy(self, block: Threads, lane: int, time: int) -> None:
        """A thread has waited for the copies that started before a time."""
        clock = self._clock(block)
        clock[lane, self.lanes] = max(int(clock[lane, self.lanes]), time)

    def note_copy(self, block: Threads, site: int, lane: int, at: Lanes, kind: str) -> None:
        """Records the bytes that the last started copy accesses by `load`, `store` or `atomic`.

        Arguments:
            lane: of the thread that issued it, which errors name.
        """
        number = self._number(block)
        # Copies are not ordered among themselves: only those that the issuer has waited for count.
        issuer = np.full(at.shape, lane, np.int64)
        self._against(block, site, at, issuer, self._writes, kind == "atomic", kind != "load")
        own = self._clock(block)[self.lanes, self.lanes]
        agent = np.full(at.shape, self.lanes, np.int64)
        if kind == "load":
            self._note_reads(at, agent, np.full(at.shape, own), number, site)
            return
        for reads in self._reads:
            self._against(block, site, at, issuer, reads, False)
        self._writes.record(at, agent, own, number, site)
        self._atomic_write[at] = kind == "atomic"
        self._block_scope[at] = False

    def synchronize_warp(self, block: Threads, lanes: Lanes) -> None:
        """The lanes of each warp in `lanes` have synchronized."""
        for warp in np.unique(block.warp_of_lane[lanes]):
            self.synchronize(block, lanes & (block.warp_of_lane == warp))

    def synchronize_cluster(self, blocks: Sequence[Threads]) -> None:
        """All threads of several blocks have synchronized."""
        for block in blocks:
            self.synchronize(block, np.ones(self.lanes, bool))
            seen = self._seen.setdefault(self._number(block), set())
            seen.update(self._number(b) for b in blocks)

    def settle(self) -> None:
        """Reports the conflicting stores of the last store if their values were never compared."""
        rivals, self._rivals = self._rivals, None
        if rivals is not None and not rivals.settled:
            error = rivals.earlier[1] if rivals.earlier else rivals.together
            assert error is not None
            self.report(error)

    def note(
        self, block: Threads, site: int, mask: Mask, access: Access, size: int, kind: str
    ) -> None:
        """Records an access and reports its races.

        What a plain store races with is left to the access, which knows the value.
        """
        self.settle()
        lane = mask.index
        position = access.position
        if position.size != lane.size:
            position = position.repeat(lane.size)
        shared = position < self.size
        if not shared.all():
            position, lane = position[shared], lane[shared]
        if not lane.size:
            return
        number = self._number(block)
        atomic = kind.startswith("atomic")
        narrow = atomic and self._has_block_scope(block, site)
        if atomic and not narrow:
            self._order_blocks(number, position)
        at = (position[:, None] + np.arange(size)).reshape(-1)
        lane = lane.repeat(size)
        own = self._clock(block)[lane, lane]
        earlier = self._racing(
            block, site, at, lane, self._writes, atomic, kind in WRITES, narrow=narrow
        )
        if earlier and (kind != "store" or self._atomic_write[earlier[0]].any()):
            self.report(earlier[1])
            earlier = None
        if kind not in WRITES:
            if not atomic:
                self._note_reads(at, lane, own, number, site)
            return
        for reads in self._reads:
            self._against(block, site, at, lane, reads, False)
        together = None if atomic else self._collision(block, site, at, lane)
        if earlier or together:
            access.rivals = self._rivals = Rivals(earlier, together, self.report)
        self._writes.record(at, lane, own, number, site)
        self._atomic_write[at] = atomic
        self._block_scope[at] = narrow

    def _has_block_scope(self, block: Threads, site: int) -> bool:
        """Returns True if an atomic operation includes only threads of its own block."""
        known = self._narrow_sites.get(site)
        if known is None:
            op = block.grid.sites[site]
            scope = string_of(op.properties.get("syncscope"))
            modifiers = getattr(op.properties.get("mods"), "data", "")
            known = scope == "block" or "cta" in str(modifiers).split(".")
            self._narrow_sites[site] = known
        return known

    def begin_reads(self, block: Threads, site: int, lane: int, at: Lanes) -> None:
        """Records that one thread starts to read bytes at many positions of the arena.

        The reads complete at `end_reads`, or at the second synchronization of the thread from now
        on.
        """
        places = np.unique(at)
        lanes = np.full(places.size, lane)
        number = self._number(block)
        self._against(block, site, places, lanes, self._writes, False, writes=False)
        own = self._clock(block)[lanes, lanes] + 1
        self._note_reads(places, lanes, own, number, site)
        if number not in self._begun and len(self._begun) >= MAX_CLOCKS:
            del self._begun[min(self._begun)]
        self._begun.setdefault(number, {})[lane] = int(own[0])

    def end_reads(self, block: Threads, lanes: Lanes, size: int) -> None:
        """The reads started in groups of `size` threads are complete for the threads."""
        clock = self._clock(block)
        for lane, begun in self._begun.get(self._number(block), {}).items():
            first = lane // size * size
            members = np.flatnonzero(lanes[first : first + size]) + first
            clock[members, lane] = np.maximum(clock[members, lane], begun)

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

    def _collision(
        self, block: Threads, site: int, at: Lanes, lane: Lanes
    ) -> SimulationError | None:
        order = at.argsort(kind="stable")
        ordered = at[order]
        same = (ordered[1:] == ordered[:-1]).nonzero()[0]
        if not same.size:
            return None
        first, second = (int(lane[order[same[0] + i]]) for i in (0, 1))
        return block.lane_error(
            "race",
            f"{block.thread(second)} writes the byte that is written at the same time by",
            first,
            site,
            title=_hazard(True, True),
            notes=[f"Write access at the same time by {block.thread(second)}"],
            count=int(np.unique(lane[order[same]]).size),
        )

    def _against(
        self,
        block: Threads,
        site: int,
        at: Lanes,
        lane: Lanes,
        history: _History,
        atomic: bool,
        writes: bool = True,
    ) -> None:
        if found := self._racing(block, site, at, lane, history, atomic, writes):
            self.report(found[1])

    def _racing(
        self,
        block: Threads,
        site: int,
        at: Lanes,
        lane: Lanes,
        history: _History,
        atomic: bool,
        writes: bool,
        *,
        narrow: bool = False,
    ) -> tuple[Lanes, SimulationError] | None:
        """The bytes that race with earlier accesses, and the report of the first one."""
        other = history.lane[at] - 1
        conflict = other >= 0
        if not np.count_nonzero(conflict):
            return None
        number = self._number(block)
        blocks = history.block[at]
        same_block = blocks == number
        if atomic:
            included = same_block if narrow else same_block | ~self._block_scope[at]
            conflict = conflict & ~(self._atomic_write[at] & included)
        clock = self._clock(block)
        ordered = clock[lane, np.maximum(other, 0)] >= history.clock[at]
        racing = conflict & same_block & (other != lane) & ~ordered
        foreign = conflict & ~same_block
        if foreign.any():
            seen = self._seen.get(number)
            unknown = ~np.isin(blocks, list(seen)) if seen else np.ones(at.shape, bool)
            racing = racing | (foreign & unknown)
        if not racing.any():
            return None
        where = int(np.flatnonzero(racing)[0])
        scoped = atomic and history is self._writes and bool(self._atomic_write[at[where]])
        error = self._report(block, site, at[where], int(lane[where]), history, writes, scoped)
        error.count = int(np.unique(lane[racing]).size)
        return at[racing], error

    def _report(
        self,
        block: Threads,
        site: int,
        place: Any,
        lane: int,
        history: _History,
        writes: bool,
        scoped: bool,
    ) -> SimulationError:
        earlier = int(history.block[place]) - 1
        gx, gy, _ = block.grid.grid
        index = (earlier % gx, earlier // gx % gy, earlier // (gx * gy))
        before = block.grid.sites[int(history.site[place])]
        first = describe(before)
        number = int(history.lane[place]) - 1
        other = "an asynchronous copy" if number == self.lanes else block.thread(number)
        return block.lane_error(
            "race",
            f"a data race with {other} of block {index} ({first}) in",
            lane,
            site,
            title=_hazard(history is self._writes, writes),
            notes=[
                f"{'Write' if history is self._writes else 'Read'} access before it, by {other}"
                f" in block {index}, at {first}",
                *(["Both are atomic, but block scope does not include other blocks"] * scoped),
            ],
        )


def _hazard(first_writes: bool, second_writes: bool) -> str:
    """A race in racecheck's wording, the later access first."""
    first, second = ("Write" if w else "Read" for w in (first_writes, second_writes))
    name = {("Write", "Write"): "write after write", ("Write", "Read"): "read after write"}.get(
        (first, second), "write after read"
    )
    return f"Race reported between {second} access and {first} access ({name} hazard)"
