"""The origin of an undefined value: a backward walk through a recording of one thread.

Like MemorySanitizer's `-fsanitize-memory-track-origins`, but after the error: the launch, which is
deterministic, is repeated with a recorder.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import callee_of, symbol_name
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.errors import describe
from nvvm_xdsl.simulator.execution.memory import WRITES
from nvvm_xdsl.simulator.execution.recorder import Event, Recorder, Touch

MOST_STEPS: Final = 1000
"""Maximum number of steps of the walk."""

_VALUELESS = frozenset({"llvm.mlir.undef", "llvm.mlir.poison"})


class Origins:
    """The backward walk from undefined values of one thread.

    Arguments:
        recorder: a recording of the thread with tracking of undefined values.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.events = recorder.events
        self.memory = recorder.memory
        self._left = MOST_STEPS

    def of(self, op: Operation, step: int) -> list[str]:
        """The origin of an op's undefined operand as lines of text, starting with the use.

        Arguments:
            step: number of ops that the launch had executed when the use was detected.
        """
        used = (i for i, e in enumerate(self.events) if e.op is op and e.step >= step)
        at = next(used, None)
        return [] if at is None else self._of_operands(op, at)

    def _of_operands(self, op: Operation, before: int) -> list[str]:
        for operand in fast.operands_of(op):
            found = self._event_of(operand, before)
            if found is not None and _undefined(self.events[found], operand):
                return self._of_value(operand, found)
        return [f"it is created by {describe(op)}"]

    def _event_of(self, value: SSAValue, before: int) -> int | None:
        """The last event before an event in which a value was recorded."""
        for at in range(before - 1, -1, -1):
            if value in self.events[at].results:
                return at
        return None

    def _of_value(self, value: SSAValue, at: int) -> list[str]:
        self._left -= 1
        if self._left < 0:
            return ["whose origin is too many ops away to be traced"]
        event = self.events[at]
        op = event.op
        if op is None:
            return self._of_argument(value, event, at)
        if op.name == "llvm.call":
            return self._of_call(op, event, at)
        reads = [touch for touch in event.touches if touch.kind not in WRITES]
        if reads:
            return self._of_memory(op, reads[0], at)
        if op.name in _VALUELESS or not fast.operands_of(op):
            return [f"it is the undefined value {describe(op)}"]
        return self._of_operands(op, at)

    def _of_argument(self, value: SSAValue, event: Event, at: int) -> list[str]:
        block = event.what.block
        assert block is not None
        index = event.results.index(value)
        for before in range(at - 1, -1, -1):
            branch = self.events[before].op
            passed = None if branch is None else self._passed(branch, block, index, before)
            if passed is None:
                continue
            found = self._event_of(passed, before)
            if found is not None and _undefined(self.events[found], passed):
                return self._of_value(passed, found)
            # The value is a constant; constants are not recorded.
            return [f"it is passed by {describe(branch)}" if branch is not None else ""]
        return []

    def _passed(self, op: Operation, block: Block, index: int, at: int) -> SSAValue | None:
        """The value that a branch or call passes to an argument of a block; None for another op."""
        if op.name == "llvm.call":
            callee = callee_of(op)
            function = block.parent_op()
            if callee is None or function is None or callee != symbol_name(function):
                return None
            return fast.operands_of(op)[index]
        if block not in fast.successors_of(op):
            return None
        values = [edge[1][index] for edge in edges_of(op) if edge[0] is block]
        for value in values:
            found = self._event_of(value, at)
            if found is not None and _undefined(self.events[found], value):
                return value
        return values[0]

    def _of_call(self, op: Operation, event: Event, at: int) -> list[str]:
        for before in range(at - 1, -1, -1):
            inner = self.events[before]
            if inner.depth == event.depth + 1 and inner.op is not None:
                if inner.op.name == "llvm.return":
                    return self._of_operands(inner.op, before)
        return [f"it is the result of {describe(op)}"]

    def _of_memory(self, op: Operation, touch: Touch, at: int) -> list[str]:
        wanted = touch.places
        for before in range(at - 1, -1, -1):
            for earlier in self.events[before].touches:
                if earlier.kind in WRITES and np.isin(wanted, earlier.places).any():
                    return self._of_store(self.events[before], before, self._name(touch))
        name = self._name(touch)
        return [f"it is read from {name}, where nothing was written, by {describe(op)}"]

    def _of_store(self, event: Event, at: int, name: str) -> list[str]:
        op = event.op
        if op is None:
            return []
        reads = [touch for touch in event.touches if touch.kind not in WRITES]
        stored = f"it is stored to {name} by {describe(op)}"
        if reads:
            return [stored, *self._of_memory(op, reads[0], at)]
        return [stored, *self._of_operands(op, at)]

    def _name(self, touch: Touch) -> str:
        assert self.memory is not None
        window, low = int(touch.window[0]), int(touch.address[0])
        found = self.memory.nearest_allocation(window, low)
        if found is None:
            return f"address {low:#x}"
        allocation = found[1]
        origin = f" ({allocation.origin})" if allocation.origin else ""
        return f"'{allocation.name}'{origin} at offset {low - allocation.address}"


def _undefined(event: Event, value: SSAValue) -> bool:
    """Whether a value recorded in an event has undefined bits."""
    start = 0
    for result, count in zip(event.results, event.counts):
        if result is value:
            masks: tuple[Any, ...] = event.undefined[start : start + count]
            return any(not isinstance(m, int) and bool(np.any(m)) for m in masks)
        start += count
    return False
