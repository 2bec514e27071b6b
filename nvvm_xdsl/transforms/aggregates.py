"""Loads and stores of structs and arrays, split into their parts."""

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

from nvvm_xdsl.analysis.memory.accesses import common_alignment, leaves_of
from nvvm_xdsl.dialects.llvm.accessors import position_of, stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp
from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, I16, I32, I64, dense_i64, vector
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.computed import field_at
from nvvm_xdsl.rules.simplify import simplify
from nvvm_xdsl.transforms.builder import Builder

WIDEST = 16
"""Size in bytes of the widest vector access."""

Leaf = tuple[int, Attribute, tuple[int, ...]]
"""A scalar or vector in an aggregate: offset in bytes, type and indices."""

_IN_VECTORS = frozenset({I16, F16, BF16, I32, F32, I64, F64})


def is_aggregate(type_: Attribute) -> bool:
    """Returns True if the type is a struct or an array."""
    return type(type_) in (LLVMStructType, LLVMArrayType)


def has_padding(type_: Attribute, layout: DataLayout) -> bool:
    """Returns True if the memory of a value of the type contains padding bits."""
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
    """Groups of leaves, each of which one aligned vector access of at most 16 bytes covers."""
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
    """Replaces a plain load or store of an aggregate by accesses of its parts.

    Arguments:
        limit: maximum number of parts; an access with more parts is not changed, and False is
            returned.
        wide: whether adjacent parts of one type are combined to vectors as far as the alignment
            allows.
    """
    leaves = accessed_leaves(op, layout, limit)
    if leaves is None:
        return False
    expansion = _Expansion(op, constants, layout, in_place=False)
    expansion.run(vector_groups(leaves, expansion.alignment) if wide else _singly(leaves))
    return True


def expand_in_place(
    op: Operation, leaves: Sequence[Leaf], constants: Constants, layout: DataLayout
) -> list[Operation]:
    """Replaces a plain load or store of an aggregate by accesses of its leaves, which are returned.

    All accesses get the address of the aggregate; the caller must set their addresses.
    """
    return _Expansion(op, constants, layout, in_place=True).run(_singly(leaves))


def accessed_leaves(op: Operation, layout: DataLayout, limit: int) -> list[Leaf] | None:
    """The parts of the aggregate that a load or store accesses; None for other types, and for more
    than `limit` parts."""
    type_ = _accessed(op)[0].type
    return leaves_of(type_, layout, limit) if is_aggregate(type_) else None


def _accessed(op: Operation) -> tuple[SSAValue, SSAValue]:
    """The loaded or stored value, and the address."""
    if type(op) is LoadOp:
        (address,), (value,) = fast.operands_of(op), op.results
    else:
        value, address = fast.operands_of(op)
    return value, address


def _singly(leaves: Sequence[Leaf]) -> list[Sequence[Leaf]]:
    return [(leaf,) for leaf in leaves]


class _Expansion:
    """Replaces one load or store of an aggregate.

    Arguments:
        in_place: whether all parts are accessed at the address of the aggregate.
    """

    def __init__(
        self, op: Operation, constants: Constants, layout: DataLayout, *, in_place: bool
    ) -> None:
        self.op = op
        self.value, self.address = _accessed(op)
        self.alignment = stated_alignment(op, layout.alignment(self.value.type))
        self.constants = constants
        self.builder = Builder(op, constants)
        self.in_place = in_place

    def run(self, groups: Sequence[Sequence[Leaf]]) -> list[Operation]:
        """Creates an access for each group of leaves; returns the accesses."""
        made = self.load(groups) if type(self.op) is LoadOp else self.store(groups)
        fast.erase(self.op)
        return made

    def place(self, offset: int) -> SSAValue:
        """The address at a byte offset from the start."""
        return self.address if self.in_place else self.builder.offset(self.address, offset)

    def load(self, groups: Sequence[Sequence[Leaf]]) -> list[Operation]:
        """Loads the groups of leaves and rebuilds the aggregate; returns the new loads."""
        builder, constants, value = self.builder, self.constants, self.value
        type_ = value.type
        # If only parts are used, the aggregate is not rebuilt.
        whole = None if _is_taken_apart(value, groups) else constants.undef(type_)
        parts: dict[tuple[int, ...], SSAValue] = {}
        made: list[Operation] = []
        for group in groups:
            offset, part_type, _ = group[0]
            access_type = part_type if len(group) == 1 else vector(len(group), part_type)
            known = common_alignment(self.alignment, offset)
            loaded = builder.load(self.place(offset), access_type, known)
            made.append(fast.producer_of(loaded))
            lanes = [loaded] if len(group) == 1 else self.lanes(loaded, part_type, len(group))
            for part, (_, _, path) in zip(lanes, group):
                parts[path] = part
                if whole is not None:
                    position: dict[str, Attribute] = {"position": dense_i64(path)}
                    whole = builder.value(InsertValueOp, (whole, part), type_, position)
        if whole is None:
            for user in dict.fromkeys(fast.users_of(value)):
                fast.replace_op(user, (parts[position_of(user)],))
        else:
            _replace_aggregate(value, whole, constants)
        return made

    def lanes(self, loaded: SSAValue, type_: Attribute, count: int) -> list[SSAValue]:
        """Extracts the lanes of a loaded vector."""
        builder, constants = self.builder, self.constants
        return [
            builder.value(ExtractElementOp, (loaded, constants.integer(lane, I32)), type_)
            for lane in range(count)
        ]

    def store(self, groups: Sequence[Sequence[Leaf]]) -> list[Operation]:
        """Stores the groups of leaves; returns the new stores."""
        builder, constants = self.builder, self.constants
        made: list[Operation] = []
        for group in groups:
            offset, part_type, _ = group[0]
            parts = [self.part(leaf) for leaf in group]
            stored = parts[0]
            if len(group) > 1:
                type_ = vector(len(group), part_type)
                stored = constants.poison(type_)
                for lane, part in enumerate(parts):
                    index = constants.integer(lane, I32)
                    stored = builder.value(InsertElementOp, (stored, part, index), type_)
            known = common_alignment(self.alignment, offset)
            made.append(builder.store(stored, self.place(offset), known))
        return made

    def part(self, leaf: Leaf) -> SSAValue:
        """A leaf of the stored value."""
        _, type_, path = leaf
        known = field_at(self.value, path, type_, self.constants)
        if known is not None:
            return known
        position: dict[str, Attribute] = {"position": dense_i64(path)}
        return self.builder.value(ExtractValueOp, (self.value,), type_, position)


def _is_taken_apart(value: SSAValue, groups: Sequence[Sequence[Leaf]]) -> bool:
    """Returns True if all uses of an aggregate, including debug records, are extractions of
    leaves."""
    paths = {path for group in groups for _, _, path in group}
    return all(
        type(user) is ExtractValueOp and position_of(user) in paths for user in fast.users_of(value)
    ) and not any(records.of(value) for records in followers())


def _replace_aggregate(value: SSAValue, whole: SSAValue, constants: Constants) -> None:
    """Replaces extractions from the aggregate with the fields."""
    fast.replace_all_uses(value, whole)
    for user in dict.fromkeys(fast.users_of(whole)):
        if type(user) is ExtractValueOp:
            known = simplify(user, constants)
            if known is not None:
                fast.replace_op(user, (known,))
    erase_unused_inserts(whole)


def erase_unused_inserts(value: SSAValue) -> None:
    """Erases the `insertvalue` ops that define an unused value."""
    while value.first_use is None and type(value.owner) is InsertValueOp:
        op = fast.producer_of(value)
        value = fast.operands_of(op)[0]
        fast.erase(op)
