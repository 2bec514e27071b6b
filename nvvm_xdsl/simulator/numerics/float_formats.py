"""Formats of floating point: their bits, values and rounding to them.

Formats are named `f16`, `bf16`, `f32`, `f64`. An `f16`, `f32` or `f64` array has NumPy's dtype of
that name, a `bf16` array holds the bits as `uint16`. Rounding modes are PTX's: `rn` to nearest
even, `rz` toward zero, `rm` toward minus infinity, `rp` toward plus infinity, `rna` to nearest,
ties away. NaN results are canonical (PTX ISA, "Single-precision floating-point ... NaN"): 0x7fff,
0x7fffffff, and for `f64` 0x7ff8000000000000.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

Lanes = np.ndarray[Any, Any]
NAN_BITS = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}
BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
PRECISION = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
MIN_NORMAL = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
UNSIGNED: dict[int, Any] = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
DTYPE: dict[str, Any] = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}
NAN = {
    name: np.array([bits], UNSIGNED[BITS[name]]).view(DTYPE[name])[0]
    for name, bits in NAN_BITS.items()
}
SIGN = {name: UNSIGNED[bits](1 << (bits - 1)) for name, bits in BITS.items()}
ONE = {name: UNSIGNED[bits](1) for name, bits in BITS.items()}


def bits(a: Lanes, fmt: str) -> Lanes:
    """The bit patterns of `a`."""
    return a.view(UNSIGNED[BITS[fmt]])


def from_bits(a: Lanes, fmt: str) -> Lanes:
    """The values that have the bit patterns `a`."""
    return a.view(DTYPE[fmt])


def widen(a: Lanes, fmt: str) -> Lanes:
    """`a` as float64, exactly."""
    if fmt == "bf16":
        return (a.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    return a.astype(np.float64)


def is_nan(a: Lanes, fmt: str) -> Lanes:
    """Whether each element of `a` is a NaN."""
    if fmt == "bf16":
        return (a & np.uint16(0x7FFF)) > np.uint16(0x7F80)
    return a != a


def canonical(a: Lanes, fmt: str) -> Lanes:
    """`a` with canonical NaNs; changes the array in place, so the caller must hold the only
    reference."""
    nan = is_nan(a, fmt)
    if nan.any():
        a[nan] = NAN[fmt]
    return a


def flush(a: Lanes, fmt: str) -> Lanes:
    """`a` with subnormal numbers replaced by zeros of their signs."""
    if fmt == "bf16":
        tiny = (a & np.uint16(0x7F80)) == 0
    else:
        tiny = np.abs(a) < DTYPE[fmt](MIN_NORMAL[fmt])
    if tiny.any():
        raw = bits(a, fmt)
        return from_bits(np.where(tiny, raw & SIGN[fmt], raw), fmt)
    return a


def flushed(ftz: bool, fmt: str, *operands: Lanes) -> tuple[Lanes, ...]:
    """Operands, with subnormals flushed if requested."""
    return tuple(flush(o, fmt) for o in operands) if ftz else operands


def saturate(a: Lanes, fmt: str) -> Lanes:
    """`a` clamped to [0, 1]; NaN becomes +0, as defined for `.sat`."""
    wide = widen(a, fmt)
    clamped = np.where(wide > 0.0, np.minimum(wide, 1.0), 0.0)
    return round_to(clamped, fmt)


def relu(a: Lanes, fmt: str) -> Lanes:
    """`a` with negative numbers and -0 made +0; NaN becomes the canonical one."""
    raw = bits(a, fmt)
    out = from_bits(np.where((raw & SIGN[fmt]) != 0, raw.dtype.type(0), raw), fmt)
    nan = is_nan(a, fmt)
    return np.where(nan, NAN[fmt], out) if nan.any() else out


def _nearest(x: Lanes, fmt: str) -> Lanes:
    if fmt == "f64":
        return x.copy()
    if fmt == "f32":
        return x.astype(np.float32)
    if fmt == "f16":
        return x.astype(np.float16)
    narrow = _odd_to_f32(x)
    raw = narrow.view(np.uint32)
    rounded = raw + np.uint32(0x7FFF) + ((raw >> np.uint32(16)) & np.uint32(1))
    out = (rounded >> np.uint32(16)).astype(np.uint16)
    nan = narrow != narrow
    if nan.any():
        out = np.where(nan, np.uint16(0x7FFF), out)
    return out


def _odd_to_f32(x: Lanes) -> Lanes:
    """float64 to float32, rounded to odd."""
    near = x.astype(np.float32)
    wide = near.astype(np.float64)
    inexact = (wide != x) & (x == x)
    raw = near.view(np.uint32)
    even = inexact & ((raw & np.uint32(1)) == 0)
    if not even.any():
        return near
    larger = np.abs(wide) > np.abs(x)
    return np.where(even, np.where(larger, raw - np.uint32(1), raw + np.uint32(1)), raw).view(
        np.float32
    )


def round_to(x: Lanes, fmt: str, mode: str = "rn") -> Lanes:
    """The float64 array `x`, exact or rounded to odd, in format `fmt`; a NaN is canonical."""
    near = _nearest(x, fmt)
    if mode != "rn" and fmt != "f64":
        wide = widen(near, fmt)
        raw = bits(near, fmt)
        one = ONE[fmt]
        negative = np.signbit(x)
        away = np.abs(wide) > np.abs(x)
        toward = np.abs(wide) < np.abs(x)
        if mode == "rz":
            raw = np.where(away, raw - one, raw)
        elif mode in ("rm", "rp"):
            grow = negative if mode == "rm" else ~negative
            raw = np.where(grow & toward, raw + one, np.where(~grow & away, raw - one, raw))
        elif mode == "rna":
            below = from_bits(np.where(away, raw - one, raw), fmt)
            above = from_bits(bits(below, fmt) + one, fmt)
            half = (np.abs(widen(below, fmt)) + np.abs(widen(above, fmt))) / 2
            raw = np.where(toward & (np.abs(x) == half), raw + one, raw)
        else:
            raise ValueError(f"rounding mode {mode}")
        near = from_bits(raw, fmt)
    return canonical(near, fmt)


def exact_round(value: Fraction, fmt: str, mode: str, zero_sign: int = 1) -> int:
    """The bits of `value` in format `fmt`; a zero takes the sign `zero_sign` if `value` is zero."""
    return round_ratio(value.numerator, value.denominator, fmt, mode, zero_sign)


def round_ratio(numerator: int, denominator: int, fmt: str, mode: str, zero_sign: int = 1) -> int:
    """`exact_round` of a ratio with a positive denominator, which need not be in lowest terms."""
    width, precision = BITS[fmt], PRECISION[fmt]
    bias = (1 << (width - precision - 1)) - 1
    if numerator == 0:
        return 0 if zero_sign > 0 else 1 << (width - 1)
    negative = numerator < 0
    magnitude = -numerator if negative else numerator
    exponent = magnitude.bit_length() - denominator.bit_length()
    if exponent >= 0:
        exponent -= magnitude < denominator << exponent
    else:
        exponent -= magnitude << -exponent < denominator
    quantum = max(exponent, 1 - bias) - (precision - 1)
    if quantum >= 0:
        denominator <<= quantum
    else:
        magnitude <<= -quantum
    whole, rest = divmod(magnitude, denominator)
    # Positive if the remainder is more than a half, 0 if it equals a half.
    half = 2 * rest - denominator
    match mode:
        case "rn":
            up = half > 0 or (half == 0 and whole & 1 == 1)
        case "rna":
            up = half >= 0
        case "rm":
            up = negative and rest > 0
        case "rp":
            up = not negative and rest > 0
        case "rz":
            up = False
        case _:
            raise ValueError(f"rounding mode {mode}")
    whole += up
    result = whole + ((quantum + precision - 1 + bias - 1) << (precision - 1))
    infinity = ((1 << (width - precision)) - 1) << (precision - 1)
    if result >= infinity:
        toward_zero = mode == "rz" or (mode == "rm" and not negative) or (mode == "rp" and negative)
        result = infinity - 1 if toward_zero else infinity
    return result | (1 << (width - 1) if negative else 0)
