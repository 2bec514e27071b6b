"""Floating point as PTX computes it: correctly rounded in every mode, on arrays.

Formats and rounding modes are those of `float_formats`. The module re-exports the names of
`float_formats` and `float_conversions`.

Operations on formats of at most 32 bits are computed in `float64` rounded to odd, after which
rounding to the smaller format is correct (Boldo and Melquiond, "Emulation of FMA and correctly
rounded sums"). Operations on `f64` use error-free transformations, and exact integers where the
transformations do not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nvvm_xdsl.simulator.numerics.float_conversions import compute as compute
from nvvm_xdsl.simulator.numerics.float_conversions import convert as convert
from nvvm_xdsl.simulator.numerics.float_conversions import from_integer as from_integer
from nvvm_xdsl.simulator.numerics.float_conversions import is_class as is_class
from nvvm_xdsl.simulator.numerics.float_conversions import narrow_float as narrow_float
from nvvm_xdsl.simulator.numerics.float_conversions import round_integral as round_integral
from nvvm_xdsl.simulator.numerics.float_conversions import small_float as small_float
from nvvm_xdsl.simulator.numerics.float_conversions import to_integer as to_integer
from nvvm_xdsl.simulator.numerics.float_formats import BITS as BITS
from nvvm_xdsl.simulator.numerics.float_formats import DTYPE as DTYPE
from nvvm_xdsl.simulator.numerics.float_formats import MIN_NORMAL as MIN_NORMAL
from nvvm_xdsl.simulator.numerics.float_formats import NAN as NAN
from nvvm_xdsl.simulator.numerics.float_formats import NAN_BITS as NAN_BITS
from nvvm_xdsl.simulator.numerics.float_formats import PRECISION as PRECISION
from nvvm_xdsl.simulator.numerics.float_formats import SIGN as SIGN
from nvvm_xdsl.simulator.numerics.float_formats import UNSIGNED as UNSIGNED
from nvvm_xdsl.simulator.numerics.float_formats import Lanes as Lanes
from nvvm_xdsl.simulator.numerics.float_formats import bits as bits
from nvvm_xdsl.simulator.numerics.float_formats import canonical as canonical
from nvvm_xdsl.simulator.numerics.float_formats import exact_round as exact_round
from nvvm_xdsl.simulator.numerics.float_formats import flush as flush
from nvvm_xdsl.simulator.numerics.float_formats import flushed as flushed
from nvvm_xdsl.simulator.numerics.float_formats import from_bits as from_bits
from nvvm_xdsl.simulator.numerics.float_formats import is_nan as is_nan
from nvvm_xdsl.simulator.numerics.float_formats import relu as relu
from nvvm_xdsl.simulator.numerics.float_formats import round_ratio as round_ratio
from nvvm_xdsl.simulator.numerics.float_formats import round_to as round_to
from nvvm_xdsl.simulator.numerics.float_formats import saturate as saturate
from nvvm_xdsl.simulator.numerics.float_formats import widen as widen


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


Ratio = tuple[int, int]
"""A numerator and a positive denominator, not in lowest terms, which would be slow to compute."""


def _sum(x: Ratio, y: Ratio) -> Ratio:
    return x[0] * y[1] + y[0] * x[1], x[1] * y[1]


def _product(x: Ratio, y: Ratio) -> Ratio:
    return x[0] * y[0], x[1] * y[1]


def _quotient(x: Ratio, y: Ratio) -> Ratio:
    sign = -1 if y[0] < 0 else 1
    return sign * x[0] * y[1], sign * y[0] * x[1]


def _product_sum(x: Ratio, y: Ratio, z: Ratio) -> Ratio:
    return _sum(_product(x, y), z)


def _exact64(
    function: Callable[..., Ratio], naive: Lanes, mode: str, where: Lanes, *operands: Lanes
) -> Lanes:
    """`naive` with the elements `where` replaced by the exactly rounded `function`."""
    out = naive.copy()
    raw = out.view(np.uint64)
    places = np.flatnonzero(where)
    shaped = [np.broadcast_to(o, out.shape)[places].tolist() for o in operands]
    for i, *values in zip(places.tolist(), *shaped):
        numerator, denominator = function(*(v.as_integer_ratio() for v in values))
        sign = -1 if numerator == 0 and (mode == "rm" or np.signbit(out[i])) else 1
        raw[i] = round_ratio(numerator, denominator, "f64", mode, sign)
    return out


def _finite(*operands: Lanes) -> Lanes:
    out = np.isfinite(operands[0])
    for o in operands[1:]:
        out = out & np.isfinite(o)
    return out


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
    a, b = flushed(ftz, fmt, a, b)
    if fmt == "f64":
        out = a + b
        if mode != "rn":
            # The sum of zeros with equal signs has that sign; zeros with different signs cancel.
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
    return from_bits(bits(a, fmt) ^ SIGN[fmt], fmt)


def absolute(a: Lanes, fmt: str) -> Lanes:
    """`a` with its sign bit cleared."""
    return from_bits(bits(a, fmt) & ~SIGN[fmt], fmt)


def copysign(magnitude: Lanes, sign: Lanes, fmt: str) -> Lanes:
    """The magnitude of one operand with the sign of the other."""
    return from_bits((bits(magnitude, fmt) & ~SIGN[fmt]) | (bits(sign, fmt) & SIGN[fmt]), fmt)


def sub(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a - b`."""
    return add(a, negate(b, fmt), fmt, mode, ftz, sat)


def mul(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a * b`."""
    a, b = flushed(ftz, fmt, a, b)
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
    a, b, c = flushed(ftz, fmt, a, b, c)
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
    """`a * b + c` before rounding; an out-of-range product is not treated as infinity if `c` is
    infinite."""
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
        # The sign of an exact zero is that of the naive sum: `out` may be NaN after an overflow.
        out = _exact64(_product_sum, np.where(wrong, naive, out), "rn", wrong, a, b, c)
    return out


def div(
    a: Lanes, b: Lanes, fmt: str, mode: str = "rn", ftz: bool = False, sat: bool = False
) -> Lanes:
    """`a / b`."""
    a, b = flushed(ftz, fmt, a, b)
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


def _root(x: Ratio) -> Ratio:
    # 200 bits below the quantum decide every rounding that is not a tie, and roots are never ties.
    shift = 2 * (700 + x[1].bit_length())
    scaled = (x[0] << shift) // x[1]
    whole = math.isqrt(scaled)
    sticky = 0 if whole * whole == scaled else 1
    return 2 * whole + sticky, 2 << (shift // 2)


def sqrt(a: Lanes, fmt: str, mode: str = "rn", ftz: bool = False) -> Lanes:
    """The square root of `a`."""
    (a,) = flushed(ftz, fmt, a)
    if fmt == "f64":
        out = np.sqrt(a)
        if mode != "rn":
            out = _exact64(_root, out, mode, np.isfinite(a) & (a > 0), a)
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
            out = np.where(nan_a | nan_b, NAN[fmt], out)
        else:
            out = np.where(nan_a, b, np.where(nan_b, a, out))
    return canonical(out, fmt)


def minimum(
    a: Lanes, b: Lanes, fmt: str, ftz: bool = False, nan: bool = False, xorsign: bool = False
) -> Lanes:
    """PTX `min{.ftz}{.NaN}{.xorsign.abs}`: the other operand if one is a NaN, unless `nan`."""
    a, b = flushed(ftz, fmt, a, b)
    out = _pick(a, b, fmt, True, nan, xorsign)
    return _xorsign(out, a, b, fmt) if xorsign else out


def maximum(
    a: Lanes, b: Lanes, fmt: str, ftz: bool = False, nan: bool = False, xorsign: bool = False
) -> Lanes:
    """PTX `max{.ftz}{.NaN}{.xorsign.abs}`: the other operand if one is a NaN, unless `nan`."""
    a, b = flushed(ftz, fmt, a, b)
    out = _pick(a, b, fmt, False, nan, xorsign)
    return _xorsign(out, a, b, fmt) if xorsign else out


def _xorsign(out: Lanes, a: Lanes, b: Lanes, fmt: str) -> Lanes:
    return copysign(out, from_bits(bits(a, fmt) ^ bits(b, fmt), fmt), fmt)
