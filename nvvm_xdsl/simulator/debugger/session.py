"""The core of the debugger: the values and the memory at a position in a recording."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from xdsl.dialects.llvm import AllocaOp, LLVMPointerType
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm.debug_fields import constant_bits
from nvvm_xdsl.dialects.llvm.debug_placement import DebugRecords
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir.locations import location_of, scope_of
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.debugger.position import Position, StackFrame
from nvvm_xdsl.simulator.debugger.source_text import OPTIMIZED_OUT, source_text
from nvvm_xdsl.simulator.debugger.value_text import (
    function_of,
    scalar_text,
    stored_type,
    value_text,
)
from nvvm_xdsl.simulator.debugger.variables import (
    Description,
    SourceVariables,
    UnsupportedExpression,
    UnwrittenMemory,
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

UNKNOWN = "-"
"""The placeholder of a value that a thread does not have yet."""


class Session(Position):
    """A position in a recording, with the values and the memory at that time.

    Arguments:
        recorder: a recording of all lanes of a block.
        lane: the thread in focus.
        records: the debug records of the module, which were removed from it before the launch.
    """

    def __init__(
        self, recorder: Recorder, lane: int = 0, records: DebugRecords | None = None
    ) -> None:
        super().__init__(recorder, lane)
        self._described = SourceVariables(records or DebugRecords())
        self._memory_at: int | None = None
        self._events_of: dict[SSAValue, list[int]] = {}
        for at, event in enumerate(self.events):
            for value in event.results:
                self._events_of.setdefault(value, []).append(at)

    def in_frame(self, frame: StackFrame) -> Self:
        """A view of an active function: its values at its active call, and the present memory."""
        view = copy(self)
        view.at, view._memory_at = frame.at, self.at
        return view

    def _as(self, lane: int) -> Self:
        """A view of the same event for another thread."""
        view = copy(self)
        view.lane = lane
        return view

    # Values

    def text_of(self, value: SSAValue, lane: int | None = None) -> str:
        """The current value of a variable in a thread."""
        lane = self.lane if lane is None else lane
        events = self._events_of.get(value, [])
        for at in reversed(events[: bisect_left(events, self.at)]):
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
                events = self._events_of[value]
                known.append((events[bisect_left(events, self.at) - 1], name, text))
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
        latest: dict[Variable, list[tuple[Description, int]]] = {}
        location: Attribute | None = None
        for at in self._events_of_frame():
            op = self.events[at].op
            assert op is not None
            place = location_of(op)
            if location is None and scope_of(place) is not None:
                location = place
            for description in reversed(self._described.before(op)):
                found = latest.setdefault(description.variable, [])
                if all(other.fragment not in (None, description.fragment) for other, _ in found):
                    found.append((description, at))
        if location is None:
            return
        function = function_of(self.op)
        located = self._described.of(function)
        for variable in self._described.visible(function, location):
            if variable in latest:
                text = self._text_described(variable, latest[variable])
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

    def _text_described(self, variable: Variable, latest: Sequence[tuple[Description, int]]) -> str:
        """The value of a variable; empty if its memory is not written.

        Arguments:
            latest: the latest description of each fragment with the event before which it was
                passed, the newest first; the last may describe the whole variable.
        """
        newest = latest[0][0]
        if newest.symbol and newest.fragment is None:
            return f"&{newest.symbol}"
        bits, missing, unwritten, uncovered, undefined = 0, 0, 0, -1, False
        for description, at in latest:
            offset, size = description.fragment or (0, 0)
            here = uncovered & ((1 << size) - 1 << offset if size else -1)
            uncovered &= ~here
            try:
                number, unknown = self._described_bits(description, at)
            except UnsupportedExpression as error:
                return f"not evaluated: {error}"
            except UnwrittenMemory:
                number, unknown = None, False
                unwritten |= here
            if number is None:
                missing |= here
            else:
                bits |= number << offset & here
            undefined = undefined or unknown
        if unwritten and unwritten == ~uncovered:
            return ""
        text = source_text(variable.type, bits, missing | uncovered)
        return f"{text}?" if undefined else text

    def _described_bits(self, description: Description, at: int) -> tuple[int | None, bool]:
        """The bits of a variable or its fragment, None if there are none, and whether any bits of
        the value that describes it are undefined.

        Raises UnsupportedExpression or UnwrittenMemory.
        """
        record = description.record
        if record.constant is not None:
            number, unknown = constant_bits(record.constant), False
        else:
            number, unknown = self._bits_at(record.value, at)
        if number is None:
            return None, False
        space = GENERIC
        if record.value is not None and isinstance(record.value.type, LLVMPointerType):
            space = WINDOW_OF_SPACE.get(address_space_of(record.value.type), GENERIC)

        def read(address: int, size: int) -> int:
            window = address >> WINDOW_SHIFT if space == GENERIC else space
            if not 0 <= window < len(WINDOW_NAMES):
                raise UnsupportedExpression(f"invalid address {address:#x}")
            data, written = self._bytes(self._position(window, address & WINDOW_MASK), size)
            if window == LOCAL and not written:
                raise UnwrittenMemory
            return int.from_bytes(data, "little")

        return evaluated(description, number, read), unknown

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
        events = [] if value is None else self._events_of.get(value, [])
        for earlier in reversed(events[: bisect_left(events, at)]):
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
