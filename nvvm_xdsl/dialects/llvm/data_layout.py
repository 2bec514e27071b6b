"""Sizes, alignments and field offsets of types in memory.

The rules are LLVM's, the numbers NVPTX's unless the module's data layout string says
otherwise (LLVM Language Reference, "Data Layout").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerType,
    ModuleOp,
    StringAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.symbols import module_of
from nvvm_xdsl.dialects.llvm.types import address_space_of, is_packed

NVPTX64_LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
"""The data layout that LLVM 22 gives nvptx64."""

NVPTX64_TRIPLE = "nvptx64-nvidia-cuda"

LAYOUT_ATTRIBUTE = "llvm.data_layout"
TRIPLE_ATTRIBUTE = "llvm.target_triple"

_FLOAT_BITS: dict[type[Attribute], int] = {
    Float16Type: 16,
    BFloat16Type: 16,
    Float32Type: 32,
    Float64Type: 64,
    Float80Type: 80,
    Float128Type: 128,
}

_DEFAULT_INTEGER_ALIGNMENT = {1: 1, 8: 1, 16: 2, 32: 4, 64: 8}
_DEFAULT_VECTOR_ALIGNMENT = {64: 8, 128: 16}


class UnsizedTypeError(ValueError):
    """A type without a size in memory, such as a function or `void`."""


class DataLayout:
    """The properties of types in a data layout string.

    Arguments:
        text: LLVM's string; omitted entries have LLVM's defaults.
    """

    text: str
    _pointers: dict[int, tuple[int, int]]
    _integers: dict[int, int]
    _vectors: dict[int, int]
    _sizes: dict[int, tuple[int, int]]
    _fields: dict[int, tuple[int, ...]]
    _kept: list[Attribute]

    def __init__(self, text: str = NVPTX64_LAYOUT) -> None:
        self.text = text
        self._pointers = {0: (64, 8)}
        self._integers = dict(_DEFAULT_INTEGER_ALIGNMENT)
        self._vectors = dict(_DEFAULT_VECTOR_ALIGNMENT)
        self._sizes = {}
        self._fields = {}
        # Keeps the keys of the tables alive.
        self._kept = []
        for part in text.split("-"):
            self._read(part)

    @staticmethod
    def of(module: ModuleOp) -> DataLayout:
        """The module's layout, or NVPTX's if it states none."""
        text = module.attributes.get(LAYOUT_ATTRIBUTE)
        return _layout(text.data if isinstance(text, StringAttr) and text.data else NVPTX64_LAYOUT)

    def _read(self, part: str) -> None:
        head, *rest = part.split(":")
        if len(head) < 1 or not rest or not all(map(_is_number, rest)):
            return
        kind, number = head[0], head[1:]
        if number and not _is_number(number):
            return
        if kind == "p":
            bits = int(rest[0])
            alignment = int(rest[1]) // 8 if len(rest) > 1 else bits // 8
            self._pointers[int(number or 0)] = (bits, max(1, alignment))
        elif kind == "i" and number:
            self._integers[int(number)] = max(1, int(rest[0]) // 8)
        elif kind == "v" and number:
            self._vectors[int(number)] = max(1, int(rest[0]) // 8)

    def pointer_bits(self, address_space: int = 0) -> int:
        """The width of a pointer into that address space."""
        return self._pointers.get(address_space, self._pointers[0])[0]

    def pointer_widths(self) -> Mapping[int, int]:
        """The stated pointer widths by address space; always includes space 0."""
        return {space: width for space, (width, _) in self._pointers.items()}

    def bits(self, type_: Attribute) -> int | None:
        """The width of a first-class scalar or vector; None for other types."""
        if type(type_) is IntegerType:
            return integer_width(type_)
        if isinstance(type_, LLVMPointerType):
            return self.pointer_bits(address_space_of(type_))
        bits = _FLOAT_BITS.get(type(type_))
        if bits is None and type(type_) is VectorType:
            element = self.bits(type_.element_type)
            if element is not None:
                bits = element
                for extent in type_.get_shape():
                    bits *= extent
        return bits

    def _measure(self, type_: Attribute) -> tuple[int, int]:
        # By identity: types are interned, and hashing a large struct traverses all of it.
        found = self._sizes.get(id(type_))
        if found is None:
            found = self._sizes[id(type_)] = self._compute(type_)
            self._kept.append(type_)
        return found

    def _compute(self, type_: Attribute) -> tuple[int, int]:
        if isinstance(type_, LLVMStructType):
            return self._measure_struct(type_)
        if isinstance(type_, LLVMArrayType):
            size, alignment = self._measure(type_.type)
            return type_.size.data * _round_up(size, alignment), alignment
        bits = self.bits(type_)
        if bits is None:
            raise UnsizedTypeError(f"{type_} has no size")
        size = (bits + 7) // 8
        if isinstance(type_, IntegerType):
            return size, self._integer_alignment(bits)
        if isinstance(type_, LLVMPointerType):
            space = address_space_of(type_)
            return size, self._pointers.get(space, self._pointers[0])[1]
        if isinstance(type_, VectorType):
            return size, self._vectors.get(bits) or _power_of_two(size)
        return size, _power_of_two(size)

    def _integer_alignment(self, bits: int) -> int:
        exact = self._integers.get(bits)
        if exact is not None:
            return exact
        larger = [w for w in self._integers if w > bits]
        return self._integers[min(larger) if larger else max(self._integers)]

    def _measure_struct(self, type_: LLVMStructType) -> tuple[int, int]:
        packed = is_packed(type_)
        offset = 0
        alignment = 1
        offsets: list[int] = []
        for field in type_.types.data:
            size, field_alignment = self._measure(field)
            if not packed:
                offset = _round_up(offset, field_alignment)
                alignment = max(alignment, field_alignment)
            offsets.append(offset)
            offset += _round_up(size, field_alignment)
        self._fields[id(type_)] = tuple(offsets)
        return _round_up(offset, alignment), alignment

    def store_size(self, type_: Attribute) -> int:
        """The store size of the type in bytes. Raises UnsizedTypeError."""
        return self._measure(type_)[0]

    def alignment(self, type_: Attribute) -> int:
        """The type's ABI alignment in bytes. Raises UnsizedTypeError."""
        return self._measure(type_)[1]

    def size(self, type_: Attribute) -> int:
        """The distance in bytes between elements of an array of the type."""
        return _round_up(*self._measure(type_))

    def field_offsets(self, type_: LLVMStructType) -> Sequence[int]:
        """The byte offset of each field of a struct. Raises UnsizedTypeError."""
        self._measure(type_)
        return self._fields[id(type_)]


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 10


_layouts: dict[str, DataLayout] = {}


def _layout(text: str) -> DataLayout:
    layout = _layouts.get(text)
    if layout is None:
        layout = _layouts[text] = DataLayout(text)
    return layout


def _round_up(size: int, alignment: int) -> int:
    return (size + alignment - 1) // alignment * alignment


def _power_of_two(size: int) -> int:
    return 1 << max(0, size - 1).bit_length()


def data_layout_of(op: Operation) -> DataLayout:
    """The data layout of the module that contains the op."""
    module = module_of(op)
    return DataLayout() if module is None else DataLayout.of(module)
