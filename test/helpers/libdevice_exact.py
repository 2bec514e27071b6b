"""Exact functions of libdevice: conversions, rounding modes, integers, bits.

References are NumPy's and Python's exact arithmetic. A function is a row of `ROWS`: its name, the types of
its result and arguments, and the expected results for arrays of arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Reference = Callable[..., Array]

TYPES = {
    "i32": ("i32", np.int32), "u32": ("i32", np.uint32), "i64": ("i64", np.int64), "u64": ("i64", np.uint64),
    "h": ("i16", np.float16), "f": ("float", np.float32), "d": ("double", np.float64),
}  # fmt: skip
"""LLVM's and NumPy's types."""

ROUND = {"rn": np.rint, "rd": np.floor, "ru": np.ceil, "rz": np.trunc}


def directed(nearest: Array, error: Array, mode: str) -> Array:
    """Returns a correctly rounded result in another mode; `error` has the sign of exact minus nearest."""
    if mode == "rn":
        return nearest
    kind = nearest.dtype.type
    down, up = np.nextafter(nearest, kind(-np.inf)), np.nextafter(nearest, kind(np.inf))
    if mode == "rd":
        return np.where(error < 0, down, nearest)
    if mode == "ru":
        return np.where(error > 0, up, nearest)
    positive = ~np.signbit(nearest)
    return np.where((error < 0) & positive, down, np.where((error > 0) & ~positive, up, nearest))


def _error(nearest: Array, operands: tuple[Array, ...], exact: Callable[..., Array]) -> Array:
    """The error's sign, if there is an error: an overflow is too large, special values are exact."""
    finite = np.isfinite(operands[0])
    for operand in operands[1:]:
        finite &= np.isfinite(operand)
    found = np.where(np.isfinite(nearest), exact(), np.where(nearest > 0, -1.0, 1.0))
    return np.where(finite & ~np.isnan(nearest), found, 0.0)


def _sum(a: Array, b: Array, mode: str) -> Array:
    nearest = a + b

    def exact() -> Array:
        if a.dtype == np.float32:
            x, y = a.astype(np.float64), b.astype(np.float64)
        else:
            x, y = a, b
        total = x + y
        part = total - x
        rest = (x - (total - part)) + (y - part)
        return (total - nearest) + rest

    out = directed(nearest, _error(nearest, (a, b), exact), mode)
    cancelled = (nearest == 0) & ~((a == 0) & (b == 0) & (np.signbit(a) == np.signbit(b)))
    return np.where(cancelled & (mode == "rd"), -out, out) if mode == "rd" else out


def _remainder(a: Array, b: Array, r: Array) -> Array:
    """The sign of `a - r * b`."""
    if a.dtype == np.float32:
        return a.astype(np.float64) - r.astype(np.float64) * b.astype(np.float64)
    signs = np.zeros(a.shape)
    for i in np.flatnonzero(np.isfinite(a) & np.isfinite(b) & np.isfinite(r)):
        rest = Fraction(float(a[i])) - Fraction(float(r[i])) * Fraction(float(b[i]))
        signs[i] = (rest > 0) - (rest < 0)
    return signs


def _product(a: Array, b: Array, mode: str) -> Array:
    nearest = a * b

    def exact() -> Array:
        if a.dtype == np.float32:
            return a.astype(np.float64) * b.astype(np.float64) - nearest.astype(np.float64)
        signs = np.zeros(a.shape)
        for i in np.flatnonzero(np.isfinite(a) & np.isfinite(b) & np.isfinite(nearest)):
            rest = Fraction(float(a[i])) * Fraction(float(b[i])) - Fraction(float(nearest[i]))
            signs[i] = (rest > 0) - (rest < 0)
        return signs

    return directed(nearest, _error(nearest, (a, b), exact), mode)


def _quotient(a: Array, b: Array, mode: str) -> Array:
    nearest = a / b
    error = _error(nearest, (a, b), lambda: _remainder(a, b, nearest) * np.sign(b))
    # A division by zero is exact.
    return directed(nearest, np.where(b == 0, 0.0, error), mode)


def _root(a: Array, mode: str) -> Array:
    nearest = np.sqrt(a)
    return directed(nearest, _error(nearest, (a,), lambda: _remainder(a, nearest, nearest)), mode)


def _reciprocal_root(a: Array) -> Array:
    return (1 / np.sqrt(a.astype(np.longdouble))).astype(np.float32)


def _narrow(a: Array, mode: str) -> Array:
    nearest = a.astype(np.float32)
    return directed(nearest, _error(nearest, (a,), lambda: a - nearest), mode)


def _clamped(values: Array, type_: str, nan: int) -> Array:
    """Integral floats as integers, as in PTX's `cvt`."""
    info = np.iinfo(TYPES[type_][1])
    low, high = int(info.min), int(info.max)
    out = [nan if np.isnan(v) else _within(v, low, high) for v in values]
    return np.array(out, np.object_)


def _within(value: float, low: int, high: int) -> int:
    return low if value <= low else high if value >= high else int(value)


def _to_integer(type_: str, mode: str) -> Reference:
    bits = int(type_[1:])

    def reference(a: Array) -> Array:
        nan = 0 if a.dtype == np.float32 and bits == 32 else 1 << (bits - 1)
        return _clamped(ROUND[mode](a), type_, nan)

    return reference


def _from_integer(type_: str, mode: str) -> Reference:
    def reference(a: Array) -> Array:
        nearest = a.astype(TYPES[type_][1])
        error = np.array([int(x) - int(r) for x, r in zip(a, nearest)], np.object_)
        return directed(nearest, np.sign(error).astype(np.float64), mode)

    return reference


def _away(a: Array) -> Array:
    return np.trunc(a + np.copysign(np.nextafter(a.dtype.type(0.5), a.dtype.type(0)), a))


def _ilogb(a: Array) -> Array:
    with np.errstate(all="ignore"):
        out = np.frexp(a)[1].astype(np.int64) - 1
    out = np.where(np.isnan(a) | (a == 0), -(1 << 31), out)
    return np.where(np.isinf(a), (1 << 31) - 1, out)


def _each(function: Callable[..., int]) -> Reference:
    """Returns a function for arrays from one for Python integers."""
    return lambda *columns: np.array(
        [function(*(int(v) for v in values)) for values in zip(*columns)], np.object_
    )


def _low24(n: int, signed: bool) -> int:
    low = n & 0xFFFFFF
    return low - (1 << 24) if signed and low >> 23 else low


def _saturated(a: Array) -> Array:
    return np.where(a > 0, np.minimum(a, np.float32(1)), np.float32(0))


Row = tuple[str, str, tuple[str, ...], Reference]


def _rows() -> list[Row]:
    rows: list[Row] = []
    for mode in ROUND:
        for t in "fd":
            two = {"add": _sum, "mul": _product, "div": _quotient}
            for name, function in two.items():
                rows.append(
                    (f"{t}{name}_{mode}", t, (t, t), lambda a, b, g=function, m=mode: g(a, b, m))
                )
            rows.append((f"{t}sub_{mode}", t, (t, t), lambda a, b, m=mode: _sum(a, -b, m)))
            rows.append(
                (f"{t}rcp_{mode}", t, (t,), lambda a, m=mode: _quotient(np.ones_like(a), a, m))
            )
            rows.append((f"{t}sqrt_{mode}", t, (t,), lambda a, m=mode: _root(a, m)))
        rows.append((f"double2float_{mode}", "f", ("d",), lambda a, m=mode: _narrow(a, m)))
        for source, name in (("f", "float"), ("d", "double")):
            for target, to in (("i32", "int"), ("u32", "uint"), ("i64", "ll"), ("u64", "ull")):
                rows.append((f"{name}2{to}_{mode}", target, (source,), _to_integer(target, mode)))
        for target, name in (("f", "float"), ("d", "double")):
            for source, of in (("i32", "int"), ("u32", "uint"), ("i64", "ll"), ("u64", "ull")):
                if target == "f" or source in ("i64", "u64") or mode == "rn":
                    rows.append(
                        (f"{of}2{name}_{mode}", target, (source,), _from_integer(target, mode))
                    )
    rows += [
        ("frsqrt_rn", "f", ("f",), _reciprocal_root),
        ("float2half_rn", "h", ("f",), lambda a: a.astype(np.float16)),
        ("half2float", "f", ("h",), lambda a: a.astype(np.float32)),
        ("saturatef", "f", ("f",), _saturated),
    ]
    for t, suffix, other in (("f", "f", "f"), ("d", "", "d")):
        rows += [
            (f"llrint{suffix}", "i64", (t,), lambda a: _clamped(np.rint(a), "i64", 1 << 63)),
            (f"llround{suffix}", "i64", (t,), lambda a: _clamped(_away(a), "i64", 1 << 63)),
            (f"ilogb{suffix}", "i32", (t,), _ilogb),
            (f"isinf{other}", "bool", (t,), np.isinf),
            (f"isnan{other}", "bool", (t,), np.isnan),
            (f"signbit{other}", "bool", (t,), np.signbit),
            ("finitef" if t == "f" else "isfinited", "bool", (t,), np.isfinite),
            (f"ldexp{suffix}", t, (t, "exponent"), np.ldexp),
            (f"scalbn{suffix}", t, (t, "exponent"), np.ldexp),
        ]
    for t, all_, plain in (("32", "", ""), ("64", "ll", "64")):
        n = int(t)
        i, u = f"i{t}", f"u{t}"
        rows += [
            (f"{all_}abs", i, (i,), _each(abs)),
            (f"brev{all_}", u, (u,), _each(lambda a, n=n: int(f"{a:0{n}b}"[::-1], 2))),
            (f"clz{all_}", "i32", (u,), _each(lambda a, n=n: n - a.bit_length())),
            (f"ffs{all_}", "i32", (u,), _each(lambda a: (a & -a).bit_length())),
            (f"popc{all_}", "i32", (u,), _each(lambda a: a.bit_count())),
            (f"{all_}max", i, (i, i), _each(max)),
            (f"{all_}min", i, (i, i), _each(min)),
            (f"u{all_}max", u, (u, u), _each(max)),
            (f"u{all_}min", u, (u, u), _each(min)),
            (f"mul{plain}hi", i, (i, i), _each(lambda a, b, n=n: a * b >> n)),
            (f"umul{plain}hi", u, (u, u), _each(lambda a, b, n=n: a * b >> n)),
        ]
    rows += [
        ("hadd", "i32", ("i32", "i32"), _each(lambda a, b: a + b >> 1)),
        ("uhadd", "u32", ("u32", "u32"), _each(lambda a, b: a + b >> 1)),
        ("rhadd", "i32", ("i32", "i32"), _each(lambda a, b: a + b + 1 >> 1)),
        ("urhadd", "u32", ("u32", "u32"), _each(lambda a, b: a + b + 1 >> 1)),
        ("mul24", "i32", ("i32", "i32"), _each(lambda a, b: _low24(a, True) * _low24(b, True))),
        ("umul24", "u32", ("u32", "u32"), _each(lambda a, b: _low24(a, False) * _low24(b, False))),
        ("double2hiint", "i32", ("d",), lambda a: a.view(np.uint64) >> np.uint64(32)),
        ("double2loint", "i32", ("d",), lambda a: a.view(np.uint64) & np.uint64(0xFFFFFFFF)),
        ("hiloint2double", "d", ("u32", "u32"),
         lambda a, b: (a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)).view(np.float64)),
        ("double_as_longlong", "i64", ("d",), lambda a: a.view(np.int64)),
        ("longlong_as_double", "d", ("i64",), lambda a: a.view(np.float64)),
        ("float_as_int", "i32", ("f",), lambda a: a.view(np.int32)),
        ("float_as_uint", "u32", ("f",), lambda a: a.view(np.uint32)),
        ("int_as_float", "f", ("i32",), lambda a: a.view(np.float32)),
        ("uint_as_float", "f", ("u32",), lambda a: a.view(np.float32)),
    ]  # fmt: skip
    return rows


ROWS = _rows()


def argument(type_: str, count: int, rng: np.random.Generator) -> Array:
    """Arguments of a type: uniform bit patterns, common numbers, special values."""
    if type_ == "exponent":
        out = rng.integers(-2200, 2200, count).astype(np.int32)
        out[: count // 2] = rng.integers(-60, 60, count // 2)
        return out
    kind = np.dtype(TYPES[type_][1])
    bits = 8 * kind.itemsize
    raw = rng.integers(0, 1 << bits, count, np.uint64, endpoint=False) if bits < 64 else (
        rng.integers(0, 1 << 64, count, np.uint64)
    )  # fmt: skip
    out = raw.astype(f"u{kind.itemsize}").view(kind)
    third = count // 3
    if kind.kind == "f":
        out[:third] = (rng.normal(size=third) * 10.0 ** rng.integers(-3, 12, third)).astype(kind)
        out[third : 2 * third] = (rng.integers(-2000, 2000, third) / 4).astype(kind)
        special = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, np.inf, -np.inf, np.nan, 2.0**31, -(2.0**31),
                   2.0**32, 2.0**63, 2.0**64, float(np.finfo(kind).max), -float(np.finfo(kind).max),
                   float(np.finfo(kind).tiny), float(np.finfo(kind).smallest_subnormal))  # fmt: skip
        out[: len(special)] = np.array(special, np.float64).astype(kind)
        return rng.permutation(out)
    out[:third] = rng.integers(0, 1000, third)
    info = np.iinfo(kind)
    corners = [0, 1, int(info.max), int(info.min), int(info.max) - 1, (1 << 24) + 1, (1 << 25) - 1]
    out[: len(corners)] = corners
    return rng.permutation(out)
