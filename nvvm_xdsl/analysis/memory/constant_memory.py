"""Values of loads from constants of the module.

    @t = constant [4 x i32] [3, 1, 0, 7]          load i32 from @t + 12 is 7

A variable must be `constant`, and have an initial value that neither the linker may replace nor the
host may set (`__constant__` variables of CUDA are not `constant`). Padding and undef are read as
zeros; bytes of addresses are unknown.
"""

from __future__ import annotations

import math
from typing import Any, Final

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.llvm import (
    ConstantOp,
    GEPOp,
    GlobalOp,
    InsertValueOp,
    LLVMArrayType,
    LLVMStructType,
    ReturnOp,
    UndefOp,
    ZeroOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.memory.addresses import POINTER_CASTS, Addresses, base_of
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    global_type_of,
    initial_value_of,
    integer_width,
    is_constant_global,
    position_of,
)
from nvvm_xdsl.dialects.llvm.constants import elements_of, float_bits, float_from_bits, string_bytes
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.ops import PoisonOp
from nvvm_xdsl.dialects.llvm.symbols import INTERPOSABLE_LINKAGE, linkage_of
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, int_attr
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.ir import fast

MAX_BYTES: Final = 1 << 16
"""Maximum size in bytes of a variable that is examined."""

_BLANK = frozenset({ZeroOp, UndefOp, PoisonOp})


class _UnknownError(Exception):
    """A part of an initial value that is not a number."""


class ConstantMemory:
    """The constants of a module, computed on demand."""

    def __init__(self, module: ModuleOp | None, layout: DataLayout) -> None:
        self._module = module
        self._layout = layout
        self._addresses = Addresses(layout)
        self._variables: dict[str, Operation] | None = None
        self._images: dict[str, bytes | None] = {}

    def load(self, pointer: SSAValue, type_: Attribute) -> Attribute | None:
        """The constant result of a load of this type from a pointer; None if it is unknown."""
        width = integer_width(type_) or (self._layout.bits(type_) if type_ in FLOAT_TYPES else 0)
        if not width or width % 8:
            return None
        if not _is_in_variable(pointer):
            return None
        address = self._addresses.address(pointer)
        if not isinstance(address.base, str) or address.terms:
            return None
        image = self._image(address.base)
        end = address.offset + width // 8
        if image is None or address.offset < 0 or end > len(image):
            return None
        bits = int.from_bytes(image[address.offset : end], "little")
        if type_ in FLOAT_TYPES:
            number = float_from_bits(bits, type_)
            # The attribute cannot represent a NaN's payload.
            return None if math.isnan(number.value.data) else number
        return int_attr(bits, type_)

    def table(self, pointer: SSAValue) -> tuple[bytes, SSAValue, int] | None:
        """The bytes of the constant that a pointer is an index into, the index, and its scale in
        bytes; None for other pointers."""
        gep = pointer.owner
        if not isinstance(gep, GEPOp):
            return None
        found = gep_offset(gep, self._layout)
        if found is None or len(found.terms) != 1:
            return None
        start = self._addresses.address(fast.operands_of(gep)[0])
        image = self._image(start.base) if isinstance(start.base, str) else None
        offset = start.offset + found.constant
        if image is None or start.terms or offset < 0:
            return None
        ((index, scale),) = found.terms
        return image[offset:], index, scale

    def _image(self, name: str) -> bytes | None:
        if name not in self._images:
            self._images[name] = self._read(name)
        return self._images[name]

    def _read(self, name: str) -> bytes | None:
        if self._variables is None:
            body = None if self._module is None else self._module.regions[0].first_block
            self._variables = {
                op.sym_name.data: op
                for op in (fast.ops_of(body) if body is not None else ())
                if isinstance(op, GlobalOp)
            }
        variable = self._variables.get(name)
        if variable is None or not _keeps_its_value(variable):
            return None
        type_ = global_type_of(variable)
        size = self._layout.size(type_)
        if size > MAX_BYTES:
            return None
        image = bytearray(size)
        try:
            value = initial_value_of(variable)
            if value is not None:
                self._put(image, 0, value, type_)
            else:
                block = variable.regions[0].first_block
                last = None if block is None else block.last_op
                if last is None or type(last) is not ReturnOp:
                    return None
                self._put_value(image, 0, fast.operands_of(last)[0])
        except _UnknownError:
            return None
        return bytes(image)

    def _put(self, image: bytearray, offset: int, value: Attribute, type_: Attribute) -> None:
        if isinstance(value, StringAttr | BytesAttr):
            data = string_bytes(value)
            if len(data) > len(image) - offset or not isinstance(type_, LLVMArrayType):
                raise _UnknownError
            image[offset : offset + len(data)] = data
        elif type(value) is DenseIntOrFPElementsAttr:
            self._put_elements(image, offset, value, type_)
        elif type(value) is IntegerAttr and integer_width(type_):
            self._put_bits(image, offset, value.value.data, integer_width(type_))
        elif type(value) is FloatAttr and type_ in FLOAT_TYPES:
            bits = float_bits(value)
            self._put_bits(image, offset, bits, self._layout.bits(type_) or 0)
        else:
            raise _UnknownError

    def _put_bits(self, image: bytearray, offset: int, number: int, width: int) -> None:
        if not width or width % 8:
            raise _UnknownError
        number &= (1 << width) - 1
        image[offset : offset + width // 8] = number.to_bytes(width // 8, "little")

    def _put_elements(
        self, image: bytearray, offset: int, value: DenseIntOrFPElementsAttr[Any], type_: Attribute
    ) -> None:
        count = 1
        while isinstance(type_, LLVMArrayType):
            count *= type_.size.data
            type_ = type_.type
        width = self._layout.bits(type_) or 0
        if type_ != value.get_element_type() or not width or width % 8:
            raise _UnknownError
        step = self._layout.size(type_)
        elements = list(elements_of(value))
        if len(elements) != count or step * 8 != width:
            raise _UnknownError
        for number in elements:
            self._put_bits(image, offset, number, width)
            offset += step

    def _put_value(self, image: bytearray, offset: int, value: SSAValue) -> None:
        chain: list[Operation] = []
        while isinstance(value, OpResult) and type(value.op) is InsertValueOp:
            chain.append(value.op)
            value = fast.operands_of(value.op)[0]
        op = value.owner
        if type(op) is ConstantOp:
            self._put(image, offset, constant_value_of(op), value.type)
        elif type(op) not in _BLANK:
            raise _UnknownError
        for insertion in reversed(chain):
            place, type_ = offset, insertion.results[0].type
            for index in position_of(insertion):
                if isinstance(type_, LLVMStructType):
                    place += self._layout.field_offsets(type_)[index]
                    type_ = type_.types.data[index]
                elif isinstance(type_, LLVMArrayType):
                    place += self._layout.size(type_.type) * index
                    type_ = type_.type
                else:
                    raise _UnknownError
            self._put_value(image, place, fast.operands_of(insertion)[1])


def _is_in_variable(pointer: SSAValue) -> bool:
    """Returns whether a pointer is computed from the address of a variable."""
    at = pointer
    while type(at) is OpResult and (type(at.op) is GEPOp or at.op.name in POINTER_CASTS):
        at = fast.operands_of(at.op)[0]
    return isinstance(base_of(at), str)


def _keeps_its_value(variable: Operation) -> bool:
    """Returns whether a variable always has its initial value."""
    return (
        is_constant_global(variable)
        and not set_by_host(variable)
        and linkage_of(variable) not in INTERPOSABLE_LINKAGE
    )
