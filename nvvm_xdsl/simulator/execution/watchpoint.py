"""Watchpoints: the writes to one byte of memory, with their ops and threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.simulator.execution.memory import Access, Mask

MOST: Final = 10_000
"""Maximum number of recorded writes; older ones are discarded."""


@dataclass(frozen=True)
class Write:
    """One write of the watched byte: the op, and the thread in its block."""

    op: Operation
    lane: int
    block: tuple[int, int, int]

    def __str__(self) -> str:
        """The description of the write in a report."""
        return f"thread {self.lane} of block {self.block}"


@dataclass
class Watchpoint:
    """The writes of one byte of the arena, in order."""

    position: int
    writes: list[Write] = field(default_factory=list[Write])

    def note(
        self, op: Operation, block: tuple[int, int, int], mask: Mask, access: Access, size: int
    ) -> None:
        """Records a write of `size` bytes by the lanes of a mask."""
        start = access.position
        hit = np.flatnonzero((start <= self.position) & (self.position < start + size))
        if not hit.size:
            return
        # If several lanes write the byte, the value of the last lane remains.
        lane = int(mask.index[-1] if start.size == 1 else mask.index[hit[-1]])
        if len(self.writes) >= MOST:
            del self.writes[0]
        self.writes.append(Write(op, lane, block))
