"""Values of loads that are known from the last write to their memory."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMPointerType, LShrOp, StoreOp, TruncOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import (
    convertible,
    is_simple_access,
    is_volatile_transfer,
    reinterpret,
)
from nvvm_xdsl.analysis.memory.addresses import Addresses, is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import Location
from nvvm_xdsl.analysis.memory.memory_ssa import Definition, LiveOnEntry, MemoryAccess
from nvvm_xdsl.dialects.llvm.accessors import integer_width, vector_type
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp, LifetimeStartOp, MemsetOp
from nvvm_xdsl.dialects.llvm.types import I32, integer
from nvvm_xdsl.ir import fast


class StoredValues:
    """Derives the value of a load from the write that it reads."""

    def __init__(self, addresses: Addresses, layout: DataLayout, constants: Constants) -> None:
        self.addresses = addresses
        self.layout = layout
        self.constants = constants

    def read(
        self, location: Location, type_: Attribute, seen: Definition, before: Operation | None
    ) -> SSAValue | None:
        """The value of a load that reads this definition, if it is known from the write.

        Casts are inserted before `before`; if it is None, no value that needs a cast is returned.
        """
        address = self.addresses.address(location.pointer)
        if isinstance(seen, LiveOnEntry):
            if is_alloca(address.base):
                return self.constants.undef(type_)
            return None
        if not isinstance(seen, MemoryAccess):
            return None
        writer = seen.op
        if type(writer) is LifetimeStartOp:
            *_, pointer = fast.operands_of(writer)
            if is_alloca(address.base) and self._is_all_of(pointer, address.base):
                return self.constants.undef(type_)
            return None
        if type(writer) is StoreOp:
            if not is_simple_access(writer):
                return None
            value, pointer = fast.operands_of(writer)
            distance = self._distance(pointer, location.pointer)
            return None if distance is None else self._part(value, distance, type_, before)
        if type(writer) is MemsetOp and not is_volatile_transfer(writer):
            pointer, value, length = fast.operands_of(writer)
            distance = self._distance(pointer, location.pointer)
            byte, size = constant_integer(value), constant_unsigned(length)
            if distance is None or byte is None or size is None:
                return None
            try:
                wanted = self.layout.store_size(type_)
            except UnsizedTypeError:
                return None
            if not 0 <= distance <= size - wanted:
                return None
            if byte == 0:
                return self.constants.zero(type_)
            if integer_width(type_) == 8 * wanted:
                number = int.from_bytes(bytes([byte & 0xFF]) * wanted, "little", signed=True)
                return self.constants.integer(number, type_)
        return None

    def _is_all_of(self, pointer: SSAValue, variable: Any) -> bool:
        """Returns True if the pointer is the start of a local variable."""
        address = self.addresses.address(pointer)
        return address.base is variable and not address.terms and not address.offset

    def _distance(self, start: SSAValue, end: SSAValue) -> int | None:
        """The distance in bytes of the second address from the first, if it is known."""
        if start is end:
            return 0
        first = self.addresses.address(start)
        second = self.addresses.address(end)
        if first.base != second.base or first.terms != second.terms:
            return None
        return second.offset - first.offset

    def _part(
        self, value: SSAValue, offset: int, type_: Attribute, before: Operation | None
    ) -> SSAValue | None:
        """The value of a load of a type at an offset, in bytes, from the address at which a value
        was stored.
        """
        have = value.type
        if offset == 0 and have == type_:
            return value
        if before is None:
            return None
        layout = self.layout
        if offset == 0 and convertible(have, type_, layout):
            return reinterpret(value, type_, before, layout)
        try:
            size, wanted = layout.store_size(have), layout.store_size(type_)
        except UnsizedTypeError:
            return None
        if not 0 <= offset <= size - wanted:
            return None
        if (vector := vector_type(have)) is not None:
            element = vector.element_type
            step = layout.store_size(element)
            if layout.bits(element) != 8 * step or offset % step:
                return None
            if not convertible(element, type_, layout):
                return None
            index = self.constants.integer(offset // step, I32)
            op = fast.create(ExtractElementOp, (value, index), (element,))
            fast.insert_before(op, before)
            return reinterpret(op.results[0], type_, before, layout)
        if layout.bits(have) != 8 * size or layout.bits(type_) != 8 * wanted or size > 8:
            return None
        if isinstance(have, LLVMPointerType) or isinstance(type_, (LLVMPointerType, VectorType)):
            return None
        whole = integer(8 * size)
        number = reinterpret(value, whole, before, layout)
        if offset:
            amount = self.constants.integer(8 * offset, whole)
            shift = fast.create(LShrOp, (number, amount), (whole,))
            fast.insert_before(shift, before)
            number = shift.results[0]
        part = fast.create(TruncOp, (number,), (integer(8 * wanted),))
        fast.insert_before(part, before)
        return reinterpret(part.results[0], type_, before, layout)
