"""Conversions of floating point: to and from integers, between formats, and to formats of at most
eight bits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics.float_formats import (
    BITS,
    PRECISION,
    SIGN,
    UNSIGNED,
    Lanes,
    bits,
    canonical,
    exact_round,
    flush,
    flushed,
    round_to,
    saturate,
    widen,
)


def round_integral(a: Lanes, fmt: str, mode: str, ftz: bool = False) -> Lanes:
    """`a` rounded to an integer: modes `rni`, `rzi`, `rmi`, `rpi`, `rnai` (ties away)."""
    (a,) = flushed(ftz, fmt, a)
    return round_to(_integral(widen(a, fmt), mode), fmt)


def _integral(x: Lanes, mode: str) -> Lanes:
    if mode == "rni":
        return np.rint(x)
    if mode == "rzi":
        return np.trunc(x)
    if mode == "rmi":
        return np.floor(x)
    if mode == "rpi":
        return np.ceil(x)
    whole = np.trunc(x)
    # The difference of two infinities is NaN, for which the comparison with a half is false.
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)


def to_integer(
    a: Lanes, fmt: str, width: int, signed: bool, mode: str = "rzi", ftz: bool = False
) -> Lanes:
    """PTX `cvt` to an integer of `width` bits: rounded by `mode`, clamped to the type's range.

    A NaN gives 0, or `1 << (width - 1)` if the source is f64 or the destination has 64 bits
    (PTX ISA, cvt).
    """
    (a,) = flushed(ftz, fmt, a)
    x = _integral(widen(a, fmt), mode)
    low = -(2.0 ** (width - 1)) if signed else 0.0
    high = 2.0 ** (width - 1) if signed else 2.0**width
    top = (1 << (width - 1)) - 1 if signed else (1 << width) - 1
    bottom = 1 << (width - 1) if signed else 0
    kind = np.uint64
    inside = (x > low) & (x < high)
    held = np.where(inside, x, 0.0)
    if signed:
        out = held.astype(np.int64).view(np.uint64)
    else:
        out = held.astype(np.uint64)
    out = np.where(x >= high, kind(top), np.where(x <= low, kind(bottom), out))
    nan_value = bottom or 1 << (width - 1)
    if not (fmt == "f64" or width == 64):
        nan_value = 0
    nan = x != x
    if nan.any():
        out = np.where(nan, kind(nan_value), out)
    container = 8 if width <= 8 else 16 if width <= 16 else 32 if width <= 32 else 64
    return out.astype(UNSIGNED[container])


def from_integer(a: Lanes, signed: bool, fmt: str, mode: str = "rn") -> Lanes:
    """The integers `a`, in unsigned containers and interpreted as signed if `signed`, in format
    `fmt`."""
    width = a.dtype.itemsize * 8
    whole = a.view(f"i{a.dtype.itemsize}") if signed else a
    if width <= 32:
        return round_to(whole.astype(np.float64), fmt, mode)
    if fmt == "f64":
        if mode == "rn":
            return whole.astype(np.float64)
        exact = [exact_round(Fraction(int(v)), "f64", mode) for v in whole]
        return np.array(exact, np.uint64).view(np.float64)
    if fmt == "f32" and mode == "rn":
        return whole.astype(np.float32)
    negative = whole < 0
    magnitude = np.where(negative, (~a) + np.uint64(1), a)
    sticky = (magnitude & np.uint64(0x7FF)) != 0
    large = magnitude >> np.uint64(53) != 0
    odd = (magnitude & ~np.uint64(0x7FF)) | np.where(sticky, np.uint64(0x800), np.uint64(0))
    value = np.where(large, odd, magnitude).astype(np.float64)
    return round_to(np.where(negative, -value, value), fmt, mode)


def convert(
    a: Lanes, source: str, target: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a` of format `source` in format `target`."""
    if ftz and source == "f32":
        a = flush(a, source)
    if source == target:
        out = canonical(a.copy(), target)
    else:
        out = round_to(widen(a, source), target, mode)
    if ftz and target == "f32":
        out = flush(out, target)
    return saturate(out, target) if sat else out


def compute(function: Callable[..., Any], fmt: str, *operands: Lanes, ftz: bool = False) -> Lanes:
    """An approximate function: computed in float64, rounded once, well within PTX's bounds."""
    operands = flushed(ftz, fmt, *operands)
    out = round_to(np.asarray(function(*(widen(o, fmt) for o in operands)), np.float64), fmt)
    return flush(out, fmt) if ftz else out


def narrow_float(
    a: Lanes, exponent_bits: int, mantissa_bits: int, finite_only: bool, mode: str = "rn"
) -> Lanes:
    """float64 to a small format (fp8, fp6, fp4), saturating to its largest finite number.

    The result is the bits as `uint8`. `finite_only`: the format has no infinity. e4m3 has one NaN
    pattern; e2m3, e3m2 and e2m1 have none and convert NaN to the largest finite number.
    """
    bias = (1 << (exponent_bits - 1)) - 1
    magnitude = np.abs(a)
    top = (1 << (exponent_bits + mantissa_bits)) - 1
    if exponent_bits == 4 and mantissa_bits == 3:
        top -= 1
    elif not finite_only:
        top -= 1 << mantissa_bits
    codes = np.arange(top + 1)
    exponents = codes >> mantissa_bits
    fractions = codes & ((1 << mantissa_bits) - 1)
    table = np.where(
        exponents == 0,
        fractions * 2.0 ** (1 - bias - mantissa_bits),
        (1 + fractions / (1 << mantissa_bits)) * 2.0 ** (exponents - bias),
    )
    below = np.clip(np.searchsorted(table, magnitude, side="right") - 1, 0, top)
    above = np.minimum(below + 1, top)
    gap_low, gap_high = magnitude - table[below], table[above] - magnitude
    if mode == "rz":
        code = below
    else:
        up = (gap_high < gap_low) | ((gap_high == gap_low) & (below % 2 == 1))
        code = np.where(up, above, below)
    nan = a != a
    sign = np.where(np.signbit(a) & ~nan, 1 << (exponent_bits + mantissa_bits), 0)
    nan_code = (
        (1 << (exponent_bits + mantissa_bits)) - 1
        if (exponent_bits, mantissa_bits) in ((4, 3), (5, 2))
        else top
    )
    code = np.where(nan, nan_code, code)
    return (code | sign).astype(np.uint8)


def small_float(code: Lanes, exponent_bits: int, mantissa_bits: int) -> Lanes:
    """The float64 values of fp8, fp6 or fp4 bits."""
    bias = (1 << (exponent_bits - 1)) - 1
    raw = code.astype(np.int64)
    exponent = (raw >> mantissa_bits) & ((1 << exponent_bits) - 1)
    fraction = raw & ((1 << mantissa_bits) - 1)
    value = np.where(
        exponent == 0,
        fraction * 2.0 ** (1 - bias - mantissa_bits),
        (1 + fraction / (1 << mantissa_bits)) * 2.0 ** (exponent - bias).astype(np.float64),
    )
    top = (1 << exponent_bits) - 1
    if (exponent_bits, mantissa_bits) == (5, 2):
        value = np.where(exponent == top, np.where(fraction == 0, np.inf, np.nan), value)
    elif (exponent_bits, mantissa_bits) == (4, 3):
        value = np.where((exponent == top) & (fraction == 7), np.nan, value)
    negative = (raw >> (exponent_bits + mantissa_bits)) & 1 != 0
    return np.where(negative, -value, value)


def is_class(a: Lanes, fmt: str, test: int) -> Lanes:
    """LLVM's `is.fpclass`: bits from signaling NaN up to plus infinity."""
    raw = bits(a, fmt)
    width, precision = BITS[fmt], PRECISION[fmt]
    kind = raw.dtype.type
    fraction = raw & kind((1 << (precision - 1)) - 1)
    exponent = (raw >> kind(precision - 1)) & kind((1 << (width - precision)) - 1)
    negative = (raw & SIGN[fmt]) != 0
    top = exponent == kind((1 << (width - precision)) - 1)
    nan = top & (fraction != 0)
    quiet = nan & ((fraction >> kind(precision - 2)) != 0)
    infinite = top & (fraction == 0)
    zero = (exponent == 0) & (fraction == 0)
    subnormal = (exponent == 0) & (fraction != 0)
    normal = ~top & (exponent != 0)
    classes = (
        nan & ~quiet, quiet, infinite & negative, normal & negative, subnormal & negative, zero & negative,
        zero & ~negative, subnormal & ~negative, normal & ~negative, infinite & ~negative,
    )  # fmt: skip
    out = np.zeros(a.shape, bool)
    for i, members in enumerate(classes):
        if test >> i & 1:
            out |= members
    return out
