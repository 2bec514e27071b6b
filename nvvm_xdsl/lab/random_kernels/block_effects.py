"""Stores and atomic operations in many blocks of a random kernel.

A pass that removes, duplicates or moves a block changes the effects of the thread, also where the
block computes nothing else that is observed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from nvvm_xdsl.lab.random_kernels.memory_statements import SLOTS

SHARE = 0.3
"""Share of the blocks that get an effect."""

OWN_SLOT = "  %e{n}p = getelementptr inbounds i64, ptr %own_l, i32 {slot}"
EFFECTS = (
    (OWN_SLOT, "  store i64 {number}, ptr %e{n}p"),
    (OWN_SLOT, "  store volatile i64 {number}, ptr %e{n}p"),
    (
        OWN_SLOT,
        "  %e{n}v = load i64, ptr %e{n}p",
        "  %e{n}s = add i64 %e{n}v, {number}",
        "  store i64 %e{n}s, ptr %e{n}p",
    ),
    ("  %e{n}v = atomicrmw add ptr %counters, i32 {number} monotonic",),
)
"""The lines of each effect. The first element of the counters is a sum, so that the order of the
threads does not matter."""


def with_block_effects(lines: Sequence[str], chance: random.Random) -> list[str]:
    """The lines of a kernel's body, with effects after the labels and PHIs of some blocks."""
    result: list[str] = []
    pending: list[str] = []
    for line in lines:
        if pending and " = phi " not in line:
            result += pending
            pending = []
        result.append(line)
        if line.endswith(":") and chance.random() < SHARE:
            number, slot = chance.randrange(1, 1000), chance.randrange(SLOTS)
            effect = chance.choice(EFFECTS)
            pending = [part.format(n=len(result), slot=slot, number=number) for part in effect]
    return result + pending
