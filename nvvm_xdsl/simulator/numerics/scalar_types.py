"""The scalars of values, and their layout in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.simulator.numerics.lane_ops import container


@dataclass(frozen=True)
class ScalarType:
    """A scalar: an integer or pointer of `bits` bits, or a float of format `fmt`."""

    bits: int
    fmt: str = ""
    pointer: bool = False

    @property
    def size(self) -> int:
        """Size in memory in bytes."""
        return (self.bits + 7) // 8

    @property
    def unsigned(self) -> str:
        """The name of the bit type in generated source."""
        if self.bits > 64:
            return "big"
        return {np.uint8: "u1", np.uint16: "u2", np.uint32: "u4", np.uint64: "u8"}[
            container(self.bits)
        ]

    @property
    def dtype(self) -> Any:
        """The NumPy type of lanes."""
        if self.fmt:
            return {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}[
                self.fmt
            ]
        return np.bool_ if self.bits == 1 else container(self.bits)

    @property
    def is_bool(self) -> bool:
        """Whether it is an `i1`."""
        return self.bits == 1

    def to_bits(self, name: str) -> str:
        """The expression for the bits of a value."""
        if self.is_bool:
            return f"{name}.view(u1)"
        return f"{name}.view({self.unsigned})" if self.fmt not in ("", "bf16") else name

    def from_bits(self, name: str) -> str:
        """The expression for the value with the bits of an array of the right width."""
        if self.is_bool:
            return f"({name} & u1(1)) != 0"
        if self.fmt in ("", "bf16"):
            return name
        return f"{name}.view({_VIEWS[self.fmt]})"


_FLOATS: dict[type[Attribute], str] = {
    Float16Type: "f16",
    BFloat16Type: "bf16",
    Float32Type: "f32",
    Float64Type: "f64",
}
_FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}

_VIEWS = {"f16": "f2", "f32": "f4", "f64": "f8"}

MAX_LEAVES = 1 << 14
"""Maximum number of scalars of a value."""


class UnsupportedTypeError(ValueError):
    """A value has a type that the simulator does not compute with, such as a float of 128 bits."""

    def __init__(self, type_: Attribute) -> None:
        super().__init__(f"the simulator has no values of type {type_}")


class TypeMap:
    """The scalars of types under a data layout."""

    def __init__(self, layout: DataLayout) -> None:
        self.layout = layout
        self._kinds: dict[int, list[tuple[int, ScalarType]]] = {}
        self._pointers: dict[int, bool] = {}
        # Keeps the keys of the tables alive.
        self._kept: list[Attribute] = []

    @staticmethod
    @cache
    def of(layout: DataLayout) -> TypeMap:
        """The instance for a data layout, which programs share."""
        return TypeMap(layout)

    def scalar(self, type_: Attribute) -> ScalarType | None:
        """The kind of a scalar type; None for others."""
        width = integer_width(type_)
        if width:
            return ScalarType(width)
        fmt = _FLOATS.get(type(type_))
        if fmt is not None:
            return ScalarType(_FLOAT_BITS[fmt], fmt)
        if isinstance(type_, LLVMPointerType):
            # A pointer of any width is stored as 64 bits.
            return ScalarType(64, pointer=True)
        return None

    def placed(self, type_: Attribute) -> list[tuple[int, ScalarType]]:
        """The scalars of a type with their byte offsets. Raises `UnsupportedTypeError`."""
        # By identity: types are interned, and hashing a large struct traverses all of it.
        found = self._kinds.get(id(type_))
        if found is None:
            found = self._kinds[id(type_)] = self._place(type_)
            self._kept.append(type_)
        return found

    def has_pointers(self, type_: Attribute) -> bool:
        """Whether a type contains pointers. Raises `UnsupportedTypeError`."""
        found = self._pointers.get(id(type_))
        if found is None:
            scalars = self.placed(type_)
            found = self._pointers[id(type_)] = any(kind.pointer for _, kind in scalars)
        return found

    def _place(self, type_: Attribute) -> list[tuple[int, ScalarType]]:
        kind = self.scalar(type_)
        if kind is not None:
            return [(0, kind)]
        if isinstance(type_, LLVMVoidType):
            return []
        if type(type_) is VectorType:
            count = 1
            for extent in type_.get_shape():
                count *= extent
            element = self.scalar(type_.element_type)
            if element is None:
                raise UnsupportedTypeError(type_)
            return [(i * element.size, element) for i in range(count)]
        members = self._members(type_)
        if members is not None:
            return [(start + o, k) for start, member in members for o, k in self.placed(member)]
        raise UnsupportedTypeError(type_)

    def _members(self, type_: Attribute) -> list[tuple[int, Attribute]] | None:
        """The fields of an aggregate with their byte offsets; None for other types."""
        if isinstance(type_, LLVMArrayType):
            count = type_.size.data
            if count * len(self.placed(type_.type)) > MAX_LEAVES:
                raise ValueError(f"a value of type {type_} has too many parts")
            step = self.layout.size(type_.type)
            return [(i * step, type_.type) for i in range(count)]
        if isinstance(type_, LLVMStructType):
            return list(zip(self.layout.field_offsets(type_), type_.types.data))
        return None

    def stored(self, type_: Attribute) -> list[tuple[int, list[ScalarType]]]:
        """The memory representation of a type: byte offsets, each with the bit-packed scalars at
        that offset."""
        if self.is_packed(type_):
            return [(0, self.kinds(type_))]
        members = self._members(type_)
        if members is None:
            return [(offset, [kind]) for offset, kind in self.placed(type_)]
        return [(start + o, ks) for start, member in members for o, ks in self.stored(member)]

    def apart(self, type_: Attribute) -> list[tuple[int, ScalarType]]:
        """`placed` for a type without fields whose scalars are bit-packed. Raises ValueError."""
        if not self.is_packed(type_) and any(len(kinds) > 1 for _, kinds in self.stored(type_)):
            raise ValueError(f"the simulator has no vectors of bits within {type_} here")
        return self.placed(type_)

    def is_packed(self, type_: Attribute) -> bool:
        """Returns whether it is a vector with bit-packed elements: other vectors occupy a power of
        two of bytes (LangRef, "Vector Type").
        """
        if type(type_) is not VectorType:
            return False
        bits = self.kinds(type_)[0].bits
        return bits < 8 or bool(bits & (bits - 1))

    def kinds(self, type_: Attribute) -> list[ScalarType]:
        """The scalars of a type in order."""
        return [k for _, k in self.placed(type_)]

    def part(self, type_: Attribute, index: int) -> tuple[int, Attribute]:
        """The index of an element's first scalar among those of the aggregate, and the element's
        type."""
        if isinstance(type_, LLVMStructType):
            fields = type_.types.data
            return sum(len(self.placed(f)) for f in fields[:index]), fields[index]
        if isinstance(type_, LLVMArrayType):
            return index * len(self.placed(type_.type)), type_.type
        vector = cast("VectorType[Attribute]", type_)
        return index, vector.element_type
