"""Libdevice's functions of several arguments or results, and those that read memory.

A function is a row of `FUNCTIONS`: its name, the types of its result and parameters, and a check of its
results. Types are those of `libdevice_exact.TYPES`; `f*` is a pointer that a result is written through,
`f[5]` a pointer to that many values to read. Errors are those of the CUDA C++ Programming Guide,
"Mathematical Functions"; without a stated error, the bound follows from the method that it names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from helpers.libdevice_accuracy import MathFunction, errors
from helpers.libdevice_exact import Array, argument
from helpers.libdevice_sums import fma, fma_arguments, scaled

Arguments = Sequence[Array]
Results = Sequence[Array]
Check = Callable[[Arguments, Results], Array]
"""Returns which results are right, given the arguments that are not results, and the results."""

SAMPLE = 60
"""The number of arguments that are compared with mpmath."""

DIMENSIONS = 5
TEXT = 24


@dataclass(frozen=True)
class Function:
    """A function of libdevice.

    Arguments:
        name: without its prefix.
        result: the type of its result; empty if it returns nothing.
        arguments: the types of its arguments.
        check: returns which results are right.
        make: generates this many arguments; by default all kinds of values of the types.
    """

    name: str
    result: str
    arguments: tuple[str, ...]
    check: Check
    make: Callable[[int, np.random.Generator], list[Array]] | None = None

    def columns(self, count: int) -> list[Array]:
        """Arguments, by type, for those that are not results."""
        rng = np.random.default_rng(11)
        if self.make is not None:
            return self.make(count, rng)
        return [argument(t, count, rng) for t in self.arguments if not t.endswith("*")]


def kind_of(type_: str) -> tuple[str, int | None]:
    """The element type and, for a pointer, the number of values to read; 0 if one is written."""
    match = re.fullmatch(r"(\w+)(\*|\[(\d+)\])?", type_)
    assert match is not None
    if match[2] is None:
        return match[1], None
    return match[1], int(match[3] or 0)


def same(got: Array, wanted: Array) -> Array:
    """Returns where two arrays are equal in every bit; all NaNs are equal."""
    if got.dtype.kind != "f":
        return got == wanted
    bits = f"u{got.dtype.itemsize}"
    equal = got.view(bits) == wanted.astype(got.dtype).view(bits)
    return equal | (np.isnan(got) & np.isnan(wanted))


def exact(reference: Callable[..., Any]) -> Check:
    """Checks that the results equal those of the reference, bit by bit."""

    def check(arguments: Arguments, results: Results) -> Array:
        with np.errstate(all="ignore"):
            wanted = reference(*arguments)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        assert len(wanted) == len(results)
        right = np.ones(results[0].shape, bool)
        for got, value in zip(results, wanted):
            right &= same(got, value)
        return right

    return check


def bounded(references: Sequence[Callable[..., Array]], bound: Sequence[float]) -> Check:
    """Checks that each result is within its number of units in the last place of a more precise reference."""

    def check(arguments: Arguments, results: Results) -> Array:
        right = np.ones(results[0].shape, bool)
        for reference, got, allowed in zip(references, results, bound):
            with np.errstate(all="ignore"):
                wanted = reference(*arguments)
            function = MathFunction("", "", got.dtype == np.float32, 1, allowed)
            right &= errors(function, got, wanted) <= allowed
        return right

    return check


def sampled(
    references: Sequence[Callable[..., Any]],
    allowed: Callable[..., Sequence[float]],
    where: Callable[..., bool] = lambda *_: True,
    precision: int = 1200,
    sample: int = SAMPLE,
) -> Check:
    """Checks a sample of results against mpmath's references with absolute errors.

    `allowed(*arguments, *exact)` gives the errors of the results. The precision, in bits, by default suffices
    to reduce the largest angle.
    """

    def check(arguments: Arguments, results: Results) -> Array:
        mpmath.mp.prec = precision
        right = np.ones(results[0].shape, bool)
        seen = 0
        for i, values in enumerate(zip(*arguments)):
            given = [v.item() for v in values]
            if not all(math.isfinite(v) for v in given) or not where(*given):
                continue
            numbers = [v if isinstance(v, int) else mpmath.mpf(v) for v in given]
            wanted = [r(*numbers) for r in references]
            limits = allowed(*given, *(float(w) for w in wanted))
            for value, got, limit in zip(wanted, results, limits):
                right[i] &= bool(abs(mpmath.mpf(float(got[i])) - value) <= limit)
            seen += 1
            if seen == sample:
                break
        assert seen == sample
        return right

    return check


def both(*checks: Check) -> Check:
    """Results that every check accepts."""

    def check(arguments: Arguments, results: Results) -> Array:
        return np.logical_and.reduce([c(arguments, results) for c in checks])

    return check


def units(count: float, kind: Any) -> Callable[..., Sequence[float]]:
    """Returns this many units in the last place of each exact result, counted from the rounded one."""
    tiny = float(np.finfo(kind).tiny)

    def allowed(*values: float) -> Sequence[float]:
        return [(count + 0.5) * float(np.spacing(kind(max(abs(v), tiny)))) for v in values]

    return allowed


# Exact functions


def _frexp(a: Array) -> tuple[Array, Array]:
    fraction, exponent = np.frexp(a)
    return fraction, np.where(np.isfinite(a), exponent, 0)


def _modf(a: Array) -> tuple[Array, Array]:
    whole = np.trunc(a)
    rest = np.where(np.isinf(a), 0, a - whole)
    return np.where(np.isnan(a), a, np.copysign(rest, a)), whole


def _remquo(arguments: Arguments, results: Results) -> Array:
    """The remainder is exact; of the quotient the sign and at least three low bits are specified."""
    right = np.ones(results[0].shape, bool)
    for i, (x, y, rest, quotient) in enumerate(zip(*arguments, *results)):
        a, b, r, q = float(x), float(y), float(rest), int(quotient)
        if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
            right[i] = math.isnan(r)
            continue
        wanted = math.remainder(a, b)
        right[i] = r == wanted and math.copysign(1, r) == math.copysign(1, wanted)
        if math.isinf(b):
            right[i] &= q == 0
            continue
        (m, e), (n, f), (k, g) = scaled(a), scaled(b), scaled(wanted)
        low = min(e, f, g)
        whole, left = divmod((m << e - low) - (k << g - low), n << f - low)
        right[i] &= left == 0 and (q - whole) % 8 == 0
        right[i] &= q == 0 or (q < 0) == (whole < 0)
    return right


def _permuted(a: Array, b: Array, selectors: Array) -> Array:
    """`byte_perm`: four selectors of a byte of `b:a`, three bits of four each."""
    whole = a.astype(np.uint64) | b.astype(np.uint64) << np.uint64(32)
    out = np.zeros(a.shape, np.uint64)
    for i in range(4):
        selector = selectors.astype(np.uint64) >> np.uint64(4 * i) & np.uint64(7)
        byte = whole >> selector * np.uint64(8) & np.uint64(0xFF)
        out |= byte << np.uint64(8 * i)
    return out.astype(np.uint32)


def _difference(x: Array, y: Array, z: Array) -> Array:
    total = np.abs(x.astype(np.int64) - y.astype(np.int64)) + z.astype(np.int64)
    return (total & 0xFFFFFFFF).astype(np.uint32)


def _difference_signed(x: Array, y: Array, z: Array) -> Array:
    return _difference(x, y, z).view(np.int32)


_TAGS = (
    "", "0", "1", "123", "0x1", "0XfF", "0777", "08", "12a", "0xg", "-1", "0x3fffff", "4194304",
    "0x7ffffffffffff", "18446744073709551615", "18446744073709551616", "0xfffffffffffffffff", "00x1",
)  # fmt: skip


def _tags(count: int, rng: np.random.Generator) -> list[Array]:
    texts = [*_TAGS, *(str(n) for n in rng.integers(0, 1 << 60, count - len(_TAGS)))]
    rows = np.zeros((count, TEXT), np.uint8)
    for row, text in zip(rows, texts):
        row[: len(text)] = np.frombuffer(text.encode(), np.uint8)
    return [rows]


def _payload(row: Array) -> int:
    """The number in a text in C's three bases; 0 for none, all ones for one that is too large."""
    text = row.tobytes().rstrip(b"\0").decode()
    base = 16 if re.match("0[xX]", text) else 8 if text.startswith("0") else 10
    digits = text[2:] if base == 16 else text
    allowed = {8: "[0-7]*", 10: "[0-9]*", 16: "[0-9a-fA-F]*"}[base]
    if not re.fullmatch(allowed, digits):
        return 0
    return min(int(digits or "0", base), (1 << 64) - 1)


def _nan(bits: int) -> Check:
    """A quiet NaN with a payload; its bits matter, which `same` would not compare."""
    fraction = {32: 22, 64: 51}[bits]
    quiet = {32: 0x7FC00000, 64: 0x7FF8000000000000}[bits]

    def check(arguments: Arguments, results: Results) -> Array:
        found = results[0].view(f"u{bits // 8}")
        wanted = [quiet | _payload(row) & (1 << fraction) - 1 for row in arguments[0]]
        return np.array([int(f) == w for f, w in zip(found, wanted)])

    return check


def _reciprocal(a: Array) -> Array:
    """The reciprocal of the upper half of a double."""
    upper = (a.view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
    return 1.0 / np.where(np.abs(a) < np.finfo(np.float64).tiny, np.copysign(0.0, a), upper)


def _near_reciprocal(arguments: Arguments, results: Results) -> Array:
    """`rcp.approx.ftz.f64`, PTX ISA 9.7.3.14: 20 bits of fraction, and special values."""
    got = results[0]
    with np.errstate(all="ignore"):
        wanted = _reciprocal(arguments[0])
        near = np.abs(got - wanted) <= np.abs(wanted) * 2.0**-19
        small = np.abs(wanted) < np.finfo(np.float64).tiny
        flushed = small & (got == 0) & (np.signbit(got) == np.signbit(wanted))
    short = got.view(np.uint64) & np.uint64(0xFFFFFFFF) == 0
    special = same(got, wanted)
    finite = np.isfinite(wanted) & (wanted != 0)
    return np.where(finite, (near | flushed) & short, special)


# Functions with errors


def _norm(*columns: Array) -> Array:
    """The length of a vector; more precise and of a larger range than a double."""
    total = sum(np.square(c.astype(np.longdouble)) for c in columns)
    infinite = np.logical_or.reduce([np.isinf(c) for c in columns])
    return np.where(infinite, np.inf, np.sqrt(total))


def _near(references: Sequence[Callable[..., Any]], bound: Sequence[float]) -> Check:
    """As `bounded`, for references in more than double precision."""

    def check(arguments: Arguments, results: Results) -> Array:
        right = np.ones(results[0].shape, bool)
        for reference, got, allowed in zip(references, results, bound):
            kind = got.dtype.type
            with np.errstate(all="ignore"):
                wanted = reference(*arguments)
                rounded = wanted.astype(kind)
                unit = np.spacing(np.maximum(np.abs(rounded), np.finfo(kind).tiny))
                # If the exact result is nearly the largest number, an overflow is within the error.
                edge = np.isinf(got) & (wanted > np.finfo(kind).max * np.longdouble(1 - 2.0**-20))
                close = np.abs(got - rounded) <= allowed * unit
            right &= same(got, rounded) | close | edge
        return right

    return check


def _inverse(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *columns: 1 / function(*columns)


def _norm_of_rows(dimensions: Array, rows: Array) -> Array:
    used = np.arange(rows.shape[1]) < dimensions[:, None]
    return _norm(*np.where(used, rows, 0).T)


def _vectors(type_: str) -> Callable[[int, np.random.Generator], list[Array]]:
    """Lengths and vectors, among them sums of squares beyond the range of the type."""

    def make(count: int, rng: np.random.Generator) -> list[Array]:
        values = argument(type_, count * DIMENSIONS, rng).reshape(count, DIMENSIONS)
        usual = rng.normal(size=(count // 2, DIMENSIONS)) * 10.0 ** rng.integers(
            -30, 30, (count // 2, 1)
        )
        values[: count // 2] = usual.astype(values.dtype)
        return [rng.integers(1, DIMENSIONS + 1, count).astype(np.int32), values]

    return make


def _components(type_: str, number: int) -> Callable[[int, np.random.Generator], list[Array]]:
    def make(count: int, rng: np.random.Generator) -> list[Array]:
        columns = [argument(type_, count, rng) for _ in range(number)]
        scale = 10.0 ** rng.integers(-35, 35, count // 2)
        for column in columns:
            usual = rng.normal(size=count // 2) * scale
            column[: count // 2] = usual.astype(column.dtype)
        return columns

    return make


def _angles(type_: str) -> Callable[[int, np.random.Generator], list[Array]]:
    return lambda count, rng: [argument(type_, count, rng)]


def _small_angles(count: int, rng: np.random.Generator) -> list[Array]:
    return [rng.uniform(-np.pi, np.pi, count).astype(np.float32)]


def _tangent_errors(x: float, exact_value: float) -> Sequence[float]:
    """Sine and cosine with their documented errors, and a quotient of 2 units in the last place."""
    sine, cosine = abs(math.sin(x)) + 2.0**-21.41, abs(math.cos(x)) - 2.0**-21.19
    largest = sine / cosine * (1 + 2.0**-21)
    return [largest - abs(exact_value)]


def _power_errors(x: float, y: float, exact_value: float) -> Sequence[float]:
    """`exp2f(y * __log2f(x))`: the errors of the logarithm and the product, times y, and of exp2f."""
    logarithm = math.log2(x)
    # Within [0.5, 2] the logarithm's error is absolute, elsewhere 2 units in the last place.
    error = 2.0**-22 if 0.5 <= x <= 2 else 2.5 * float(np.spacing(np.float32(abs(logarithm))))
    product = abs(y) * error + float(np.spacing(np.float32(abs(y * logarithm))))
    return [exact_value * (math.expm1(product * math.log(2)) + 2.5 * 2.0**-23)]


def _powers(count: int, rng: np.random.Generator) -> list[Array]:
    x = (2.0 ** rng.uniform(-8, 8, count)).astype(np.float32)
    return [x, rng.uniform(-8, 8, count).astype(np.float32)]


_MULTIPLICATIONS = 40
"""The largest exponent whose power's error is bounded."""


def _repeated(arguments: Arguments, results: Results) -> Array:
    """`powi` squares and multiplies: at most as many roundings as the exponent, and a division."""
    x, n = arguments
    with np.errstate(all="ignore"):
        exact_value = np.power(x.astype(np.longdouble), n)
        allowed = (
            (np.abs(n) + 1) * 0.5 * np.finfo(x.dtype).eps * np.abs(exact_value) * (1 + 2.0**-15)
        )
        close = np.abs(results[0] - exact_value) <= allowed
    one = (n == 0) | (x == 1) | ((x == -1) & (n % 2 == 0))
    return np.where(
        np.abs(n) > _MULTIPLICATIONS,
        np.where(x == -1, np.abs(results[0]) == 1, results[0] == 1),
        np.where(one, results[0] == 1, close),
    )


def _bases(type_: str) -> Callable[[int, np.random.Generator], list[Array]]:
    def make(count: int, rng: np.random.Generator) -> list[Array]:
        kind = np.float32 if type_ == "f" else np.float64
        x = (rng.choice([-1.0, 1.0], count) * 2.0 ** rng.uniform(-3, 3, count)).astype(kind)
        n = rng.integers(-_MULTIPLICATIONS, _MULTIPLICATIONS + 1, count).astype(np.int32)
        x[:7] = [np.nan, np.inf, -np.inf, 0.0, -1.0, -1.0, 1.0]
        n[:7] = [0, 0, 0, 0, (1 << 31) - 1, -(1 << 31), -(1 << 31)]
        return [x, n]

    return make


def _orders(type_: str, negative: bool) -> Callable[[int, np.random.Generator], list[Array]]:
    def make(count: int, rng: np.random.Generator) -> list[Array]:
        kind = np.float32 if type_ == "f" else np.float64
        n = rng.integers(0, 129, count).astype(np.int32)
        n[: count // 2] = rng.integers(0, 9, count // 2)
        x = rng.uniform(-100 if negative else 0, 100, count).astype(kind)
        n[-2:] = [-1, -7]
        return [n, x]

    return make


def _second_kind(n: int, x: Any) -> Any:
    """The Bessel function of the second kind, by its recurrence, which is stable upwards."""
    before, value = mpmath.bessely(0, x), mpmath.bessely(1, x)
    if n == 0:
        return before
    for k in range(1, n):
        before, value = value, 2 * k / x * value - before
    return value


def _no_negative_order(arguments: Arguments, results: Results) -> Array:
    return (arguments[0] >= 0) | np.isnan(results[0])


def _second_kind_errors(single: bool) -> Callable[..., Sequence[float]]:
    """ynf: ceil(2 + 2.5 n) units in the last place below n, else 2.2e-6; yn: 5e-12 beyond 1.5 n."""

    def allowed(n: int, x: float, exact_value: float) -> Sequence[float]:
        if not single:
            return [5e-12]
        unit = float(np.spacing(np.float32(max(abs(exact_value), 1e-37))))
        return [(math.ceil(2 + 2.5 * n) + 0.5) * unit if abs(x) < n else 2.2e-6 + unit]

    return allowed


def _turned(function: Callable[..., Any]) -> Callable[..., Array]:
    """Returns a function of mpmath's of an angle in half turns, for arrays; exact at quarter turns."""

    def reference(x: Array) -> Array:
        mpmath.mp.prec = 60
        out = np.full(x.shape, np.nan)
        for i in np.flatnonzero(np.isfinite(x)):
            out[i] = float(function(mpmath.mpf(math.fmod(float(x[i]), 2.0))))
        zero = out == 0
        return np.where(zero & (function is mpmath.sinpi), np.copysign(0.0, x), out)

    return reference


def _rows() -> list[Function]:
    rows: list[Function] = []
    for t, s, kind in (("f", "f", np.float32), ("d", "", np.float64)):
        single = t == "f"
        for mode in ("rn", "rz", "rd", "ru"):
            names = [f"fma{s}_{mode}"] + [f"fmaf_ieee_{mode}"] * single
            names += [f"fma{s}"] * (mode == "rn")
            rows += [
                Function(name, t, (t, t, t), exact(fma(mode)), fma_arguments(t)) for name in names
            ]
        rows += [
            Function(f"modf{s}", t, (t, f"{t}*"), exact(_modf)),
            Function(f"frexp{s}", t, (t, "i32*"), exact(_frexp)),
            Function(f"remquo{s}", t, (t, t, "i32*"), _remquo),
            Function(f"nan{s}", t, (f"u8[{TEXT}]",), _nan(32 if single else 64), _tags),
            Function(f"powi{s}", t, (t, "i32"), _repeated, _bases(t)),
            Function(
                f"sincospi{s}", "", (t, f"{t}*", f"{t}*"),
                bounded((_turned(mpmath.sinpi), _turned(mpmath.cospi)), (1, 1) if single else (2, 2)),
            ),
        ]  # fmt: skip
        circular = (mpmath.sin, mpmath.cos)
        check = sampled(circular, lambda x, *exact, k=kind: units(2, k)(*exact))
        if single:
            wide = (lambda x: np.sin(x.astype(np.float64)), lambda x: np.cos(x.astype(np.float64)))
            check = both(check, bounded(wide, (2, 2)))
        rows.append(Function(f"sincos{s}", "", (t, f"{t}*", f"{t}*"), check))
        for number in (3, 4):
            taken = (t,) * number
            make = _components(t, number)
            rows += [
                Function(f"norm{number}d{s}", t, taken, _near([_norm], [3 if single else 2]), make),
                Function(
                    f"rnorm{number}d{s}", t, taken, _near([_inverse(_norm)], [2 if single else 1]), make
                ),
            ]  # fmt: skip
        # The guide gives no bound for a loop that accumulates rounding errors: one unit per
        # dimension.
        vector = ("i32", f"{t}[{DIMENSIONS}]")
        make = _vectors(t)
        rows += [
            Function(f"norm{s}", t, vector, _near([_norm_of_rows], [DIMENSIONS]), make),
            Function(f"rnorm{s}", t, vector, _near([_inverse(_norm_of_rows)], [DIMENSIONS]), make),
        ]
        first = sampled(
            [mpmath.besselj], lambda n, x, exact, e=2.2e-6 if single else 5e-12: [e],
            lambda n, x: n >= 0, 100, 20,
        )  # fmt: skip
        second = sampled(
            [_second_kind], _second_kind_errors(single),
            lambda n, x, single=single: n >= 0 and x > (0.1 if single else 1.5 * n + 0.1), 100, 20,
        )  # fmt: skip
        rows += [
            Function(f"jn{s}", t, ("i32", t), both(first, _no_negative_order), _orders(t, True)),
            Function(f"yn{s}", t, ("i32", t), both(second, _no_negative_order), _orders(t, False)),
        ]
    fast = sampled((mpmath.sin, mpmath.cos), lambda x, *exact: (2.0**-21.41, 2.0**-21.19))
    rows += [
        Function("fast_sincosf", "", ("f", "f*", "f*"), fast, _small_angles),
        Function("fast_tanf", "f", ("f",),
                 sampled([mpmath.tan], _tangent_errors, lambda x: abs(math.cos(x)) > 2.0**-10), _small_angles),
        Function("fast_powf", "f", ("f", "f"), sampled([mpmath.power], _power_errors), _powers),
        Function("rcp64h", "d", ("d",), _near_reciprocal),
        Function("byte_perm", "u32", ("u32", "u32", "u32"), exact(_permuted)),
        Function("sad", "i32", ("i32", "i32", "i32"), exact(_difference_signed)),
        Function("usad", "u32", ("u32", "u32", "u32"), exact(_difference)),
    ]  # fmt: skip
    return rows


FUNCTIONS = _rows()
