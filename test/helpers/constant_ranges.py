"""Returns all ranges of a small width."""

from __future__ import annotations

from nvvm_xdsl.analysis.values.constant_range import (
    ConstantRange,
)

WIDTH = 3


RANGES = [ConstantRange(WIDTH, start, size) for start in range(8) for size in range(1, 8)] + [
    ConstantRange.full(WIDTH),
    ConstantRange.empty(WIDTH),
]


def signed(value: int, width: int = WIDTH) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


HOLDS = [
    lambda a, b: a == b, lambda a, b: a != b,
    lambda a, b: signed(a) < signed(b), lambda a, b: signed(a) <= signed(b),
    lambda a, b: signed(a) > signed(b), lambda a, b: signed(a) >= signed(b),
    lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
]  # fmt: skip
