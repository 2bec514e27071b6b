"""What compiled functions call: scheduling of lanes, memory, barriers and warps.

A block runs in lockstep: one `Mask` says which of its threads, the lanes, execute the current
segment of code. Where lanes part, each side waits in a table by segment number, and the lowest
segment runs next; segments are numbered so that lanes meet again where their paths do. A lane
that must wait for others is parked until `released` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.lane_ops import where
from nvvm_xdsl.simulator.memory import (
    CODE,
    GAP,
    LOCAL,
    LOCAL_BASE,
    SHARED,
    SHARED_BASE,
    SHARED_SHIFT,
    UNINITIALIZED,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_SHIFT,
    Access,
    Lanes,
    Mask,
    Memory,
    resolve,
)
from nvvm_xdsl.simulator.race import RaceDetector

WARP = 32

Pending = dict[int, Mask]
Child = tuple[Generator[None, None, Any], int, Mask]

WRITES = frozenset({"store", "atomic", "atomic store"})
"""Kinds of accesses that change memory."""

FAIR_AFTER = 4096
"""Choices between waiting segments before those that never had a turn get some."""

FAIR_TURNS = 256
"""How many turns they get."""


@dataclass(frozen=True)
class Limits:
    """What a launch may use at most; more is an error of kind `limit`."""

    steps: int = 200_000_000
    """Ops executed, counted once for all lanes that execute them together."""
    memory: int = 1 << 30
    """Bytes of device memory."""
    output: int = 1 << 20
    """Bytes that printf writes."""
    heap: int = 8 << 20
    """Bytes that device malloc can give out."""
    stack: int = 1 << 16
    """Bytes of local memory of a thread."""
    depth: int = 128
    """Nested calls."""


@dataclass
class Grid:
    """The state of one launch that all its blocks share."""

    memory: Memory
    limits: Limits
    sites: Sequence[Operation]
    functions: dict[int, Callable[..., Any]]
    """By code address, for indirect calls."""
    checks: frozenset[str]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    dynamic_shared: int
    static_shared: int
    shared_variables: Sequence[tuple[str, int, int]] = ()
    steps: int = 0
    output: list[str] = field(default_factory=list[str])
    output_bytes: int = 0
    heap_next: int = 0
    heap_end: int = 0
    heap_blocks: dict[int, int] = field(default_factory=dict[int, int])
    clock: int = 0
    races: RaceDetector | None = None

    def write(self, text: str) -> None:
        """Appends to what the kernel prints."""
        self.output_bytes += len(text)
        if self.output_bytes > self.limits.output:
            raise SimulationError(
                "limit", f"the kernel prints more than {self.limits.output} bytes"
            )
        self.output.append(text)


def select(mask: Mask, new: Lanes, old: Lanes | None) -> Lanes:
    """`new` where lanes are active, `old` elsewhere."""
    if old is None:
        return new
    return np.where(mask.bits, new, old)


def select_undefined(mask: Mask, new: Any, old: Any) -> Any:
    """`select` for the masks of undefined bits, which are the number 0 where all is defined."""
    if old is None or (new is old):
        return new
    out = where(mask.bits, new, old)
    return out if out.any() else 0


def split(mask: Mask, condition: Lanes) -> tuple[Mask | None, Mask | None]:
    """The active lanes where a condition holds and those where it does not; None for none."""
    if condition.size == 1:
        return (mask, None) if condition[0] else (None, mask)
    taken = mask.bits & condition
    count = int(np.count_nonzero(taken))
    if count == 0:
        return None, mask
    if count == mask.count:
        return mask, None
    return Mask(taken), Mask(mask.bits & ~condition)


def add_pending(pending: Pending, segment: int, mask: Mask) -> None:
    """Lets lanes wait for their turn at a segment."""
    old = pending.get(segment)
    pending[segment] = mask if old is None else Mask(old.bits | mask.bits)


@dataclass
class _Barrier:
    waiting: Lanes
    arrived: Lanes
    sites: set[int]
    count: int = 0
    predicate: Lanes | None = None


@dataclass
class _Gathering:
    """Lanes that wait at one warp-wide op for the others of their member masks."""

    waiting: Lanes
    members: Lanes
    operands: list[Lanes]
    function: Callable[..., Any]


class Block:
    """One block of threads while it runs."""

    def __init__(self, grid: Grid, index: tuple[int, int, int], rank: int) -> None:
        self.grid = grid
        self.memory = grid.memory
        self.index = index
        self.rank = rank
        bx, by, bz = grid.block
        n = self.lanes = bx * by * bz
        self.warps = (n + WARP - 1) // WARP
        self.all = Mask(np.ones(n, bool))
        lane = np.arange(n, dtype=np.uint32)
        self.lane = lane
        self.lane_in_warp = lane % np.uint32(WARP)
        self.warp_of_lane = (lane // np.uint32(WARP)).astype(np.int64)
        self.tid = (
            lane % np.uint32(bx),
            lane // np.uint32(bx) % np.uint32(by),
            lane // np.uint32(bx * by),
        )
        stride = grid.memory.sizes.local_bytes
        self.lane_base = (lane.astype(np.int64) + rank * n) * stride
        self.exited = np.zeros(n, bool)
        self.any_exited = False
        self.released = np.zeros(n, bool)
        self.any_released = False
        self.releases = 0
        self.result: Any = None
        self.slot: dict[int, Any] = {}
        self.barrier_value = np.zeros(n, np.uint32)
        self._barriers: dict[int, _Barrier] = {}
        self._gatherings: dict[int, _Gathering] = {}
        self._turns = 0
        self._fair = 0
        self.cluster_arrived = np.zeros(n, bool)
        self.cluster_waiting = np.zeros(n, bool)
        self.cluster_phase_lanes = np.zeros(n, bool)
        self.depth = 0
        self.dynamic = np.full(n, stride, np.int64)
        """Where each lane's variables of dynamic size start, which lie at the end of its memory."""
        self.local_end = stride
        base = SHARED_BASE + (rank << SHARED_SHIFT)
        self.shared_base = base
        start = grid.memory.position(SHARED, base)
        end = start + grid.static_shared + grid.dynamic_shared
        grid.memory.bytes[start:end] = UNINITIALIZED
        if grid.memory.undefined is not None:
            grid.memory.undefined[start:end] = 0xFF
        if grid.races is not None:
            grid.races.forget(start, end)

    # Errors

    def error(self, kind: str, message: str, site: int | None = None) -> SimulationError:
        """An error that says which block it arose in."""
        op = None if site is None else self.grid.sites[site]
        return SimulationError(kind, f"{message}, in block {self.index}", op)

    def thread(self, lane: int) -> str:
        """A thread as an error names it."""
        return f"thread ({', '.join(str(int(t[lane])) for t in self.tid)})"

    def lane_error(
        self, kind: str, message: str, lane: int, site: int | None = None
    ) -> SimulationError:
        """An error of one thread."""
        op = None if site is None else self.grid.sites[site]
        return SimulationError(kind, f"{message} {self.thread(lane)} of block {self.index}", op)

    # Scheduling

    def tick(self, steps: int) -> None:
        """Counts ops."""
        grid = self.grid
        grid.steps += steps
        if grid.steps > grid.limits.steps:
            raise self.error("limit", f"the kernel runs for more than {grid.limits.steps} steps")

    def pick(self, pending: Pending) -> tuple[int, Mask]:
        """The segment that runs next and its lanes."""
        if len(pending) == 1:
            return pending.popitem()
        self._turns += 1
        if self._turns >= FAIR_AFTER:
            segment = max(pending)
            if self._turns >= FAIR_AFTER + FAIR_TURNS:
                self._turns = 0
        else:
            segment = min(pending)
        return segment, pending.pop(segment)

    def ready(
        self, pending: Pending, parked: Pending, children: list[Child]
    ) -> tuple[int, Mask | None]:
        """As `pick`, for a function that can wait: segment -1 when it is done, -2 when blocked."""
        while True:
            if parked and self.any_released:
                self._unpark(pending, parked)
            if pending:
                return self.pick(pending)
            if not parked and not children:
                return -1, None
            for position, (frame, segment, mask) in enumerate(children):
                try:
                    next(frame)
                except StopIteration as end:
                    self.result = end.value
                    del children[position]
                    return segment, mask
            if not (parked and self.any_released and self._released_of(parked)):
                return -2, None

    def _released_of(self, parked: Pending) -> bool:
        return any(bool((mask.bits & self.released).any()) for mask in parked.values())

    def _unpark(self, pending: Pending, parked: Pending) -> None:
        for segment, mask in list(parked.items()):
            free = mask.bits & self.released
            if not free.any():
                continue
            add_pending(pending, segment, Mask(free))
            rest = mask.bits & ~free
            if rest.any():
                parked[segment] = Mask(rest)
            else:
                del parked[segment]
            self.released &= ~free
        self.any_released = bool(self.released.any())

    def start(
        self, frame: Generator[None, None, Any], segment: int, mask: Mask, children: list[Child]
    ) -> bool:
        """Runs a call of a function that can wait; false if it does."""
        try:
            next(frame)
        except StopIteration as end:
            self.result = end.value
            return True
        children.append((frame, segment, mask))
        return False

    def _release(self, lanes: Lanes) -> None:
        self.released |= lanes
        self.any_released = True
        self.releases += 1

    def exit(self, mask: Mask) -> None:
        """Ends threads."""
        self.exited |= mask.bits
        self.any_exited = True
        if self._barriers:
            for number in list(self._barriers):
                self._try_barrier(number)
        if self._gatherings:
            for site in list(self._gatherings):
                self._try_gathering(site)
        self.try_cluster()

    def finish(self) -> None:
        """The kernel has ended for all threads."""
        self.exited[:] = True
        self.any_exited = True
        self.try_cluster()

    def survivors(self, mask: Mask) -> Mask | None:
        """The lanes of a mask that have not exited."""
        if not self.any_exited:
            return mask
        bits = mask.bits & ~self.exited
        left = int(np.count_nonzero(bits))
        return mask if left == mask.count else Mask(bits) if left else None

    def enter(self) -> None:
        """Begins a call. Raises SimulationError when calls nest too deeply."""
        self.depth += 1
        if self.depth > self.grid.limits.depth:
            raise self.error("limit", f"calls nest more than {self.grid.limits.depth} deep")

    # Barriers

    def barrier(
        self,
        site: int,
        mask: Mask,
        number: Lanes,
        count: Lanes | None,
        predicate: Lanes | None = None,
        arrive: bool = False,
    ) -> bool:
        """`barrier`: true when the lanes need not wait; otherwise they are to be parked.

        `predicate` makes it a `bar.red`, whose value `barrier_result` gives. `arrive` counts the
        lanes without making them wait.
        """
        single = number.size == 1 and (count is None or count.size == 1)
        done = True
        for mask_, number_, count_ in (
            [(mask, int(number[0]), 0 if count is None else int(count[0]))]
            if single
            else self._by_barrier(mask, number, count)
        ):
            done = self._arrive(site, mask_, number_, count_, predicate, arrive) and done
        return done

    def _by_barrier(
        self, mask: Mask, number: Lanes, count: Lanes | None
    ) -> list[tuple[Mask, int, int]]:
        n = self.lanes
        numbers = np.broadcast_to(number, n).astype(np.int64)
        counts = (
            np.zeros(n, np.int64) if count is None else np.broadcast_to(count, n).astype(np.int64)
        )
        key = numbers << 32 | counts
        found: list[tuple[Mask, int, int]] = []
        for k in np.unique(key[mask.bits]):
            found.append((Mask(mask.bits & (key == k)), int(k) >> 32, int(k) & 0xFFFFFFFF))
        return found

    def _arrive(
        self, site: int, mask: Mask, number: int, count: int, predicate: Lanes | None, arrive: bool
    ) -> bool:
        if number > 15:
            raise self.error("sync", f"there is no barrier {number}", site)
        if count % WARP:
            raise self.error(
                "sync", f"a barrier waits for {count} threads, no multiple of 32", site
            )
        if "sync" in self.grid.checks and self.any_exited and not count:
            self._report_exited(site)
        state = self._barriers.get(number)
        if state is None:
            if (
                mask.count == self.lanes - int(np.count_nonzero(self.exited))
                and not arrive
                and (not count or self.warps * WARP == count)
            ):
                if predicate is not None:
                    self._reduce(mask.bits, mask.bits, np.broadcast_to(predicate, self.lanes))
                if self.grid.races is not None:
                    self.grid.races.synchronize(self, mask.bits)
                return True
            state = self._barriers[number] = _Barrier(
                np.zeros(self.lanes, bool), np.zeros(self.lanes, bool), set(), count
            )
        state.arrived |= mask.bits
        state.sites.add(site)
        state.count = max(state.count, count)
        if not arrive:
            state.waiting |= mask.bits
        if predicate is not None:
            old = state.predicate
            wide = np.broadcast_to(predicate, self.lanes)
            state.predicate = np.where(mask.bits, wide, False if old is None else old)
        self._try_barrier(number)
        return arrive

    def _report_exited(self, site: int) -> None:
        lane = int(np.flatnonzero(self.exited)[0])
        raise self.lane_error("sync", "a barrier waits for a thread that has exited,", lane, site)

    def _warps_in(self, lanes: Lanes) -> int:
        """How many warps have all their remaining threads in `lanes`, and at least one."""
        padded = np.zeros((2, self.warps * WARP), bool)
        padded[0, : self.lanes] = lanes
        padded[1, : self.lanes] = ~lanes & ~self.exited
        rows = np.any(padded.reshape(2, self.warps, WARP), axis=2)
        return int(np.count_nonzero(rows[0] & ~rows[1]))

    def _try_barrier(self, number: int) -> None:
        state = self._barriers[number]
        if state.count:
            if self._warps_in(state.arrived) * WARP < state.count:
                return
        elif (~state.arrived & ~self.exited).any():
            return
        del self._barriers[number]
        if "sync" in self.grid.checks:
            if not state.count and bool((self.exited & ~state.arrived).any()):
                self._report_exited(min(state.sites))
            if len(state.sites) > 1 and not state.count:
                raise self.error("sync", "threads meet at different barriers", min(state.sites))
        if state.predicate is not None:
            self._reduce(state.waiting, state.arrived, state.predicate)
        if self.grid.races is not None:
            self.grid.races.synchronize(self, state.arrived)
        self._release(state.waiting)

    def _reduce(self, waiting: Lanes, arrived: Lanes, predicate: Lanes) -> None:
        true = int(np.count_nonzero(predicate & arrived))
        all_ = true == int(np.count_nonzero(arrived))
        # popc in the low bits, `and` and `or` above: which one it is, the reader knows.
        packed = np.uint32(true | (int(all_) << 30) | (int(true > 0) << 31))
        self.barrier_value = np.where(waiting, packed, self.barrier_value)

    def barrier_result(self, kind: str) -> Lanes:
        """What the last `bar.red` gave: `popc`, `and` or `or`."""
        value = self.barrier_value
        if kind == "popc":
            return value & np.uint32((1 << 30) - 1)
        return (value >> np.uint32(30 if kind == "and" else 31)) & np.uint32(1) != 0

    # Clusters

    def cluster_arrive(self, mask: Mask) -> None:
        """`barrier.cluster.arrive`."""
        self.cluster_arrived |= mask.bits
        self.try_cluster()

    def cluster_wait(self, mask: Mask) -> bool:
        """`barrier.cluster.wait`: true when the lanes need not wait."""
        passed = mask.bits & self.cluster_phase_lanes
        self.cluster_phase_lanes = self.cluster_phase_lanes & ~mask.bits
        if int(np.count_nonzero(passed)) == mask.count:
            return True
        self.cluster_waiting |= mask.bits & ~passed
        if passed.any():
            self._release(passed)
        return False

    peers: list[Block] = []

    def try_cluster(self) -> None:
        """Completes the cluster's barrier when every thread of every block has arrived."""
        peers = self.peers or [self]
        if not any(bool(p.cluster_arrived.any()) for p in peers):
            return
        if any(bool((~p.cluster_arrived & ~p.exited).any()) for p in peers):
            return
        for p in peers:
            waiting = p.cluster_waiting.copy()
            p.cluster_phase_lanes |= p.cluster_arrived & ~waiting
            p.cluster_arrived[:] = False
            p.cluster_waiting[:] = False
            if waiting.any():
                p._release(waiting)
        if self.grid.races is not None:
            self.grid.races.synchronize_cluster(peers)

    # Warps

    def warp_words(self, lanes: Lanes) -> Lanes:
        """For each warp the word that has the bits of `lanes`."""
        padded = np.zeros(self.warps * WARP, bool)
        padded[: self.lanes] = lanes
        return (
            np.packbits(padded.reshape(self.warps, WARP), axis=1, bitorder="little")
            .view(np.uint32)
            .reshape(-1)
        )

    def gather(
        self,
        site: int,
        mask: Mask,
        members: Lanes,
        function: Callable[..., Any],
        operands: tuple[Lanes, ...],
    ) -> bool:
        """A warp-wide op with a member mask.

        `function(block, lanes, members, *operands)` gives its result for `lanes`, found in
        `slot[site]`. False if some lanes must wait for members that have not come.
        """
        members = np.broadcast_to(members, self.lanes)
        active = self.warp_words(mask.bits)[self.warp_of_lane]
        own = (members >> self.lane_in_warp) & np.uint32(1)
        if mask.bits[own == 0].any():
            lane = int(np.flatnonzero(mask.bits & (own == 0))[0])
            raise self.lane_error("sync", "the member mask leaves out the executing", lane, site)
        gathering = self._gatherings.get(site)
        if gathering is None:
            live = self.warp_words(~self.exited)[self.warp_of_lane]
            missing = (members & live & ~active) != 0
            if not (missing & mask.bits).any():
                self._check_members(site, mask, members, live)
                self._keep(site, mask.bits, function(self, mask.bits, members, *operands))
                if self.grid.races is not None:
                    self.grid.races.synchronize_warp(self, mask.bits)
                return True
            gathering = self._gatherings[site] = _Gathering(
                np.zeros(self.lanes, bool),
                members.copy(),
                [np.broadcast_to(o, self.lanes).copy() for o in operands],
                function,
            )
        gathering.waiting |= mask.bits
        gathering.members = np.where(mask.bits, members, gathering.members)
        for i, operand in enumerate(operands):
            gathering.operands[i] = np.where(mask.bits, operand, gathering.operands[i])
        self._try_gathering(site)
        return False

    def _keep(self, site: int, lanes: Lanes, result: Any) -> None:
        """Stores what a warp-wide op gives, beside what other lanes have not fetched yet."""
        old = self.slot.get(site)
        if old is None:
            self.slot[site] = result
        elif isinstance(result, tuple):
            new = cast("tuple[Lanes, ...]", result)
            self.slot[site] = tuple(np.where(lanes, n, o) for n, o in zip(new, old))
        else:
            self.slot[site] = np.where(lanes, result, old)

    def _check_members(self, site: int, mask: Mask, members: Lanes, live: Lanes) -> None:
        if "sync" in self.grid.checks and (members & ~live & self._existing()).any():
            gone = mask.bits & ((members & ~live & self._existing()) != 0)
            if gone.any():
                lane = int(np.flatnonzero(gone)[0])
                raise self.lane_error(
                    "sync", "a member mask names a thread that has exited, seen by", lane, site
                )

    def _existing(self) -> Lanes:
        return self.warp_words(np.ones(self.lanes, bool))[self.warp_of_lane]

    def _try_gathering(self, site: int) -> None:
        gathering = self._gatherings[site]
        waiting = self.warp_words(gathering.waiting)[self.warp_of_lane]
        live = self.warp_words(~self.exited)[self.warp_of_lane]
        complete = gathering.waiting & ((gathering.members & live & ~waiting) == 0)
        if not complete.any():
            return
        self._check_members(site, Mask(complete), gathering.members, live)
        result = gathering.function(self, complete, gathering.members, *gathering.operands)
        self._keep(site, complete, result)
        if self.grid.races is not None:
            self.grid.races.synchronize_warp(self, complete)
        gathering.waiting &= ~complete
        if not gathering.waiting.any():
            del self._gatherings[site]
        self._release(complete)

    def blocked(self) -> SimulationError:
        """Why no thread of the block can go on."""
        for number, state in self._barriers.items():
            site = min(state.sites)
            missing = (
                int(np.flatnonzero(~state.arrived & ~self.exited)[0])
                if (~state.arrived & ~self.exited).any()
                else -1
            )
            if missing >= 0:
                return self.lane_error(
                    "sync", f"barrier {number} is never reached by", missing, site
                )
            return self.error(
                "sync", f"barrier {number} waits for {state.count} threads, which never come", site
            )
        for site, gathering in self._gatherings.items():
            lane = int(np.flatnonzero(gathering.waiting)[0])
            return self.lane_error(
                "sync", "a warp-wide op waits for members that never come, in", lane, site
            )
        return self.error("sync", "a cluster barrier is never reached by all its threads")

    # Memory

    def access(
        self,
        site: int,
        mask: Mask,
        address: Lanes,
        window: int,
        size: int,
        alignment: int,
        kind: str,
    ) -> Access:
        """Checks an access of the active lanes; `kind` is `load`, `store` or `atomic`."""

        def fault(what: str, lane: int, tag: int, at: int) -> SimulationError:
            name = WINDOW_NAMES[tag] if 0 <= tag < len(WINDOW_NAMES) else "unknown"
            place = f" ({self.memory.nearest(tag, at)})" if what == "out of bounds" else ""
            return self.lane_error(
                "memory",
                f"{what}: {kind} of {size} bytes at {name} address {at:#x}{place}, by",
                lane,
                site,
            )

        if address.dtype != np.uint64:
            address = address.astype(np.uint64)
        found = resolve(
            self.memory, mask, address, window, size, alignment, self.lane_base, fault, site
        )
        if kind in WRITES and int(found.position.max(initial=0)) >= self.memory.read_only:
            raise self._read_only(site, mask, found, size, kind)
        if self.grid.races is not None:
            self.grid.races.note(self, site, mask, found, size, kind)
        return found

    def _read_only(
        self, site: int, mask: Mask, found: Access, size: int, kind: str
    ) -> SimulationError:
        wrong = int(np.flatnonzero(found.position >= self.memory.read_only)[0])
        what = f"{kind} of {size} bytes to memory that kernels only read, in"
        return self.lane_error("memory", what, int(mask.index[wrong]), site)

    def push_local(self, stack: int, offset: int, size: int, name: str, mask: Mask) -> None:
        """Makes a local variable of the lanes valid and fills it with what means nothing."""
        memory = self.memory
        if LOCAL_BASE + stack + offset + size > self.local_end:
            raise self._stack_overflow()
        start = memory.offset[LOCAL] + LOCAL_BASE + stack + offset
        stride = memory.sizes.local_bytes
        first = self.rank * self.lanes
        owner = memory.new_owner()
        for array, value in (
            (memory.owner, owner),
            (memory.bytes, UNINITIALIZED),
            (memory.undefined, 0xFF),
        ):
            if array is None:
                continue
            begin = start + first * stride
            rows = array[begin : begin + (self.lanes - 1) * stride + size]
            window = np.lib.stride_tricks.as_strided(rows, (self.lanes, size), (stride, 1))
            if mask.all:
                window[:] = value
            else:
                window[mask.index] = value

    def _stack_overflow(self, site: int | None = None) -> SimulationError:
        most = self.memory.sizes.local_bytes
        return self.error("limit", f"a thread uses more than {most} bytes of local memory", site)

    def push_dynamic(
        self,
        site: int,
        top: int,
        mask: Mask,
        count: Lanes,
        size: int,
        alignment: int,
        generic: bool,
    ) -> Lanes:
        """Makes an array of `count` elements for each lane valid; returns its address."""
        memory = self.memory
        counts = np.broadcast_to(count, self.lanes)[mask.index]
        room = memory.sizes.local_bytes
        if counts.size and int(counts.max()) * size > room:
            raise self._stack_overflow(site)
        sizes = np.maximum(counts.astype(np.int64) * size, 1)
        starts = (self.dynamic[mask.index] - sizes - GAP) & -max(alignment, 16)
        lowest = int(starts.min(initial=room))
        if lowest < LOCAL_BASE + top:
            raise self._stack_overflow(site)
        self.dynamic[mask.index] = starts
        self.local_end = min(self.local_end, lowest)
        owner = memory.new_owner()
        places = memory.offset[LOCAL] + self.lane_base[mask.index] + starts
        for start, length in zip(places.tolist(), sizes.tolist()):
            memory.owner[start : start + length] = owner
            memory.bytes[start : start + length] = UNINITIALIZED
            if memory.undefined is not None:
                memory.undefined[start : start + length] = 0xFF
        return self.dynamic.astype(np.uint64) | np.uint64(LOCAL << WINDOW_SHIFT if generic else 0)

    def release_dynamic(self, until: Lanes, mask: Mask) -> None:
        """Ends each lane's variables of dynamic size that lie below an address."""
        ends = np.broadcast_to(until, self.lanes).astype(np.int64)
        base = self.memory.offset[LOCAL] + self.lane_base
        for lane in mask.index[ends[mask.index] > self.dynamic[mask.index]].tolist():
            self.memory.owner[base[lane] + self.dynamic[lane] : base[lane] + ends[lane]] = 0
            self.dynamic[lane] = ends[lane]
        self.local_end = int(self.dynamic.min())

    def pop_frame(self, stack: int, frame: tuple[int, int], mask: Mask) -> None:
        """Ends a function's local memory, but for the start that its caller provided."""
        start, end = frame
        if end > start:
            self.pop_local(stack + start, end - start, mask)

    def check_index(self, mask: Mask, index: Lanes, count: int, site: int) -> None:
        """Reports a jump beyond a table."""
        bad = mask.bits & (np.broadcast_to(index, self.lanes) >= count)
        if bad.any():
            raise self.lane_error(
                "poison", "a jump beyond its table by", int(np.flatnonzero(bad)[0]), site
            )

    def pop_local(self, stack: int, size: int, mask: Mask) -> None:
        """Makes the local memory of a function that returns invalid."""
        memory = self.memory
        stride = memory.sizes.local_bytes
        start = memory.offset[LOCAL] + LOCAL_BASE + stack + self.rank * self.lanes * stride
        rows = memory.owner[start : start + (self.lanes - 1) * stride + size]
        window = np.lib.stride_tricks.as_strided(rows, (self.lanes, size), (stride, 1))
        if mask.all:
            window[:] = 0
        else:
            window[mask.index] = 0

    def local_pointer(self, offset: int, generic: bool) -> Lanes:
        """The address of a local variable."""
        address = LOCAL_BASE + offset
        return np.array([address | (LOCAL << 40 if generic else 0)], np.uint64)

    def check_divisor(self, mask: Mask, divisor: Lanes, site: int) -> None:
        """Reports division by zero."""
        if bool((mask.bits & (divisor == 0)).any()):
            lane = int(np.flatnonzero(mask.bits & (divisor == 0))[0])
            raise self.lane_error("poison", "division by zero by", lane, site)

    def copy_in(
        self, site: int, mask: Mask, stack: int, offset: int, size: int, source: Lanes, window: int
    ) -> None:
        """Fills a local variable with what a by-value argument points to."""
        self.push_local(stack, offset, size, "by-value argument", mask)
        target = np.array([LOCAL_BASE + stack + offset], np.uint64)
        reading = self.access(site, mask, source, window, size, 1, "load")
        writing = self.access(site, mask, target, LOCAL, size, 1, "store")
        copy(reading, writing, size)

    def copy_memory(
        self,
        site: int,
        mask: Mask,
        target: Lanes,
        target_window: int,
        source: Lanes,
        source_window: int,
        length: Lanes,
    ) -> None:
        """`memcpy` and `memmove`: all that is read is read first."""
        for part, size in self._by_length(mask, length):
            reading = self.access(site, part, source, source_window, size, 1, "load")
            writing = self.access(site, part, target, target_window, size, 1, "store")
            copy(reading, writing, size)

    def set_memory(
        self,
        site: int,
        mask: Mask,
        target: Lanes,
        window: int,
        value: Lanes,
        undefined: Any,
        length: Lanes,
    ) -> None:
        """`memset`."""
        for part, size in self._by_length(mask, length):
            writing = self.access(site, part, target, window, size, 1, "store")
            for at in range(size):
                writing.store(value, 1, at)
                writing.store_undefined(undefined, 1, at)

    def _by_length(self, mask: Mask, length: Lanes) -> list[tuple[Mask, int]]:
        if length.size == 1:
            return [(mask, int(length[0]))] if length[0] else []
        found: list[tuple[Mask, int]] = []
        for value in np.unique(length[mask.bits]):
            if value:
                found.append((Mask(mask.bits & (length == value)), int(value)))
        return found

    def copy_some(
        self,
        site: int,
        mask: Mask,
        source: Lanes,
        window: int,
        target: Access,
        size: int,
        count: Lanes,
    ) -> None:
        """`cp.async` with a source size: what lies beyond it is zeros."""
        wide = np.broadcast_to(count, (self.lanes,))
        for at in range(size):
            target.store(np.zeros(1, np.uint8), 1, at)
            here = mask.bits & (wide > at)
            if here.any():
                part = Mask(here)
                address = source + np.uint64(at)
                reading = self.access(site, part, address, window, 1, 1, "load")
                value = np.broadcast_to(reading.load(1), (self.lanes,))
                place = np.broadcast_to(target.position, (mask.index.size,))
                chosen = here[mask.index]
                self.memory.bytes[place[chosen] + at] = value[mask.index][chosen]

    def clock(self) -> int:
        """A counter that only grows."""
        self.grid.clock += 1
        return self.grid.steps + self.grid.clock

    def call_target(
        self, mask: Mask, address: Lanes, site: int
    ) -> list[tuple[Callable[..., Any], Mask]]:
        """The functions that the lanes' function pointers name."""
        targets: list[tuple[Callable[..., Any], Mask]] = []
        wide = np.broadcast_to(address, self.lanes)
        for value in np.unique(wide[mask.bits]):
            number = int(value)
            function = (
                self.grid.functions.get(number & WINDOW_MASK) if number >> 40 == CODE else None
            )
            if function is None:
                lane = int(np.flatnonzero(mask.bits & (wide == value))[0])
                raise self.lane_error(
                    "memory", f"a call of {number:#x}, which is no function, by", lane, site
                )
            targets.append((function, Mask(mask.bits & (wide == value))))
        return targets

    def check_defined(self, mask: Mask, undefined: Any, site: int, what: str) -> None:
        """Reports poison, undef or uninitialized memory where a defined value is needed."""
        if isinstance(undefined, int):
            return
        bad = mask.bits & (np.broadcast_to(undefined, self.lanes) != 0)
        if bad.any():
            lane = int(np.flatnonzero(bad)[0])
            raise self.lane_error("init", f"{what} depends on an undefined value in", lane, site)


def copy(source: Access, target: Access, size: int) -> None:
    """Copies bytes, and which of them are undefined, read before any is written."""
    values: list[tuple[int, Lanes, Any]] = []
    for at in range(size):
        values.append((at, source.load(1, at), source.load_undefined(1, at)))
    for at, value, undefined in values:
        target.store(value, 1, at)
        target.store_undefined(undefined, 1, at)
