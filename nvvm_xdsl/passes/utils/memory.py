"""Loads, stores and addresses, as passes see them."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.dialects.llvm import BitcastOp, IntToPtrOp, LLVMPointerType, PtrToIntOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.layout import DataLayout
from nvvm_xdsl.ir.types import integer
from nvvm_xdsl.passes.utils.constants import integer_value

MARKERS = frozenset(
    {
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.dbg.declare",
        "llvm.intr.dbg.value",
    }
)
"""Users of a slot's address that say something about it and do nothing with it."""

ADDRESS_CASTS = frozenset({"llvm.bitcast", "llvm.addrspacecast"})

DYNAMIC_INDEX = -(2**31)
"""What stands for an operand among a GEP's constant indices."""


def is_simple_access(op: Operation) -> bool:
    """Whether a load or store is neither volatile nor atomic."""
    properties = op.properties
    if "volatile_" in properties:
        return False
    ordering = properties.get("ordering")
    return ordering is None or cast("IntegerAttr[Any]", ordering).value.data == 0


def constant_indices(gep: Operation) -> list[int] | None:
    """The indices of a `getelementptr`, or None when some are not constant."""
    raw = cast("DenseArrayBase[Any]", gep.properties["rawConstantIndices"]).get_values()
    dynamic = iter(fast.operands_of(gep)[1:])
    indices: list[int] = []
    for index in raw:
        if index == DYNAMIC_INDEX:
            value = integer_value(next(dynamic))
            if value is None:
                return None
            indices.append(value)
        else:
            indices.append(index)
    return indices


def convertible(a: Attribute, b: Attribute, layout: DataLayout) -> bool:
    """Whether a value of type `a` may be taken for one of type `b` without going to memory."""
    if a == b:
        return True
    width = layout.bits(a)
    if width is None or width != layout.bits(b):
        return False
    # A pointer's bits may be taken for an integer's, not for those of another address space.
    return not (isinstance(a, LLVMPointerType) and isinstance(b, LLVMPointerType))


def reinterpret(
    value: SSAValue, type_: Attribute, before: Operation, layout: DataLayout
) -> SSAValue:
    """`value` as one of `type_`, which is `convertible`; casts go in front of `before`."""
    have = value.type
    if have == type_:
        return value
    if isinstance(have, LLVMPointerType):
        number = integer(layout.bits(have) or 0)
        cast_op: Operation = fast.create(PtrToIntOp, (value,), (number,))
        fast.insert_before(cast_op, before)
        return reinterpret(cast_op.results[0], type_, before, layout)
    if isinstance(type_, LLVMPointerType):
        number = integer(layout.bits(type_) or 0)
        value = reinterpret(value, number, before, layout)
        cast_op = fast.create(IntToPtrOp, (value,), (type_,))
    else:
        cast_op = fast.create(BitcastOp, (value,), (type_,))
    fast.insert_before(cast_op, before)
    return cast_op.results[0]


def is_invariant_load(op: Operation) -> bool:
    """Whether the load reads what nothing writes while the kernel runs."""
    return "invariant" in op.properties
