"""Numbers that xDSL's parser, printer and packing change: NaNs, infinities, unusual widths."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Iterable
from math import copysign, inf
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    Float80Type,
    Float128Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer

FloatBits: TypeAlias = "Callable[[FloatAttr], int]"
"""Returns the bits of a float; raises ValueError for an unsupported type."""

FloatFromBits: TypeAlias = "Callable[[int, AnyFloat], FloatAttr]"
"""Returns the float with the given bits; raises ValueError for an unsupported type."""


def extend_floats(float_bits: FloatBits, float_from_bits: FloatFromBits) -> None:
    """Makes the parser and the printer keep the payload and the signaling bit of NaNs."""
    print_number = FloatAttr.print_without_type
    parse_number = AttrParser.parse_optional_builtin_int_or_float_attr

    def print_float(self: FloatAttr, printer: Printer) -> None:
        value = self.value.data
        if value == value and abs(value) != float("inf"):
            print_number(self, printer)
            return
        try:
            digits = -(-self.type.bitwidth // 4)
            printer.print_string(f"0x{float_bits(self):0{digits}X}")
        except ValueError:
            print_number(self, printer)

    def parse_float(self: AttrParser) -> IntegerAttr | FloatAttr | None:
        start = self.pos
        text = self._current_token.text
        try:
            found = parse_number(self)
        except OverflowError:  # beyond the type's range, which MLIR rounds to an infinity
            self._resume_from(start)
            value = self.parse_number()
            self.parse_punctuation(":")
            type_ = cast(AnyFloat, self.parse_type())
            return FloatAttr(copysign(inf, value), type_)
        if isinstance(found, FloatAttr) and text[:2] in ("0x", "0X"):
            try:
                return float_from_bits(int(text, 16), found.type)
            except ValueError:
                return found
        return found

    element = AttrParser._TensorLiteralElement
    to_type = element.to_type

    def element_to_type(self: Any, parser: AttrParser, type_: Any) -> Any:
        text = self.span.text
        if isinstance(type_, AnyFloat) and text[:2] in ("0x", "0X"):
            try:
                return float_from_bits(int(text, 16), type_).value.data
            except ValueError:
                parser.raise_error(f"{text} is not a value of {type_}", self.span)
        value: Any = to_type(self, parser, type_)
        if isinstance(type_, AnyFloat) and type_.bitwidth < 64:
            try:
                type_.pack((value,))
            except OverflowError:
                return copysign(inf, value)
        return value

    print_any = Printer.print_float

    def print_value(self: Printer, value: float, type: Any) -> None:
        if value == value and abs(value) != float("inf"):
            print_any(self, value, type)
        else:
            self.print_string(f"0x{type.pack((value,))[::-1].hex().upper()}")

    cast(Any, Printer).print_float = print_value
    cast(Any, element).to_type = element_to_type
    cast(Any, FloatAttr).print_without_type = print_float
    cast(Any, AttrParser).parse_optional_builtin_int_or_float_attr = parse_float


def extend_packing(float_bits: FloatBits, float_from_bits: FloatFromBits) -> None:
    """Packs elements of dense constants as MLIR does, for types that Python's `struct` lacks.

    An element takes as many bytes as its bits need, and the remaining high bits are zero. An integer
    is read as a signed number from its own bits only. xDSL rejects integers above 64 bits and floats
    above f64, pads an i24, and for other widths depends on the high bits: it writes them as sign
    bits and reads them as part of the number.
    """

    def is_odd(type_: IntegerType) -> bool:
        return type_.bitwidth not in (0, 8, 16, 32, 64)

    def int_bits(type_: IntegerType, value: int) -> int:
        return value & ((1 << type_.bitwidth) - 1)

    def int_from_bits(type_: IntegerType, bits: int) -> int:
        value = type_.normalized_value(bits, truncate_bits=True)
        assert value is not None
        return value

    def bits_of(type_: AnyFloat, value: float) -> int:
        return float_bits(FloatAttr(value, type_))

    def value_of(type_: AnyFloat, bits: int) -> float:
        return float_from_bits(bits, type_).value.data

    _extend_type(IntegerType, is_odd, int_bits, int_from_bits)
    for wide in (Float80Type, Float128Type):
        _extend_type(wide, lambda type_: True, bits_of, value_of)


def _extend_type(
    cls: type[Any],
    special: Callable[[Any], bool],
    to_bits: Callable[[Any, Any], int],
    from_bits: Callable[[Any, int], Any],
) -> None:
    """Replaces the packing of a type class for the types that `special` accepts."""
    stock_size = cls.compile_time_size
    stock_pack = cls.pack
    stock_pack_into = cls.pack_into
    stock_unpack = cls.unpack
    stock_iter_unpack = cls.iter_unpack

    def size_of(self: Any) -> int:
        return self.size if special(self) else stock_size.fget(self)

    def pack(self: Any, values: Iterable[Any]) -> bytes:
        if not special(self):
            return stock_pack(self, values)
        return b"".join([to_bits(self, v).to_bytes(self.size, "little") for v in values])

    def pack_into(self: Any, buffer: Any, offset: int, value: Any) -> None:
        if not special(self):
            stock_pack_into(self, buffer, offset, value)
            return
        end = offset + self.size
        if end > len(memoryview(buffer)):
            raise ValueError(f"no room for {self} at offset {offset}")
        memoryview(buffer)[offset:end] = pack(self, (value,))

    def iter_unpack(self: Any, buffer: Any) -> Iterable[Any]:
        if not special(self):
            return stock_iter_unpack(self, buffer)
        data, size = bytes(buffer), self.size
        if len(data) % size:
            raise ValueError(f"{len(data)} bytes are not a sequence of {self}")
        parts = (data[start : start + size] for start in range(0, len(data), size))
        return (from_bits(self, int.from_bytes(part, "little")) for part in parts)

    def unpack(self: Any, buffer: Any, num: int) -> tuple[Any, ...]:
        if not special(self):
            return stock_unpack(self, buffer, num)
        values = tuple(iter_unpack(self, buffer))
        if len(values) != num:
            raise ValueError(f"{len(values)} values of {self}, not {num}")
        return values

    cls.compile_time_size = property(size_of)
    cls.pack = pack
    cls.pack_into = pack_into
    cls.iter_unpack = iter_unpack
    cls.unpack = unpack
