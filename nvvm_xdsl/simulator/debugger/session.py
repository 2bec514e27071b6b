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
from typing import Any

import numpy as np
from xdsl.dialects.llvm import AllocaOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.debugger.value_text import names_of, scalar_text, stored_type, value_text
from nvvm_xdsl.simulator.execution.memory import LOCAL, WINDOW_MASK, Allocation
from nvvm_xdsl.simulator.execution.recorder import Event, Recorder
from nvvm_xdsl.simulator.execution.sanitizer import function_name, user_place

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
    """

    function: str
    place: Place
    op: Operation


class Session:
    """A recording and a position in it.

    Arguments:
        recorder: a recording of all lanes of a block.
        lane: the thread in focus.
    """

    def __init__(self, recorder: Recorder, lane: int = 0) -> None:
        self.recorder = recorder
        self.events: list[Event] = recorder.events
        self.lane = lane
        self.breakpoints: list[Breakpoint] = []
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
        inside: Operation | None = op or self.op
        while inside is not None and "sym_name" not in inside.properties:
            inside = inside.parent_op()
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
                found.append(StackFrame(function_name(event.op), user_place(event.op), event.op))
                depth = event.depth
        return found

    def of_thread(self, lane: int) -> Session:
        """A view of the same position for another thread, at its next op."""
        view = copy(self)
        view.focus(lane)
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
        depth = len(self.events) if self.ended else self.events[self.at].depth
        line = self.place[:2]
        while True:
            before = self.at
            self.step_op(direction)
            if self.ended or self.at == before:
                break
            deeper = over and self.events[self.at].depth > depth
            if self.place.line is not None and self.place[:2] != line and not deeper:
                break
        if direction < 0:
            self._to_start_of_line()

    def _to_start_of_line(self) -> None:
        line = self.place[:2]
        depth = len(self.events) if self.ended else self.events[self.at].depth
        while True:
            earlier = self._next(self.at, -1)
            # Functions called from the line are part of it.
            while earlier >= 0 and self.events[earlier].depth > depth:
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
            depth = self.events[self.at].depth
            for deeper in [d for d in lines if d > depth]:
                del lines[deeper]
            entered = lines.get(depth) != self.place[:2]
            lines[depth] = self.place[:2]
            if self.stops_here(lines=entered):
                if direction < 0 and not self.stops_here(lines=False):
                    self._to_start_of_line()
                return

    def _lines_by_depth(self) -> dict[int, tuple[str | None, int | None]]:
        """The line of each active function, by its depth."""
        if self.ended:
            return {}
        depth = self.events[self.at].depth
        return {depth - number: frame.place[:2] for number, frame in enumerate(self.stack())}

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

    def values(self, op: Operation | None = None) -> Iterator[tuple[str, str]]:
        """The values of the thread in the function of an op, by default the current op; the latest
        value first."""
        known: list[tuple[int, str, str]] = []
        for value, name in self.names(op).items():
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
        raise ValueError(f"there is no value {name} here")

    # Memory

    def allocation(self, name: str) -> Allocation:
        """The allocation with a name. Raises ValueError if there is none."""
        assert self.recorder.memory is not None
        for allocation in self.recorder.memory.allocations:
            if allocation.name == name:
                return allocation
        raise ValueError(f"there is no allocation {name}")

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
        for event in self.events[: self.at]:
            for touch in event.touches:
                if touch.new is None:
                    continue
                places = touch.places - start
                inside = (places >= 0) & (places < size)
                held[places[inside]] = touch.new[inside]
                written = written or bool(inside.any())
        return held.tobytes(), written

    def variables(self, op: Operation | None = None) -> Iterator[tuple[str, str]]:
        """The scalar variables of an op's function with the names of the source.

        Front ends place variables in local memory (`alloca`) with these names; optimized code has only
        values. Variables without a value yet are omitted.
        """
        memory, lane_base = self.recorder.memory, self.recorder.lane_base
        assert memory is not None
        assert lane_base is not None
        for value in self.names(op):
            if not isinstance(value.owner, AllocaOp) or not value.name_hint:
                continue
            type_ = value.owner.elem_type
            kind, address = stored_type(type_), self._number_of(value)
            if kind is None or address is None:
                continue
            offset = memory.offset[LOCAL] + int(lane_base[self.lane])
            data, written = self._bytes(offset + (address & WINDOW_MASK), kind.itemsize)
            if written:
                scalar = np.frombuffer(data, kind)
                yield value.name_hint.removesuffix(".addr"), scalar_text(type_, scalar, 0, 0)

    def _number_of(self, value: SSAValue) -> int | None:
        """The latest address held by a pointer in the thread."""
        told = self._told.get(value, [])
        for at in reversed(told[: bisect_left(told, self.at)]):
            event = self.events[at]
            if event.lanes[self.lane]:
                lanes = event.values[0]
                return int(lanes[self.lane if lanes.size > 1 else 0])
        return None

    def element(self, name: str, index: int) -> str:
        """The four-byte number at an index of an allocation, as integer and as float."""
        data = self.bytes_of(self.allocation(name))[4 * index : 4 * index + 4]
        if len(data) < 4:
            raise ValueError(f"{name} has no element {index}")
        whole, real = np.frombuffer(data, np.int32)[0], np.frombuffer(data, np.float32)[0]
        return f"{whole}" if abs(int(whole)) < 1 << 16 else f"{real:.6g}"


def _value_of(event: Event, value: SSAValue, lane: int) -> str:
    start = 0
    for result, count in zip(event.results, event.counts):
        if result is value:
            part: tuple[Any, ...] = event.undefined[start : start + count]
            return value_text(value, event.values[start : start + count], part, lane)
        start += count
    return UNKNOWN
