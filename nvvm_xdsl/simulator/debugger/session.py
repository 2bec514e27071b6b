"""The core of the debugger: a position in a recording, with queries and commands.

The position is an op that is about to execute in one thread, the focus. Commands move it forwards
and backwards by ops, by source lines and to breakpoints, or change the focus.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.llvm import AllocaOp, LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.debug_fields import constant_bits
from nvvm_xdsl.dialects.llvm.debug_placement import DebugRecords
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir.locations import Place, scope_of
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.debugger.source_text import source_text
from nvvm_xdsl.simulator.debugger.value_text import (
    function_of,
    names_of,
    scalar_text,
    stored_type,
    value_text,
)
from nvvm_xdsl.simulator.debugger.variables import (
    OPTIMIZED_OUT,
    Description,
    SourceVariables,
    UnsupportedExpression,
    Variable,
    evaluated,
)
from nvvm_xdsl.simulator.execution.memory import (
    GENERIC,
    LOCAL,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_OF_SPACE,
    WINDOW_SHIFT,
    Allocation,
)
from nvvm_xdsl.simulator.execution.recorder import Event, Recorder
from nvvm_xdsl.simulator.execution.sanitizer import function_name, inlined_frames, user_place

UNKNOWN = "-"
"""The placeholder of a value that a thread does not have yet."""


@dataclass(frozen=True)
class Breakpoint:
    """A breakpoint: a line, all ops with a name, or the op that defines a value.

    Arguments:
        text: the input of the user: `8`, `saxpy.cu:8`, `llvm.store` or `%sum`.
    """

    text: str

    @property
    def is_line(self) -> bool:
        """Whether it is a line; execution stops at the first op of the line."""
        return self.text.rpartition(":")[2].isdigit() and not self.text.startswith("%")

    def matches(self, op: Operation, place: Place, names: dict[SSAValue, str]) -> bool:
        """Whether execution stops at an op."""
        if self.text.startswith("%"):
            return any(names.get(result) == self.text for result in op.results)
        file, colon, line = self.text.rpartition(":")
        if line.isdigit():
            if place.file is None or place.line != int(line):
                return False
            return not colon or Path(place.file).name == Path(file).name
        return op.name == self.text


@dataclass(frozen=True)
class StackFrame:
    """An active function and its current location.

    Arguments:
        op: the op that is about to execute; in a caller, the active call.
        at: the event of the op.
    """

    function: str
    place: Place
    op: Operation
    at: int


class Session:
    """A recording and a position in it.

    Arguments:
        recorder: a recording of all lanes of a block.
        lane: the thread in focus.
        records: the debug records of the module, which were removed from it before the launch.
    """

    def __init__(
        self, recorder: Recorder, lane: int = 0, records: DebugRecords | None = None
    ) -> None:
        self.recorder = recorder
        self.events: list[Event] = recorder.events
        self.lane = lane
        self.breakpoints: list[Breakpoint] = []
        self._described = SourceVariables(records or DebugRecords())
        self._memory_at: int | None = None
        self._names: dict[Operation, dict[SSAValue, str]] = {}
        self._told: dict[SSAValue, list[int]] = {}
        for at, event in enumerate(self.events):
            for value in event.results:
                self._told.setdefault(value, []).append(at)
        self.at = self._next(-1, 1)

    # Position

    @property
    def ended(self) -> bool:
        """Whether the thread has ended."""
        return self.at >= len(self.events)

    @property
    def op(self) -> Operation | None:
        """The op that is about to execute; None at the end."""
        return None if self.ended else self.events[self.at].op

    @property
    def place(self) -> Place:
        """The source location of the op that is about to execute; for code from headers, the line
        at which it was inlined."""
        return user_place(self.op)

    @property
    def active(self) -> list[int]:
        """The threads that execute the op together."""
        return [] if self.ended else np.flatnonzero(self.events[self.at].lanes).tolist()

    def names(self, op: Operation | None = None) -> dict[SSAValue, str]:
        """The names of the values in the function of an op, by default the current function."""
        inside = function_of(op or self.op)
        if inside is None:
            return {}
        if inside not in self._names:
            self._names[inside] = names_of(inside)
        return self._names[inside]

    def stack(self) -> list[StackFrame]:
        """The call stack, innermost function first."""
        if self.ended:
            return []
        found: list[StackFrame] = []
        depth = self.events[self.at].depth + 1
        for at in range(self.at, -1, -1):
            event = self.events[at]
            if event.op is not None and event.depth < depth and self._runs(at):
                place = user_place(event.op)
                found.append(StackFrame(function_name(event.op), place, event.op, at))
                depth = event.depth
        return found

    def of_thread(self, lane: int) -> Session:
        """A view of the same position for another thread, at its next op."""
        view = copy(self)
        view.focus(lane)
        return view

    def in_frame(self, frame: StackFrame) -> Session:
        """A view of an active function: its values at its active call, and the present memory."""
        view = copy(self)
        view.at, view._memory_at = frame.at, self.at
        return view

    def _as(self, lane: int) -> Session:
        """A view of the same event for another thread."""
        view = copy(self)
        view.lane = lane
        return view

    def thread(self, lane: int | None = None) -> str:
        """The coordinates of a thread, by default the focus."""
        lane = self.lane if lane is None else lane
        assert self.recorder.threads is not None
        return f"({', '.join(str(int(t[lane])) for t in self.recorder.threads)})"

    # Moving

    def _runs(self, at: int) -> bool:
        return bool(self.events[at].lanes[self.lane]) and self.events[at].op is not None

    def _next(self, start: int, direction: int) -> int:
        """The next event of the focus; the number of events if there is none."""
        at = start + direction
        while 0 <= at < len(self.events) and not self._runs(at):
            at += direction
        return at

    def step_op(self, direction: int = 1) -> None:
        """Moves to the next op of the thread, or back to the previous one."""
        at = self._next(self.at, direction)
        if at >= 0:
            self.at = at

    def step_line(self, direction: int = 1, *, over: bool = False) -> None:
        """Moves to the next source line, or back to the start of the previous one.

        Arguments:
            over: do not stop in called functions.
        """
        depth = self._depth(self.at)
        line = self.place[:2]
        while True:
            before = self.at
            self.step_op(direction)
            if self.ended or self.at == before:
                break
            deeper = over and self._depth(self.at) > depth
            if self.place.line is not None and self.place[:2] != line and not deeper:
                break
        if direction < 0:
            self._to_start_of_line()

    def _to_start_of_line(self) -> None:
        line = self.place[:2]
        depth = self._depth(self.at)
        while True:
            earlier = self._next(self.at, -1)
            # Functions called from the line are part of it.
            while earlier >= 0 and self._depth(earlier) > depth:
                earlier = self._next(earlier, -1)
            if earlier < 0 or user_place(self.events[earlier].op)[:2] != line:
                return
            self.at = earlier

    def resume(self, direction: int = 1) -> None:
        """Moves to the next or previous breakpoint, or else to the end or start.

        A breakpoint at a line stops execution once, before the first op, and again only after the
        thread has left the line.
        """
        lines = self._lines_by_depth()
        while True:
            before = self.at
            self.step_op(direction)
            if self.ended or self.at == before:
                return
            depth = self._depth(self.at)
            for deeper in [d for d in lines if d > depth]:
                del lines[deeper]
            entered = lines.get(depth) != self.place[:2]
            lines[depth] = self.place[:2]
            if self.stops_here(lines=entered):
                if direction < 0 and not self.stops_here(lines=False):
                    self._to_start_of_line()
                return

    def _depth(self, at: int) -> tuple[int, int]:
        """The number of active calls at an event, and of calls that its line was inlined at."""
        if at >= len(self.events):
            return len(self.events), 0
        event = self.events[at]
        assert event.op is not None
        places = [frame.place for frame in inlined_frames(event.op, "")]
        return event.depth, len(places) - 1 - places.index(user_place(event.op))

    def _lines_by_depth(self) -> dict[tuple[int, int], tuple[str | None, int | None]]:
        """The line of each active function, by its depth."""
        found: dict[tuple[int, int], tuple[str | None, int | None]] = {}
        for frame in self.stack():
            depth, inlined = self._depth(frame.at)
            places = [f.place for f in inlined_frames(frame.op, "")][-inlined - 1 :]
            found |= {(depth, inlined - i): place[:2] for i, place in enumerate(places)}
        return found

    def stops_here(self, *, lines: bool = True) -> bool:
        """Whether there is a breakpoint at the op that is about to execute.

        Arguments:
            lines: whether breakpoints at lines are considered.
        """
        op = self.op
        names = self.names()
        return op is not None and any(
            b.matches(op, self.place, names) for b in self.breakpoints if lines or not b.is_line
        )

    def restart(self) -> None:
        """Moves to the first op."""
        self.at = self._next(-1, 1)

    def to_end(self) -> None:
        """Moves past the last op."""
        self.at = len(self.events)

    def focus(self, lane: int) -> None:
        """Changes the focus to another thread, at its next op."""
        if not 0 <= lane < self.recorder.lanes:
            raise ValueError(f"the block has threads 0 to {self.recorder.lanes - 1}")
        self.lane = lane
        if not self.ended and not self._runs(self.at):
            self.at = self._next(self.at, 1)

    def toggle(self, text: str) -> bool:
        """Sets or removes a breakpoint; returns whether it is set now."""
        breakpoint_ = Breakpoint(text)
        if breakpoint_ in self.breakpoints:
            self.breakpoints.remove(breakpoint_)
            return False
        self.breakpoints.append(breakpoint_)
        return True

    # Values

    def text_of(self, value: SSAValue, lane: int | None = None) -> str:
        """The current value of a variable in a thread."""
        lane = self.lane if lane is None else lane
        told = self._told.get(value, [])
        for at in reversed(told[: bisect_left(told, self.at)]):
            event = self.events[at]
            if event.lanes[lane]:
                return _value_of(event, value, lane)
        return UNKNOWN

    def values(self) -> Iterator[tuple[str, str]]:
        """The values of the thread in the current function; the latest value first."""
        known: list[tuple[int, str, str]] = []
        for value, name in self.names().items():
            text = self.text_of(value)
            if text != UNKNOWN:
                told = self._told[value]
                known.append((told[bisect_left(told, self.at) - 1], name, text))
        for _, name, text in sorted(known, key=lambda item: -item[0]):
            yield name, text

    def warp(self) -> range:
        """The lanes of the warp of the focus."""
        first = self.lane // WARP_SIZE * WARP_SIZE
        return range(first, min(first + WARP_SIZE, self.recorder.lanes))

    def watch(self, name: str) -> list[str]:
        """The value of each thread of the warp in the current function, or in memory.

        Arguments:
            name: `%sum`, a variable of the source, `sum`, or an allocation and an element of four bytes: `out[3]`.
        Raises:
            ValueError: there is no value, variable or allocation with the name.
        """
        for value, known in self.names().items():
            if known == name:
                return [self.text_of(value, lane) for lane in self.warp()]
        if name in dict(self.variables()):
            return [dict(self._as(lane).variables()).get(name, UNKNOWN) for lane in self.warp()]
        base, bracket, index = name.removesuffix("]").partition("[")
        if bracket and index.isdigit():
            return [self.element(base, int(index))] * len(self.warp())
        raise ValueError(f"no value {name} is defined here")

    # Memory

    def allocation(self, name: str) -> Allocation:
        """The allocation with a name. Raises ValueError if there is none."""
        assert self.recorder.memory is not None
        for allocation in self.recorder.memory.allocations:
            if allocation.name == name:
                return allocation
        raise ValueError(f"unknown allocation {name}")

    def bytes_of(self, allocation: Allocation) -> bytes:
        """The current contents of an allocation."""
        assert self.recorder.memory is not None
        start = self.recorder.memory.position(allocation.window, allocation.address)
        return self._bytes(start, allocation.size)[0]

    def _bytes(self, start: int, size: int) -> tuple[bytes, bool]:
        """Current bytes of the arena, and whether the recorded ops have written any of them."""
        snapshot = self.recorder.snapshot
        assert snapshot is not None
        held = snapshot[start : start + size].copy()
        written = False
        for event in self.events[: self.at if self._memory_at is None else self._memory_at]:
            for touch in event.touches:
                if touch.new is None:
                    continue
                places = touch.places - start
                inside = (places >= 0) & (places < size)
                held[places[inside]] = touch.new[inside]
                written = written or bool(inside.any())
        return held.tobytes(), written

    def variables(self) -> Iterator[tuple[str, str]]:
        """The source variables in scope, with their values.

        Debug records describe them. Without records these are the scalar variables in local memory,
        where front ends place variables. Variables without a value yet are omitted.
        """
        if self._described.of(function_of(self.op)):
            yield from self._described_variables()
        else:
            yield from self._local_variables()

    def _described_variables(self) -> Iterator[tuple[str, str]]:
        latest: dict[Variable, tuple[Description, int]] = {}
        location: Attribute | None = None
        for at in self._events_of_frame():
            op = self.events[at].op
            assert op is not None
            place = cast(Attribute, op.location)
            if location is None and scope_of(place) is not None:
                location = place
            for description in reversed(self._described.before(op)):
                latest.setdefault(description.variable, (description, at))
        if location is None:
            return
        function = function_of(self.op)
        located = self._described.of(function)
        for variable in self._described.visible(function, location):
            if variable in latest:
                text = self._text_described(*latest[variable])
            else:
                text = "" if located[variable] else OPTIMIZED_OUT
            if text:
                yield variable.name, text

    def _events_of_frame(self) -> Iterator[int]:
        """The events of the thread in the current activation of the function, the latest first."""
        if self.ended:
            return
        depth = self.events[self.at].depth
        for at in range(self.at, -1, -1):
            if self._runs(at) and self.events[at].depth <= depth:
                if self.events[at].depth < depth:
                    return
                yield at

    def _text_described(self, description: Description, at: int) -> str:
        """The value of a variable by its latest description; empty if its memory is not written."""
        record, type_ = description.record, description.variable.type
        if record.constant is not None:
            number, unknown = constant_bits(record.constant), False
        else:
            number, unknown = self._bits_at(record.value, at)
        if description.symbol:
            return f"&{description.symbol}"
        if number is None:
            return OPTIMIZED_OUT
        space = GENERIC
        if record.value is not None and isinstance(record.value.type, LLVMPointerType):
            space = WINDOW_OF_SPACE.get(address_space_of(record.value.type), GENERIC)
        missing = False

        def read(address: int, size: int) -> int:
            nonlocal missing
            window = address >> WINDOW_SHIFT if space == GENERIC else space
            if not 0 <= window < len(WINDOW_NAMES):
                raise UnsupportedExpression(f"invalid address {address:#x}")
            data, written = self._bytes(self._position(window, address & WINDOW_MASK), size)
            missing = missing or (window == LOCAL and not written)
            return int.from_bytes(data, "little")

        try:
            bits = evaluated(description, number, read)
        except UnsupportedExpression as error:
            return f"not evaluated: {error}"
        if missing:
            return ""
        return source_text(type_, bits) + ("?" if unknown else "")

    def _position(self, window: int, address: int) -> int:
        """The position of an address of the thread in the arena."""
        memory, lane_base = self.recorder.memory, self.recorder.lane_base
        assert memory is not None
        assert lane_base is not None
        own = int(lane_base[self.lane]) if window == LOCAL else 0
        return memory.position(window, address) + own

    def _bits_at(self, value: SSAValue | None, at: int) -> tuple[int | None, bool]:
        """The latest bits of a value before an event, None if there are none, and whether any of
        them is undefined."""
        told = [] if value is None else self._told.get(value, [])
        for earlier in reversed(told[: bisect_left(told, at)]):
            event = self.events[earlier]
            if event.lanes[self.lane]:
                assert value is not None
                leaves, masks = _leaves_of(event, value, self.lane)
                data = b"".join(leaf.tobytes() for leaf in leaves)
                return int.from_bytes(data, "little"), any(masks)
        return None, False

    def _local_variables(self) -> Iterator[tuple[str, str]]:
        for value in self.names():
            if not isinstance(value.owner, AllocaOp) or not value.name_hint:
                continue
            type_ = value.owner.elem_type
            kind, (address, _) = stored_type(type_), self._bits_at(value, self.at)
            if kind is None or address is None:
                continue
            position = self._position(LOCAL, address & WINDOW_MASK)
            data, written = self._bytes(position, kind.itemsize)
            if written:
                scalar = np.frombuffer(data, kind)
                yield value.name_hint.removesuffix(".addr"), scalar_text(type_, scalar, 0, 0)

    def element(self, name: str, index: int) -> str:
        """The four-byte number at an index of an allocation, as integer and as float."""
        data = self.bytes_of(self.allocation(name))[4 * index : 4 * index + 4]
        if len(data) < 4:
            raise ValueError(f"{name} has no element {index}")
        whole, real = np.frombuffer(data, np.int32)[0], np.frombuffer(data, np.float32)[0]
        return f"{whole}" if abs(int(whole)) < 1 << 16 else f"{real:.6g}"


def _part_of(event: Event, value: SSAValue) -> slice:
    """The scalars of a value among those of an event."""
    start = 0
    for result, count in zip(event.results, event.counts):
        if result is value:
            return slice(start, start + count)
        start += count
    return slice(0, 0)


def _value_of(event: Event, value: SSAValue, lane: int) -> str:
    part = _part_of(event, value)
    return value_text(value, event.values[part], event.undefined[part], lane)


def _leaves_of(event: Event, value: SSAValue, lane: int) -> tuple[list[Any], list[int]]:
    """The scalars of a value in a thread, and the masks of their undefined bits."""

    def own(lanes: Any) -> Any:
        return lanes if isinstance(lanes, int) else lanes[lane if lanes.size > 1 else 0]

    part = _part_of(event, value)
    return [own(v) for v in event.values[part]], [int(own(u)) for u in event.undefined[part]]
