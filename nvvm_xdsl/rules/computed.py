"""Functions that compute the right sides of rows from the matched op."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.constant_folding import constant_bits
from nvvm_xdsl.dialects.llvm import float_from_bits
from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    position_of,
    scalar_type,
    shuffle_mask_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES, PoisonOp, constant_attribute
from nvvm_xdsl.dialects.llvm.constants import elements_of, vector_constant
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.gep import is_start
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.ir import fast


class _Constants(Protocol):
    def integer(self, number: int, type_: Attribute) -> SSAValue:
        """An integer constant."""
        ...

    def attribute(self, attribute: Attribute, type_: Attribute) -> SSAValue:
        """The constant of an attribute."""
        ...

    def zero(self, type_: Attribute) -> SSAValue:
        """The zero constant of a type."""
        ...

    def undef(self, type_: Attribute) -> SSAValue:
        """An undef value of a type."""
        ...

    def poison(self, type_: Attribute) -> SSAValue:
        """A poison value of a type."""
        ...


def base_of_zero_offset(op: Operation, cx: _Constants) -> SSAValue | None:
    """The base of a getelementptr whose indices are all zero."""
    if not is_start(op):
        return None
    base = fast.operands_of(op)[0]
    (result,) = op.results
    return base if result.type == base.type else None


def pointer_put_back(op: Operation, cx: _Constants) -> SSAValue | None:
    """The pointer of a conversion to an integer that is at least as wide, and back."""
    return _put_back(op, lambda integer, pointer: integer >= pointer)


def integer_put_back(op: Operation, cx: _Constants) -> SSAValue | None:
    """The integer of a conversion to a pointer that is at least as wide, and back."""
    return _put_back(op, lambda integer, pointer: integer <= pointer)


def _put_back(op: Operation, fits: Callable[[int, int], bool]) -> SSAValue | None:
    """The operand of the first of two casts if the widths of integer and pointer match."""
    (middle,) = fast.operands_of(op)
    (first,) = fast.operands_of(fast.producer_of(middle))
    (result,) = op.results
    if first.type != result.type:
        return None
    types = (scalar_type(first.type), scalar_type(middle.type))
    integer = sum(map(integer_width, types))
    layout = data_layout_of(op)
    pointer = next(layout.bits(type_) or 0 for type_ in types if not integer_width(type_))
    return first if fits(integer, pointer) else None


def inserted_field(op: Operation, cx: _Constants) -> SSAValue | None:
    """The inserted field that an extractvalue extracts."""
    (value,) = fast.operands_of(op)
    return field_at(value, position_of(op), op.results[0].type, cx)


def field_at(
    value: SSAValue, wanted: tuple[int, ...], type_: Attribute, cx: _Constants
) -> SSAValue | None:
    """The known value of a field of this type of an aggregate."""
    while type(value.owner) is llvm.InsertValueOp:
        insertion = fast.producer_of(value)
        container, inserted = fast.operands_of(insertion)
        place = position_of(insertion)
        depth = len(place)
        if wanted[:depth] == place:
            wanted = wanted[depth:]
            value = inserted
            if not wanted:
                return value
        elif place[: len(wanted)] == wanted:
            return None
        else:
            value = container
    owner = value.owner
    if type(owner) is llvm.ZeroOp:
        return cx.zero(type_)
    if type(owner) is llvm.UndefOp:
        return cx.undef(type_)
    return None


def aggregate_put_back(op: Operation, cx: _Constants) -> SSAValue | None:
    """The aggregate to which an insertvalue writes a field at its original position, or which
    insertvalues rebuild from all of its fields."""
    container, inserted = fast.operands_of(op)
    taken = fast.producer_of(inserted)
    source = fast.operands_of(taken)[0]
    if source.type != container.type or position_of(taken) != position_of(op):
        return None
    if source is container:
        return container
    places: set[tuple[int, ...]] = set()
    value = op.results[0]
    while type(value.owner) is llvm.InsertValueOp:
        insertion = fast.producer_of(value)
        value, field = fast.operands_of(insertion)
        place = position_of(insertion)
        if place in places:
            continue
        origin = field.owner
        if (
            type(origin) is not llvm.ExtractValueOp
            or fast.operands_of(origin)[0] is not source
            or position_of(origin) != place
        ):
            return None
        places.add(place)
    return source if places == {(i,) for i in range(_fields(source.type))} else None


def _fields(type_: Attribute) -> int:
    """The number of fields of a struct, or of elements of an array."""
    if isinstance(type_, llvm.LLVMStructType):
        return len(type_.types.data)
    return cast(llvm.LLVMArrayType, type_).size.data


def inserted_element(op: Operation, cx: _Constants) -> SSAValue | None:
    """The element that an extractelement extracts from insertelements, shuffles or a constant
    vector."""
    vector, index = fast.operands_of(op)
    type_ = op.results[0].type
    wanted = constant_unsigned(index)
    if wanted is None:
        return None
    while True:
        owner = vector.owner
        if type(owner) is llvm.InsertElementOp:
            vector, inserted, place = fast.operands_of(fast.producer_of(vector))
            number = constant_unsigned(place)
            if number is None:
                return None
            if number == wanted:
                return inserted
        elif type(owner) is llvm.ShuffleVectorOp:
            mask = shuffle_mask_of(fast.producer_of(vector))
            if wanted >= len(mask) or mask[wanted] < 0:
                return cx.poison(type_)
            vector, other = fast.operands_of(fast.producer_of(vector))
            (count,) = cast("VectorType[Any]", vector.type).get_shape()
            wanted = mask[wanted]
            if wanted >= count:
                vector, wanted = other, wanted - count
        else:
            break
    if type(owner) in UNDEFINED_CLASSES:
        return cx.poison(type_) if type(owner) is PoisonOp else cx.undef(type_)
    known = constant_attribute(vector)
    if type(known) is not DenseIntOrFPElementsAttr:
        return None
    bits = list(elements_of(known))
    return _scalar(bits[wanted], type_, cx) if wanted < len(bits) else None


def _scalar(bits: int, type_: Attribute, cx: _Constants) -> SSAValue | None:
    """The constant of an integer or float type with these bits; None for NaNs, whose payload would
    be lost."""
    if type(type_) is IntegerType:
        return cx.integer(bits, type_)
    number = float_from_bits(bits, type_)
    return None if math.isnan(number.value.data) else cx.attribute(number, type_)


def constant_vector(op: Operation, cx: _Constants) -> SSAValue | None:
    """The vector constant that insertelements of constants build, from all elements or from another
    constant."""
    type_ = cast("VectorType[Any]", op.results[0].type)
    (count,) = type_.get_shape()
    found: dict[int, int] = {}
    value = op.results[0]
    while type(value.owner) is llvm.InsertElementOp:
        value, inserted, place = fast.operands_of(fast.producer_of(value))
        index, number = constant_unsigned(place), constant_attribute(inserted)
        bits = None if number is None else constant_bits(number)
        if index is None or bits is None:
            return None
        found.setdefault(index, bits)
    below = constant_attribute(value)
    if type(below) is DenseIntOrFPElementsAttr:
        for index, bits in enumerate(elements_of(below)):
            found.setdefault(index, bits)
    if found.keys() != set(range(count)):
        return None
    return cx.attribute(vector_constant([found[i] for i in range(count)], type_), type_)
