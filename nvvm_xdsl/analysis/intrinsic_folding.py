"""Constant folding of NVVM's arithmetic intrinsics.

The name of an intrinsic gives the operation, the rounding and the type: `add.rm.ftz.f` is a sum of
floats rounded down. Names and semantics are from LLVM's NVPTX usage guide and the PTX ISA; LLVM's
constant folder supports the same families. Results that the target decides are not folded: NaNs,
infinities, zeros that are rounded down, denormals, and `approx` forms, except logarithms of powers
of two and powers of two with integer exponents, which are exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute

from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS, as_fraction, is_denormal, round_to
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.integers import number_and_width, signed, unsigned
from nvvm_xdsl.dialects.llvm.types import float_attr, int_attr, integer
from nvvm_xdsl.dialects.nvvm.calls import PREFIX

if TYPE_CHECKING:
    from fractions import Fraction

IntrinsicFolder: TypeAlias = Callable[[Sequence[Attribute], Attribute], "Attribute | None"]
"""Computes a result from the operands' values and the result's type; None if the target decides the
result."""

_ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "rn": round,
    "rz": math.trunc,
    "rm": math.floor,
    "rp": math.ceil,
}

_EXACT: dict[str, Callable[[Sequence[Fraction]], Fraction | None]] = {
    "add": lambda v: v[0] + v[1],
    "mul": lambda v: v[0] * v[1],
    "div": lambda v: v[0] / v[1] if v[1] else None,
    "fma": lambda v: v[0] * v[1] + v[2],
    "rcp": lambda v: 1 / v[0] if v[0] else None,
    "d2f": lambda v: v[0],
}
"""The exact result before rounding."""

_ZEROS: dict[str, Callable[[Sequence[float]], float]] = {
    "add": lambda v: v[0] + v[1],
    "mul": lambda v: v[0] * v[1],
    "fma": lambda v: v[0] * v[1] + v[2],
}
"""The result with the sign of an exact zero (IEEE 754-2019, 6.3). Rounding down, terms that cancel
yield -0.0."""

_INTEGERS: dict[str, Callable[[int, Sequence[int]], int]] = {
    "mulhi": lambda width, v: (v[0] * v[1]) >> width,
    "mul24": lambda width, v: v[0] * v[1],
    "sad": lambda width, v: abs(v[0] - v[1]) + v[2],
}

_SIGNED = {"i": 32, "s": 16, "ll": 64}
_UNSIGNED = {"ui": 32, "us": 16, "ull": 64}

_ARITHMETIC = re.compile(
    r"(?:(add|mul|div|fma|rcp|sqrt)\.(rn|rz|rm|rp)(?:\.ftz)?\.[fd]|(d2f)\.(rn|rz|rm|rp)(?:\.ftz)?)"
)
_TO_INTEGER = re.compile(r"[fd]2(i|ui|ll|ull)\.(rn|rz|rm|rp)(?:\.ftz)?")
_TO_FLOAT = re.compile(r"(i|ui|ll|ull)2[fd]\.(rn|rz|rm|rp)")
_SATURATED = re.compile(r"saturate\.(?:ftz\.)?[fd]")
_POWER_OF_TWO = re.compile(r"(lg2|ex2)\.approx(?:\.ftz)?\.f(?:32)?")
_OF_INTEGERS = re.compile(r"(mulhi|mul24|sad)\.(i|ui|s|us|ll|ull)")


def fold_intrinsic(name: str, values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    """The constant result of an intrinsic call.

    Arguments:
        name: the name of the intrinsic, with the prefix `llvm.nvvm.`.
        values: the values of its operands.
        target: the result's type.
    Returns None if the result is unknown.
    """
    folder = _folder(name)
    return None if folder is None else folder(values, target)


@cache
def _folder(name: str) -> IntrinsicFolder | None:
    if not name.startswith(PREFIX):
        return None
    short = name.removeprefix(PREFIX)
    if found := _ARITHMETIC.fullmatch(short):
        operation, mode = found[1] or found[3], found[2] or found[4]
        if operation == "sqrt":
            return _root if mode == "rn" else None
        return _arithmetic(operation, mode)
    if found := _TO_INTEGER.fullmatch(short):
        return _to_integer(found[1] in _SIGNED, _ROUNDINGS[found[2]])
    if found := _TO_FLOAT.fullmatch(short):
        return _to_float(found[1] in _SIGNED, _ROUNDINGS[found[2]])
    if _SATURATED.fullmatch(short):
        return _saturated
    if found := _POWER_OF_TWO.fullmatch(short):
        return _logarithm if found[1] == "lg2" else _exponential
    if found := _OF_INTEGERS.fullmatch(short):
        return _of_integers(found[1], found[2])
    return None


def _floats(values: Sequence[Attribute]) -> list[float] | None:
    """Finite numbers without denormals."""
    found: list[float] = []
    for value in values:
        if type(value) is not FloatAttr:
            return None
        number = value.value.data
        type_ = value.type
        if type_ not in MANTISSA_BITS or not math.isfinite(number) or is_denormal(number, type_):
            return None
        found.append(number)
    return found


def _float(number: Fraction | None, target: Attribute, mode: Callable[[Fraction], int]) -> Any:
    rounded = None if not number else round_to(number, target, mode)
    return None if rounded is None else float_attr(rounded, target)


def _arithmetic(operation: str, mode: str) -> IntrinsicFolder:
    compute = _EXACT[operation]

    def fold(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
        numbers = _floats(values)
        if numbers is None or target not in MANTISSA_BITS:
            return None
        exact = compute([as_fraction(number) for number in numbers])
        if exact == 0 and operation in _ZEROS and mode != "rm":
            return float_attr(_ZEROS[operation](numbers), target)
        return _float(exact, target, _ROUNDINGS[mode])

    return fold


def _root(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    numbers = _floats(values)
    if numbers is None or target not in MANTISSA_BITS or numbers[0] <= 0.0:
        return None
    # Rounding twice is harmless: a double has more than twice the digits of a float.
    return _float(as_fraction(math.sqrt(numbers[0])), target, round)


def _to_integer(is_signed: bool, mode: Callable[[Fraction], int]) -> IntrinsicFolder:
    def fold(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
        numbers = _floats(values)
        width = integer_width(target)
        if numbers is None or not width:
            return None
        whole = mode(as_fraction(numbers[0]))
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
        # A value that does not fit is clamped (PTX ISA 9.7.9.21, "cvt").
        return int_attr(min(max(whole, low), high - 1), integer(width))

    return fold


def _number(value: Attribute, is_signed: bool) -> tuple[int, int] | None:
    """An integer and its width."""
    constant = number_and_width(value)
    if constant is None:
        return None
    return (signed(*constant), constant[1]) if is_signed else constant


def _to_float(is_signed: bool, mode: Callable[[Fraction], int]) -> IntrinsicFolder:
    def fold(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
        found = _number(values[0], is_signed)
        if found is None or target not in MANTISSA_BITS:
            return None
        return _float(as_fraction(found[0]), target, mode)

    return fold


def _logarithm(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    """The base 2 logarithm of a power of two."""
    numbers = _floats(values)
    if numbers is None or numbers[0] <= 0.0:
        return None
    mantissa, exponent = math.frexp(numbers[0])
    return float_attr(float(exponent - 1), target) if mantissa == 0.5 else None


def _exponential(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    """The power of two of an integer."""
    numbers = _floats(values)
    if numbers is None or not numbers[0].is_integer() or not -127 < numbers[0] < 128:
        return None
    return float_attr(math.ldexp(1.0, int(numbers[0])), target)


def _saturated(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    numbers = _floats(values)
    if numbers is None or target not in MANTISSA_BITS:
        return None
    (number,) = numbers
    return float_attr(min(number, 1.0) if number > 0.0 else 0.0, target)


def _of_integers(operation: str, kind: str) -> IntrinsicFolder:
    is_signed = kind in _SIGNED
    compute = _INTEGERS[operation]

    def fold(values: Sequence[Attribute], target: Attribute) -> Attribute | None:
        width = integer_width(target)
        if not width:
            return None
        numbers: list[int] = []
        for value in values:
            found = _number(value, is_signed)
            if found is None:
                return None
            number = found[0]
            if operation == "mul24":
                number = unsigned(number, 24)
                number = signed(number, 24) if is_signed else number
            numbers.append(number)
        return int_attr(unsigned(compute(width, numbers), width), integer(width))

    return fold
