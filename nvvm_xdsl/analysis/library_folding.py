"""Constant folding of calls of libdevice by the name of the function.

cicc computes calls of about 110 mathematical functions with constant arguments (sister page on constant
folding). It calls the host's library, and refuses results for which the library reports an error. Here
results are computed with 80 decimal digits and rounded once, so that they do not depend on the host.
Most of libdevice's functions fold after inlining to the bits that a GPU computes. This module is for those
that do not: their bodies contain approximate instructions, or loops over a table.

Denormals, infinities, NaNs and zeros of unknown sign are not folded, as in
`nvvm_xdsl.analysis.constant_folding`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute

from nvvm_xdsl.analysis.float_rounding import as_fraction, round_to
from nvvm_xdsl.dialects.llvm.types import F32, F64, float_attr

if TYPE_CHECKING:
    from decimal import Decimal

PREFIX: Final = "__nv_"

DIGITS: Final = 80
"""Precision of the computation in decimal digits."""

SMALLEST: Final = 1e-20
LARGEST: Final = 1e20
"""Range of the magnitudes of nonzero arguments: within it, cancellation leaves 40 of the digits."""


def fold_library_call(name: str, values: Sequence[Attribute | None]) -> Attribute | None:
    """The result of a function of libdevice, of the type of its arguments; None if it is unknown.

    Arguments:
        name: the name of the function, with the prefix `__nv_`.
        values: its arguments; None for those that are not constant. Their number may be that of a
            function of the user with this name.
    """
    known = _FUNCTIONS.get(name)
    if known is None:
        return None
    function, type_, count = known
    if len(values) != count:
        return None
    numbers: list[float] = []
    for value in values:
        if type(value) is not FloatAttr or value.type is not type_:
            return None
        number = value.value.data
        if number and not SMALLEST < abs(number) < LARGEST:
            return None
        numbers.append(number)
    result = function(*numbers)
    return None if result is None else float_attr(result, type_)


def _rounded(
    compute: Callable[..., Decimal], type_: Attribute, *, has_zero: bool
) -> Callable[..., float | None]:
    """A function that computes with decimals and rounds the result to a type.

    Arguments:
        has_zero: whether a result of zero is folded, as a positive zero.
    """

    def function(*numbers: float) -> float | None:
        from decimal import Context, Decimal, localcontext

        with localcontext(Context(prec=DIGITS, Emin=-400, Emax=400)):
            try:
                exact = compute(*map(Decimal, numbers))
            except ArithmeticError:
                return None
            if not exact.is_finite() or (not exact and not has_zero):
                return None
            result = round_to(as_fraction(exact), type_)
        return result if result is not None and math.isfinite(result) else None

    return function


def _decimal(number: float) -> Decimal:
    from decimal import Decimal

    return Decimal(number)


def _arctangent(x: Decimal) -> Decimal:
    """Halves the angle four times, then sums the Taylor series."""
    for _ in range(4):
        x /= 1 + (1 + x * x).sqrt()
    square, power, total, count = x * x, x, x, 1
    while total + power != total:
        power *= -square
        count += 2
        total += power / count
    return 16 * total


def _arcsine(x: Decimal) -> Decimal:
    if abs(x) == 1:
        return x * _pi() / 2
    return _arctangent(x / (1 - x * x).sqrt())


def _arccosine(x: Decimal) -> Decimal:
    return _pi() if x == -1 else 2 * _arctangent(((1 - x) / (1 + x)).sqrt())


@cache
def _pi() -> Decimal:
    """Machin's formula."""
    return 16 * _arctangent(1 / _decimal(5)) - 4 * _arctangent(1 / _decimal(239))


def _sine(x: Decimal) -> Decimal:
    """Reduces the argument to at most pi, then sums the Taylor series."""
    x -= 2 * _pi() * (x / (2 * _pi())).to_integral_value()
    square, term, total, count = x * x, x, x, 1
    while total + term != total:
        term *= -square / ((count + 1) * (count + 2))
        count += 2
        total += term
    return total


def _cosine(x: Decimal) -> Decimal:
    return _sine(x + _pi() / 2)


def _hyperbolic_sine(x: Decimal) -> Decimal:
    return (x.exp() - (-x).exp()) / 2


def _hyperbolic_cosine(x: Decimal) -> Decimal:
    return (x.exp() + (-x).exp()) / 2


def _area_hyperbolic_sine(x: Decimal) -> Decimal:
    return (x + (x * x + 1).sqrt()).ln()


def _cube_root(x: Decimal) -> Decimal:
    return (abs(x) ** (1 / _decimal(3))).copy_sign(x)


def _remainder(x: float, y: float) -> float | None:
    """The remainder is a number of the type, so that Python's function is exact."""
    return math.fmod(x, y) or None if y else None


_UNARY: Final[dict[str, Callable[[Decimal], Decimal]]] = {
    "acos": _arccosine,
    "acosh": lambda x: (x + (x * x - 1).sqrt()).ln(),
    "asin": _arcsine,
    "asinh": _area_hyperbolic_sine,
    "atan": _arctangent,
    "atanh": lambda x: ((1 + x) / (1 - x)).ln() / 2,
    "cbrt": _cube_root,
    "cos": _cosine,
    "cosh": _hyperbolic_cosine,
    "exp": lambda x: x.exp(),
    "exp10": lambda x: _decimal(10) ** x,
    "exp2": lambda x: _decimal(2) ** x,
    "log": lambda x: x.ln(),
    "log10": lambda x: x.log10(),
    "log1p": lambda x: (1 + x).ln(),
    "log2": lambda x: x.ln() / _decimal(2).ln(),
    "rcbrt": lambda x: 1 / _cube_root(x),
    "rsqrt": lambda x: 1 / x.sqrt(),
    "sin": _sine,
    "sinh": _hyperbolic_sine,
    "tan": lambda x: _sine(x) / _cosine(x),
    "tanh": lambda x: _hyperbolic_sine(x) / _hyperbolic_cosine(x),
}
"""Functions of one number by their names in libdevice without `f`."""

_BINARY: Final[dict[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "hypot": lambda x, y: (x * x + y * y).sqrt(),
    "pow": lambda x, y: x**y,
}
"""Functions of two numbers."""

_WITH_ZERO: Final = frozenset({"acos", "acosh", "log", "log10", "log2"})
"""Functions whose only zero is positive."""


class _Function(NamedTuple):
    compute: Callable[..., float | None]
    type_: Attribute
    """The type of the arguments and of the result."""
    arguments: int


def _functions() -> dict[str, _Function]:
    found: dict[str, _Function] = {}
    for suffix, type_ in (("", F64), ("f", F32)):
        for functions, count in ((_UNARY, 1), (_BINARY, 2)):
            for name, compute in functions.items():
                function = _rounded(compute, type_, has_zero=name in _WITH_ZERO)
                found[f"{PREFIX}{name}{suffix}"] = _Function(function, type_, count)
        found[f"{PREFIX}fmod{suffix}"] = _Function(_remainder, type_, 2)
    return found


_FUNCTIONS: Final = _functions()
"""The functions by their names."""


__all__ = ["fold_library_call"]
