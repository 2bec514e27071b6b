"""Representation of values of each LLVM type in registers and in memory.

A value is a tuple of *parts*, one for each register that holds a piece of it: i1 is one
predicate, i2 to i16 one 16-bit register, wider integers 32 and 64-bit registers, integers
beyond 64 bits a list of 64-bit limbs with the low one first. Bits of a register above an
integer's own width are unspecified. Aggregates and vectors are the parts of their elements
one after the other, except that vectors of f16 and bf16 with an even number of elements hold
two elements in each 32-bit register, the first in the low half.
"""

from __future__ import annotations

from itertools import accumulate
from typing import cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from xdsl.ir import Attribute

from nvvm_xdsl.codegen.errors import SelectionError
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.types import WIDEST_INTEGER, address_space_of, integer
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, F32, F64, PRED, RegisterClass

VOID = 0
INTEGER = 1
FLOAT = 2
POINTER = 3
VECTOR = 4
AGGREGATE = 5

LIMB = 64
"""Bits in each part of an integer wider than 64 bits."""


class Piece:
    """Bytes of a value in memory and the part that they are from.

    Arguments:
        offset: bytes from the start of the value.
        size: 1, 2, 4 or 8 bytes.
        part: index of the part.
        shift: the number of bits of the part below this piece.
    """

    __slots__ = ("offset", "part", "register", "shift", "size")

    def __init__(
        self, offset: int, size: int, part: int, register: RegisterClass, shift: int = 0
    ) -> None:
        self.offset = offset
        self.size = size
        self.part = part
        self.register = register
        self.shift = shift


class Shape:
    """The representation of a type in registers and memory.

    Arguments:
        type: the LLVM type.
        kind: VOID, INTEGER, FLOAT, POINTER, VECTOR or AGGREGATE.
        bits: the width of a scalar, or of all elements of a vector.
        width: the width of the register of a scalar: 1, 16, 32 or 64; 64 for each limb.
        parts: the register class of each part.
        ptx: the PTX type of a float: f16, bf16, f32, f64; empty for others.
        count: elements of a vector or array.
        element: the shape of a vector's or array's elements.
        packed: whether two elements share a register.
        fields: shape and first part of each field of an aggregate.
    """

    __slots__ = (
        "bits",
        "count",
        "element",
        "fields",
        "in_memory",
        "kind",
        "packed",
        "parts",
        "pieces",
        "ptx",
        "type",
        "width",
    )

    def __init__(self, type_: Attribute, kind: int, bits: int, width: int) -> None:
        self.type = type_
        self.kind = kind
        self.bits = bits
        self.width = width
        self.parts: tuple[RegisterClass, ...] = ()
        self.ptx = ""
        self.count = 1
        self.element: Shape = self
        self.packed = False
        self.fields: tuple[tuple[Shape, int], ...] = ()
        self.pieces: tuple[Piece, ...] | None = None
        self.in_memory: Shape | None = None

    @property
    def wide(self) -> bool:
        """True if this is an integer of more than one part."""
        return self.kind == INTEGER and self.bits > LIMB


_INTEGER_REGISTERS: dict[int, RegisterClass] = {1: PRED, 16: B16, 32: B32, 64: B64}
_FLOATS: dict[type[Attribute], tuple[str, int, RegisterClass]] = {
    Float16Type: ("f16", 16, B16),
    BFloat16Type: ("bf16", 16, B16),
    Float32Type: ("f32", 32, F32),
    Float64Type: ("f64", 64, F64),
}


MOST_REGISTERS = 1 << 17
"""Maximum number of registers of one value: each is an operand of every instruction that passes the
value on."""


def _limited(type_: Attribute, count: int) -> None:
    if count > MOST_REGISTERS:
        raise SelectionError(
            f"a value of type {type_} takes {count} registers, more than {MOST_REGISTERS}"
        )


class Shapes:
    """The shapes of types under one data layout."""

    def __init__(self, layout: DataLayout) -> None:
        self.layout = layout
        # Keyed by identity: types are interned, and hashing a type visits all of its parts. The
        # type is kept alive with its shape.
        self._known: dict[int, Shape] = {}
        self._equal: dict[Attribute, Shape] = {}

    def of(self, type_: Attribute) -> Shape:
        """The shape of a type. Raises SelectionError for an unsupported type."""
        found = self._known.get(id(type_))
        if found is not None and found.type is type_:
            return found
        shape = self._equal.get(type_)
        if shape is None:
            shape = self._equal[type_] = self._make(type_)
        if shape.type is not type_:
            copy = Shape(type_, shape.kind, shape.bits, shape.width)
            for name in ("parts", "ptx", "count", "packed", "fields", "pieces"):
                setattr(copy, name, getattr(shape, name))
            copy.element = copy if shape.element is shape else shape.element
            copy.in_memory = copy if shape.in_memory is shape else shape.in_memory
            shape = copy
        self._known[id(type_)] = shape
        return shape

    def _make(self, type_: Attribute) -> Shape:
        if type(type_) is IntegerType:
            return _integer(type_)
        if isinstance(type_, LLVMPointerType):
            bits = self.layout.pointer_bits(address_space_of(type_))
            shape = Shape(type_, POINTER, bits, bits)
            shape.parts = (_INTEGER_REGISTERS[bits],)
            return shape
        known = _FLOATS.get(type(type_))
        if known is not None:
            ptx, bits, register = known
            shape = Shape(type_, FLOAT, bits, bits)
            shape.parts = (register,)
            shape.ptx = ptx
            return shape
        if type(type_) is VectorType:
            return self._vector(type_)
        if isinstance(type_, (LLVMStructType, LLVMArrayType)):
            return self._aggregate(type_)
        if isinstance(type_, (LLVMVoidType, LLVMFunctionType)):
            return Shape(type_, VOID, 0, 0)
        raise SelectionError(f"values of type {type_} are not supported")

    def _vector(self, type_: VectorType[Attribute]) -> Shape:
        count = 1
        for extent in type_.get_shape():
            count *= extent
        if count < 1:
            raise SelectionError(f"values of type {type_} are not supported")
        element = self.of(type_.element_type)
        _limited(type_, count * len(element.parts))
        shape = Shape(type_, VECTOR, element.bits * count, element.width)
        shape.element = element
        shape.count = count
        shape.ptx = element.ptx
        shape.packed = element.kind == FLOAT and element.bits == 16 and count % 2 == 0
        shape.parts = (B32,) * (count // 2) if shape.packed else element.parts * count
        return shape

    def _aggregate(self, type_: LLVMStructType | LLVMArrayType) -> Shape:
        shape = Shape(type_, AGGREGATE, 0, 0)
        if isinstance(type_, LLVMArrayType):
            count = type_.size.data
            element = self.of(type_.type)
            _limited(type_, count * max(1, len(element.parts)))
            shape.count = count
            shape.element = element
            step = len(element.parts)
            shape.fields = tuple((element, step * i) for i in range(count))
            shape.parts = element.parts * count
            return shape
        fields: list[tuple[Shape, int]] = []
        parts: list[RegisterClass] = []
        for field in type_.types.data:
            inner = self.of(field)
            fields.append((inner, len(parts)))
            parts.extend(inner.parts)
            _limited(type_, len(parts))
        shape.fields = tuple(fields)
        shape.parts = tuple(parts)
        return shape

    def stored(self, shape: Shape) -> Shape:
        """The memory shape of a value of a shape.

        A vector whose elements are not whole bytes is stored as one integer of all its bits, also
        in aggregates; other values have the same shape in memory.
        """
        if shape.in_memory is None:
            shape.in_memory = self._stored(shape)
        return shape.in_memory

    def _stored(self, shape: Shape) -> Shape:
        if shape.kind == VECTOR and shape.element.kind == INTEGER and shape.element.bits % 8:
            return self.of(integer(shape.bits))
        if shape.kind != AGGREGATE:
            return shape
        if isinstance(shape.type, LLVMArrayType):
            fields = [self.stored(shape.element)] * shape.count
        else:
            fields = [self.stored(field) for field, _ in shape.fields]
        if all(new is old for new, (old, _) in zip(fields, shape.fields)):
            return shape
        made = Shape(shape.type, AGGREGATE, 0, 0)
        made.in_memory = made
        made.count = shape.count
        made.element = fields[0]
        made.fields = tuple(zip(fields, accumulate((len(f.parts) for f in fields), initial=0)))
        made.parts = tuple(part for field in fields for part in field.parts)
        return made

    def pieces(self, shape: Shape) -> tuple[Piece, ...]:
        """The memory layout of a value of a `stored` shape, by address; padding has no piece."""
        if shape.pieces is None:
            shape.pieces = tuple(self._split(shape))
        return shape.pieces

    def _split(self, shape: Shape) -> list[Piece]:
        kind = shape.kind
        if kind == INTEGER:
            return _integer_pieces(shape)
        if kind in (FLOAT, POINTER):
            return [Piece(0, shape.bits // 8, 0, shape.parts[0])]
        if kind == VECTOR:
            if shape.packed:
                return [Piece(4 * i, 4, i, B32) for i in range(len(shape.parts))]
            return self._repeated(shape.element, shape.count, shape.element.bits // 8)
        if kind == AGGREGATE:
            type_ = shape.type
            if isinstance(type_, LLVMArrayType):
                return self._repeated(shape.element, shape.count, self.layout.size(type_.type))
            found: list[Piece] = []
            offsets = self.layout.field_offsets(cast(LLVMStructType, type_))
            for (field, first), offset in zip(shape.fields, offsets):
                found.extend(_moved(self.pieces(field), offset, first))
            return found
        return []

    def _repeated(self, element: Shape, count: int, stride: int) -> list[Piece]:
        pieces = self.pieces(element)
        step = len(element.parts)
        found: list[Piece] = []
        for i in range(count):
            found.extend(_moved(pieces, stride * i, step * i))
        return found


def _moved(pieces: tuple[Piece, ...], offset: int, part: int) -> list[Piece]:
    return [Piece(p.offset + offset, p.size, p.part + part, p.register, p.shift) for p in pieces]


def register_width(bits: int) -> int:
    """The width of the register for an integer of at most 64 bits."""
    return 1 if bits == 1 else 16 if bits <= 16 else 32 if bits <= 32 else 64


def _integer(type_: IntegerType) -> Shape:
    bits = type_.width.data
    if bits < 1:
        raise SelectionError("values of type i0 are not supported")
    if bits > WIDEST_INTEGER:
        raise SelectionError(
            f"values of type {type_} are not supported: integers have at most {WIDEST_INTEGER} bits"
        )
    width = register_width(min(bits, LIMB))
    shape = Shape(type_, INTEGER, bits, width)
    shape.parts = (_INTEGER_REGISTERS[width],) * ((bits + LIMB - 1) // LIMB if bits > LIMB else 1)
    return shape


def _integer_pieces(shape: Shape) -> list[Piece]:
    size = (shape.bits + 7) // 8
    found: list[Piece] = []
    offset = 0
    while offset < size:
        part = offset // 8
        rest = min(size - offset, 8)
        step = 1 << (rest.bit_length() - 1)
        found.append(Piece(offset, step, part, shape.parts[part], 8 * (offset - 8 * part)))
        offset += step
    return found


def integer_register(width: int) -> RegisterClass:
    """The register class of a width of 1, 16, 32 or 64 bits."""
    return _INTEGER_REGISTERS[width]
