"""Floating point as PTX computes it: correctly rounded in every mode, on arrays.

Formats are named `f16`, `bf16`, `f32`, `f64`. An `f16`, `f32` or `f64` array has NumPy's dtype of
that name, a `bf16` array holds the bits as `uint16`. Rounding modes are PTX's: `rn` to nearest
even, `rz` toward zero, `rm` toward minus infinity, `rp` toward plus infinity, `rna` to nearest,
ties away.

Operations on formats of at most 32 bits are computed in `float64` rounded to odd, which loses
nothing that a later rounding to the smaller format could need (Boldo and Melquiond, "Emulation of
FMA and correctly rounded sums"). Those on `f64` use error-free transformations, and exact integers
where these do not hold. NaN results are canonical (PTX ISA, "Single-precision floating-point
... NaN"): 0x7fff, 0x7fffffff, and for `f64` 0x7ff8000000000000.
"""

from __future__ import annotations

from collections.abc import Callable
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

_NAN = {
    name: np.array([bits], UNSIGNED[BITS[name]]).view(DTYPE[name])[0]
    for name, bits in NAN_BITS.items()
}
_SIGN = {name: UNSIGNED[bits](1 << (bits - 1)) for name, bits in BITS.items()}
_ONE = {name: UNSIGNED[bits](1) for name, bits in BITS.items()}


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
    """Where `a` is a NaN."""
    if fmt == "bf16":
        return (a & np.uint16(0x7FFF)) > np.uint16(0x7F80)
    return a != a


def canonical(a: Lanes, fmt: str) -> Lanes:
    """`a`, an array that nobody else holds, with each NaN made the canonical one."""
    nan = is_nan(a, fmt)
    if nan.any():
        a[nan] = _NAN[fmt]
    return a


def flush(a: Lanes, fmt: str) -> Lanes:
    """`a` with subnormal numbers replaced by zeros of their signs."""
    if fmt == "bf16":
        tiny = (a & np.uint16(0x7F80)) == 0
    else:
        tiny = np.abs(a) < DTYPE[fmt](MIN_NORMAL[fmt])
    if tiny.any():
        raw = bits(a, fmt)
        return from_bits(np.where(tiny, raw & _SIGN[fmt], raw), fmt)
    return a


def saturate(a: Lanes, fmt: str) -> Lanes:
    """`a` clamped to [0, 1]; NaN becomes +0, as `.sat` says."""
    wide = widen(a, fmt)
    clamped = np.where(wide > 0.0, np.minimum(wide, 1.0), 0.0)
    return round_to(clamped, fmt)


def relu(a: Lanes, fmt: str) -> Lanes:
    """`a` with negative numbers and -0 made +0; NaN becomes the canonical one."""
    raw = bits(a, fmt)
    out = from_bits(np.where((raw & _SIGN[fmt]) != 0, raw.dtype.type(0), raw), fmt)
    nan = is_nan(a, fmt)
    return np.where(nan, _NAN[fmt], out) if nan.any() else out


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
        one = _ONE[fmt]
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


def _to_odd(s: Lanes, error: Lanes) -> Lanes:
    """`s`, the nearest float64 to the exact value `s + error`, rounded to odd instead."""
    raw = s.view(np.uint64)
    even = (error != 0) & ((raw & np.uint64(1)) == 0) & np.isfinite(s) & (error == error)
    if not even.any():
        return s
    grow = (error > 0) == (s > 0)
    one = np.uint64(1)
    return np.where(even, np.where(grow, raw + one, raw - one), raw).view(np.float64)


def _two_sum(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


_SPLIT = 134217729.0


def _split(a: Lanes) -> tuple[Lanes, Lanes]:
    t = a * _SPLIT
    high = t - (t - a)
    return high, a - high


def _two_product(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    p = a * b
    ah, al = _split(a)
    bh, bl = _split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def _odd_add(a: Lanes, b: Lanes) -> Lanes:
    s, error = _two_sum(a, b)
    return _to_odd(s, error)


def _odd_div(a: Lanes, b: Lanes) -> Lanes:
    q = a / b
    high, low = _split(q)
    error = (a - high * b) - low * b
    return _to_odd(q, np.where(b < 0, -error, error))


def _odd_sqrt(a: Lanes) -> Lanes:
    s = np.sqrt(a)
    high, low = _split(s)
    return _to_odd(s, ((a - high * high) - 2 * high * low) - low * low)


def exact_round(value: Fraction, fmt: str, mode: str, zero_sign: int = 1) -> int:
    """The bits of `value` in format `fmt`; a zero takes the sign `zero_sign` if `value` is zero."""
    width, precision = BITS[fmt], PRECISION[fmt]
    bias = (1 << (width - precision - 1)) - 1
    if value == 0:
        return 0 if zero_sign > 0 else 1 << (width - 1)
    negative = value < 0
    magnitude = -value if negative else value
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    quantum = max(exponent, 1 - bias) - (precision - 1)
    scaled = magnitude / Fraction(2) ** quantum
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    remainder = Fraction(rest, scaled.denominator)
    up = {
        "rn": remainder > Fraction(1, 2) or (remainder == Fraction(1, 2) and whole & 1 == 1),
        "rna": remainder >= Fraction(1, 2),
        "rz": False,
        "rm": negative and remainder > 0,
        "rp": not negative and remainder > 0,
    }[mode]
    whole += up
    result = whole + ((quantum + precision - 1 + bias - 1) << (precision - 1))
    infinity = ((1 << (width - precision)) - 1) << (precision - 1)
    if result >= infinity:
        toward_zero = mode == "rz" or (mode == "rm" and not negative) or (mode == "rp" and negative)
        result = infinity - 1 if toward_zero else infinity
    return result | (1 << (width - 1) if negative else 0)


def _sum(x: Fraction, y: Fraction) -> Fraction:
    return x + y


def _product(x: Fraction, y: Fraction) -> Fraction:
    return x * y


def _quotient(x: Fraction, y: Fraction) -> Fraction:
    return x / y


def _product_sum(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    return x * y + z


def _exact64(
    function: Callable[..., Fraction | None],
    naive: Lanes,
    mode: str,
    where: Lanes,
    *operands: Lanes,
) -> Lanes:
    """`naive` with the elements `where` replaced by the exactly rounded `function`."""
    out = naive.copy()
    raw = out.view(np.uint64)
    shaped = [np.broadcast_to(o, out.shape) for o in operands]
    for i in np.flatnonzero(where):
        exact = function(*(Fraction(float(o[i])) for o in shaped))
        if exact is None:
            continue
        sign = -1 if exact == 0 and (mode == "rm" or np.signbit(out[i])) else 1
        if exact == 0 and mode != "rm":
            sign = -1 if np.signbit(out[i]) else 1
        raw[i] = exact_round(exact, "f64", mode, sign)
    return out


def _finite(*operands: Lanes) -> Lanes:
    out = np.isfinite(operands[0])
    for o in operands[1:]:
        out = out & np.isfinite(o)
    return out


def _ftz_in(ftz: bool, fmt: str, *operands: Lanes) -> tuple[Lanes, ...]:
    return tuple(flush(o, fmt) for o in operands) if ftz else operands


def _finish(out: Lanes, fmt: str, ftz: bool, sat: bool, relu_: bool = False) -> Lanes:
    if ftz:
        out = flush(out, fmt)
    if sat:
        out = saturate(out, fmt)
    if relu_:
        out = relu(out, fmt)
    return out


def add(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a + b`."""
    a, b = _ftz_in(ftz, fmt, a, b)
    if fmt == "f64":
        out = a + b
        if mode != "rn":
            # Zeros of one sign keep it; of two signs they cancel, as other numbers do.
            zeros = (a == 0) & (b == 0) & (np.signbit(a) == np.signbit(b))
            out = _exact64(_sum, out, mode, _finite(a, b) & ~zeros, a, b)
        return canonical(out, fmt)
    if mode == "rn" and fmt != "bf16":
        out = canonical(a + b, fmt)
    else:
        x, y = widen(a, fmt), widen(b, fmt)
        odd = _odd_add(x, y)
        if mode == "rm":
            # An exact zero sum of operands that are not both +0 is -0 when rounding downward.
            cancelled = (odd == 0) & ~((x == 0) & (y == 0) & ~np.signbit(x) & ~np.signbit(y))
            odd = np.where(cancelled, -0.0, odd)
        out = round_to(odd, fmt, mode)
    return _finish(out, fmt, ftz, sat)


def negate(a: Lanes, fmt: str) -> Lanes:
    """`a` with its sign bit flipped."""
    return from_bits(bits(a, fmt) ^ _SIGN[fmt], fmt)


def absolute(a: Lanes, fmt: str) -> Lanes:
    """`a` with its sign bit cleared."""
    return from_bits(bits(a, fmt) & ~_SIGN[fmt], fmt)


def copysign(magnitude: Lanes, sign: Lanes, fmt: str) -> Lanes:
    """The magnitude of one operand with the sign of the other."""
    return from_bits((bits(magnitude, fmt) & ~_SIGN[fmt]) | (bits(sign, fmt) & _SIGN[fmt]), fmt)


def sub(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a - b`."""
    return add(a, negate(b, fmt), fmt, mode, ftz, sat)


def mul(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a * b`."""
    a, b = _ftz_in(ftz, fmt, a, b)
    if fmt == "f64":
        out = a * b
        if mode != "rn":
            finite = _finite(a, b) & (a != 0) & (b != 0)
            out = _exact64(_product, out, mode, finite, a, b)
        return canonical(out, fmt)
    if mode == "rn" and fmt != "bf16":
        out = canonical(a * b, fmt)
    else:
        out = round_to(widen(a, fmt) * widen(b, fmt), fmt, mode)
    return _finish(out, fmt, ftz, sat)


def fma(
    a: Lanes,
    b: Lanes,
    c: Lanes,
    fmt: str,
    mode: str = "rn",
    ftz: bool = False,
    sat: bool = False,
    relu_: bool = False,
) -> Lanes:
    """`a * b + c` with one rounding."""
    a, b, c = _ftz_in(ftz, fmt, a, b, c)
    if fmt == "f64":
        if mode == "rn":
            return canonical(_fma64(a, b, c), fmt)
        naive = _two_roundings(a, b, c)
        zeros = ((a == 0) | (b == 0)) & (c == 0)
        zeros &= (np.signbit(a) ^ np.signbit(b)) == np.signbit(c)
        finite = _finite(a, b, c) & ~zeros
        return canonical(_exact64(_product_sum, naive, mode, finite, a, b, c), fmt)
    product, addend = widen(a, fmt) * widen(b, fmt), widen(c, fmt)
    odd = _odd_add(product, addend)
    if mode == "rm":
        zeros = (product == 0) & (addend == 0) & ~np.signbit(product) & ~np.signbit(addend)
        odd = np.where((odd == 0) & ~zeros, -0.0, odd)
    return _finish(round_to(odd, fmt, mode), fmt, ftz, sat, relu_)


def _two_roundings(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """`a * b + c` but for the rounding; a product beyond the range is no infinity beside an infinite `c`."""
    return np.where(np.isinf(c) & _finite(a, b), c, a * b + c)


def _fma64(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    product = a * b
    naive = _two_roundings(a, b, c)
    uh, ul = _two_product(a, b)
    th, tl = _two_sum(c, ul)
    vh, vl = _two_sum(uh, th)
    z = _to_odd(*_two_sum(tl, vl))
    out = vh + z
    trivial = (product == 0) | (c == 0) | ~np.isfinite(naive)
    size_a, size_b, size_c, size_p = np.abs(a), np.abs(b), np.abs(c), np.abs(product)
    safe = (size_a < 2.0**480) & (size_b < 2.0**480) & (size_p > 2.0**-850) & (size_c < 2.0**1000)
    safe &= (np.abs(out) > 2.0**-900) & ((size_c > 2.0**-900) | (c == 0))
    out = np.where(trivial, naive, out)
    wrong = ~safe & _finite(a, b, c) & (a != 0) & (b != 0)
    if wrong.any():
        out = _exact64(_product_sum, out, "rn", wrong, a, b, c)
    return out


def div(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a / b`."""
    a, b = _ftz_in(ftz, fmt, a, b)
    if fmt == "f64":
        out = a / b
        if mode != "rn":
            finite = _finite(a, b) & (a != 0) & (b != 0)
            out = _exact64(_quotient, out, mode, finite, a, b)
        return canonical(out, fmt)
    if mode == "rn" and fmt != "bf16":
        out = canonical(a / b, fmt)
    else:
        out = round_to(_odd_div(widen(a, fmt), widen(b, fmt)), fmt, mode)
    return _finish(out, fmt, ftz, sat)


def _sqrt_fraction(mode: str) -> Callable[[Fraction], Fraction]:
    def root(x: Fraction) -> Fraction:
        # 200 bits below the quantum decide every rounding that is not a tie, and roots make none.
        shift = 2 * (700 + x.denominator.bit_length())
        scaled = (x.numerator << shift) // x.denominator
        whole = _isqrt(scaled)
        sticky = 0 if whole * whole == scaled else 1
        return Fraction(2 * whole + sticky, 2 << (shift // 2))

    return root


def _isqrt(n: int) -> int:
    import math

    return math.isqrt(n)


def sqrt(a: Lanes, fmt: str, mode: str = "rn", ftz: bool = False) -> Lanes:
    """The square root of `a`."""
    (a,) = _ftz_in(ftz, fmt, a)
    if fmt == "f64":
        out = np.sqrt(a)
        if mode != "rn":
            out = _exact64(_sqrt_fraction(mode), out, mode, np.isfinite(a) & (a > 0), a)
        return canonical(out, fmt)
    if mode == "rn" and fmt != "bf16":
        out = canonical(np.sqrt(a), fmt)
    else:
        out = round_to(_odd_sqrt(widen(a, fmt)), fmt, mode)
    return _finish(out, fmt, ftz, False)


def remainder(a: Lanes, b: Lanes, fmt: str) -> Lanes:
    """C's `fmod`, LLVM's `frem`."""
    if fmt == "f64":
        return canonical(np.fmod(a, b), fmt)
    return round_to(np.fmod(widen(a, fmt), widen(b, fmt)), fmt)


def _pick(a: Lanes, b: Lanes, fmt: str, smaller: bool, nan: bool, magnitude: bool) -> Lanes:
    x, y = widen(a, fmt), widen(b, fmt)
    if magnitude:
        x, y = np.abs(x), np.abs(y)
    # With equal values only the sign of zero can differ: -0 is less than +0.
    less = (x < y) | ((x == y) & np.signbit(x) & ~np.signbit(y))
    first = less if smaller else ~less
    nan_a, nan_b = is_nan(a, fmt), is_nan(b, fmt)
    out = np.where(first, a, b)
    if magnitude:
        out = absolute(out, fmt)
    if nan_a.any() or nan_b.any():
        if nan:
            out = np.where(nan_a | nan_b, _NAN[fmt], out)
        else:
            out = np.where(nan_a, b, np.where(nan_b, a, out))
    return canonical(out, fmt)


def minimum(
    a: Lanes,
    b: Lanes,
    fmt: str,
    ftz: bool = False,
    nan: bool = False,
    xorsign: bool = False,
) -> Lanes:
    """PTX `min{.ftz}{.NaN}{.xorsign.abs}`: the other operand if one is a NaN, unless `nan`."""
    a, b = _ftz_in(ftz, fmt, a, b)
    out = _pick(a, b, fmt, True, nan, xorsign)
    return _xorsign(out, a, b, fmt) if xorsign else out


def maximum(
    a: Lanes,
    b: Lanes,
    fmt: str,
    ftz: bool = False,
    nan: bool = False,
    xorsign: bool = False,
) -> Lanes:
    """PTX `max{.ftz}{.NaN}{.xorsign.abs}`: the other operand if one is a NaN, unless `nan`."""
    a, b = _ftz_in(ftz, fmt, a, b)
    out = _pick(a, b, fmt, False, nan, xorsign)
    return _xorsign(out, a, b, fmt) if xorsign else out


def _xorsign(out: Lanes, a: Lanes, b: Lanes, fmt: str) -> Lanes:
    return copysign(out, from_bits(bits(a, fmt) ^ bits(b, fmt), fmt), fmt)


def round_integral(a: Lanes, fmt: str, mode: str, ftz: bool = False) -> Lanes:
    """`a` rounded to an integer: modes `rni`, `rzi`, `rmi`, `rpi`, `rnai` (ties away)."""
    (a,) = _ftz_in(ftz, fmt, a)
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
    # The difference of two infinities is no number, which is not at least a half.
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)


def to_integer(
    a: Lanes, fmt: str, width: int, signed: bool, mode: str = "rzi", ftz: bool = False
) -> Lanes:
    """PTX `cvt` to an integer of `width` bits: rounded by `mode`, clamped to the type's range.

    A NaN gives 0, or `1 << (width - 1)` if the source is f64 or the destination has 64 bits
    (PTX ISA, cvt).
    """
    (a,) = _ftz_in(ftz, fmt, a)
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
    """The integers `a` (an unsigned container; `signed` says how to read it) in format `fmt`."""
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
    operands = _ftz_in(ftz, fmt, *operands)
    out = round_to(np.asarray(function(*(widen(o, fmt) for o in operands)), np.float64), fmt)
    return flush(out, fmt) if ftz else out


def narrow_float(
    a: Lanes, exponent_bits: int, mantissa_bits: int, finite_only: bool, mode: str = "rn"
) -> Lanes:
    """float64 to a small format (fp8, fp6, fp4), saturating to its largest finite number.

    The result is the bits as `uint8`. `finite_only` says that the format has no infinity: e4m3
    keeps one NaN pattern, e2m3, e3m2 and e2m1 have none and take the largest finite number.
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
    negative = (raw & _SIGN[fmt]) != 0
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
