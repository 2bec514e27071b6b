"""Functions for conditions of rules: on constants, and on known facts about values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS, as_fraction, is_denormal, round_to
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant as is_constant
from nvvm_xdsl.dialects.llvm.flags import NSW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import signed as signed
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.types import F64, pointer_space
from nvvm_xdsl.ir.nvptx import GENERIC

if TYPE_CHECKING:
    from fractions import Fraction

# Functions of numbers.


def pow2(number: int) -> bool:
    """Returns True if the number is a power of two."""
    return number > 0 and number & (number - 1) == 0


def log2(number: int) -> int:
    """The exponent of a power of two."""
    return number.bit_length() - 1


def ctz(number: int) -> int:
    """The number of trailing zero bits of a number that is not zero."""
    return (number & -number).bit_length() - 1


def lowmask(number: int) -> bool:
    """Returns True if the number is 2**k - 1 for a k above zero."""
    return number > 0 and number & (number + 1) == 0


def popcount(number: int) -> int:
    """The number of one bits."""
    return number.bit_count()


def fits(number: int, width: int) -> bool:
    """Returns True if a number is in the signed range of a width in bits."""
    return -(1 << (width - 1)) <= number < 1 << (width - 1)


def is_equality(predicate: int) -> bool:
    """Returns True if the predicate of an `icmp` is eq or ne."""
    return predicate < 2


def is_signed(predicate: int) -> bool:
    """Returns True if the predicate of an `icmp` is signed."""
    return 2 <= predicate <= 5


def is_unsigned(predicate: int) -> bool:
    """Returns True if the predicate of an `icmp` is unsigned."""
    return predicate >= 6


_LEAST_NORMAL_HALF = 2.0**-14

# Functions of floats. A function whose last parameter is a type rounds to the type; rows omit this
# argument.


def is_normal(number: float, type_: Attribute) -> bool:
    """Returns True if a float is neither zero, denormal, infinite nor NaN."""
    return math.isfinite(number) and number != 0.0 and not is_denormal(number, type_)


def exact_reciprocal(number: float, type_: Attribute) -> bool:
    """Returns True if a float is a power of two, and it and its reciprocal are normal."""
    return (
        is_normal(number, type_)
        and abs(math.frexp(number)[0]) == 0.5
        and is_normal(1.0 / number, type_)
    )


def rounded_reciprocal(number: float, type_: Attribute) -> float | None:
    """1 / x rounded to the type; None unless it is normal."""
    if not is_normal(number, type_):
        return None
    return _normal(round_to(1 / as_fraction(number), type_), type_)


def rounded_product(a: float, b: float, type_: Attribute) -> float | None:
    """a * b rounded to the type; None unless it is normal."""
    if not (is_normal(a, type_) and is_normal(b, type_)):
        return None
    return _normal(round_to(as_fraction(a) * as_fraction(b), type_), type_)


def rounded_sum(a: float, b: float, type_: Attribute) -> float | None:
    """a + b rounded to the type; None unless it is normal."""
    if not (is_normal(a, type_) and is_normal(b, type_)):
        return None
    return _normal(round_to(as_fraction(a) + as_fraction(b), type_), type_)


def rounded_quotient(a: float, b: float, type_: Attribute) -> float | None:
    """a / b rounded to the type; None unless it is normal."""
    if not (is_normal(a, type_) and is_normal(b, type_)):
        return None
    return _normal(round_to(as_fraction(a) / as_fraction(b), type_), type_)


def _normal(number: float | None, type_: Attribute) -> float | None:
    return number if number is not None and is_normal(number, type_) else None


def precision(type_: Attribute) -> int:
    """The number of significant bits of a float type; 0 if the type is not one of
    `MANTISSA_BITS`.
    """
    return MANTISSA_BITS.get(type_, (0,))[0]


def held_by(number: float, type_: Attribute) -> bool:
    """Returns True if a float is exactly a zero or a normal number of a narrower type."""
    return number == 0.0 or (
        _is_narrow(type_)
        and math.isfinite(number)
        and round_to(as_fraction(number), type_) == number
    )


def _is_narrow(type_: Attribute) -> bool:
    """Returns True if the constants of all wider types are exact as Python floats; False for `f64`,
    because the only wider type is `f128`."""
    return 0 < precision(type_) < precision(F64)


def is_between(number: float, type_: Attribute) -> bool:
    """Returns True if a finite float is between two adjacent numbers of the type that are each zero
    or normal.
    """
    return (
        _is_narrow(type_)
        and math.isfinite(number)
        and not held_by(number, type_)
        and _beside(number, type_, math.ceil) is not None
        and _beside(number, type_, math.floor) is not None
    )


def above(number: float, type_: Attribute) -> float | None:
    """The least number of the type above a float for which `is_between` holds."""
    return _beside(number, type_, math.ceil)


def below(number: float, type_: Attribute) -> float | None:
    """The greatest number of the type below a float for which `is_between` holds."""
    return _beside(number, type_, math.floor)


def has_bounds(number: float) -> bool:
    """Returns True if a float may be compared with integers by its `ceiling` and `floor_of`: it is
    finite, and no denormal of any type, which would be zero with `-ftz`.
    """
    return math.isfinite(number) and not 0.0 < abs(number) < _LEAST_NORMAL_HALF


def converts_near(number: float, width: int, type_: Attribute) -> bool:
    """Returns True if integers are on the same side of a number, or equal to it, before and after
    they are converted to a float: all of them are exact, or rounding starts beyond the number.
    """
    bits = precision(type_)
    return width <= bits or abs(number) < 1 << bits


def ceiling(number: float) -> int:
    """The least integer that is not below a finite float."""
    return math.ceil(number)


def floor_of(number: float) -> int:
    """The greatest integer that is not above a finite float."""
    return math.floor(number)


def _beside(number: float, type_: Attribute, mode: Callable[[Fraction], int]) -> float | None:
    return round_to(as_fraction(number), type_, mode)


# Functions of values.

_WELL_DEFINED = frozenset({llvm.ConstantOp, llvm.ZeroOp, llvm.AddressOfOp, FreezeOp})


def width_of(value: SSAValue) -> int:
    """The width of an integer in bits; 0 for other types."""
    type_ = value.type
    return type_.width.data if type(type_) is IntegerType else 0  # pyright: ignore


def well_defined(value: SSAValue) -> bool:
    """Returns True if the defining op shows that a value is neither undef nor poison."""
    return type(value.owner) in _WELL_DEFINED


def no_signed_wrap(value: SSAValue) -> bool:
    """Returns True if a value is defined by an op with the flag nsw."""
    return isinstance(value.owner, Operation) and bool(overflow_flags(value.owner) & NSW)


def is_object(value: SSAValue) -> bool:
    """Returns True if a value is the generic address of a variable, and so not null."""
    return (
        type(value.owner) is llvm.AllocaOp
        and type(value.type) is LLVMPointerType
        and pointer_space(value.type) == GENERIC
    )
