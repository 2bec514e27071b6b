"""Splits a stack slot into a slot for each of its parts.

Accesses and transfers of the slot become accesses and transfers of the parts. A slot that is
indexed at run time, passed to a call, or accessed by a volatile or atomic op is not split.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.llvm import (
    AllocaOp,
    AndOp,
    InsertElementOp,
    LoadOp,
    LShrOp,
    OrOp,
    ShlOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.memory import accesses as memory
from nvvm_xdsl.analysis.memory.accesses import COPIES, FILLS, common_alignment
from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    scalar_type,
    stated_alignment,
    volatile_flag_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.gep import byte_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    ExtractElementOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemsetInlineOp,
    MemsetOp,
)
from nvvm_xdsl.dialects.llvm.setters import set_alignment
from nvvm_xdsl.dialects.llvm.types import I64, array, int_attr, integer
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.transforms.alloca_partitions import Partition, partition
from nvvm_xdsl.transforms.alloca_slices import AllocaSlices, Slice, expand_aggregates, find_uses
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.promote_memory import report_slot

_WITHOUT_INLINE: dict[type[Operation], type[Operation]] = {
    MemcpyInlineOp: MemcpyOp,
    MemsetInlineOp: MemsetOp,
}
"""For each inline op the op whose length need not be constant."""


SPLIT = Statistic("sroa", "split", "Number of stack slots split")


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
    uses = find_uses(alloca, size, layout)
    if uses is None:
        return False
    expanded = expand_aggregates(uses, constants, layout)
    parts = partition(uses, whole, size, layout)
    if len(parts) == 1 and (parts[0].begin, parts[0].end) == (0, size):
        # The slot consists of a single part of this type already.
        if parts[0].kind == "bytes" or (parts[0].kind == "value" and not uses.transfers):
            for op, operand, offset in expanded or ():
                address = Builder(op, constants).offset(fast.operands_of(op)[operand], offset)
                fast.set_operand(op, operand, address)
            return expanded is not None
    SPLIT.add()
    if remarks.wanted():
        report_slot("sroa", "Passed", "Split", alloca, f" cut into {len(parts)} parts")
    _AllocaSplitter(alloca, parts, layout, constants).run(uses)
    return True


class _AllocaSplitter:
    """Creates a slot for each part and rewrites the uses of the old slot."""

    alloca: Operation
    parts: list[Partition]
    layout: DataLayout
    constants: Constants
    alignment: int

    def __init__(
        self, alloca: Operation, parts: list[Partition], layout: DataLayout, constants: Constants
    ) -> None:
        self.alloca = alloca
        self.parts = parts
        self.layout = layout
        self.constants = constants
        self.alignment = stated_alignment(alloca, layout.alignment(element_type_of(alloca)))

    def run(self, uses: AllocaSlices) -> None:
        """Replaces the alloca by one slot per part and rewrites its uses."""
        alloca = self.alloca
        one = self.constants.integer(1, fast.operands_of(alloca)[0].type)
        for part in self.parts:
            part.note(uses)
            part.alignment = common_alignment(self.alignment, part.begin)
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

    def _address(self, part: Partition, offset: int, before: Operation) -> SSAValue:
        assert part.address is not None
        return byte_offset(part.address, offset - part.begin, before, INBOUNDS)

    @staticmethod
    def _part_alignment(part: Partition, offset: int) -> int:
        """The alignment of a byte of the old slot at its new location."""
        return common_alignment(part.alignment, offset - part.begin)

    # Loads and stores.

    def _access(self, part: Partition, access: Slice) -> None:
        op = access.op
        if part.kind == "vector" and not (access.begin == part.begin and access.end == part.end):
            self._element_access(part, access)
        elif part.kind == "integer":
            self._bits_access(part, access)
        else:
            fast.set_operand(op, access.operand, self._address(part, access.begin, op))
            set_alignment(op, self._part_alignment(part, access.begin))

    def _load_part(self, part: Partition, before: Operation) -> SSAValue:
        assert part.address is not None
        alignment = self._part_alignment(part, part.begin)
        return memory.load(part.address, part.type, alignment, before)

    def _set_whole(self, part: Partition, value: SSAValue, before: Operation) -> None:
        assert part.address is not None
        memory.store(value, part.address, self._part_alignment(part, part.begin), before)

    def _element_access(self, part: Partition, access: Slice) -> None:
        op = access.op
        element = scalar_type(part.type)
        number = (access.begin - part.begin) // self.layout.store_size(element)
        index = self.constants.integer(number, I64)
        vector = self._load_part(part, op)
        if type(op) is LoadOp:
            value = self._emit(ExtractElementOp, (vector, index), element, op)
            value = memory.reinterpret(value, op.results[0].type, op, self.layout)
            fast.replace_op(op, (value,))
        else:
            value = memory.reinterpret(fast.operands_of(op)[0], element, op, self.layout)
            value = self._emit(InsertElementOp, (vector, value, index), part.type, op)
            self._set_whole(part, value, op)
            fast.erase(op)

    def _emit(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        before: Operation,
    ) -> SSAValue:
        op = fast.create(cls, operands, (type_,), location=before.location)
        fast.insert_before(op, before)
        return op.results[0]

    def _bits_access(self, part: Partition, access: Slice) -> None:
        op = access.op
        whole_type = part.type
        width = 8 * (access.end - access.begin)
        shift = 8 * (access.begin - part.begin)
        narrow = integer(width)
        amount = self.constants.integer(shift, whole_type)
        if type(op) is LoadOp:
            value = self._load_part(part, op)
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
                (self._load_part(part, op), self.constants.integer(mask, whole_type)),
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
            # A part that is never written need not be copied from, and one that is never read need
            # not be copied to.
            if begin < end and (part.is_read if is_write else part.is_written):
                if type(op) in FILLS:
                    self._fill(part, begin, end, op)
                else:
                    self._copy(part, begin, end, transfer)
        fast.erase(op)

    def _copy(self, part: Partition, begin: int, end: int, transfer: Slice) -> None:
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
                memory.store(self._load_part(part, op), other, alignment, op)
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

        cls = _WITHOUT_INLINE.get(type(op), type(op))
        middle = [] if type(op) in COPIES else [fast.operands_of(op)[1]]
        properties: dict[str, Attribute] = {
            "isVolatile": volatile_flag_of(op),
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
        operands = [*(pointer for pointer, _ in pointers), *middle, length]
        new = fast.create(cls, operands, (), properties, location=op.location)
        fast.insert_before(new, op)

    def _fill(self, part: Partition, begin: int, end: int, op: Operation) -> None:
        byte = constant_integer(fast.operands_of(op)[1])
        if part.kind != "bytes" and begin == part.begin and end == part.end and byte is not None:
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
