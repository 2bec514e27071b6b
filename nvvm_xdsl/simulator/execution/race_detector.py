"""Detection of data races: unordered accesses of two threads to a byte, at least one a write.

Vector clocks order threads. A barrier joins the clocks of its threads, a warp-wide op with a member mask the
clocks of its members, as `__syncwarp` guarantees, and a barrier object the clocks of the arriving threads
with those of the threads that wait for its phase. Atomic operations and fences order threads by the release
and acquire patterns of `atomic_patterns`. A byte keeps its last write and its last two readers.

Asynchronous copies are accesses of an additional thread of the block. A copy follows the earlier
accesses of its issuer, and precedes only the accesses of threads that wait for it. A thread that
reads the destination without waiting therefore races, including the issuer.

Copies and `wgmma` read through the async proxy. A byte that a thread has written must reach them by a
synchronization that includes a `fence.proxy.async`. Loads through the texture proxy (`ld.global.nc`) must not read
bytes that were written in the same launch, because no fence makes these visible.

Two atomic operations on a byte do not race if the scopes of both include the other thread.

Plain stores of the same value to one byte are not a race: memory is the same in every order, and
    compilers emit them (Triton stores the result of a reduction once per thread).
    compute-sanitizer's racecheck also gives them the lowest severity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics, Order, Scope
from nvvm_xdsl.simulator.errors import SimulationError, describe, fail
from nvvm_xdsl.simulator.execution import pages
from nvvm_xdsl.simulator.execution.atomic_patterns import AtomicPatterns
from nvvm_xdsl.simulator.execution.clocks import MAX_CLOCKS, NOTHING, Clocks, Known, merged
from nvvm_xdsl.simulator.execution.memory import WRITES, Access, Lanes, Mask, Rivals


class Launch(Protocol):
    """The interface of a launch that the detector uses."""

    @property
    def grid(self) -> tuple[int, int, int]:
        """The number of blocks in x, y and z."""
        ...

    @property
    def cluster(self) -> tuple[int, int, int]:
        """The number of blocks of a cluster in x, y and z."""
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


_ATOMIC = MemorySemantics(Order.RELAXED, Scope.SYS)
"""The semantics of an atomic access without stated semantics."""

_WEAK = 0
"""The level of a weak access in a history."""


def _level(scope: Scope) -> int:
    """The number of the scope of an atomic access in a history."""
    return scope + 1


class _History:
    """The last access of a kind to each byte."""

    def __init__(self, size: int) -> None:
        # Lanes are counted from 1, so that fresh zeros mean no access.
        self._pages = [pages.take(4 * size) for _ in range(4)]
        self.lane, self.clock, self.block, self.site = (p.view(np.int32) for p in self._pages)
        self.level = pages.take(size)
        """The scope of an atomic access, see `_level`."""

    def close(self, used: Sequence[slice]) -> None:
        """Returns its pages, of which only a part was used, to the pool."""
        for piece in self._pages:
            for part in used:
                piece.view(np.int32)[part] = 0
            pages.give(piece)
        for part in used:
            self.level[part] = _WEAK
        pages.give(self.level)

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a new block has no history."""
        self.lane[start:end] = 0

    def record(
        self, at: Lanes, lane: Lanes, clock: Any, block: int, site: int, level: int = _WEAK
    ) -> None:
        """Sets the last access of bytes."""
        self.level[at] = level
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
        to.level[at] = self.level[at]


class RaceDetector:
    """The history of every byte of shared and global memory.

    Arguments:
        size: size in bytes of global and shared memory, which are first in the arena.
        lanes: threads of a block.
        report: receives the detected races.
    """

    def __init__(
        self, size: int, lanes: int, report: Callable[[SimulationError], None] = fail
    ) -> None:
        self.lanes = lanes
        self.report = report
        self.size = size
        self._writes = _History(size)
        self._reads = (_History(size), _History(size))
        self._clocks = Clocks(lanes)
        self._patterns = AtomicPatterns(self._clocks)
        self._begun: dict[int, dict[int, int]] = {}
        """By block and thread: the start of its last read that may be pending."""
        self._rivals: Rivals | None = None
        self._objects: dict[int, Known] = {}
        """The accesses before the arrivals, by position of the barrier object."""

    def close(self, used: Sequence[slice]) -> None:
        """Releases the detector; `used` are the used parts of the arena."""
        for history in (self._writes, *self._reads):
            history.close(used)

    def forget(self, start: int, end: int) -> None:
        """Shared memory of a new block has no history."""
        for history in (self._writes, *self._reads):
            history.forget(start, end)
        for place in [p for p in self._objects if start <= p < end]:
            del self._objects[place]
        self._patterns.forget(start, end)

    @staticmethod
    def _number(block: Threads) -> int:
        x, y, z = block.index
        gx, gy, _ = block.grid.grid
        return (z * gy + y) * gx + x + 1

    @staticmethod
    def _clusters(block: Threads, numbers: Any) -> Any:
        """The clusters of blocks, identified by the numbers of their first blocks."""
        gx, gy, _ = block.grid.grid
        cx, cy, cz = block.grid.cluster
        if (cx, cy, cz) == (1, 1, 1):
            return numbers
        index = numbers - 1
        x, y, z = index % gx, index // gx % gy, index // (gx * gy)
        return (z - z % cz) * gy * gx + (y - y % cy) * gx + x - x % cx + 1

    def synchronize(self, block: Threads, lanes: Lanes) -> None:
        """Records that all of `lanes` have synchronized."""
        self._clocks.synchronize(self._number(block), np.flatnonzero(lanes))

    def released(self, block: Threads, lanes: Lanes) -> Known:
        """The accesses of `lanes` before this point, for `acquire_known`."""
        index = np.flatnonzero(lanes)
        return self._clocks.released(self._number(block), index) if index.size else NOTHING

    def acquire_known(self, block: Threads, lanes: Lanes, known: Known) -> None:
        """Orders released accesses before the next ones of `lanes`."""
        index = np.flatnonzero(lanes)
        if index.size:
            self._clocks.acquire(self._number(block), index, known)

    def release(self, block: Threads, lane: int, place: int) -> None:
        """Records the arrival of a thread at a barrier object; `lane` may be that of the
        asynchronous copies, `lanes`."""
        known = self._clocks.released(self._number(block), np.array([lane]))
        self._objects[place] = merged([self._objects.get(place, NOTHING), known])

    def acquire(self, block: Threads, lane: int, place: int) -> None:
        """Records that a thread has observed the completion of a phase of a barrier object."""
        known = self._objects.get(place, NOTHING)
        self._clocks.acquire(self._number(block), np.array([lane]), known)

    def fence(self, block: Threads, lanes: Lanes, semantics: MemorySemantics) -> None:
        """Records a fence of `lanes`."""
        number = self._number(block)
        index = np.flatnonzero(lanes)
        self._patterns.fence(number, self._clusters(block, number), index, semantics)

    def fence_proxy(self, block: Threads, lanes: Lanes) -> None:
        """A fence of `lanes` between the generic and the async proxy."""
        self._clocks.fence_proxy(self._number(block), np.flatnonzero(lanes))

    def begin_copy(self, block: Threads, lane: int) -> int:
        """Starts an asynchronous copy of a thread; returns its time."""
        number = self._number(block)
        clock = self._clocks.of(number)
        time = int(clock[self.lanes, self.lanes]) + 1
        clock[self.lanes] = clock[lane]
        clock[self.lanes, self.lanes] = time
        clock[lane, lane] += 1
        others = self._clocks.others(number)
        others[self.lanes] = others[lane]
        return time

    def await_copy(self, block: Threads, lane: int, time: int) -> None:
        """Records that a thread has waited for the copies that started before a time."""
        clock = self._clocks.of(self._number(block))
        clock[lane, self.lanes] = max(int(clock[lane, self.lanes]), time)

    def note_copy(self, block: Threads, site: int, lane: int, at: Lanes, kind: str) -> None:
        """Records the bytes that the last started copy accesses by `load`, `store` or `atomic`.

        Arguments:
            lane: the lane of the issuing thread, for errors.
        """
        number = self._number(block)
        # Copies are not ordered among themselves: only those that the issuer has waited for count.
        issuer = np.full(at.shape, lane, np.int64)
        level = _level(Scope.SYS) if kind == "atomic" else _WEAK
        self._against(block, site, at, issuer, self._writes, level, kind != "load", proxy=True)
        own = self._clocks.of(number)[self.lanes, self.lanes]
        agent = np.full(at.shape, self.lanes, np.int64)
        if kind == "load":
            self._note_reads(at, agent, np.full(at.shape, own), number, site)
            return
        for reads in self._reads:
            self._against(block, site, at, issuer, reads, level)
        self._writes.record(at, agent, own, number, site, level)

    def synchronize_warp(self, block: Threads, lanes: Lanes) -> None:
        """Records that the lanes of each warp in `lanes` have synchronized."""
        for warp in np.unique(block.warp_of_lane[lanes]):
            self.synchronize(block, lanes & (block.warp_of_lane == warp))

    def settle(self) -> None:
        """Reports the conflicting stores of the last store if their values were never compared."""
        rivals, self._rivals = self._rivals, None
        if rivals is not None and not rivals.settled:
            error = rivals.earlier[1] if rivals.earlier else rivals.together
            assert error is not None
            self.report(error)

    def note(
        self,
        block: Threads,
        site: int,
        mask: Mask,
        access: Access,
        size: int,
        kind: str,
        semantics: MemorySemantics | None = None,
    ) -> None:
        """Records an access and reports its races.

        Races of a plain store are reported by the access, which has the stored value.
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
        writes = kind in WRITES
        own = self._clocks.times(number, lane).repeat(size)
        level = _WEAK
        if kind.startswith("atomic"):
            semantics = semantics or _ATOMIC
            level = _level(semantics.scope)
            self._patterns.overwrite(position[self._writes.level[position] == _WEAK])
            cluster = self._clusters(block, number)
            reads = kind != "atomic store"
            self._patterns.access(number, cluster, lane, position, semantics, reads, writes)
        at = (position[:, None] + np.arange(size)).reshape(-1)
        lane = lane.repeat(size)
        earlier = self._racing(block, site, at, lane, self._writes, level, writes)
        if earlier and (kind != "store" or self._writes.level[earlier[0]].any()):
            self.report(earlier[1])
            earlier = None
        if not writes:
            self._note_reads(at, lane, own, number, site, level)
            return
        for reads_ in self._reads:
            self._against(block, site, at, lane, reads_, level)
        together = None if level else self._collision(block, site, at, lane)
        if earlier or together:
            access.rivals = self._rivals = Rivals(earlier, together, self.report)
        self._writes.record(at, lane, own, number, site, level)

    def note_texture(self, block: Threads, site: int, lane: Lanes, at: Lanes) -> None:
        """Reports reads through the texture proxy of bytes that were written in the launch.

        Arguments:
            lane: the thread that reads each byte.
            at: positions in the arena.
        """
        written = self._writes.lane[at] != 0
        if written.any():
            where = int(np.flatnonzero(written)[0])
            note = "No fence makes writes of the same launch visible to the texture proxy"
            error = self._report(
                block, site, at[where], int(lane[where]), self._writes, False, note
            )
            error.count = int(np.unique(lane[written]).size)
            self.report(error)

    def begin_reads(self, block: Threads, site: int, lane: int, at: Lanes) -> None:
        """Records that one thread starts to read bytes at many positions of the arena.

        The reads complete at `end_reads`, or at the second synchronization of the thread from now
        on.
        """
        places = np.unique(at)
        lanes = np.full(places.size, lane)
        number = self._number(block)
        self._against(block, site, places, lanes, self._writes, writes=False, proxy=True)
        own = self._clocks.times(number, lanes) + 1
        self._note_reads(places, lanes, own, number, site)
        if number not in self._begun and len(self._begun) >= MAX_CLOCKS:
            del self._begun[min(self._begun)]
        self._begun.setdefault(number, {})[lane] = int(own[0])

    def end_reads(self, block: Threads, lanes: Lanes, size: int) -> None:
        """Records that the reads started in groups of `size` threads are complete for the
        threads."""
        clock = self._clocks.of(self._number(block))
        for lane, begun in self._begun.get(self._number(block), {}).items():
            first = lane // size * size
            members = np.flatnonzero(lanes[first : first + size]) + first
            clock[members, lane] = np.maximum(clock[members, lane], begun)

    def _note_reads(
        self, at: Lanes, lane: Lanes, own: Lanes, number: int, site: int, level: int = _WEAK
    ) -> None:
        first, second = self._reads
        other = (first.lane[at] != lane + 1) | (first.block[at] != number)
        first.move(second, at[other])
        first.record(at, lane, own, number, site, level)
        places, lead = np.unique(at, return_index=True)
        if lead.size < at.size:
            # Several lanes read these bytes: the last is in the first slot, another in the second.
            second.record(places, lane[lead], own[lead], number, site, level)

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
            f"{block.thread(second)} writes a byte that is also written, in the same instruction, by",
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
        level: int = _WEAK,
        writes: bool = True,
        proxy: bool = False,
    ) -> None:
        if found := self._racing(block, site, at, lane, history, level, writes, proxy):
            self.report(found[1])

    def _racing(
        self,
        block: Threads,
        site: int,
        at: Lanes,
        lane: Lanes,
        history: _History,
        level: int,
        writes: bool,
        proxy: bool = False,
    ) -> tuple[Lanes, SimulationError] | None:
        """The bytes that race with earlier accesses, and the report of the first one.

        Arguments:
            level: level of the access, see `_level`.
            writes: whether the access writes.
            proxy: whether the access uses the async proxy.
        """
        agent = history.lane[at] - 1
        conflict = agent >= 0
        if not np.count_nonzero(conflict):
            return None
        number = self._number(block)
        blocks, times = history.block[at], history.clock[at]
        if level:
            conflict &= ~self._morally_strong(block, level, history.level[at], blocks)
        others = np.maximum(agent, 0)
        ordered = self._clocks.ordered(number, lane, others, blocks, times, False)
        same_thread = (blocks == number) & (agent == lane)
        racing = conflict & ~same_thread & ~ordered
        note = ""
        if not racing.any():
            if not proxy or writes or history is not self._writes:
                return None
            fenced = self._clocks.ordered(number, lane, others, blocks, times, True)
            racing = conflict & (agent != self.lanes) & ~fenced
            note = "There is no fence.proxy.async between the write and the read by the async proxy"
            if not racing.any():
                return None
        where = int(np.flatnonzero(racing)[0])
        if level and history.level[at[where]]:
            least = min(level, int(history.level[at[where]]))
            scope = "cluster" if least == _level(Scope.CLUSTER) else "block"
            note = f"Both are atomic, but {scope} scope does not include other {scope}s"
        error = self._report(block, site, at[where], int(lane[where]), history, writes, note)
        error.count = int(np.unique(lane[racing]).size)
        return at[racing], error

    def _morally_strong(self, block: Threads, level: int, levels: Lanes, blocks: Lanes) -> Lanes:
        """Whether earlier accesses are atomic and both scopes include the other thread."""
        number = self._number(block)
        least = np.minimum(levels, level)
        found = (least >= _level(Scope.GPU)) | ((least >= _level(Scope.CTA)) & (blocks == number))
        if block.grid.cluster != (1, 1, 1):
            same = self._clusters(block, blocks) == self._clusters(block, number)
            found |= (least >= _level(Scope.CLUSTER)) & same
        return found

    def _report(
        self,
        block: Threads,
        site: int,
        place: Any,
        lane: int,
        history: _History,
        writes: bool,
        note: str,
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
                *([note] if note else []),
            ],
        )


def _hazard(first_writes: bool, second_writes: bool) -> str:
    """The name of a race in racecheck's wording, with the later access first."""
    first, second = ("Write" if w else "Read" for w in (first_writes, second_writes))
    name = {("Write", "Write"): "write after write", ("Write", "Read"): "read after write"}.get(
        (first, second), "write after read"
    )
    return f"Race reported between {second} access and {first} access ({name} hazard)"
