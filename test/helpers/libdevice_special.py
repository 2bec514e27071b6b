"""libdevice's special and fast functions, with the errors that CUDA's documentation states.

CUDA C++ Programming Guide, "Mathematical Functions": the tables of standard functions, some of which have a
bound in units in the last place near zero and an absolute one elsewhere, and of intrinsic functions.
References are mpmath's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from helpers.libdevice_accuracy import Array, MathFunction

BITS = 200
"""The precision of references."""


@dataclass(frozen=True)
class Special:
    """A function and its documented error.

    Arguments:
        function: its name and types; the bound is in units in the last place.
        exact: the exact result.
        low, high: the interval of the first argument for which the bound holds.
        absolute: the allowed error outside of the bound.
        near: the largest argument for the bound; beyond it `absolute` applies.
        slack: more units in the last place for each unit of the first argument.
    """

    function: MathFunction
    exact: Callable[..., Any]
    low: float
    high: float
    absolute: float = 0.0
    near: float = np.inf
    slack: float = 0.0


def _erfcinv(x: Any) -> Any:
    return mpmath.erfinv(1 - x)


def _erfcx(x: Any) -> Any:
    return mpmath.exp(x * x) * mpmath.erfc(x)


def _normcdf(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _normcdfinv(x: Any) -> Any:
    return -mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * x)


# Name, reference, arguments, bounds for single and double in units in the last place.
_SMOOTH: tuple[tuple[str, Callable[..., Any], float, float, int, int], ...] = (
    ("erfinv", mpmath.erfinv, -1, 1, 2, 5),
    ("erfcinv", _erfcinv, 1e-30, 2, 4, 6),
    ("erfcx", _erfcx, -5, 50, 4, 4),
    ("normcdf", _normcdf, -10, 10, 5, 5),
    ("normcdfinv", _normcdfinv, 1e-30, 1, 5, 8),
    ("cyl_bessel_i0", lambda x: mpmath.besseli(0, x), -80, 80, 6, 6),
    ("cyl_bessel_i1", lambda x: mpmath.besseli(1, x), -80, 80, 6, 6),
)
# The same, with the absolute errors that hold beyond 8.
_BESSEL: tuple[tuple[str, Callable[..., Any], float], ...] = (
    ("j0", lambda x: mpmath.besselj(0, x), -100),
    ("j1", lambda x: mpmath.besselj(1, x), -100),
    ("y0", lambda x: mpmath.bessely(0, x), 0),
    ("y1", lambda x: mpmath.bessely(1, x), 0),
)
# Of single precision only: arguments, units in the last place and more of them for each unit of the
# argument, or an absolute error.
_FAST: tuple[tuple[str, Callable[..., Any], float, float, float, float, float], ...] = (
    ("fast_sinf", mpmath.sin, -np.pi, np.pi, 0, 0, 2.0**-21.41),
    ("fast_cosf", mpmath.cos, -np.pi, np.pi, 0, 0, 2.0**-21.19),
    ("fast_expf", mpmath.exp, -80, 80, 2, 1.173, 0),
    ("fast_exp10f", lambda x: mpmath.power(10, x), -35, 35, 2, 2.97, 0),
    ("fast_logf", mpmath.log, 0.5, 2, 0, 0, 2.0**-21.41),
    ("fast_log2f", lambda x: mpmath.log(x) / mpmath.log(2), 0.5, 2, 0, 0, 2.0**-22),
    ("fast_log10f", mpmath.log10, 0.5, 2, 0, 0, 2.0**-24),
    ("fast_logf", mpmath.log, 2, 1e30, 3, 0, 0),
    ("fast_log2f", lambda x: mpmath.log(x) / mpmath.log(2), 2, 1e30, 2, 0, 0),
    ("fast_log10f", mpmath.log10, 2, 1e30, 3, 0, 0),
    ("fast_tanhf", mpmath.tanh, -10, 10, 0, 0, 2.0**-11),
)


def functions() -> list[Special]:
    """All measured functions."""
    found: list[Special] = []
    for name, exact, low, high, single, double in _SMOOTH:
        for suffix, is_single, bound in (("f", True, single), ("", False, double)):
            function = MathFunction(f"__nv_{name}{suffix}", name, is_single, 1, bound)
            found.append(Special(function, exact, low, high))
    for name, exact, low in _BESSEL:
        for suffix, is_single, bound, absolute in (("f", True, 9, 2.2e-6), ("", False, 7, 5e-12)):
            function = MathFunction(f"__nv_{name}{suffix}", name, is_single, 1, bound)
            found.append(Special(function, exact, low, 100, absolute, 8))
    for name, exact, low, high, bound, slack, absolute in _FAST:
        function = MathFunction(f"__nv_{name}", name, True, 1, bound)
        near = 0.0 if absolute else np.inf
        found.append(Special(function, exact, low, high, absolute, near, slack))
    quotient = MathFunction("__nv_fast_fdividef", "fast_fdividef", True, 2, 2)
    found.append(Special(quotient, lambda x, y: x / y, 2.0**-40, 2.0**40))
    return found


def arguments(special: Special, count: int) -> list[Array]:
    """Arguments within the interval, as many near its ends and zero as elsewhere."""
    rng = np.random.default_rng(5)
    columns: list[Array] = []
    for _ in range(special.function.arguments):
        low, high = special.low, special.high
        spread = low + (high - low) * rng.random(count)
        ends = rng.choice([low, high, 0.0] if low < 0 else [low, high], count)
        near = ends + rng.normal(size=count) * 10.0 ** rng.integers(-6, 1, count)
        column = np.where(rng.random(count) < 0.5, spread, near)
        column = np.clip(column, low, high).astype(special.function.dtype)
        inside = (column > low) & (column < high)
        columns.append(np.where(inside, column, special.function.dtype((low + high) / 3)))
    return columns


def wrong(special: Special, columns: list[Array], got: Array) -> str:
    """Describes the first result whose error is too large; empty if there is none."""
    mpmath.mp.prec = BITS
    info = np.finfo(special.function.dtype)
    for values in zip(*columns, got):
        *given, value = (float(v) for v in values)
        exact = special.exact(*(mpmath.mpf(v) for v in given))
        error = float(abs(mpmath.mpf(value) - exact))
        if abs(given[0]) >= special.near:
            allowed = special.absolute
        else:
            unit = float(
                np.spacing(special.function.dtype(max(abs(float(exact)), float(info.tiny))))
            )
            # Bounds are relative to the correctly rounded result.
            allowed = (
                special.function.bound + np.floor(special.slack * abs(given[0])) + 0.5
            ) * unit
        if not error <= allowed:
            return (
                f"{special.function.name}{tuple(given)} is {value!r}, not {mpmath.nstr(exact, 20)}"
            )
    return ""
