"""A position in a recording: the commands that move it, and breakpoints.

The position is an op that is about to execute in one thread, the focus. Commands move it forwards
and backwards by ops, by source lines and to breakpoints, or change the focus.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.simulator.debugger.value_text import function_of, names_of
from nvvm_xdsl.simulator.execution.recorder import Event, Recorder
from nvvm_xdsl.simulator.execution.sanitizer import function_name, inlined_frames, user_place


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


class Position:
    """A recording, and the next op of one of its threads.

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
        self.at = self._next(-1, 1)

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

    def of_thread(self, lane: int) -> Self:
        """A view of the same position for another thread, at its next op."""
        view = copy(self)
        view.focus(lane)
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
