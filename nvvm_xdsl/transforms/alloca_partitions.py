"""Partitions of a stack slot, with a type for each.

A slot is split at the byte positions that no load or store crosses. A part whose accesses all have
its size gets their type; a part that contains a vector is accessed by element; a part of up to 16
bytes with accesses of several sizes becomes an integer.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LoadOp
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.analysis.memory import accesses as memory
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.types import I8, array, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.alloca_slices import MAX_LEAVES, AllocaSlices, Slice

MAX_UNTYPED_BYTES = 64
"""Maximum number of bytes without a type, such as padding, that are copied as integers."""


MAX_INTEGER_BYTES = 16
"""Maximum size of a part that is represented as one integer if its accesses differ in size."""


@dataclass(slots=True)
class Partition:
    """A range of bytes that becomes a separate slot."""

    begin: int
    end: int
    accesses: list[Slice]
    type: Attribute
    kind: str
    """`value`: accessed as a whole; `vector`: also accessed by element; `integer`: accessed by
    bits; `bytes`: only copied or filled."""
    address: SSAValue | None = None
    alignment: int = 1
    is_read: bool = False
    is_written: bool = False

    def note(self, uses: AllocaSlices) -> None:
        """Determines whether the part is read, and whether it is written."""
        for access in self.accesses:
            if access.operand == 0:
                self.is_read = True
            else:
                self.is_written = True
        for transfer in uses.transfers:
            if transfer.begin < self.end and self.begin < transfer.end:
                if transfer.operand == 1:
                    self.is_read = True
                else:
                    self.is_written = True


def partition(
    uses: AllocaSlices, whole: Attribute, size: int, layout: DataLayout
) -> list[Partition]:
    """The parts of a slot, in order, which cover every used byte."""
    groups: list[tuple[int, int, list[Slice]]] = []
    for access in sorted(uses.accesses, key=lambda s: (s.begin, -s.end)):
        if groups and access.begin < groups[-1][1]:
            begin, end, members = groups[-1]
            members.append(access)
            groups[-1] = (begin, max(end, access.end), members)
        else:
            groups.append((access.begin, access.end, [access]))
    parts = [_typed_part(begin, end, members, layout) for begin, end, members in groups]
    if uses.transfers:
        for part in parts:
            # A copy moves all bits of each byte; an access of an i1 moves only one.
            if layout.bits(part.type) != 8 * (part.end - part.begin):
                part.kind = "bytes"
                part.type = array(part.end - part.begin, I8)
        parts.extend(_copied_parts(groups, uses.transfers, whole, size, layout))
        parts.sort(key=lambda part: part.begin)
    return parts


def _copied_parts(
    groups: list[tuple[int, int, list[Slice]]],
    transfers: list[Slice],
    whole: Attribute,
    size: int,
    layout: DataLayout,
) -> list[Partition]:
    """Parts for bytes that are only copied or filled: one per scalar of the slot's type."""
    taken = [(begin, end) for begin, end, _ in groups]
    found: list[Partition] = []
    leaves = memory.leaves_of(whole, layout, MAX_LEAVES)
    starts = [0, *(end for _, end in taken)]
    for begin, end in zip(starts, [*(begin for begin, _ in taken), size]):
        if not any(max(begin, t.begin) < min(end, t.end) for t in transfers):
            continue
        if leaves is None:
            found.append(Partition(begin, end, [], array(end - begin, I8), "bytes"))
            continue
        at = begin
        for offset, type_, _ in leaves:
            last = offset + layout.store_size(type_)
            if begin <= offset and last <= end and layout.bits(type_) == 8 * (last - offset):
                found.extend(_integer_parts(at, offset))
                found.append(Partition(offset, last, [], type_, "value"))
                at = last
        found.extend(_integer_parts(at, end))
    return found


def _integer_parts(begin: int, end: int) -> list[Partition]:
    """Parts for bytes without a type: padding may contain fields of another type."""
    if end - begin > MAX_UNTYPED_BYTES:
        return [Partition(begin, end, [], array(end - begin, I8), "bytes")]
    found: list[Partition] = []
    while begin < end:
        size = 8
        while begin % size or begin + size > end:
            size //= 2
        found.append(Partition(begin, begin + size, [], integer(8 * size), "value"))
        begin += size
    return found


def _access_type(access: Slice) -> Attribute:
    op = access.op
    if type(op) is LoadOp:
        (value,) = op.results
    else:
        value, _ = fast.operands_of(op)
    return value.type


def _typed_part(begin: int, end: int, members: list[Slice], layout: DataLayout) -> Partition:
    """The part for overlapping accesses, with its type."""
    types = [_access_type(member) for member in members]
    size = end - begin
    same_range = all(m.begin == begin and m.end == end for m in members)
    if same_range and all(memory.convertible(t, types[0], layout) for t in types):
        return Partition(begin, end, members, types[0], "value")
    vector = _common_vector(begin, end, members, types, layout)
    if vector is not None:
        return Partition(begin, end, members, vector, "vector")
    if (
        size in (1, 2, 4, 8, MAX_INTEGER_BYTES)
        and any(m.begin == begin and m.end == end for m in members)
        and all(_has_whole_bytes(t, m, layout) for t, m in zip(types, members))
    ):
        return Partition(begin, end, members, integer(8 * size), "integer")
    return Partition(begin, end, members, array(size, I8), "bytes")


def _has_whole_bytes(type_: Attribute, access: Slice, layout: DataLayout) -> bool:
    return layout.bits(type_) == 8 * (access.end - access.begin)


def _common_vector(
    begin: int, end: int, members: list[Slice], types: list[Attribute], layout: DataLayout
) -> Attribute | None:
    """The vector type of accesses of which some are to the whole vector and others to single
    elements.
    """
    first: Attribute | None = next((t for t in types if type(t) is VectorType), None)
    if first is None:
        return None
    element = first.element_type
    width = layout.bits(element)
    if width is None or width % 8:
        return None
    for member, type_ in zip(members, types):
        if member.begin == begin and member.end == end:
            if not memory.convertible(type_, first, layout):
                return None
        elif (member.begin - begin) % (width // 8) or not memory.convertible(
            type_, element, layout
        ):
            return None
    return first
