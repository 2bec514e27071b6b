"""Loads and stores of structs and arrays, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.dialects.llvm import (
    ExtractValueOp,
    InsertElementOp,
    InsertValueOp,
    LLVMArrayType,
    LLVMStructType,
    LoadOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.attributes import stated_alignment
from nvvm_xdsl.ir.layout import DataLayout
from nvvm_xdsl.ir.types import BF16, F16, F32, F64, I16, I32, I64, dense_i64, vector
from nvvm_xdsl.passes.rules.simplify import simplify
from nvvm_xdsl.passes.utils.builder import Builder
from nvvm_xdsl.passes.utils.constants import Constants
from nvvm_xdsl.passes.utils.memory import common_alignment, leaves_of

ExtractElementOp = op_class("llvm.extractelement")

WIDEST = 16
"""Bytes of the widest vector access."""

Leaf = tuple[int, Attribute, tuple[int, ...]]
"""A scalar or vector in an aggregate: offset in bytes, type and indices."""

_IN_VECTORS = frozenset({I16, F16, BF16, I32, F32, I64, F64})


def is_aggregate(type_: Attribute) -> bool:
    """Whether values of the type are structs or arrays."""
    return type_.__class__ in (LLVMStructType, LLVMArrayType)


def has_padding(type_: Attribute, layout: DataLayout) -> bool:
    """Whether some bits of the type's place in memory are none of the value's."""
    pending = [type_]
    while pending:
        part = pending.pop()
        if isinstance(part, LLVMStructType):
            end = 0
            for offset, field in zip(layout.field_offsets(part), part.types.data):
                if offset != end:
                    return True
                end = offset + layout.size(field)
                pending.append(field)
            if end != layout.size(part):
                return True
        elif isinstance(part, LLVMArrayType):
            pending.append(part.type)
        elif layout.bits(part) != 8 * layout.size(part):
            return True
    return False


def vector_groups(leaves: Sequence[Leaf], alignment: int) -> list[Sequence[Leaf]]:
    """The leaves in runs, each of which one aligned vector access of at most 16 bytes covers."""
    found: list[Sequence[Leaf]] = []
    at = 0
    while at < len(leaves):
        offset, type_, _ = leaves[at]
        length = 1
        if type_ in _IN_VECTORS:
            size = cast(FixedBitwidthType, type_).size
            for count in (8, 4, 2):
                whole = count * size
                run = leaves[at : at + count]
                if (
                    whole <= WIDEST
                    and len(run) == count
                    and common_alignment(alignment, offset) >= whole
                    and all(
                        leaf[1] == type_ and leaf[0] == offset + i * size
                        for i, leaf in enumerate(run)
                    )
                ):
                    length = count
                    break
        found.append(leaves[at : at + length])
        at += length
    return found


def expand_access(
    op: Operation, constants: Constants, layout: DataLayout, limit: int, *, wide: bool = False
) -> bool:
    """Replaces a plain load or store of an aggregate by those of its parts.

    Arguments:
        limit: the most parts; an access with more stays, and False is returned.
        wide: join neighbouring parts of one type to vectors as far as the alignment allows.
    """
    is_load = op.__class__ is LoadOp
    operands = fast.operands_of(op)
    value = op.results[0] if is_load else operands[0]
    if not is_aggregate(value.type):
        return False
    leaves = leaves_of(value.type, layout, limit)
    if leaves is None:
        return False
    alignment = stated_alignment(op, layout.alignment(value.type))
    builder = Builder(op, constants)
    groups = vector_groups(leaves, alignment) if wide else [[leaf] for leaf in leaves]
    if is_load:
        whole = _load_parts(builder, operands[0], value.type, groups, alignment)
        _replace_aggregate(value, whole, constants)
    else:
        _store_parts(builder, value, operands[1], groups, alignment)
    fast.erase(op)
    return True


def _load_parts(
    builder: Builder,
    address: SSAValue,
    type_: Attribute,
    groups: Sequence[Sequence[Leaf]],
    alignment: int,
) -> SSAValue:
    constants = builder.constants
    whole = constants.undef(type_)
    for group in groups:
        offset, part_type, _ = group[0]
        place = builder.offset(address, offset)
        known = common_alignment(alignment, offset)
        if len(group) == 1:
            parts = [builder.load(place, part_type, known)]
        else:
            loaded = builder.load(place, vector(len(group), part_type), known)
            parts = [
                builder.value(ExtractElementOp, (loaded, constants.integer(lane, I32)), part_type)
                for lane in range(len(group))
            ]
        for part, (_, _, path) in zip(parts, group):
            whole = builder.value(
                InsertValueOp, (whole, part), type_, {"position": dense_i64(path)}
            )
    return whole


def _store_parts(
    builder: Builder,
    value: SSAValue,
    address: SSAValue,
    groups: Sequence[Sequence[Leaf]],
    alignment: int,
) -> None:
    constants = builder.constants
    for group in groups:
        offset, part_type, _ = group[0]
        parts = [_part(builder, value, leaf) for leaf in group]
        stored = parts[0]
        if len(group) > 1:
            type_ = vector(len(group), part_type)
            stored = constants.poison(type_)
            for lane, part in enumerate(parts):
                index = constants.integer(lane, I32)
                stored = builder.value(InsertElementOp, (stored, part, index), type_)
        place = builder.offset(address, offset)
        builder.store(stored, place, common_alignment(alignment, offset))


def _part(builder: Builder, value: SSAValue, leaf: Leaf) -> SSAValue:
    _, type_, path = leaf
    extract = builder.emit(ExtractValueOp, (value,), (type_,), {"position": dense_i64(path)})
    return _simplified(extract, builder.constants)


def _simplified(extract: Operation, constants: Constants) -> SSAValue:
    """The extracted part, where it is known without the aggregate."""
    known = simplify(extract, constants)
    if known is None:
        return extract.results[0]
    fast.replace_op(extract, (known,))
    return known


def _replace_aggregate(value: SSAValue, whole: SSAValue, constants: Constants) -> None:
    """Puts the parts in the place of what takes them out of the aggregate."""
    fast.replace_all_uses(value, whole)
    for user in dict.fromkeys(fast.users_of(whole)):
        if user.__class__ is ExtractValueOp:
            _simplified(user, constants)
    erase_unused_inserts(whole)


def erase_unused_inserts(value: SSAValue) -> None:
    """Erases the `insertvalue` ops behind a value that nothing uses."""
    while value.first_use is None and value.owner.__class__ is InsertValueOp:
        op = fast.producer_of(value)
        value = fast.operands_of(op)[0]
        fast.erase(op)
