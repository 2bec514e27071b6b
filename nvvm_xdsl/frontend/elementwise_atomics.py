"""Atomic operations with the keyword `elementwise`, which LLVM's main branch added: each element of a vector is
accessed on its own.

    %old = atomicrmw elementwise fadd ptr %p, <2 x float> %v monotonic

becomes an `llvm.atomicrmw` for each element. Sums of f16 and bf16 become operations on pairs with the attribute
`nvvm.elementwise`, because PTX has them (`atom.add.noftz.f16x2`). Loads and stores become those of the elements,
or of the whole vector if it has at most 64 bits and its alignment.

Source: LLVM Language Reference of the main branch, October 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import ConstantOp, InsertElementOp, LoadOp, StoreOp, UndefOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep
from nvvm_xdsl.dialects.llvm.ops import AtomicRMWOp, ExtractElementOp
from nvvm_xdsl.dialects.llvm.orderings import ELEMENTWISE
from nvvm_xdsl.dialects.llvm.types import I8, I32, I64, UNIT, int_attr
from nvvm_xdsl.frontend.builders import element_type, scalar_width, shuffle, vector_length
from nvvm_xdsl.ir import fast

Insert = Callable[[Operation], SSAValue]
"""Inserts an op before the next instruction and returns its result."""

WHOLE_BYTES = 8
"""The size of the largest vector that is loaded or stored as a whole."""


def _place(
    pointer: SSAValue, offset: int, alignment: int, insert: Insert
) -> tuple[SSAValue, Attribute]:
    """The address at an offset from an aligned pointer, and its alignment."""
    if not offset:
        return pointer, int_attr(alignment, I64)
    step = insert(fast.create(ConstantOp, (), (I64,), {"value": int_attr(offset, I64)}))
    address = insert(create_gep((pointer, step), (DYNAMIC_INDEX,), I8, pointer.type, INBOUNDS))
    # The largest power of two that divides the alignment and the offset.
    return address, int_attr((alignment | offset) & -(alignment | offset), I64)


def _position(number: int, insert: Insert) -> SSAValue:
    return insert(fast.create(ConstantOp, (), (I32,), {"value": int_attr(number, I32)}))


def _gathered(vector: Attribute, parts: Sequence[SSAValue], insert: Insert) -> Operation:
    """The op, not yet inserted, that completes a vector of elements."""
    result = insert(fast.create(UndefOp, (), (vector,)))
    last: Operation | None = None
    for number, part in enumerate(parts):
        position = _position(number, insert)
        if last is not None:
            result = insert(last)
        last = fast.create(InsertElementOp, (result, part, position), (vector,))
    assert last is not None
    return last


def elementwise_load(
    pointer: SSAValue,
    type_: VectorType[Attribute],
    alignment: int,
    properties: dict[str, Attribute],
    insert: Insert,
) -> Operation:
    """The loads of the elements; returns the op whose result is the vector, not yet inserted.

    Arguments:
        alignment: that of the vector.
        properties: those of `llvm.load` without the alignment.
    """
    element, count, size = _layout(type_)
    if count * size <= min(alignment, WHOLE_BYTES):
        return fast.create(
            LoadOp, (pointer,), (type_,), properties | {"alignment": int_attr(alignment, I64)}
        )
    parts: list[SSAValue] = []
    for number in range(count):
        address, own = _place(pointer, number * size, alignment, insert)
        load = fast.create(LoadOp, (address,), (element,), properties | {"alignment": own})
        parts.append(insert(load))
    return _gathered(type_, parts, insert)


def elementwise_store(
    value: SSAValue,
    pointer: SSAValue,
    alignment: int,
    properties: dict[str, Attribute],
    insert: Insert,
    append: Callable[[Operation], None],
) -> Operation:
    """The stores of the elements; returns the last, not yet inserted.

    Arguments:
        alignment, properties: as for `elementwise_load`.
        append: inserts a store.
    """
    element, count, size = _layout(cast("VectorType[Attribute]", value.type))
    if count * size <= min(alignment, WHOLE_BYTES):
        count, size = 1, 0
    made: Operation | None = None
    for number in range(count):
        part = value
        if size:
            position = _position(number, insert)
            part = insert(fast.create(ExtractElementOp, (value, position), (element,)))
        address, own = _place(pointer, number * size, alignment, insert)
        if made is not None:
            append(made)
        made = fast.create(StoreOp, (part, address), (), properties | {"alignment": own})
    assert made is not None
    return made


def _layout(type_: VectorType[Attribute]) -> tuple[Attribute, int, int]:
    """The type of the elements of a vector, their number and their size in bytes."""
    element = element_type(type_)
    return element, vector_length(type_) or 1, scalar_width(element) // 8


def elementwise(
    operation: str,
    pointer: SSAValue,
    value: SSAValue,
    alignment: int,
    properties: dict[str, Attribute],
    insert: Insert,
) -> Operation:
    """The operations on the elements; returns the op whose result is the old vector, not yet inserted.

    Arguments:
        operation: the keyword of the operation, such as `fadd`.
        value: the operand, a vector of elements of 8 to 128 bits.
        alignment: that of the vector.
        properties: those of `llvm.atomicrmw` without the alignment.
    """
    vector = cast("VectorType[Attribute]", value.type)
    count = vector_length(vector) or 1
    element = element_type(vector)
    width = scalar_width(element)
    paired = operation in ("fadd", "fsub") and width == 16 and count % 2 == alignment % 4 == 0
    size = width // 8 * (2 if paired else 1)

    def update(number: int, part: SSAValue) -> AtomicRMWOp:
        """The operation on an element, or a pair of elements."""
        address, common = _place(pointer, number * size, alignment, insert)
        own = properties | {"alignment": common}
        attributes: dict[str, Attribute] = {ELEMENTWISE: UNIT} if paired else {}
        return fast.create(AtomicRMWOp, (address, part), (part.type,), own, attributes=attributes)

    if paired and count == 2:
        return update(0, value)
    positions = [_position(number, insert) for number in range(count)]

    def taken(whole: SSAValue, number: int) -> SSAValue:
        return insert(fast.create(ExtractElementOp, (whole, positions[number]), (element,)))

    old: list[SSAValue] = []
    if paired:
        for number in range(count // 2):
            pair = insert(shuffle(value, value, (2 * number, 2 * number + 1)))
            whole = insert(update(number, pair))
            old += [taken(whole, 0), taken(whole, 1)]
    else:
        old += [insert(update(number, taken(value, number))) for number in range(count)]
    return _gathered(vector, old, insert)
