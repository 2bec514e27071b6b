"""`sroa`: splits stack slots into parts and promotes them to SSA values.

    %p = llvm.alloca %one x !llvm.struct<(f32, i32)>
    llvm.intr.memcpy(%p, %source, %eight)
    %q = llvm.getelementptr %p[0, 1]
    %y = llvm.load %q : !llvm.ptr -> i32

becomes

    %q = llvm.getelementptr %source[4] : i8
    %y = llvm.load %q : !llvm.ptr -> i32

The bytes of a slot are cut where no load or store crosses; copies and fills of memory are cut
with them. A part whose accesses all have its size becomes a slot of that type; one that holds
a vector is accessed by element; one of up to 16 bytes with accesses of several sizes becomes
an integer, the accesses shifts and masks. The slots that are plain values then are promoted as
`mem2reg` does.

A load through a select or a block argument that has one of several slots' addresses becomes loads
of all of them before (`sroa_choices.py`).

Legal because the slot's address goes nowhere but into accesses at known places: a slot that is
indexed at run time, passed to a call, or accessed by a volatile or atomic op stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import (
    AllocaOp,
    AndOp,
    FuncOp,
    GEPOp,
    InsertElementOp,
    LoadOp,
    LShrOp,
    OrOp,
    ShlOp,
    StoreOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory import accesses as memory
from nvvm_xdsl.analysis.memory.accesses import (
    ADDRESS_CASTS,
    COPIES,
    FILLS,
    MARKERS,
    common_alignment,
    transfer_length,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    scalar_type,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError, data_layout_of
from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.gep import byte_offset, constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    ExtractElementOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemsetInlineOp,
    MemsetOp,
)
from nvvm_xdsl.dialects.llvm.types import I8, I64, array, int_attr, integer
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.mem2reg import find_slots, promote, tell_of_kept_slots, tell_of_slot
from nvvm_xdsl.passes.scalar.sroa_choices import load_choices
from nvvm_xdsl.transforms.aggregates import accessed_leaves, expand_in_place
from nvvm_xdsl.transforms.builder import Builder

_WITHOUT_INLINE: dict[type[Operation], type[Operation]] = {
    MemcpyInlineOp: MemcpyOp,
    MemsetInlineOp: MemsetOp,
}
"""The ops whose length need not be constant."""

MAX_LEAVES = 64
"""Maximum number of scalars into which an aggregate, or a part that is only copied, is split."""

MAX_UNTYPED_BYTES = 64
"""Maximum number of bytes without a type, such as padding, that are copied as integers."""

MAX_INTEGER_BYTES = 16
"""Maximum size of a part that is represented as one integer if its accesses differ in size."""


SPLIT = Statistic("sroa", "split", "Number of stack slots taken apart")


@dataclass(slots=True)
class Slice:
    """One use of bytes of a slot."""

    op: Operation
    begin: int
    end: int
    operand: int
    """The index of the address operand."""
    pointer: int
    """The index of the address, see `Uses`."""


@dataclass(slots=True)
class Uses:
    """All uses of a slot, if they are all known."""

    accesses: list[Slice]
    transfers: list[Slice]
    """Copies and fills, which may be split at any offset."""
    dead: list[Operation]
    """Address computations and markers; users come before their operands."""
    pointers: list[int]
    """The addresses in the order of discovery: for each, the index of the address that it is
    computed from."""


@dataclass(slots=True)
class Part:
    """A range of bytes that becomes a separate slot."""

    begin: int
    end: int
    accesses: list[Slice]
    type: Attribute
    kind: str
    """`value`: accessed whole; `vector`: by element as well; `integer`: by bits; `bytes`."""
    address: SSAValue | None = None
    alignment: int = 1
    is_read: bool = False
    is_written: bool = False

    def note(self, uses: Uses) -> None:
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


@dataclass(frozen=True)
class SROA(FunctionPass):
    """Splits stack slots into their parts and promotes them to SSA values."""

    name = "sroa"
    title = "SROA"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        entry = func.regions[0].first_block
        assert entry is not None
        constants = Constants(func)
        changed = False
        slots = _slots_of(entry)
        # Promoted pointers show which slots a load may read, and loads from those are promoted next.
        again = bool(slots)
        if again:
            changed = load_choices(slots, layout, constants)
        while again:
            for alloca in slots:
                changed |= split_slot(alloca, layout, constants)
            promotable = find_slots(func, layout)
            if promotable:
                promote(promotable, am.get(DominatorTree, func), layout, self.name)
                changed = True
            slots = _slots_of(entry)
            again = bool(promotable and slots) and load_choices(slots, layout, constants)
        if slots:
            tell_of_kept_slots(func, self.name)
        return changed


def _slots_of(entry: Block) -> list[Operation]:
    return [op for op in fast.ops_of(entry) if op.__class__ is AllocaOp]


def split_slot(alloca: Operation, layout: DataLayout, constants: Constants) -> bool:
    """Splits one stack slot if its uses permit it; returns whether anything changed."""
    try:
        return _split_slot(alloca, layout, constants)
    except UnsizedTypeError:
        return False


def _split_slot(alloca: Operation, layout: DataLayout, constants: Constants) -> bool:
    count = constant_unsigned(fast.operands_of(alloca)[0])
    if not count:
        return False
    element = element_type_of(alloca)
    whole = element if count == 1 else array(count, element)
    size = layout.size(whole)
    uses = _find_uses(alloca, size, layout)
    if uses is None:
        return False
    expanded = _expand(uses, constants, layout)
    parts = _cut(uses, whole, size, layout)
    if len(parts) == 1 and (parts[0].begin, parts[0].end) == (0, size):
        # The slot already consists of this part.
        if parts[0].kind == "bytes" or (parts[0].kind == "value" and not uses.transfers):
            for op, operand, offset in expanded or ():
                address = Builder(op, constants).offset(fast.operands_of(op)[operand], offset)
                fast.set_operand(op, operand, address)
            return expanded is not None
    SPLIT.add()
    if remarks.wanted():
        tell_of_slot("sroa", "Passed", "Split", alloca, f" cut into {len(parts)} parts")
    _AllocaSplitter(alloca, parts, layout, constants).run(uses)
    return True


def _find_uses(alloca: Operation, size: int, layout: DataLayout) -> Uses | None:
    uses = Uses([], [], [], [])
    pointers = uses.pointers
    pending: list[tuple[SSAValue, int, int]] = [(alloca.results[0], 0, -1)]
    seen: set[Operation] = set()
    while pending:
        address, offset, source = pending.pop()
        pointer = len(pointers)
        pointers.append(source)
        for user in fast.users_of(address):
            cls = user.__class__
            if cls is LoadOp or cls is StoreOp:
                if cls is LoadOp:
                    index = 0
                    (value,) = user.results
                else:
                    index = 1
                    value, target = fast.operands_of(user)
                    if value is address or target is not address:
                        return None
                if not memory.is_simple_access(user):
                    return None
                end = offset + layout.store_size(value.type)
                if offset < 0 or end > size:
                    return None
                uses.accesses.append(Slice(user, offset, end, index, pointer))
            elif cls is GEPOp:
                added = constant_offset(user, layout)
                base, *_ = fast.operands_of(user)
                if added is None or base is not address:
                    return None
                uses.dead.append(user)
                (derived,) = user.results
                pending.append((derived, offset + added, pointer))
            elif cls in COPIES or cls in FILLS:
                length = transfer_length(user)
                if length is None or memory.is_volatile_transfer(user) or user in seen:
                    return None
                seen.add(user)
                operands = fast.operands_of(user)
                index = 0 if operands[0] is address else 1
                if offset < 0 or offset + length > size or (cls in FILLS and index):
                    return None
                uses.transfers.append(Slice(user, offset, offset + length, index, pointer))
            elif user.name in MARKERS:
                uses.dead.append(user)
            elif user.name in ADDRESS_CASTS:
                uses.dead.append(user)
                (derived,) = user.results
                pending.append((derived, offset, pointer))
            else:
                return None
    return uses


def _expand(
    uses: Uses, constants: Constants, layout: DataLayout
) -> list[tuple[Operation, int, int]] | None:
    """Replaces accesses of aggregates by accesses of scalars; None if there are none.

    Returns the ops, each with the index of the operand that is the address of the aggregate and the
    byte offset to add once the new slot is known.
    """
    last = _last_derived(uses.pointers)
    made: list[tuple[Operation, int, int]] = []
    # In the order in which `_find_uses` visits them, because the first access influences the type
    # of a slot. It visits the newest user of an address first, and the oldest address computed from
    # it.
    keyed: list[tuple[tuple[int, ...], Slice]] = []
    expanded = False
    for access in uses.accesses:
        pointer, begin = access.pointer, access.begin
        leaves = accessed_leaves(access.op, layout, MAX_LEAVES)
        if leaves is None:
            keyed.append(((pointer, 1, len(keyed)), access))
            continue
        expanded = True
        ops = expand_in_place(access.op, leaves, constants, layout)
        for op, (offset, type_, _) in zip(ops, leaves):
            at = begin + offset
            part = Slice(op, at, at + layout.store_size(type_), access.operand, pointer)
            if offset:
                keyed.append(((last[pointer], 2, -pointer, len(keyed)), part))
            else:
                keyed.append(((pointer, 0, -len(keyed)), part))
            made.append((op, access.operand, offset))
    if not expanded:
        return None
    keyed.sort(key=lambda pair: pair[0])
    uses.accesses = [access for _, access in keyed]
    return made


def _last_derived(pointers: Sequence[int]) -> list[int]:
    """For each address, the last address computed from it, or itself, given the base of each."""
    last = list(range(len(pointers)))
    for number in range(len(pointers) - 1, 0, -1):
        source = pointers[number]
        last[source] = max(last[source], last[number])
    return last


def _cut(uses: Uses, whole: Attribute, size: int, layout: DataLayout) -> list[Part]:
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
            # A copy moves all bits of each byte, an access of an i1 does not.
            if part.kind == "value" and layout.bits(part.type) != 8 * (part.end - part.begin):
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
) -> list[Part]:
    """Parts for bytes that are only copied or filled: one per scalar of the slot's type."""
    taken = [(begin, end) for begin, end, _ in groups]
    found: list[Part] = []
    free: list[tuple[int, int]] = []
    at = 0
    for begin, end in [*taken, (size, size)]:
        if at < begin:
            free.append((at, begin))
        at = max(at, end)
    used = [
        (max(b, t.begin), min(e, t.end))
        for b, e in free
        for t in transfers
        if max(b, t.begin) < min(e, t.end)
    ]
    if not used:
        return []
    leaves = memory.leaves_of(whole, layout, MAX_LEAVES)
    for begin, end in free:
        if not any(b < end and begin < e for b, e in used):
            continue
        if leaves is None:
            found.append(Part(begin, end, [], array(end - begin, I8), "bytes"))
            continue
        at = begin
        for offset, type_, _ in leaves:
            last = offset + layout.store_size(type_)
            if begin <= offset and last <= end and layout.bits(type_) == 8 * (last - offset):
                found.extend(_integer_parts(at, offset))
                found.append(Part(offset, last, [], type_, "value"))
                at = last
        found.extend(_integer_parts(at, end))
    return found


def _integer_parts(begin: int, end: int) -> list[Part]:
    """Parts for bytes without a type: padding may contain fields of another type."""
    if end - begin > MAX_UNTYPED_BYTES:
        return [Part(begin, end, [], array(end - begin, I8), "bytes")]
    found: list[Part] = []
    while begin < end:
        size = 8
        while begin % size or begin + size > end:
            size //= 2
        found.append(Part(begin, begin + size, [], integer(8 * size), "value"))
        begin += size
    return found


def _access_type(access: Slice) -> Attribute:
    op = access.op
    if op.__class__ is LoadOp:
        (value,) = op.results
    else:
        value, _ = fast.operands_of(op)
    return value.type


def _typed_part(begin: int, end: int, members: list[Slice], layout: DataLayout) -> Part:
    """The slot for overlapping accesses, and its type."""
    types = [_access_type(member) for member in members]
    size = end - begin
    same_range = all(m.begin == begin and m.end == end for m in members)
    if same_range and all(memory.convertible(t, types[0], layout) for t in types):
        return Part(begin, end, members, types[0], "value")
    vector = _common_vector(begin, end, members, types, layout)
    if vector is not None:
        return Part(begin, end, members, vector, "vector")
    if (
        size in (1, 2, 4, 8, MAX_INTEGER_BYTES)
        and any(m.begin == begin and m.end == end for m in members)
        and all(_has_whole_bytes(t, m, layout) for t, m in zip(types, members))
    ):
        return Part(begin, end, members, integer(8 * size), "integer")
    return Part(begin, end, members, array(size, I8), "bytes")


def _has_whole_bytes(type_: Attribute, access: Slice, layout: DataLayout) -> bool:
    return layout.bits(type_) == 8 * (access.end - access.begin)


def _common_vector(
    begin: int, end: int, members: list[Slice], types: list[Attribute], layout: DataLayout
) -> Attribute | None:
    """The vector type of accesses that are partly to the whole and partly to single elements."""
    whole = [t for m, t in zip(members, types) if m.begin == begin and m.end == end]
    first: Attribute | None = next((t for t in whole if t.__class__ is VectorType), None)
    if first is None:
        return None
    vector = cast("VectorType[Attribute]", first)
    element = vector.element_type
    width = layout.bits(element)
    if width is None or width % 8 or layout.bits(vector) != 8 * (end - begin):
        return None
    for member, type_ in zip(members, types):
        if member.begin == begin and member.end == end:
            if not memory.convertible(type_, vector, layout):
                return None
        elif (
            (member.begin - begin) % (width // 8)
            or member.end - member.begin != width // 8
            or not memory.convertible(type_, element, layout)
        ):
            return None
    return vector


class _AllocaSplitter:
    """Creates a slot for each part and rewrites the uses of the old slot."""

    alloca: Operation
    parts: list[Part]
    layout: DataLayout
    constants: Constants
    alignment: int

    def __init__(
        self, alloca: Operation, parts: list[Part], layout: DataLayout, constants: Constants
    ) -> None:
        self.alloca = alloca
        self.parts = parts
        self.layout = layout
        self.constants = constants
        self.alignment = stated_alignment(alloca, layout.alignment(element_type_of(alloca)))

    def run(self, uses: Uses) -> None:
        """Replaces the alloca by one slot per part and rewrites its uses."""
        alloca = self.alloca
        one = self.constants.integer(1, fast.operands_of(alloca)[0].type)
        for part in self.parts:
            part.note(uses)
            part.alignment = common_alignment(self.alignment, part.begin)
            if part.kind != "bytes":
                part.alignment = max(part.alignment, self.layout.alignment(part.type))
            slot = fast.create(
                AllocaOp,
                (one,),
                (alloca.results[0].type,),
                {"elem_type": part.type, "alignment": int_attr(part.alignment, I64)},
            )
            fast.set_name(slot.results[0], alloca.results[0].name_hint)
            fast.insert_before(slot, alloca)
            part.address = slot.results[0]
        for transfer in uses.transfers:
            self._transfer(transfer)
        for part in self.parts:
            for access in part.accesses:
                self._access(part, access)
        for op in reversed(uses.dead):
            fast.erase(op)
        fast.erase(alloca)

    def _address(self, part: Part, offset: int, before: Operation) -> SSAValue:
        assert part.address is not None
        return byte_offset(part.address, offset - part.begin, before, INBOUNDS)

    @staticmethod
    def _part_alignment(part: Part, offset: int) -> int:
        """The alignment of a byte of the old slot at its new location."""
        return common_alignment(part.alignment, offset - part.begin)

    # Loads and stores.

    def _access(self, part: Part, access: Slice) -> None:
        op = access.op
        if part.kind == "vector" and not (access.begin == part.begin and access.end == part.end):
            self._element_access(part, access)
        elif part.kind == "integer":
            self._bits_access(part, access)
        else:
            fast.set_operand(op, access.operand, self._address(part, access.begin, op))
            op.properties["alignment"] = int_attr(self._part_alignment(part, access.begin), I64)

    def _whole(self, part: Part, before: Operation) -> SSAValue:
        assert part.address is not None
        alignment = self._part_alignment(part, part.begin)
        return memory.load(part.address, part.type, alignment, before)

    def _set_whole(self, part: Part, value: SSAValue, before: Operation) -> None:
        assert part.address is not None
        memory.store(value, part.address, self._part_alignment(part, part.begin), before)

    def _element_access(self, part: Part, access: Slice) -> None:
        op = access.op
        element = scalar_type(part.type)
        number = (access.begin - part.begin) // self.layout.store_size(element)
        index = self.constants.integer(number, I64)
        vector = self._whole(part, op)
        if op.__class__ is LoadOp:
            extract = fast.create(ExtractElementOp, (vector, index), (element,))
            fast.insert_before(extract, op)
            result = op.results[0]
            value = memory.reinterpret(extract.results[0], result.type, op, self.layout)
            fast.replace_op(op, (value,))
        else:
            value = memory.reinterpret(fast.operands_of(op)[0], element, op, self.layout)
            insert = fast.create(InsertElementOp, (vector, value, index), (part.type,))
            fast.insert_before(insert, op)
            self._set_whole(part, insert.results[0], op)
            fast.erase(op)

    def _emit(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        before: Operation,
    ) -> SSAValue:
        op = fast.create(cls, operands, (type_,))
        fast.insert_before(op, before)
        return op.results[0]

    def _bits_access(self, part: Part, access: Slice) -> None:
        op = access.op
        whole_type = cast(IntegerType, part.type)
        width = 8 * (access.end - access.begin)
        shift = 8 * (access.begin - part.begin)
        narrow = integer(width)
        amount = self.constants.integer(shift, whole_type)
        if op.__class__ is LoadOp:
            value = self._whole(part, op)
            if shift:
                value = self._emit(LShrOp, (value, amount), whole_type, op)
            if narrow is not whole_type:
                value = self._emit(TruncOp, (value,), narrow, op)
            value = memory.reinterpret(value, op.results[0].type, op, self.layout)
            fast.replace_op(op, (value,))
            return
        value = memory.reinterpret(fast.operands_of(op)[0], narrow, op, self.layout)
        if narrow is not whole_type:
            value = self._emit(ZExtOp, (value,), whole_type, op)
            if shift:
                value = self._emit(ShlOp, (value, amount), whole_type, op)
            mask = ~(((1 << width) - 1) << shift)
            kept = self._emit(
                AndOp,
                (self._whole(part, op), self.constants.integer(mask, whole_type)),
                whole_type,
                op,
            )
            value = self._emit(OrOp, (kept, value), whole_type, op)
        self._set_whole(part, value, op)
        fast.erase(op)

    # Copies and fills.

    def _transfer(self, transfer: Slice) -> None:
        op = transfer.op
        for part in self.parts:
            begin, end = max(part.begin, transfer.begin), min(part.end, transfer.end)
            is_write = transfer.operand == 0
            # A slot without stores contains nothing that must be copied.
            if begin < end and (part.is_read if is_write else part.is_written):
                if op.__class__ in FILLS:
                    self._fill(part, begin, end, op)
                else:
                    self._copy(part, begin, end, transfer)
        fast.erase(op)

    def _copy(self, part: Part, begin: int, end: int, transfer: Slice) -> None:
        op = transfer.op
        other_index = 1 - transfer.operand
        other = byte_offset(fast.operands_of(op)[other_index], begin - transfer.begin, op, INBOUNDS)
        alignment = common_alignment(
            memory.argument_alignment(op, other_index), begin - transfer.begin
        )
        if part.kind != "bytes" and begin == part.begin and end == part.end:
            if transfer.operand == 0:
                self._set_whole(part, memory.load(other, part.type, alignment, op), op)
            else:
                memory.store(self._whole(part, op), other, alignment, op)
            return
        mine = self._address(part, begin, op)
        length = self.constants.integer(end - begin, I64)
        mine_alignment = self._part_alignment(part, begin)
        pointers = [(mine, mine_alignment), (other, alignment)]
        if transfer.operand == 1:
            pointers.reverse()
        self._emit_transfer(op, pointers, length)

    def _emit_transfer(
        self, op: Operation, pointers: Sequence[tuple[SSAValue, int]], length: SSAValue
    ) -> None:
        from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr

        cls = _WITHOUT_INLINE.get(op.__class__, op.__class__)
        middle = [] if op.__class__ in COPIES else [fast.operands_of(op)[1]]
        properties: dict[str, Attribute] = {
            "isVolatile": op.properties["isVolatile"],
            "arg_attrs": ArrayAttr(
                [
                    *(
                        DictionaryAttr({"llvm.align": int_attr(alignment, I64)})
                        for _, alignment in pointers
                    ),
                    *(DictionaryAttr({}) for _ in range(4 - len(pointers))),
                ]
            ),
        }
        new = fast.create(cls, [*(p for p, _ in pointers), *middle, length], (), properties)
        fast.insert_before(new, op)

    def _fill(self, part: Part, begin: int, end: int, op: Operation) -> None:
        byte = constant_integer(fast.operands_of(op)[1])
        bits = self.layout.bits(part.type)
        if (
            part.kind != "bytes"
            and begin == part.begin
            and end == part.end
            and byte is not None
            and bits == 8 * (end - begin)
        ):
            pattern = int.from_bytes(bytes([byte & 255] * (end - begin)), "little")
            self._set_whole(part, self._pattern(pattern, part.type, op), op)
            return
        length = self.constants.integer(end - begin, I64)
        pointer = (self._address(part, begin, op), self._part_alignment(part, begin))
        self._emit_transfer(op, [pointer], length)

    def _pattern(self, pattern: int, type_: Attribute, before: Operation) -> SSAValue:
        if pattern == 0:
            return self.constants.zero(type_)
        bits = self.layout.bits(type_)
        assert bits is not None
        number = self.constants.integer(pattern, integer(bits))
        return memory.reinterpret(number, type_, before, self.layout)
