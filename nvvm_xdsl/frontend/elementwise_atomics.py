"""`atomicrmw elementwise`, which LLVM's main branch added: each element of a vector is updated on its own.

    %old = atomicrmw elementwise fadd ptr %p, <2 x float> %v monotonic

becomes an `llvm.atomicrmw` for each element. Sums of f16 and bf16 become operations on pairs with the attribute
`nvvm.elementwise`, because PTX has them (`atom.add.noftz.f16x2`).

Source: LLVM Language Reference of the main branch, October 2026, "atomicrmw".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import ConstantOp, InsertElementOp, UndefOp
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
        offset = number * size
        address = pointer
        if offset:
            step = insert(fast.create(ConstantOp, (), (I64,), {"value": int_attr(offset, I64)}))
            address = insert(
                create_gep((pointer, step), (DYNAMIC_INDEX,), I8, pointer.type, INBOUNDS)
            )
        # The largest power of two that divides the alignment and the offset.
        common = (alignment | offset) & -(alignment | offset)
        own = properties | {"alignment": int_attr(common, I64)}
        attributes: dict[str, Attribute] = {ELEMENTWISE: UNIT} if paired else {}
        return fast.create(AtomicRMWOp, (address, part), (part.type,), own, attributes=attributes)

    if paired and count == 2:
        return update(0, value)
    positions = [
        insert(fast.create(ConstantOp, (), (I32,), {"value": int_attr(number, I32)}))
        for number in range(count)
    ]

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
    result = insert(fast.create(UndefOp, (), (vector,)))
    last: Operation | None = None
    for position, part in zip(positions, old):
        if last is not None:
            result = insert(last)
        last = fast.create(InsertElementOp, (result, part, position), (vector,))
    assert last is not None
    return last
