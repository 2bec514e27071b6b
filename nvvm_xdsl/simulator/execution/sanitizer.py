"""Collects the errors of a launch instead of ending it at the first one.

A report is one kind of error at one op, with the number of occurrences and the first thread that
caused it. The wording is that of compute-sanitizer (Compute Sanitizer documentation, "Memcheck
Tool", "Racecheck Tool", "Initcheck Tool", "Synccheck Tool") for errors that it also reports.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final, cast

from xdsl.dialects.builtin import CallSiteLoc
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.ir.locations import NOWHERE, Place, place_of, place_of_location
from nvvm_xdsl.simulator.errors import SimulationError

TOOLS: Final = {"memcheck": "memory", "racecheck": "race", "initcheck": "init", "synccheck": "sync"}
"""compute-sanitizer's tools and the corresponding checks."""

FATAL: Final = frozenset({"limit", "unsupported"})
"""Kinds of errors after which no further block is run."""

GENERATED: Final = "<simulator @"
"""Prefix of the file names of generated sources, before the function's name."""

_HEADER = re.compile(r"(^|/)(usr|include)/|\.(h|hh|hpp|hxx|cuh|inc|inl)$")


@dataclass(frozen=True)
class CallFrame:
    """One level of a call stack: a function, or inlined code, and the location in it."""

    function: str
    place: Place
    inlined: bool = False

    def __str__(self) -> str:
        """`saxpy in saxpy.cu:8:16`."""
        name = f"code inlined into {self.function}" if self.inlined else self.function
        return name if self.place.file is None else f"{name} in {self.place}"


@dataclass
class Report:
    """One kind of error at one location.

    Attributes:
        kind: a kind of `SimulationError`, or `leak`.
        title: the error.
        stack: the call stack, from the op outwards.
        actor: the first thread that caused it.
        notes: details, one per line.
        count: number of occurrences in all threads.
        origins: the origin of an undefined value, from its use backwards.
    """

    kind: str
    title: str
    op: Operation | None
    stack: tuple[CallFrame, ...]
    actor: str | None
    notes: tuple[str, ...]
    count: int = 0
    origins: list[str] = field(default_factory=list[str])
    step: int = 0
    """Number of ops executed in the launch before the first occurrence."""
    thread: tuple[tuple[int, int, int], int] | None = None
    """The block and the index in it of the first affected thread."""

    @property
    def place(self) -> Place:
        """The location to inspect: the innermost call outside of headers."""
        return _outside_headers(self.stack) if self.stack else place_of(self.op)


def is_header(file: str) -> bool:
    """Whether a file probably belongs to a library and not to the user's code."""
    return _HEADER.search(file) is not None


def inlined_frames(op: Operation, function: str) -> Iterator[CallFrame]:
    """The frame of an op, and those of the calls that it was inlined at, from the innermost."""
    location = op.location
    inlined = True
    while inlined:
        inlined = isinstance(location, CallSiteLoc)
        yield CallFrame(function, place_of_location(location), inlined)
        if isinstance(location, CallSiteLoc):
            location = location.caller


def _outside_headers(
    frames: Sequence[CallFrame], in_header: Callable[[str], bool] = is_header
) -> Place:
    own = (f.place for f in frames if f.place.file is not None and not in_header(f.place.file))
    return next(own, frames[0].place)


def user_place(op: Operation | None, in_header: Callable[[str], bool] = is_header) -> Place:
    """The location of an op; for code in headers, the location that it was inlined to."""
    return NOWHERE if op is None else _outside_headers(list(inlined_frames(op, "")), in_header)


def _generated_frames(error: SimulationError) -> list[FrameType]:
    """The frames of the generated functions of an error, from the innermost."""
    frames: list[FrameType] = []
    trace = error.__traceback__
    while trace is not None:
        frames.insert(0, trace.tb_frame)
        trace = trace.tb_next
    if not frames:
        # The error was reported without being raised, so the functions are still active.
        frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            frames.append(frame)
            frame = frame.f_back
    return [frame for frame in frames if frame.f_code.co_filename.startswith(GENERATED)]


def call_stack(error: SimulationError, sites: list[Operation]) -> tuple[CallFrame, ...]:
    """The call stack of an error."""
    found: list[CallFrame] = []
    frames = _generated_frames(error)
    op = error.op
    at = op
    callers: list[FrameType | None] = [*frames[1:], None]
    for frame, caller in zip(frames, callers):
        name = frame.f_code.co_filename[len(GENERATED) :].rstrip(">")
        if at is None:
            found.append(CallFrame(name, NOWHERE))
        else:
            found += inlined_frames(at, name)
        # Each call records its site before it is executed.
        site = None if caller is None else cast("int | None", caller.f_locals.get("at"))
        at = None if site is None else sites[site]
    if not found and op is not None:
        found += inlined_frames(op, function_name(op))
    return tuple(found)


def function_name(op: Operation) -> str:
    """The name of the function of an op."""
    current: Operation | None = op
    while current is not None and "sym_name" not in current.properties:
        current = current.parent_op()
    return (None if current is None else symbol_name(current)) or "?"


@dataclass
class Sanitizer:
    """The reports of a launch, in order of their first occurrence.

    Attributes:
        reports: keyed by the properties that make two errors equal.
        complete: whether every block was run.
    """

    reports: dict[Any, Report] = field(default_factory=dict[Any, Report])
    complete: bool = True

    def add(self, error: SimulationError, sites: list[Operation], step: int) -> None:
        """Adds an error."""
        key = (error.kind, error.title, error.op, error.cause)
        report = self.reports.get(key)
        if report is None:
            stack = call_stack(error, sites)
            report = self.reports[key] = Report(
                error.kind, error.title, error.op, stack, error.actor, error.notes, step=step
            )
            report.thread = error.thread
        report.count += error.count

    def leaked(self, origin: str, sizes: list[int], op: Operation | None) -> None:
        """Adds memory of device malloc that was not freed."""
        self.reports["leak", origin, op] = Report(
            "leak",
            f"Leaked {sum(sizes)} bytes of device memory in {len(sizes)}"
            f" allocation{'s' * (len(sizes) != 1)}",
            op,
            tuple(inlined_frames(op, function_name(op))) if op is not None else (),
            None,
            (origin,),
            len(sizes),
        )

    def errors(self) -> list[Report]:
        """The reports, in order of their first occurrence."""
        return list(self.reports.values())
