"""Constants of the llvm dialect: floating-point values by their bits, and values of constant ops.

A `FloatAttr` contains a Python float. A value of a narrower type is stored as the double with the
widened bits, including NaN payload and signaling bit. It is computed without arithmetic, which
would make NaNs quiet. Two attributes are equal exactly if their bits are equal, so that
`float_bits` and `float_from_bits` are inverse for f16, bf16, f32 and f64. An f80 or f128 can be
stored if it is representable as a double.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from xdsl.dialects.builtin import (
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    FloatData,
    IntegerAttr,
    StringAttr,
    VectorType,
)
from xdsl.dialects.llvm import ConstantOp
from xdsl.ir import Attribute, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.types import width_of


class FloatFormat(NamedTuple):
    """Widths of a binary floating-point format in bits."""

    exponent: int
    mantissa: int

    @property
    def width(self) -> int:
        """Total width, including the sign bit."""
        return 1 + self.exponent + self.mantissa


FORMATS: dict[type[Attribute], FloatFormat] = {
    Float16Type: FloatFormat(5, 10),
    BFloat16Type: FloatFormat(8, 7),
    Float32Type: FloatFormat(8, 23),
    Float64Type: FloatFormat(11, 52),
    Float128Type: FloatFormat(15, 112),
}
"""Formats with an implied leading bit; f80 stores it."""

DOUBLE = FORMATS[Float64Type]


def _format_of(type_: Attribute) -> FloatFormat:
    found = FORMATS.get(type(type_))
    if found is None:
        raise ValueError(f"no floating-point format for {type_}")
    return found


def double_from_bits(bits: int) -> float:
    """The double with these 64 bits."""
    return struct.unpack("<d", bits.to_bytes(8, "little"))[0]


def bits_of_double(value: float) -> int:
    """The 64 bits of a double."""
    return int.from_bytes(struct.pack("<d", value), "little")


def convert_bits(bits: int, source: FloatFormat, target: FloatFormat) -> int:
    """Bits of one format as those of another format that can represent the value exactly.

    NaN payloads keep their leading bits. Raises ValueError for a value that the target cannot
    represent.
    """
    sign = bits >> (source.width - 1)
    exponent = (bits >> source.mantissa) & ((1 << source.exponent) - 1)
    mantissa = bits & ((1 << source.mantissa) - 1)
    shift = target.mantissa - source.mantissa
    top = (1 << target.exponent) - 1
    if exponent == (1 << source.exponent) - 1:
        moved = mantissa << shift if shift >= 0 else mantissa >> -shift
        if mantissa and not moved:
            moved = 1
        return (sign << (target.width - 1)) | (top << target.mantissa) | moved
    if exponent == 0 and mantissa == 0:
        return sign << (target.width - 1)
    # value = significand * 2^scale with an odd or at least integral significand
    bias = (1 << (source.exponent - 1)) - 1
    significand = mantissa if exponent == 0 else mantissa | (1 << source.mantissa)
    scale = max(exponent, 1) - bias - source.mantissa
    length = significand.bit_length()
    target_bias = top >> 1
    biased = scale + length - 1 + target_bias
    if biased >= top:
        raise ValueError("the value is too large")
    if biased < 1:
        low = 1 - target_bias - target.mantissa
        biased = 0
    else:
        low = scale + length - 1 - target.mantissa
    moved, lost = divmod(significand << max(scale - low, 0), 1 << max(low - scale, 0))
    if lost:
        raise ValueError("the value has too many digits")
    moved &= (1 << target.mantissa) - 1
    return (sign << (target.width - 1)) | (biased << target.mantissa) | moved


def _f80_to_f128(bits: int) -> int:
    integral = (bits >> 63) & 1
    fraction = bits & ((1 << 63) - 1)
    head = bits >> 64
    if not integral and head & 0x7FFF not in (0, 0x7FFF):
        raise ValueError("an unnormal f80 value")
    return (head << 112) | (fraction << 49)


def _f128_to_f80(bits: int) -> int:
    head = bits >> 112
    fraction = (bits & ((1 << 112) - 1)) >> 49
    integral = 1 if head & 0x7FFF else 0
    return (head << 64) | (integral << 63) | fraction


def float_bits(attr: FloatAttr) -> int:
    """The bits of a floating-point constant in its own type.

    Raises ValueError if the type cannot represent the attribute's value.
    """
    double = bits_of_double(attr.value.data)
    type_ = attr.type
    if isinstance(type_, Float64Type):
        return double
    if isinstance(type_, Float80Type):
        return _f128_to_f80(convert_bits(double, DOUBLE, FORMATS[Float128Type]))
    return convert_bits(double, DOUBLE, _format_of(type_))


@cache
def float_from_bits(bits: int, type_: Attribute) -> FloatAttr:
    """The constant with these bits in a floating-point type, interned.

    Raises ValueError for an f80 or f128 that no double represents.
    """
    if isinstance(type_, Float80Type):
        double = convert_bits(_f80_to_f128(bits), FORMATS[Float128Type], DOUBLE)
    else:
        double = convert_bits(bits, _format_of(type_), DOUBLE)
    return FloatAttr.new([FloatData(double_from_bits(double)), type_])


def is_nan(attr: FloatAttr) -> bool:
    """Returns True if the constant is a NaN."""
    return math.isnan(attr.value.data)


def constant_of(value: SSAValue) -> Attribute | None:
    """The attribute of the `llvm.mlir.constant` that defines the value; None for other values."""
    if isinstance(value, OpResult) and type(value.op) is ConstantOp:
        return value.op.properties["value"]
    return None


def _element(attr: DenseIntOrFPElementsAttr[Any]) -> Attribute:
    return attr.get_element_type()


def elements_of(attr: DenseIntOrFPElementsAttr[Any]) -> Iterator[int]:
    """The elements of a dense constant as unsigned bit patterns, in order."""
    data = attr.data.data
    size = len(data) // max(len(attr), 1)
    mask = (1 << (width_of(_element(attr)) or 8 * size)) - 1
    for start in range(0, len(data), size):
        yield int.from_bytes(data[start : start + size], "little") & mask


def is_zero(attr: Attribute) -> bool:
    """Returns True if a constant is all zero bits: 0, +0.0, or a vector of them."""
    if isinstance(attr, IntegerAttr):
        return attr.value.data == 0
    if isinstance(attr, FloatAttr):
        return bits_of_double(attr.value.data) == 0
    if isinstance(attr, DenseIntOrFPElementsAttr):
        return not any(attr.data.data)
    return False


def string_bytes(attr: StringAttr | BytesAttr) -> bytes:
    """The bytes of a string constant; text is UTF-8, with other bytes as surrogates."""
    if isinstance(attr, BytesAttr):
        return attr.data
    return attr.data.encode("utf-8", "surrogateescape")


def vector_constant(bits: Sequence[int], type_: VectorType[Any]) -> DenseIntOrFPElementsAttr[Any]:
    """A dense constant of these bit patterns."""
    size: int = type_.get_element_type().compile_time_size
    data = b"".join(b.to_bytes(size, "little") for b in bits)
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data))
