"""Interning of parsed IR: one object for each type and each constant."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import string_of

_SINGLETONS: dict[type[Attribute], Attribute] = {
    type(t): t
    for t in (
        types.F16,
        types.BF16,
        types.F32,
        types.F64,
        types.F80,
        types.F128,
        types.VOID,
        types.UNIT,
    )
}

INTERNED: frozenset[type[Attribute]] = frozenset(
    {
        *_SINGLETONS,
        IntegerType,
        LLVMPointerType,
        IntegerAttr,
        FloatAttr,
        StringAttr,
        VectorType,
        LLVMArrayType,
        LLVMStructType,
        LLVMFunctionType,
        DenseArrayBase,
    }
)
"""The classes that are interned."""


class Interner:
    """Maps attributes to the interned equal object; keeps visited attributes alive."""

    _by_id: dict[int, Attribute]
    _seen: list[Attribute]

    def __init__(self) -> None:
        self._by_id = {}
        # Keeps the objects of the ids in `_by_id` alive.
        self._seen = []

    def get(self, attr: Attribute) -> Attribute:
        """The interned object of `attr`; itself if it is neither type nor constant."""
        found = self._by_id.get(id(attr))
        if found is None:
            found = _SINGLETONS.get(type(attr)) or self._canonical(attr)
            self._by_id[id(attr)] = found
            self._seen.append(attr)
        return found

    def _canonical(self, attr: Attribute) -> Attribute:
        kind = type(attr)
        if kind is IntegerType:
            integer = cast(IntegerType, attr)
            if integer.signedness.data is Signedness.SIGNLESS:
                return types.integer(integer.width.data)
        elif kind is LLVMPointerType:
            return types.pointer(types.address_space_of(cast(LLVMPointerType, attr)))
        elif kind is IntegerAttr:
            constant = cast("IntegerAttr[IntegerType]", attr)
            if type(constant.type) is IntegerType:
                type_ = self.get(constant.type)
                if type_ is types.integer(constant.type.width.data):
                    return types.int_attr(constant.value.data, cast(IntegerType, type_))
        elif kind is FloatAttr:
            number = cast("FloatAttr[types.Float32Type]", attr)
            if number.value.data == number.value.data:
                return types.float_attr(number.value.data, self.get(number.type))
        elif kind is StringAttr:
            return types.string(string_of(attr) or "")
        elif kind is VectorType:
            vector = cast("VectorType[Attribute]", attr)
            if vector.get_num_dims() == 1 and not any(vector.get_scalable_dims()):
                return types.vector(vector.get_shape()[0], self.get(vector.element_type))
        elif kind is LLVMArrayType:
            array = cast(LLVMArrayType, attr)
            return types.array(array.size.data, self.get(array.type))
        elif kind is LLVMStructType:
            struct = cast(LLVMStructType, attr)
            name = struct.struct_name.data
            packed = types.is_packed(struct)
            return types.struct(
                [self.get(t) for t in struct.types],
                packed=packed,
                name=name.removeprefix(types.PACKED_PREFIX) if packed else name,
            )
        elif kind is LLVMFunctionType:
            function = cast(LLVMFunctionType, attr)
            return types.function(
                [self.get(t) for t in function.inputs],
                self.get(function.output),
                variadic=function.is_variadic,
            )
        elif kind is DenseArrayBase:
            dense = cast("DenseArrayBase[IntegerType]", attr)
            if self.get(dense.elt_type) is types.I32:
                return types.dense_i32(dense.get_values())
        return attr


def intern_types(root: Operation) -> None:
    """Replaces every type, property and attribute in `root` by its interned form.

    Afterwards types and constants compare by identity with those of `types`.
    """
    get = Interner().get
    for op in root.walk():
        for result in op.results:
            result._type = get(result._type)
        for held in (op.properties, op.attributes):
            for key, value in held.items():
                held[key] = get(value)
        for region in op.regions:
            block = region.first_block
            while block is not None:
                for argument in block.args:
                    argument._type = get(argument._type)
                block = block._next_block
