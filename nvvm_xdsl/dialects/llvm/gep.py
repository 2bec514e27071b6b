"""The offset of a `getelementptr` (LLVM Language Reference, "getelementptr").

    %q = llvm.getelementptr %p[%i, 2, 5] : (!llvm.ptr, i64) -> !llvm.ptr,
         !llvm.struct<(i32, i64, array<8 x f32>)>      // p + 48 * i + (16 + 4 * 5)

An index is a number in `rawConstantIndices`, or an operand if `DYNAMIC_INDEX` is there. An operand
may be a constant too: a number of more than 32 bits, one that equals the mark, or an operand left
by an importer or a rewrite, including the index of a struct's field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from xdsl.dialects.llvm import ConstantOp, GEPOp, LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import element_type_of, integers_of, vector_type
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import I8, I64, dense_i32, int_attr
from nvvm_xdsl.ir import fast

DYNAMIC_INDEX: Final = -(1 << 31)
"""The entry of `rawConstantIndices` for an index that is an operand (MLIR's `kDynamicIndex`)."""


def is_raw_index(number: int) -> bool:
    """Returns True if `rawConstantIndices` can represent the number; other numbers must be
    operands."""
    return DYNAMIC_INDEX < number < -DYNAMIC_INDEX


def raw_indices(gep: Operation) -> tuple[int, ...]:
    """`rawConstantIndices`: the constant indices, and `DYNAMIC_INDEX` for each operand."""
    return integers_of(gep.properties.get("rawConstantIndices"))


def indices_of(gep: Operation) -> Iterator[int | SSAValue]:
    """The indices in order: a number for a constant, the operand otherwise."""
    operands = iter(fast.operands_of(gep))
    next(operands)
    for raw in raw_indices(gep):
        if raw != DYNAMIC_INDEX:
            yield raw
        else:
            value = next(operands)
            number = constant_integer(value)
            yield value if number is None else number


def constant_indices(gep: Operation) -> list[int] | None:
    """The indices, or None if some are not constant."""
    found: list[int] = []
    for index in indices_of(gep):
        if not isinstance(index, int):
            return None
        found.append(index)
    return found


def is_start(gep: Operation) -> bool:
    """Returns True if all indices are zero, so that the result is the base."""
    raw = raw_indices(gep)
    for number in raw:
        if number and number != DYNAMIC_INDEX:
            return False
    _, *variable = fast.operands_of(gep)
    return all(constant_integer(index) == 0 for index in variable)


class GepOffset(NamedTuple):
    """The offset in bytes of a `getelementptr`, modulo the width of the pointer."""

    constant: int
    terms: list[tuple[SSAValue, int]]
    """The variable indices, each with the size of an element in bytes as its factor.

    An index is sign-extended or truncated to the width of the pointer. A vector represents the
    indices of a vector of pointers.
    """


def gep_offset(gep: Operation, layout: DataLayout) -> GepOffset | None:
    """The offset in bytes of a `getelementptr`.

    None for invalid indices: a struct field that is not constant or does not exist, or an indexed
    scalar. Raises UnsizedTypeError.
    """
    type_ = element_type_of(gep)
    constant = 0
    terms: list[tuple[SSAValue, int]] = []
    first = True
    for index in indices_of(gep):
        if first:
            first = False
        elif type(type_) is LLVMStructType:
            fields = type_.types.data
            if not isinstance(index, int) or not 0 <= index < len(fields):
                return None
            constant += layout.field_offsets(type_)[index]
            type_ = fields[index]
            continue
        else:
            element = element_of(type_)
            if element is None:
                return None
            type_ = element
        scale = layout.size(type_)
        if isinstance(index, int):
            constant += index * scale
        else:
            terms.append((index, scale))
    return GepOffset(constant, terms)


def constant_offset(gep: Operation, layout: DataLayout) -> int | None:
    """The constant offset in bytes of a `getelementptr` of one pointer; None if it is not
    constant."""
    if type(gep.results[0].type) is not LLVMPointerType:
        return None
    found = gep_offset(gep, layout)
    return None if found is None or found.terms else found.constant


def element_of(type_: Attribute) -> Attribute | None:
    """The type of the elements of an array or vector; None for other types."""
    if isinstance(type_, LLVMArrayType):
        return type_.type
    vector = vector_type(type_)
    return None if vector is None else vector.element_type


_ALL_DYNAMIC: dict[int, Attribute] = {n: dense_i32([DYNAMIC_INDEX] * n) for n in range(8)}


def create_gep(
    operands: Sequence[SSAValue],
    raw: Sequence[int],
    element: Attribute,
    result: Attribute,
    flags: Attribute | None = None,
    location: Any = fast.UNKNOWN_LOC,
) -> GEPOp:
    """A new, detached `llvm.getelementptr`.

    Arguments:
        operands: the base, and the indices that are operands.
        raw: the constant indices, and `DYNAMIC_INDEX` for each operand.
        element: the type that the first index counts.
        result: the type of the result.
        flags: `noWrapFlags`, such as `INBOUNDS`; None for none.
    """
    count = len(raw)
    dynamic = count < 8 and count == len(operands) - 1
    properties = {
        "rawConstantIndices": _ALL_DYNAMIC[count] if dynamic else dense_i32(raw),
        "elem_type": element,
    }
    if flags is not None:
        properties["noWrapFlags"] = flags
    return fast.create(GEPOp, operands, (result,), properties, location=location)


def byte_offset(
    pointer: SSAValue, offset: int, before: Operation, flags: Attribute | None = None
) -> SSAValue:
    """The address at a byte offset from a pointer; the computation is inserted before `before`."""
    if offset == 0:
        return pointer
    operands = (pointer,)
    raw = offset
    if not is_raw_index(offset):
        number = fast.create(ConstantOp, (), (I64,), {"value": int_attr(offset, I64)})
        fast.insert_before(number, before)
        operands = (pointer, number.results[0])
        raw = DYNAMIC_INDEX
    gep = create_gep(operands, (raw,), I8, pointer.type, flags)
    fast.insert_before(gep, before)
    return gep.results[0]
