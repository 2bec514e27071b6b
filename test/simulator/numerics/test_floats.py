"""Floating point against exact rational arithmetic."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from nvvm_xdsl.simulator.numerics import floats as F

FORMATS = ("f16", "bf16", "f32", "f64")
MODES = ("rn", "rz", "rm", "rp")


def patterns(fmt: str, count: int, seed: int) -> np.ndarray:
    """Random bit patterns, after the special ones."""
    width = F.BITS[fmt]
    rng = np.random.default_rng(seed)
    raw = rng.integers(0, 1 << width, count, np.uint64)
    top = 1 << (width - 1)
    exponents = ((1 << (width - F.PRECISION[fmt])) - 1) << (F.PRECISION[fmt] - 1)
    special = [0, top, 1, top | 1, exponents, top | exponents, exponents - 1, exponents | 1]
    raw[: len(special)] = special
    return raw.astype(F.UNSIGNED[width]).view(F.DTYPE[fmt])


def exact(a: np.ndarray, fmt: str) -> list[float]:
    return [float(v) for v in F.widen(a, fmt)]


def check(fmt: str, mode: str, got: np.ndarray, wanted, *operands: np.ndarray) -> None:
    bits = F.bits(got, fmt)
    columns = [exact(o, fmt) for o in operands]
    checked = 0
    for i, values in enumerate(zip(*columns)):
        if not all(map(math.isfinite, values)):
            continue
        value = wanted(*map(Fraction, values))
        if value is None or value == 0:
            continue
        assert int(bits[i]) == F.exact_round(value, fmt, mode), (values, i)
        checked += 1
    assert checked > 50


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fmt", FORMATS)
def test_arithmetic_is_correctly_rounded(fmt: str, mode: str):
    a, b, c = (patterns(fmt, 300, s) for s in (1, 2, 3))
    with np.errstate(all="ignore"):
        check(fmt, mode, F.add(a, b, fmt, mode), lambda x, y: x + y, a, b)
        check(fmt, mode, F.mul(a, b, fmt, mode), lambda x, y: x * y, a, b)
        check(fmt, mode, F.div(a, b, fmt, mode), lambda x, y: x / y if y else None, a, b)
        check(fmt, mode, F.fma(a, b, c, fmt, mode), lambda x, y, z: x * y + z, a, b, c)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fmt", FORMATS)
def test_fma_keeps_the_low_half_of_a_product(fmt: str, mode: str):
    a = patterns(fmt, 300, 4)
    b = F.from_integer(np.arange(300, dtype=np.uint32) % 7 + 1, False, fmt)
    with np.errstate(all="ignore"):
        c = F.negate(F.mul(a, b, fmt), fmt)
        check_rest = F.fma(a, b, c, fmt, mode)
    bits = F.bits(check_rest, fmt)
    for i, (x, y, z) in enumerate(zip(exact(a, fmt), exact(b, fmt), exact(c, fmt))):
        if math.isfinite(x) and math.isfinite(z) and Fraction(x) * Fraction(y) + Fraction(z):
            value = Fraction(x) * Fraction(y) + Fraction(z)
            assert int(bits[i]) == F.exact_round(value, fmt, mode)


@pytest.mark.parametrize("fmt", FORMATS)
def test_square_roots(fmt: str):
    squares = F.from_integer(np.arange(1, 100, dtype=np.uint32) ** 2, False, fmt)
    if fmt in ("f32", "f64"):
        assert exact(F.sqrt(squares, fmt), fmt) == list(range(1, 100))
    a = F.absolute(patterns(fmt, 200, 5), fmt)
    with np.errstate(all="ignore"):
        down, up = F.sqrt(a, fmt, "rm"), F.sqrt(a, fmt, "rp")
    for x, low, high in zip(exact(a, fmt), exact(down, fmt), exact(up, fmt)):
        if math.isfinite(x):
            assert Fraction(low) ** 2 <= Fraction(x) <= Fraction(high) ** 2


def test_ties_go_to_even_and_away():
    half_way = np.array([1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, -1.0 - 2.0**-11])
    assert F.round_to(half_way, "f16").tolist() == [1.0, 1.0 + 2.0**-9, -1.0]
    assert F.round_to(half_way, "f16", "rna").tolist() == [1 + 2.0**-10, 1 + 2.0**-9, -1 - 2.0**-10]


def test_results_are_rounded_once():
    # In float32 the sum is a tie for bfloat16; the exact sum is not.
    value = np.array([1.0 + 2.0**-8 + 2.0**-40])
    assert F.widen(F.round_to(value, "bf16"), "bf16").tolist() == [1.0 + 2.0**-7]


def test_nan_results_are_canonical():
    zero = np.zeros(1, np.float32)
    with np.errstate(all="ignore"):
        assert F.bits(F.div(zero, zero, "f32"), "f32").tolist() == [0x7FFFFFFF]
        odd = np.array([0xFFC12345], np.uint32).view(np.float32)
        assert F.bits(F.add(odd, zero, "f32"), "f32").tolist() == [0x7FFFFFFF]


def test_subnormals_are_flushed_with_their_sign():
    tiny = np.array([1e-40, -1e-40, 1e-30], np.float32)
    flushed = F.flush(tiny, "f32")
    assert F.bits(flushed, "f32").tolist() == [0, 0x80000000, int(tiny[2:].view(np.uint32)[0])]
    product = F.mul(np.array([1e-30], np.float32), np.array([1e-10], np.float32), "f32", ftz=True)
    assert product.tolist() == [0.0]


def test_exact_cancellation_rounding_down_is_minus_zero():
    one = np.ones(1, np.float32)
    assert np.signbit(F.add(one, -one, "f32", "rm"))[0]
    assert not np.signbit(F.add(one, -one, "f32", "rn"))[0]
    zero = np.zeros(1, np.float32)
    assert not np.signbit(F.add(zero, zero, "f32", "rm"))[0]
    assert np.signbit(F.fma(one, one, -one, "f32", "rm"))[0]


def test_minimum_and_maximum():
    nan = np.array([np.nan], np.float32)
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    assert F.minimum(nan, one, "f32").tolist() == [1.0]
    assert np.isnan(F.minimum(nan, one, "f32", nan=True))[0]
    assert np.signbit(F.minimum(zero, -zero, "f32"))[0]
    assert not np.signbit(F.maximum(-zero, zero, "f32"))[0]
    both = F.minimum(np.array([-3], np.float32), np.array([2], np.float32), "f32", xorsign=True)
    assert both.tolist() == [-2.0]


def test_conversion_to_integers_saturates():
    values = np.array([1e10, -1e10, np.nan, 2.5, -2.5, 3.5], np.float32)
    assert F.to_integer(values, "f32", 32, True).view(np.int32).tolist() == [
        2147483647,
        -2147483648,
        0,
        2,
        -2,
        3,
    ]
    assert F.to_integer(values, "f32", 32, False).tolist() == [4294967295, 0, 0, 2, 0, 3]
    assert F.to_integer(values, "f32", 32, True, "rni").view(np.int32).tolist()[3:] == [2, -2, 4]
    nan64 = np.array([np.nan])
    assert F.to_integer(nan64, "f64", 32, True).tolist() == [0x80000000]
    assert F.to_integer(np.array([np.nan], np.float32), "f32", 64, True).tolist() == [1 << 63]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fmt", FORMATS)
def test_integers_to_floats(fmt: str, mode: str):
    rng = np.random.default_rng(6)
    values = rng.integers(0, 1 << 64, 100, np.uint64)
    values[:4] = (0, 1, (1 << 63) + 1, (1 << 53) + 1)
    for signed in (False, True):
        got = F.bits(F.from_integer(values, signed, fmt, mode), fmt)
        for bits, value in zip(got, values):
            number = int(value) - (1 << 64 if signed and int(value) >> 63 else 0)
            wanted = F.exact_round(Fraction(number), fmt, mode)
            assert int(bits) == wanted


def test_small_formats_round_trip():
    for exponent, mantissa, codes in ((4, 3, 127), (5, 2, 124), (2, 3, 32), (3, 2, 32), (2, 1, 8)):
        raw = np.arange(codes, dtype=np.uint8)
        back = F.narrow_float(F.small_float(raw, exponent, mantissa), exponent, mantissa, True)
        assert back.tolist() == raw.tolist(), (exponent, mantissa)
    assert F.narrow_float(np.array([448.0, 500.0]), 4, 3, True).tolist() == [0x7E, 0x7E]


def test_a_product_beyond_the_range_is_finite_beside_an_infinity():
    big, infinite = np.array([1e300]), np.array([-np.inf])
    for mode in ("rn", "rz", "rm", "rp"):
        assert F.fma(big, big, infinite, "f64", mode).tolist() == [-np.inf]


def test_zeros_of_two_signs_cancel():
    """IEEE 754, 6.3: an exact zero sum is +0, but -0 when rounding downward."""
    one, plus, minus = np.ones(1), np.zeros(1), -np.zeros(1)
    for mode in ("rn", "rz", "rm", "rp"):
        for total in (
            F.add(plus, minus, "f64", mode),
            F.fma(one, minus, plus, "f64", mode),
            F.fma(plus, one, minus, "f64", mode),
        ):
            assert total.tolist() == [0.0]
            assert np.signbit(total[0]) == (mode == "rm")


def test_ratios_are_rounded_as_in_python():
    """Python's division of integers is correctly rounded (subnormal numbers too)."""
    random = Random(7)
    for _ in range(500):
        numerator = random.getrandbits(random.randrange(1, 120)) << random.randrange(0, 900)
        denominator = (random.getrandbits(60) | 1) << random.randrange(0, 1000)
        nearest = numerator / denominator
        found = [
            struct.unpack(
                "<d", F.round_ratio(numerator, denominator, "f64", mode).to_bytes(8, "little")
            )[0]
            for mode in ("rn", "rm", "rp")
        ]
        assert found[0] == nearest
        exact = Fraction(numerator, denominator)
        assert Fraction(found[1]) <= exact <= Fraction(found[2])
        assert math.nextafter(found[1], math.inf) >= found[2]


def test_opposite_products_of_the_largest_number_sum_to_positive_zero():
    """As on an H200. Splitting the largest number for the exact product overflows."""
    one, largest = np.array([-1.0]), np.array([np.finfo(np.float64).max])
    result = F.fma(one, largest, largest, "f64", "rn")
    assert result[0] == 0
    assert not np.signbit(result[0])
