"""A recording of the ops, values and memory accesses of the threads of one block, in order.

Programs prepared with `recording` report each op before it runs, and each value when it is defined.
The state at any event can be reconstructed, so that a debugger can also move backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.simulator.execution.memory import (
    GENERIC,
    WINDOW_MASK,
    WINDOW_SHIFT,
    WRITES,
    Access,
    Lanes,
    Mask,
    Memory,
)


class Launch(Protocol):
    """The interface of a launch that the recorder uses."""

    steps: int


class Threads(Protocol):
    """The interface of a block's threads that the recorder uses."""

    index: tuple[int, int, int]
    lanes: int
    tid: tuple[Lanes, Lanes, Lanes]
    memory: Memory
    lane_base: Lanes
    depth: int

    @property
    def grid(self) -> Launch:
        """The launch that the block belongs to."""
        ...


MOST_EVENTS: Final = 200_000
"""Default maximum number of events."""


@dataclass(frozen=True)
class Recorded:
    """The static description of an event: an op, or the arguments of a block.

    Arguments:
        op: the op; None for the arguments of `block`.
        values: the recorded values, and the number of scalars of each.
    """

    op: Operation | None
    block: IRBlock | None
    values: tuple[SSAValue, ...] = ()
    counts: tuple[int, ...] = ()


@dataclass
class Touch:
    """An access to memory by the threads of an event.

    Attributes:
        window, address: the state space and the address of each thread, or one for all.
        position: the position in the arena of each active thread, or one for all.
        old: the bytes before a write, one row for each position.
        new: the bytes after it.
    """

    kind: str
    window: Lanes
    address: Lanes
    position: Lanes
    size: int
    old: Lanes | None = None
    new: Lanes | None = None

    @property
    def places(self) -> Lanes:
        """The position of each byte in the arena."""
        return self.position[:, None] + np.arange(self.size)


@dataclass
class Event:
    """One op executed by some threads of a block at once.

    Attributes:
        values: scalars of its results, each an array with one element per lane or one for all.
        undefined: the masks of their undefined bits; 0 if all bits are defined.
        depth: number of active calls.
        step: number of ops that the launch executed before.
    """

    what: Recorded
    lanes: Lanes
    depth: int
    step: int
    results: tuple[SSAValue, ...] = ()
    counts: tuple[int, ...] = ()
    values: tuple[Lanes, ...] = ()
    undefined: tuple[Any, ...] = ()
    touches: list[Touch] = field(default_factory=list[Touch])

    @property
    def op(self) -> Operation | None:
        """The op; None if a block is entered."""
        return self.what.op


@dataclass
class Recorder:
    """Records one block.

    Arguments:
        block: the block's index in the grid.
        lane: the only thread that is recorded; None for all threads of the block.
        most: maximum number of events; later events are not recorded.
    """

    block: tuple[int, int, int] = (0, 0, 0)
    lane: int | None = None
    most: int = MOST_EVENTS
    events: list[Event] = field(default_factory=list[Event], init=False)
    program: Sequence[Recorded] = ()
    complete: bool = True
    lanes: int = 0
    threads: tuple[Lanes, Lanes, Lanes] | None = None
    """The coordinates of each lane."""
    memory: Memory | None = None
    lane_base: Lanes | None = None
    """The start of the local memory of each lane, in the part of the arena for local memory."""
    snapshot: Lanes | None = None
    """The contents of the arena before the first event."""
    _open: dict[Operation, Event] = field(default_factory=dict[Operation, Event], init=False)

    def _wants(self, block: Threads, mask: Mask) -> bool:
        if block.index != self.block:
            return False
        if self.lane is not None and not mask.bits[self.lane]:
            return False
        if len(self.events) >= self.most:
            self.complete = False
            return False
        if self.snapshot is None:
            self.lanes, self.threads, self.memory = block.lanes, block.tid, block.memory
            self.snapshot = block.memory.bytes.copy()
            self.lane_base = block.lane_base
        return True

    def _of_lane(self, value: Any) -> Any:
        if self.lane is None or isinstance(value, int) or value.size == 1:
            return value
        return value[self.lane : self.lane + 1].copy()

    def _add(self, block: Threads, what: Recorded, mask: Mask) -> Event:
        self.settle()
        event = Event(what, mask.bits, block.depth, block.grid.steps)
        self.events.append(event)
        return event

    def begins(self, block: Threads, number: int, mask: Mask) -> None:
        """Records that an op is about to execute."""
        if not self._wants(block, mask):
            return
        what = self.program[number]
        event = self._add(block, what, mask)
        if what.op is not None:
            self._open[what.op] = event

    def defined(
        self,
        block: Threads,
        number: int,
        mask: Mask,
        values: tuple[Lanes, ...],
        undefined: tuple[Any, ...],
    ) -> None:
        """Records values: results of the started op, or the arguments of a block."""
        if not self._wants(block, mask):
            return
        what = self.program[number]
        event = None if what.op is None else self._open.get(what.op)
        if event is None or event is not self.events[-1] or event.lanes is not mask.bits:
            event = self._add(block, what, mask)
        event.results, event.counts = what.values, what.counts
        event.values = tuple(self._of_lane(v) for v in values)
        event.undefined = tuple(self._of_lane(u) for u in undefined)

    def accessed(
        self,
        block: Threads,
        mask: Mask,
        address: Lanes,
        window: int,
        access: Access,
        size: int,
        kind: str,
    ) -> None:
        """Records the memory access of the last started op."""
        if not self.events or not self._wants(block, mask):
            return
        position, tags = access.position, np.array([window], np.int64)
        low = address.astype(np.uint64).view(np.int64)
        if window == GENERIC:
            tags, low = low >> WINDOW_SHIFT, low & WINDOW_MASK
        if self.lane is not None and position.size > 1:
            row = int(np.searchsorted(mask.index, self.lane))
            position = position[row : row + 1]
        touch = Touch(kind, self._of_lane(tags), self._of_lane(low), position, size)
        if kind in WRITES:
            touch.old = block.memory.bytes[touch.places]
        self.events[-1].touches.append(touch)

    def settle(self) -> None:
        """Records the values written by the last event."""
        if self.events and self.memory is not None:
            for touch in self.events[-1].touches:
                if touch.old is not None and touch.new is None:
                    touch.new = self.memory.bytes[touch.places]
