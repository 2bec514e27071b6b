"""Execution traces of one thread, op by op, as text."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import initial_value_of, name_in
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.bounded_files import source_lines
from nvvm_xdsl.simulator.compiler import UNRECORDED
from nvvm_xdsl.simulator.debugger.value_text import function_of, names_of, value_text
from nvvm_xdsl.simulator.execution.memory import WINDOW_NAMES
from nvvm_xdsl.simulator.execution.recorder import Event, Recorder
from nvvm_xdsl.simulator.execution.sanitizer import user_place

INDENT = "    "
VALUES_AT = 48
"""The column at which values start."""


def trace_lines(recorder: Recorder) -> Iterator[str]:
    """A line for each op that the recorded thread executed, under its source line.

    A call has a line at its start, and a line with the result at its end.
    """
    names: dict[SSAValue, str] = {}
    seen: set[Operation] = set()
    line: tuple[str | None, int | None] = (None, None)
    for event in recorder.events:
        op = event.op
        if op is None:
            continue
        function = function_of(op)
        if function is not None and function not in seen:
            seen.add(function)
            names |= names_of(function)
        place = user_place(op)
        if place[:2] != line and place.file is not None and place.line is not None:
            line = place[:2]
            source = "".join(source_lines(place.file)[place.line - 1 : place.line]).strip()
            yield f"{place.file}:{place.line}: {source}".rstrip(": ")
        text = f"{INDENT * event.depth}{op_text(op, names)}  "
        yield f"{text:{VALUES_AT}}{_effects_text(event)}".rstrip()
    if not recorder.complete:
        yield f"the recording ends after {len(recorder.events)} events"


def op_text(op: Operation, names: dict[SSAValue, str]) -> str:
    """The op as one line: results, name and operands."""
    results = ", ".join(names.get(r, "%?") for r in op.results)
    operands = ", ".join(_operand(v, names) for v in fast.operands_of(op))
    return f"{results + ' = ' if results else ''}{op.name} {operands}"


def _operand(value: SSAValue, names: dict[SSAValue, str]) -> str:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name in UNRECORDED:
        number = constant_integer(value)
        held = initial_value_of(owner)
        symbol = owner.properties.get("global_name")
        if number is not None:
            return str(number)
        if isinstance(held, FloatAttr):
            return f"{held.value.data:g}"
        if symbol is not None:
            return f"@{name_in(symbol)}"
    return names.get(value, "%?")


def _effects_text(event: Event) -> str:
    """The results of an op, and the memory that it wrote."""
    parts: list[str] = []
    start = 0
    for value, count in zip(event.results, event.counts):
        leaves, masks = event.values[start : start + count], event.undefined[start : start + count]
        parts.append(value_text(value, leaves, masks, 0))
        start += count
    for touch in event.touches:
        name = WINDOW_NAMES[int(touch.window[0]) % len(WINDOW_NAMES)]
        text = f"{name} {int(touch.address[0]):#x}, {touch.size} bytes"
        if touch.old is not None and touch.new is not None:
            old, new = touch.old[0].tobytes().hex(), touch.new[0].tobytes().hex()
            text += f": {old} -> {new}" if touch.size <= 8 else ""
        parts.append(f"[{touch.kind} {text}]")
    return "  ".join(parts)
