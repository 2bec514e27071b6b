"""Scheduling of lanes: functions that compiled code calls to continue, diverge and wait.

A block runs in lockstep: one `Mask` holds the threads, called lanes, that execute the current
segment of code. When lanes diverge, each side waits in a table by segment number, and the lowest
segment runs next; the numbering makes lanes reconverge where their paths join. A lane that must
wait for others is parked until `released` names it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.ir import launch_limits
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.errors import SimulationError, fail
from nvvm_xdsl.simulator.execution.endless_loops import endless_loop
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask, Memory
from nvvm_xdsl.simulator.execution.profile import Profile
from nvvm_xdsl.simulator.execution.race_detector import RaceDetector
from nvvm_xdsl.simulator.execution.recorder import Recorder
from nvvm_xdsl.simulator.execution.watchpoint import Watchpoint
from nvvm_xdsl.simulator.numerics.lane_ops import where
from nvvm_xdsl.simulator.textures.objects import Handle, Handles

Pending = dict[int, Mask]
Child = tuple[Generator[None, None, Any], int, Mask]

_JOINT = re.compile(r"(,| by| in| of| for|, seen by)$")
"""The separator between the message of an error and its thread."""

FAIR_AFTER = 4096
"""Number of scheduling decisions after which segments that never ran are preferred."""

FAIR_TURNS = 256
"""Number of decisions for which they are preferred."""


@dataclass(frozen=True)
class Limits:
    """Resource limits of a launch; exceeding one is an error of kind `limit`."""

    steps: int = launch_limits.STEPS
    """Executed ops; an op that several lanes execute together counts once."""
    memory: int = launch_limits.MEMORY
    """Bytes of device memory."""
    output: int = launch_limits.OUTPUT
    """Bytes that printf writes."""
    heap: int = 8 << 20
    """Size in bytes of the heap of device malloc."""
    stack: int = 1 << 16
    """Bytes of local memory of a thread."""
    depth: int = 128
    """Nested calls."""


class Passed(NamedTuple):
    """Completion of a code segment by threads of a block together.

    Arguments:
        op: the last op of the segment.
        block: the index of the block of threads.
        lanes: the threads in the block.
    """

    op: Operation
    block: tuple[int, int, int]
    lanes: Lanes


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
    heap_blocks: dict[int, tuple[int, Operation]] = field(
        default_factory=dict[int, tuple[int, Operation]]
    )
    """Allocations of malloc: size and call, by address."""
    clock: int = 0
    races: RaceDetector | None = None
    profile: Profile | None = None
    """Counters of executed instructions; None if not requested."""
    watchpoint: Watchpoint | None = None
    barriers: set[int] = field(default_factory=set[int])
    """Positions of initialized barrier objects in the arena."""
    pending: deque[list[tuple[int, int, int]]] = field(
        default_factory=deque[list[tuple[int, int, int]]]
    )
    """Clusters that have not started: the blocks of each."""
    multicasts: Sequence[Any] = ()
    """The memories behind multimem addresses, see `multimem.Binding`."""
    handles: Handles = field(default_factory=dict[int, "Handle"])
    """Textures, samplers and surfaces by handle."""
    report: Callable[[SimulationError], None] = fail
    """Receives an error after which the threads can continue."""
    paths: list[Passed] | None = None
    """The recorded paths of threads; None if they are not recorded."""
    recorder: Recorder | None = None
    """The recorder of executed ops; None if not requested."""
    sanitizing: bool = False
    """Whether execution continues after `report`."""
    schedule: Random | None = None
    """Chooses the next segment of diverged lanes; None for the lowest one."""

    def write(self, text: str) -> None:
        """Appends to the kernel's output."""
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
    """`select` for masks of undefined bits, which are the number 0 if all bits are defined."""
    if old is None or (new is old):
        return new
    out = where(mask.bits, new, old)
    return out if out.any() else 0


def split(mask: Mask, condition: Lanes) -> tuple[Mask | None, Mask | None]:
    """The active lanes for which a condition is true, and the other active lanes; None for an empty
    set."""
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
    """Queues lanes at a segment."""
    old = pending.get(segment)
    pending[segment] = mask if old is None else Mask(old.bits | mask.bits)


def parting(
    pending: Pending, taken: Mask | None, rest: Mask | None, first: int, second: int
) -> tuple[int, Mask | None]:
    """The segment at which a branch continues and its lanes; None if others may have to run before.

    Arguments:
        taken, rest: the lanes that branch to `first` and to `second`, as returned by `split`.
    """
    if rest is None:
        segment, mask = first, taken
    elif taken is None:
        segment, mask = second, rest
    else:
        add_pending(pending, first, taken)
        add_pending(pending, second, rest)
        return first, None
    if not pending or mask is None:
        return segment, mask
    add_pending(pending, segment, mask)
    return segment, None


class Lockstep:
    """The threads of one block, and their scheduling state."""

    count: int = 1
    """The number of blocks that run side by side as one."""

    def __init__(self, grid: Grid, index: tuple[int, int, int], rank: int) -> None:
        self.grid = grid
        self.index = index
        self.rank = rank
        bx, by, bz = grid.block
        n = self.lanes = bx * by * bz * self.count
        self.warps = (n + WARP_SIZE - 1) // WARP_SIZE
        self.all = Mask(np.ones(n, bool))
        lane = np.arange(n, dtype=np.uint32)
        self.lane = lane
        self.lane_in_warp = lane % np.uint32(WARP_SIZE)
        self.warp_of_lane = (lane // np.uint32(WARP_SIZE)).astype(np.int64)
        own = lane if self.count == 1 else lane % np.uint32(bx * by * bz)
        self.tid = (
            own % np.uint32(bx),
            own // np.uint32(bx) % np.uint32(by),
            own // np.uint32(bx * by),
        )
        self.ctaid = tuple(np.array([i], np.uint32) for i in index)
        self.exited: Lanes = np.zeros(n, bool)
        self.any_exited = False
        self.released: Lanes = np.zeros(n, bool)
        self.any_released = False
        self.releases = 0
        self.result: Any = None
        self.slot: dict[int, Any] = {}
        self.depth = 0
        self._turns = 0

    # Errors

    def error(
        self, kind: str, message: str, site: int | None = None, title: str | None = None
    ) -> SimulationError:
        """An error with the block in which it occurred."""
        op = None if site is None else self.grid.sites[site]
        return SimulationError(
            kind,
            f"{message}, in block {self.index}",
            op,
            title=title or message,
            actor=f"block {self.index}",
        )

    def thread(self, lane: int) -> str:
        """The description of a thread in errors."""
        return f"thread ({', '.join(str(int(t[lane])) for t in self.tid)})"

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
        """An error of `count` threads, whose first lane is `lane`."""
        op = None if site is None else self.grid.sites[site]
        error = SimulationError(
            kind,
            f"{message} {self.thread(lane)} of block {self.index}",
            op,
            title=title or _JOINT.sub("", message),
            notes=notes,
            cause=cause,
            actor=f"{self.thread(lane)} in block {self.index}",
            count=count,
        )
        error.thread = self.index, lane
        return error

    # Scheduling

    def tick(self, steps: int, site: int, mask: Mask) -> None:
        """Counts ops of the lanes of a mask. If the limit is exceeded, the loop around the last op
        is reported."""
        grid = self.grid
        grid.steps += steps
        if grid.paths is not None:
            grid.paths.append(Passed(grid.sites[site], self.index, mask.bits))
        if grid.steps > grid.limits.steps:
            raise SimulationError(
                "limit",
                f"the kernel runs for more than {grid.limits.steps} steps, in block {self.index}",
                grid.sites[site],
                title=f"The kernel runs for more than {grid.limits.steps} steps, the limit",
                notes=endless_loop(grid.sites[site]),
                actor=f"block {self.index}",
            )

    def ran(self, segment: int, mask: Mask) -> None:
        """Counts a segment for the lanes that enter it."""
        if self.grid.profile is not None:
            self.grid.profile.ran(segment, mask, self.index)

    def parted(self, site: int, taken: Mask | None, other: Mask | None) -> None:
        """Counts the warps whose lanes diverge at a branch."""
        if self.grid.profile is not None:
            self.grid.profile.parted(site, taken, other)

    def pick(self, pending: Pending) -> tuple[int, Mask]:
        """The next segment and its lanes."""
        if len(pending) == 1:
            return pending.popitem()
        if self.grid.schedule is not None:
            segment = self.grid.schedule.choice(sorted(pending))
            return segment, pending.pop(segment)
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
        """Like `pick`, for a function that can wait: segment -1 when it returns, -2 when it is
        blocked."""
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
        """Runs a call of a function that can wait; returns False if it waits."""
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

    def survivors(self, mask: Mask) -> Mask | None:
        """The lanes of a mask that have not exited."""
        if not self.any_exited:
            return mask
        bits = mask.bits & ~self.exited
        left = int(np.count_nonzero(bits))
        return mask if left == mask.count else Mask(bits) if left else None

    def enter(self) -> None:
        """Starts a call. Raises SimulationError if calls nest too deeply."""
        self.depth += 1
        if self.depth > self.grid.limits.depth:
            raise self.error("limit", f"calls nest more than {self.grid.limits.depth} deep")
