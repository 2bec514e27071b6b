"""Common properties of loads, stores and addresses."""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.llvm import (
    BitcastOp,
    IntToPtrOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LoadOp,
    PtrToIntOp,
    StoreOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attribute,
    int_value,
    is_volatile,
    number_of,
    ordering_of,
    scalar_type,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
)
from nvvm_xdsl.dialects.llvm.orderings import PLAIN
from nvvm_xdsl.dialects.llvm.types import I64, int_attr, integer, vector
from nvvm_xdsl.ir import fast

MARKERS = frozenset(
    {
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.dbg.declare",
        "llvm.intr.dbg.value",
    }
)
"""Users of a slot's address that only describe it."""

COPIES = frozenset({MemcpyOp, MemcpyInlineOp, MemmoveOp})
FILLS = frozenset({MemsetOp, MemsetInlineOp})

ADDRESS_CASTS = frozenset({"llvm.bitcast", "llvm.addrspacecast"})


def is_simple_access(op: Operation) -> bool:
    """Returns True if a load or store is neither volatile nor atomic."""
    return not is_volatile(op) and ordering_of(op) == 0


def is_volatile_transfer(op: Operation) -> bool:
    """Returns True if a copy or fill is volatile."""
    stated = op.properties.get("isVolatile")
    return stated is not None and number_of(stated) != 0


def transfer_length(op: Operation) -> int | None:
    """The number of bytes that a copy or fill accesses; None when it is not constant."""
    stated = op.properties.get("len")
    if stated is not None:
        return number_of(stated)
    return constant_unsigned(fast.operands_of(op)[2])


def convertible(a: Attribute, b: Attribute, layout: DataLayout) -> bool:
    """True if a value of type `a` can be converted to type `b` without memory."""
    if a is b or a == b:
        return True
    width = layout.bits(a)
    if width is None or width != layout.bits(b):
        return False
    # A pointer can be converted to an integer, but not to another address space.
    return not (_holds_pointers(a) and _holds_pointers(b))


def reinterpret(
    value: SSAValue, type_: Attribute, before: Operation, layout: DataLayout
) -> SSAValue:
    """Converts `value` to `type_`, which must be `convertible`; casts are inserted before `before`."""
    have = value.type
    if have is type_ or have == type_:
        return value
    if _holds_pointers(have):
        number = _integers_like(have, layout)
        cast_op: Operation = fast.create(PtrToIntOp, (value,), (number,))
        fast.insert_before(cast_op, before)
        return reinterpret(cast_op.results[0], type_, before, layout)
    if _holds_pointers(type_):
        value = reinterpret(value, _integers_like(type_, layout), before, layout)
        cast_op = fast.create(IntToPtrOp, (value,), (type_,))
    else:
        cast_op = fast.create(BitcastOp, (value,), (type_,))
    fast.insert_before(cast_op, before)
    return cast_op.results[0]


def _holds_pointers(type_: Attribute) -> bool:
    """Whether the type is a pointer or a vector of pointers."""
    return isinstance(scalar_type(type_), LLVMPointerType)


def _integers_like(type_: Attribute, layout: DataLayout) -> Attribute:
    """The integer type with the bits of a pointer, or the vector of them for one of pointers."""
    number = integer(layout.bits(scalar_type(type_)) or 0)
    pointers = vector_type(type_)
    return number if pointers is None else vector(pointers.get_shape()[0], number)


def is_invariant_load(op: Operation) -> bool:
    """Returns True if the loaded memory is not written while the kernel runs."""
    return "invariant" in op.properties


def leaves_of(
    type_: Attribute, layout: DataLayout, limit: int
) -> list[tuple[int, Attribute, tuple[int, ...]]] | None:
    """The scalars and vectors in a type: offset, type and indices of each.

    None if there are more than `limit`.
    """
    found: list[tuple[int, Attribute, tuple[int, ...]]] = []
    pending: list[tuple[int, Attribute, tuple[int, ...]]] = [(0, type_, ())]
    while pending:
        offset, part, path = pending.pop()
        # Not `isinstance`, which is slow for classes of abstract ones.
        if type(part) is LLVMStructType:
            fields = part.types.data
            offsets = layout.field_offsets(part)
            for i in range(len(fields) - 1, -1, -1):
                pending.append((offset + offsets[i], fields[i], (*path, i)))
        elif type(part) is LLVMArrayType:
            count = part.size.data
            if count > limit:
                return None
            size = layout.size(part.type)
            for i in range(count - 1, -1, -1):
                pending.append((offset + i * size, part.type, (*path, i)))
        else:
            found.append((offset, part, path))
            if len(found) > limit:
                return None
    return found


def load(
    address: SSAValue,
    type_: Attribute,
    alignment: int,
    before: Operation,
    location: LocationAttr | None = None,
) -> SSAValue:
    """The value of a new plain load, inserted before `before`, by default with its location."""
    op = fast.create(
        LoadOp,
        (address,),
        (type_,),
        {"alignment": int_attr(alignment, I64), "ordering": PLAIN},
        location=location or before.location,
    )
    fast.insert_before(op, before)
    return op.results[0]


def store(
    value: SSAValue,
    address: SSAValue,
    alignment: int,
    before: Operation,
    location: LocationAttr | None = None,
) -> Operation:
    """A new plain store, inserted before `before`, by default with its location."""
    op = fast.create(
        StoreOp,
        (value, address),
        (),
        {"alignment": int_attr(alignment, I64), "ordering": PLAIN},
        location=location or before.location,
    )
    fast.insert_before(op, before)
    return op


def common_alignment(alignment: int, offset: int) -> int:
    """The alignment of an address at a byte offset from an aligned address."""
    return min(alignment, offset & -offset) if offset else alignment


def argument_alignment(op: Operation, index: int) -> int:
    """The stated alignment in `arg_attrs` of an intrinsic's pointer argument; 1 if there is none."""
    return int_value(argument_attribute(op, index, "llvm.align"), 1)
