"""`a * b + c` with one rounding in every mode, by integers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from helpers.libdevice_exact import Array, argument, directed


def _exact_sum(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """The nearest `a * b + c` and the sign of the remainder."""
    kind = a.dtype.type
    with np.errstate(all="ignore"):
        nearest = (a.astype(np.longdouble) * b.astype(np.longdouble) + c).astype(kind)
    signs = np.zeros(a.shape)
    info = np.finfo(kind)
    least, bits, most = int(info.minexp), int(info.nmant), int(info.maxexp)
    for i in np.flatnonzero(np.isfinite(a) & np.isfinite(b) & np.isfinite(c)):
        (x, m), (y, n), (z, k) = (scaled(float(v[i])) for v in (a, b, c))
        low = min(m + n, k)
        total = (x * y << m + n - low) + (z << k - low)
        if total:
            nearest[i], signs[i] = _rounded(total, low, least, bits, most)
        elif x and y:
            nearest[i] = 0.0
    return nearest, signs


def scaled(value: float) -> tuple[int, int]:
    """A number as an integer and a power of two."""
    fraction, exponent = math.frexp(value)
    return int(fraction * 2.0**53), exponent - 53


def _rounded(number: int, power: int, least: int, bits: int, most: int) -> tuple[float, int]:
    """The nearest of `number * 2**power` in a format, ties to even, and the sign of the remainder."""
    size, sign = abs(number), 1 if number > 0 else -1
    unit = max(size.bit_length() + power - 1, least) - bits
    shift = unit - power
    if shift <= 0:
        count, error = size << -shift, 0
    else:
        count, rest = divmod(size, 1 << shift)
        half = 1 << shift - 1
        up = rest > half or (rest == half and count & 1)
        error = 0 if not rest else -1 if up else 1
        count += up
    if count.bit_length() + unit > most:
        return sign * math.inf, -sign
    return sign * math.ldexp(count, unit), sign * error


_SUMS: dict[bytes, tuple[Array, Array]] = {}


def fma(mode: str) -> Callable[..., Array]:
    """`a * b + c`, rounded once in a mode."""

    def reference(a: Array, b: Array, c: Array) -> Array:
        # The four modes and the two names of each have the same arguments.
        key = a.tobytes() + b.tobytes() + c.tobytes()
        if key not in _SUMS:
            _SUMS.clear()
            _SUMS[key] = _exact_sum(a, b, c)
        nearest, signs = _SUMS[key]
        out = directed(nearest.copy(), signs, mode)
        product = np.signbit(a) ^ np.signbit(b)
        cancelled = (nearest == 0) & (signs == 0) & np.isfinite(a) & np.isfinite(b)
        cancelled &= ~(((a == 0) | (b == 0)) & (c == 0) & (product == np.signbit(c)))
        return np.where(cancelled, a.dtype.type(-0.0 if mode == "rd" else 0.0), out)

    return reference


def fma_arguments(type_: str) -> Callable[[int, np.random.Generator], list[Array]]:
    """Among them sums that cancel to the last bits of the product, and exact zeros."""

    def make(count: int, rng: np.random.Generator) -> list[Array]:
        a, b, c = (argument(type_, count, rng) for _ in range(3))
        with np.errstate(all="ignore"):
            c[: count // 3] = -(a[: count // 3] * b[: count // 3])
            near = slice(count // 3, count // 2)
            c[near] = a[near] * b[near] * a.dtype.type(0.37)
        return [a, b, c]

    return make
