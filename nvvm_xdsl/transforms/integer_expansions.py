"""Expansion of integer intrinsics to plain arithmetic: fixed-point products and quotients, funnel
shifts, conversions.

Each function emits the ops for one element and returns the result.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects.llvm import (
    AddOp,
    AShrOp,
    BitcastOp,
    FCmpOp,
    FMulOp,
    FNegOp,
    LShrOp,
    MulOp,
    OrOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SubOp,
    TruncOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.ops import (
    CountLeadingZerosOp,
    SMaxOp,
    SMinOp,
    UIToFPOp,
    UMaxOp,
    UMinOp,
)
from nvvm_xdsl.dialects.llvm.types import F64, I1, I8, I64, float_attr, int_attr, integer
from nvvm_xdsl.transforms.builder import NE, SLT, Builder

LIMB = 64

Divide: TypeAlias = Callable[[SSAValue, SSAValue], tuple[SSAValue, SSAValue]]
"""Emits a division of the current type; returns the quotient and the remainder."""

_OGE, _OLT, _UNO = 3, 4, 14
"""MLIR's enumeration values of the predicates of `llvm.fcmp`."""


def _number(b: Builder, number: int, type_: Attribute) -> SSAValue:
    return b.constants.integer(signed(number, integer_width(type_)), type_)


def _clamped(b: Builder, value: SSAValue, width: int, *, sign: bool) -> SSAValue:
    """A value clamped to the range of integers of `width` bits."""
    type_ = value.type
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)
    if not sign:
        return b.value(UMinOp, (value, _number(b, high, type_)), type_)
    value = b.value(SMaxOp, (value, _number(b, low, type_)), type_)
    return b.value(SMinOp, (value, _number(b, high, type_)), type_)


def fixed_product(
    b: Builder, x: SSAValue, y: SSAValue, scale: int, *, sign: bool, saturates: bool
) -> SSAValue:
    """`smul.fix` and similar intrinsics: the product without its low `scale` bits, rounded down."""
    narrow = x.type
    width = integer_width(narrow)
    wide = integer(2 * width)
    extend = SExtOp if sign else ZExtOp
    product = b.value(MulOp, (b.value(extend, (x,), wide), b.value(extend, (y,), wide)), wide)
    if scale:
        amount = _number(b, scale, wide)
        product = b.value(AShrOp if sign else LShrOp, (product, amount), wide)
    if saturates:
        product = _clamped(b, product, width, sign=sign)
    return b.value(TruncOp, (product,), narrow)


def fixed_quotient(
    b: Builder, x: SSAValue, y: SSAValue, scale: int, divide: Divide, *, sign: bool, saturates: bool
) -> SSAValue:
    """`sdiv.fix` and similar intrinsics: the quotient of `x << scale`, rounded down."""
    narrow = x.type
    width = integer_width(narrow)
    wide = integer(2 * width)
    extend = SExtOp if sign else ZExtOp
    dividend, divisor = b.value(extend, (x,), wide), b.value(extend, (y,), wide)
    if scale:
        dividend = b.value(ShlOp, (dividend, _number(b, scale, wide)), wide)
    quotient, rest = divide(dividend, divisor)
    if sign:
        # The division rounds towards zero: one is subtracted if the quotient is negative and not
        # exact.
        zero = _number(b, 0, wide)
        inexact = b.compare(NE, rest, zero)
        signs = b.value(XOrOp, (dividend, divisor), wide)
        negative = b.value(LShrOp, (signs, _number(b, 2 * width - 1, wide)), wide)
        lower = b.value(SubOp, (quotient, negative), wide)
        quotient = b.value(SelectOp, (inexact, lower, quotient), wide)
    if saturates:
        quotient = _clamped(b, quotient, width, sign=sign)
    return b.value(TruncOp, (quotient,), narrow)


def _amount_in_width(b: Builder, amount: SSAValue) -> SSAValue:
    """An amount modulo the width of its type, limb by limb."""
    type_ = amount.type
    width = integer_width(type_)
    known = constant_integer(amount)
    if known is not None:
        return _number(b, known % (1 << width) % width, type_)
    modulus = _number(b, width, I64)
    total: SSAValue | None = None
    for start in range(0, width, LIMB):
        limb = amount
        if start:
            limb = b.value(LShrOp, (limb, _number(b, start, type_)), type_)
        limb = b.value(URemOp, (b.value(TruncOp, (limb,), I64), modulus), I64)
        factor = (1 << start) % width
        limb = b.value(MulOp, (limb, _number(b, factor, I64)), I64)
        total = limb if total is None else b.value(AddOp, (total, limb), I64)
    assert total is not None
    return b.value(ZExtOp, (b.value(URemOp, (total, modulus), I64),), type_)


def funnel_shift(
    b: Builder, high: SSAValue, low: SSAValue, amount: SSAValue, *, left: bool
) -> SSAValue:
    """`fshl` and `fshr` with a width that is not a power of two."""
    type_ = high.type
    by = _amount_in_width(b, amount)
    rest = b.value(SubOp, (_number(b, integer_width(type_) - 1, type_), by), type_)
    one = _number(b, 1, type_)
    if left:
        high = b.value(ShlOp, (high, by), type_)
        low = b.value(LShrOp, (b.value(LShrOp, (low, one), type_), rest), type_)
    else:
        high = b.value(ShlOp, (b.value(ShlOp, (high, one), type_), rest), type_)
        low = b.value(LShrOp, (low, by), type_)
    return b.value(OrOp, (high, low), type_)


def saturated_bit(b: Builder, byte: SSAValue, *, sign: bool) -> SSAValue:
    """A saturating conversion to i1, computed from a saturating conversion to i8."""
    low, high = (-1, 0) if sign else (0, 1)
    largest, smallest = (SMaxOp, SMinOp) if sign else (UMaxOp, UMinOp)
    byte = b.value(largest, (byte, _number(b, low, I8)), I8)
    byte = b.value(smallest, (byte, _number(b, high, I8)), I8)
    return b.value(TruncOp, (byte,), I1)


def saturated(b: Builder, value: SSAValue, converted: SSAValue, *, sign: bool) -> SSAValue:
    """A saturating conversion of an f64 to a wide integer, computed from a plain conversion.

    Arguments:
        converted: the result of the plain conversion; any value if `value` is out of range.
    """
    type_ = converted.type
    width = integer_width(type_)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)

    def chosen(predicate: int, bound: float, other: int) -> SSAValue:
        limit = b.constants.floating(float_attr(bound, F64))
        properties: dict[str, Attribute] = {"predicate": int_attr(predicate, I64)}
        outside = b.value(FCmpOp, (value, limit), I1, properties)
        return b.value(SelectOp, (outside, _number(b, other, type_), converted), type_)

    converted = chosen(_OLT, float(low), low)
    converted = chosen(_OGE, float(high + 1) if high < MAX_F64 else math.inf, high)
    return chosen(_UNO, 0.0, 0)


FRACTION_BITS = 52
"""The number of bits of the fraction of an f64."""

ODD_BITS = FRACTION_BITS + 1
"""The number of digits of an f64."""

MAX_F64 = int(sys.float_info.max)
"""The largest f64."""

F64_BIAS = 1023
"""The exponent field of the f64 1.0."""


def rounded_to_odd(b: Builder, value: SSAValue, *, sign: bool) -> SSAValue:
    """A wide integer as an f64 rounded to odd: rounding that to fewer digits rounds correctly.

    The highest bit is shifted to the top. The upper 53 bits are exact in an f64, and the lowest of
    them is set if any bit below is set.
    """
    return _from_upper_digits(b, value, ODD_BITS, sign=sign)


def rounded(b: Builder, value: SSAValue, *, sign: bool) -> SSAValue:
    """A wide integer as an f64: the conversion of the upper 64 bits, of which the lowest is set if any
    bit below is set, rounds once."""
    return _from_upper_digits(b, value, LIMB, sign=sign)


def _from_upper_digits(b: Builder, value: SSAValue, digits: int, *, sign: bool) -> SSAValue:
    type_ = value.type
    width = integer_width(type_)
    if sign:
        negative = b.compare(SLT, value, _number(b, 0, type_))
        opposite = b.value(SubOp, (_number(b, 0, type_), value), type_)
        size = b.value(SelectOp, (negative, opposite, value), type_)
        found = _from_upper_digits(b, size, digits, sign=False)
        return b.value(SelectOp, (negative, b.value(FNegOp, (found,), F64), found), F64)
    # A number that is not zero: zero has no highest bit.
    marked = b.value(OrOp, (value, _number(b, 1, type_)), type_)
    zeros = b.value(CountLeadingZerosOp, (marked,), type_, {"is_zero_poison": int_attr(1, I1)})
    whole = b.value(ShlOp, (value, zeros), type_)
    upper = b.value(LShrOp, (whole, _number(b, width - digits, type_)), type_)
    lower = b.value(ShlOp, (whole, _number(b, digits, type_)), type_)
    sticky = b.value(ZExtOp, (b.compare(NE, lower, _number(b, 0, type_)),), I64)
    kept = b.value(OrOp, (b.value(TruncOp, (upper,), I64), sticky), I64)
    number = b.value(UIToFPOp, (kept,), F64)
    # 2 to the power of the number of bits below the upper ones.
    exponent = b.value(TruncOp, (zeros,), I64)
    exponent = b.value(SubOp, (_number(b, F64_BIAS + width - digits, I64), exponent), I64)
    power = b.value(ShlOp, (exponent, _number(b, FRACTION_BITS, I64)), I64)
    return b.value(FMulOp, (number, b.value(BitcastOp, (power,), F64)), F64)


def truncated(b: Builder, value: SSAValue, type_: Attribute) -> SSAValue:
    """An f64 as an integer of more than 64 bits, rounded toward zero; poison if it is out of range."""
    zero = _number(b, 0, I64)
    bits = b.value(BitcastOp, (value,), I64)
    field = b.mask(b.value(LShrOp, (bits, _number(b, FRACTION_BITS, I64)), I64), 0x7FF)
    fraction = b.mask(bits, (1 << FRACTION_BITS) - 1)
    digits = b.value(OrOp, (fraction, _number(b, 1 << FRACTION_BITS, I64)), I64)
    left = b.subtract(field, F64_BIAS + FRACTION_BITS)
    right = b.value(SMinOp, (b.subtract(zero, left), _number(b, LIMB - 1, I64)), I64)
    small = b.value(ZExtOp, (b.value(LShrOp, (digits, right), I64),), type_)
    large = b.value(ShlOp, tuple(b.value(ZExtOp, (v,), type_) for v in (digits, left)), type_)
    size = b.value(SelectOp, (b.compare(SLT, left, zero), small, large), type_)
    opposite = b.value(SubOp, (_number(b, 0, type_), size), type_)
    return b.value(SelectOp, (b.compare(SLT, bits, zero), opposite, size), type_)
