"""Floating-point arithmetic on the bits of numbers, for atomic operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

_FORMATS: Final[dict[int, tuple[Any, Any]]] = {
    2: (np.uint16, np.float16),
    4: (np.uint32, np.float32),
    8: (np.uint64, np.float64),
}
"""Integer and floating-point type by size in bytes."""

_OPERATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": np.add,
    "sub": np.subtract,
    "min": np.fmin,
    "max": np.fmax,
}

FLOAT_OPERATIONS: Final = frozenset(_OPERATIONS)


def float_result(name: str, a: int, b: int, size: int) -> int:
    """The bits of an operation, rounded to nearest.

    Arguments:
        name: one of `FLOAT_OPERATIONS`.
        size: size of the IEEE format in bytes: 2, 4 or 8.
    """
    bits, number = _FORMATS[size]
    x, y = (bits(value).view(number) for value in (a, b))
    with np.errstate(all="ignore"):
        return int(number(_OPERATIONS[name](x, y)).view(bits))
