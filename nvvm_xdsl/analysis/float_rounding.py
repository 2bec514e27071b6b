"""Rounding of exact numbers to floating-point types."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

MANTISSA_BITS: dict[Attribute, tuple[int, int, int]] = {
    F16: (11, -14, 15),
    BF16: (8, -126, 127),
    F32: (24, -126, 127),
    F64: (53, -1022, 1023),
}
"""Precision, and minimum and maximum exponent of the normal numbers of each float type."""


def as_fraction(number: float | Decimal) -> Fraction:
    """An exact number for computation. Raises OverflowError or ValueError for infinities and
    NaNs."""
    from fractions import Fraction

    return Fraction(number)


def round_to(
    value: Fraction, type_: Attribute, mode: Callable[[Fraction], int] = round
) -> float | None:
    """An exact number rounded to a float type; None if it is denormal, or too large for its
    rounding mode.

    Arguments:
        mode: the rounding mode. `round` rounds to nearest, ties to even; with the other modes a
            number that is too large does not become infinite.
    """
    precision, least, greatest = MANTISSA_BITS[type_]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < as_fraction(2) ** exponent:
        exponent -= 1
    if exponent < least:
        return None
    unit = as_fraction(2) ** (exponent - precision + 1)
    rounded = mode(value / unit) * unit
    if abs(rounded) >= as_fraction(2) ** (greatest + 1):
        # The value may exceed Python's floats; only its sign is used.
        return math.inf * (1 if value > 0 else -1) if mode is round else None
    return float(rounded)


def is_denormal(value: float, type_: Attribute) -> bool:
    """Returns True if a number is denormal in the float type."""
    return value != 0.0 and abs(value) < 2.0 ** MANTISSA_BITS[type_][1]
