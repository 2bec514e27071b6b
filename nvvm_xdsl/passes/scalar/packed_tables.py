"""Replaces local arrays that are filled with a few small constants by the bits of a number.

    llvm.intr.memset(%t, 0, 36)                      %a = llvm.shl %i, %c1
    llvm.store %c1, %t[1]; llvm.store %c2, %t[2] ->  %b = llvm.lshr %c36, %a
    %x = llvm.load %t[%i]                            %x = llvm.and %b, %c3

Each thread would fill the array, in local memory. Legal because every load follows all writes, and an
index outside of the array is undefined, as is a shift by more bits than the number has. (LLVM's
lookup tables of switches have the same form, SwitchLookupTable's BitMapKind.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from xdsl.dialects.llvm import (
    AllocaOp,
    AndOp,
    FuncOp,
    GEPOp,
    LLVMArrayType,
    LoadOp,
    LShrOp,
    MulOp,
    StoreOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.memory.accesses import is_simple_access, is_volatile_transfer
from nvvm_xdsl.analysis.memory.addresses import index_scales
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import LifetimeEndOp, LifetimeStartOp, MemsetOp
from nvvm_xdsl.dialects.llvm.types import I32, I64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.builder import Builder

MAX_BITS: Final = 64
"""Maximum number of bits of all elements."""


class _Uses(NamedTuple):
    """The uses of a local array.

    Arguments:
        fill: the op that sets all bytes.
        stores: stores of constants: the op, the number of the element and the value.
        loads: each with its index.
        others: lifetime markers and address ops.
    """

    fill: Operation
    stores: list[tuple[Operation, int, int]]
    loads: list[tuple[Operation, SSAValue]]
    others: list[Operation]


def pack_tables(func: FuncOp, tree: DominatorTree, layout: DataLayout) -> bool:
    """Replaces the arrays of a function; returns whether there were any."""
    constants = Constants(func)
    fills = [op for op in func.walk() if type(op) is MemsetOp and not is_volatile_transfer(op)]
    changed = False
    for fill in fills:
        slot = fast.operands_of(fill)[0].owner
        if not isinstance(slot, AllocaOp):
            continue
        type_ = element_type_of(slot)
        if (
            not isinstance(type_, LLVMArrayType)
            or constant_unsigned(fast.operands_of(slot)[0]) != 1
        ):
            continue
        uses = _uses_of(slot, fill, type_, layout)
        if uses is None or not _writes_precede_loads(uses, tree):
            continue
        elements = _elements(uses, type_, layout)
        if elements is not None and _replace_loads(uses, elements, constants):
            for op in (fill, *(store for store, _, _ in uses.stores), *uses.others[::-1], slot):
                fast.erase(op)
            changed = True
    return changed


def _uses_of(
    slot: AllocaOp, fill: Operation, type_: LLVMArrayType, layout: DataLayout
) -> _Uses | None:
    """The uses of an array; None if one is of another kind."""
    element = type_.type
    width = integer_width(element)
    if not width or width % 8:
        return None
    size = width // 8
    if constant_unsigned(fast.operands_of(fill)[2]) != size * type_.size.data:
        return None
    found = _Uses(fill, [], [], [])
    places: list[tuple[SSAValue, SSAValue | int]] = [(slot.results[0], 0)]
    for pointer, place in places:
        for user in fast.users_of(pointer):
            cls = type(user)
            if user is fill:
                continue
            if cls in (LifetimeStartOp, LifetimeEndOp):
                found.others.append(user)
            elif cls is GEPOp and place == 0 and (index := _index(user, size, layout)) is not None:
                found.others.append(user)
                places.append((user.results[0], index))
            elif cls is StoreOp and isinstance(place, int) and is_simple_access(user):
                value = fast.operands_of(user)[0]
                number = constant_unsigned(value)
                if value.type != element or number is None or not 0 <= place < type_.size.data:
                    return None
                found.stores.append((user, place, number))
            elif cls is LoadOp and not isinstance(place, int) and is_simple_access(user):
                if user.results[0].type != element:
                    return None
                found.loads.append((user, place))
            else:
                return None
    return found


def _index(gep: Operation, size: int, layout: DataLayout) -> SSAValue | int | None:
    """The index of the element at an address, constant or not; None for other addresses."""
    scales = index_scales(gep, layout)
    if scales is None:
        return None
    offset, scaled = scales
    if not scaled:
        return None if offset % size else offset // size
    if offset or len(scaled) > 1 or scaled[0][1] != size:
        return None
    return scaled[0][0]


def _writes_precede_loads(uses: _Uses, tree: DominatorTree) -> bool:
    """Whether the writes are in one block, the fill first, and before all loads on every path."""
    home = fast.block_of(uses.fill)
    last = uses.fill
    for store, _, _ in uses.stores:
        if store.parent is not home or not fast.comes_before(uses.fill, store):
            return False
        if fast.comes_before(last, store):
            last = store
    return all(
        fast.comes_before(last, load)
        if load.parent is home
        else tree.dominates(home, fast.block_of(load))
        for load, _ in uses.loads
    )


def _elements(uses: _Uses, type_: LLVMArrayType, layout: DataLayout) -> list[int] | None:
    """The elements of the array as unsigned numbers; None if they are not known."""
    byte = constant_unsigned(fast.operands_of(uses.fill)[1])
    if byte is None:
        return None
    elements = [int.from_bytes(bytes([byte]) * layout.store_size(type_.type))] * type_.size.data
    stored = {op: (place, number) for op, place, number in uses.stores}
    for op in fast.ops_of(fast.block_of(uses.fill)):
        if op in stored:
            place, number = stored[op]
            elements[place] = number
    return elements


def _replace_loads(uses: _Uses, elements: Sequence[int], constants: Constants) -> bool:
    """Replaces the loads by parts of a number; returns False if the elements have too many bits."""
    bits = max(max(elements).bit_length(), 1)
    if bits * len(elements) > MAX_BITS:
        return False
    word = I32 if bits * len(elements) <= 32 else I64
    packed = sum(value << bits * place for place, value in enumerate(elements))
    number, mask = constants.integer(packed, word), constants.integer((1 << bits) - 1, word)
    for load, index in uses.loads:
        b = Builder(load, constants)
        amount = _resized(b, index, I32)
        if bits > 1:
            amount = b.value(MulOp, (amount, constants.integer(bits, I32)), I32)
        shifted = b.value(LShrOp, (number, _resized(b, amount, word)), word)
        value = b.value(AndOp, (shifted, mask), word)
        fast.replace_op(load, (_resized(b, value, load.results[0].type),))
    return True


def _resized(b: Builder, value: SSAValue, type_: Attribute) -> SSAValue:
    """A number in another type that holds it."""
    if value.type == type_:
        return value
    cls = ZExtOp if integer_width(value.type) < integer_width(type_) else TruncOp
    return b.value(cls, (value,), type_)


__all__ = ["pack_tables"]
