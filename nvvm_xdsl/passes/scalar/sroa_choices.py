"""Replaces loads from one of several stack slots by a selection of loaded values.

    %p = llvm.select %c, %a, %b : i1, !llvm.ptr            %x = llvm.load %a : !llvm.ptr -> i32
    %v = llvm.load %p : !llvm.ptr -> i32            ->     %y = llvm.load %b : !llvm.ptr -> i32
                                                           %v = llvm.select %c, %x, %y : i1, i32

In C++, a conditional expression or `std::max` that yields a reference creates such pointers.
Afterwards the slots have only known accesses, and `sroa` promotes them. Copies of at most
`MAX_COPIED_BYTES` from such a pointer are first expanded to loads and stores of the slot's scalars.

Both slots may be loaded instead of one, because the bytes of a slot can always be read. Loads
through a block argument are moved to the ends of the predecessors, where they may also read other
memory if the predecessor has no other successor. That is legal if no op between the start of the
block and the load writes memory, orders accesses or may not return. Pointers with other uses, and
slots whose address escapes, are not changed. (LLVM's SROA.cpp, speculateSelectInstLoads and
speculatePHINodeLoads; LLVM's InstCombine expands copies of up to 8 bytes.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from xdsl.dialects.llvm import GEPOp, LoadOp, SelectOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.memory import accesses as memory
from nvvm_xdsl.analysis.memory.accesses import (
    ADDRESS_CASTS,
    COPIES,
    FILLS,
    MARKERS,
    common_alignment,
    transfer_length,
)
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, UNSPECULATABLE, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.gep import byte_offset, constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.types import I8, array
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic

MAX_COPIED_BYTES: Final = 64
"""Maximum size in bytes of a copy that becomes loads and stores."""
MAX_LEAVES: Final = 64
"""Maximum number of scalars of a slot whose copies are expanded."""
MAX_NESTED_CHOICES: Final = 4
"""Maximum nesting of choices that are resolved."""

SPECULATED = Statistic(
    "sroa", "speculated", "Number of loads through a choice of stack slots replaced"
)


class _ReadableBytes(NamedTuple):
    """The bytes around an address that belong to a slot.

    Arguments:
        low, high: the range of bytes, relative to the address, that can be read.
        alignment: the alignment of the address.
        slot, offset: a slot to which the address may point, and the offset in it.
    """

    low: int
    high: int
    alignment: int
    slot: Operation
    offset: int

    def at_offset(self, offset: int) -> _ReadableBytes:
        """The bytes around the address at an offset from this one."""
        return _ReadableBytes(
            self.low - offset,
            self.high - offset,
            common_alignment(self.alignment, offset),
            self.slot,
            self.offset + offset,
        )

    def intersection(self, other: _ReadableBytes) -> _ReadableBytes:
        """The facts that are true of both addresses."""
        return _ReadableBytes(
            max(self.low, other.low),
            min(self.high, other.high),
            min(self.alignment, other.alignment),
            self.slot,
            self.offset,
        )


class _Access(NamedTuple):
    """A load through a choice, or a copy from it, and its distance from the pointer in bytes."""

    op: Operation
    offset: int


def load_choices(slots: Sequence[Operation], layout: DataLayout, constants: Constants) -> bool:
    """Replaces loads through choices of slots by loads of all these slots; returns whether any was
    replaced.

    Arguments:
        slots: the allocas of the function's entry block.
    """
    changed = False
    for _ in range(MAX_NESTED_CHOICES):
        readable, choices = _readable_addresses(slots, layout)
        work = _Choices(readable, choices, layout, constants)
        if not any([work.resolve(choice) for choice in choices]):
            break
        changed = True
    return changed


def _is_choice(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or type(value.owner) is SelectOp


def _readable_addresses(
    slots: Sequence[Operation], layout: DataLayout
) -> tuple[dict[SSAValue, _ReadableBytes], dict[SSAValue, _ReadableBytes]]:
    """The addresses that are always readable, and the choices among addresses.

    The first map has the addresses at constant offsets from slots, choices whose values are all in
    the map, and addresses at constant offsets from these. The second map has all choices whose
    values can be loaded from, with the bytes around the values in the first map. A pointer that a
    loop advances is only in the second map.
    """
    readable: dict[SSAValue, _ReadableBytes] = {}
    pending: list[tuple[SSAValue, _ReadableBytes]] = []
    choices: dict[SSAValue, None] = {}
    for slot in slots:
        known = _readable_bytes(slot, layout)
        if known is not None:
            pending.append((slot.results[0], known))
    while pending:
        address, known = pending.pop()
        if address in readable:
            continue
        readable[address] = known
        for user, index in fast.uses_of(address):
            cls = type(user)
            if cls is GEPOp:
                offset = constant_offset(user, layout)
                if offset is not None:
                    pending.append((user.results[0], known.at_offset(offset)))
            elif user.name in ADDRESS_CASTS:
                pending.append((user.results[0], known))
            elif cls is SelectOp or fast.successors_of(user):
                choice = (
                    user.results[0] if cls is SelectOp else branches.argument_behind(user, index)
                )
                if choice is None:
                    continue
                choices[choice] = None
                if all(arm in readable for arm in _arms(choice)):
                    pending.append((choice, _common_bytes(choice, readable)))
    return readable, {
        choice: _common_bytes(choice, readable)
        for choice in choices
        if _is_readable(choice, readable)
    }


def _common_bytes(choice: SSAValue, readable: Mapping[SSAValue, _ReadableBytes]) -> _ReadableBytes:
    """The bytes that belong to a slot for each value of a choice with known bytes."""
    return reduce(
        _ReadableBytes.intersection, (readable[a] for a in _arms(choice) if a in readable)
    )


def _readable_bytes(slot: Operation, layout: DataLayout) -> _ReadableBytes | None:
    """The bytes around a slot's address; None for a slot of variable or unknown size."""
    element = element_type_of(slot)
    count = constant_unsigned(fast.operands_of(slot)[0])
    try:
        alignment = stated_alignment(slot, layout.alignment(element))
        return (
            _ReadableBytes(0, layout.size(element) * count, alignment, slot, 0) if count else None
        )
    except UnsizedTypeError:
        return None


def _is_readable(choice: SSAValue, readable: Mapping[SSAValue, _ReadableBytes]) -> bool:
    """Whether each value of a choice can be loaded from at the position of the new load.

    A predecessor with a single successor may load from any address, because the block would
    load from it, too.
    """
    if not isinstance(choice, BlockArgument):
        return all(arm in readable for arm in _arms(choice))
    return all(
        values[choice.index] in readable
        for terminator in dict.fromkeys(op for op, _ in fast.edges_to(choice.block))
        if len(fast.successors_of(terminator)) > 1
        for values in branches.values_to(terminator, choice.block)
    )


def _arms(choice: SSAValue) -> list[SSAValue]:
    """The values that a select or an argument of a block may have."""
    if isinstance(choice, BlockArgument):
        return branches.incoming_values(choice)
    assert isinstance(choice, OpResult)
    return list(fast.operands_of(choice.op)[1:])


class _Choices:
    """Replaces loads through choices of a function's slots.

    Arguments:
        readable: the bytes around each address that is always readable.
        choices: the bytes around the readable values of each choice.
    """

    def __init__(
        self,
        readable: Mapping[SSAValue, _ReadableBytes],
        choices: Mapping[SSAValue, _ReadableBytes],
        layout: DataLayout,
        constants: Constants,
    ) -> None:
        self.readable = readable
        self.choices = choices
        self.layout = layout
        self.constants = constants
        self._private: dict[Operation, bool] = {}

    def resolve(self, choice: SSAValue) -> bool:
        """Replaces the accesses through a choice; returns whether that is possible."""
        accesses: list[_Access] = []
        dead: list[Operation] = []
        if not self._collect(choice, accesses, dead):
            return False
        block = choice.block if isinstance(choice, BlockArgument) else None
        if block is not None and not self._starts_with(block, accesses):
            return False
        if not self._is_private(choice):
            return False
        loads: list[_Access] = []
        for access in accesses:
            if type(access.op) is LoadOp:
                loads.append(access)
            else:
                loads += self._split_copy(access, self.choices[choice], dead)
        for load in loads:
            if isinstance(choice, BlockArgument):
                self._load_before(choice, load)
            else:
                self._load_both(choice, load)
        SPECULATED.add(len(loads))
        for op in reversed(dead):
            fast.erase(op)
        if isinstance(choice, BlockArgument):
            branches.erase_arguments(choice.block, [choice.index])
        else:
            fast.erase(fast.producer_of(choice))
        return True

    # Legality.

    def _collect(self, choice: SSAValue, accesses: list[_Access], dead: list[Operation]) -> bool:
        """Collects the accesses through a choice; False if it is used otherwise."""
        known = self.choices[choice]
        pending = [(choice, 0)]
        while pending:
            address, offset = pending.pop()
            for user, index in fast.uses_of(address):
                cls = type(user)
                if cls is GEPOp or user.name in ADDRESS_CASTS:
                    added = constant_offset(user, self.layout) if cls is GEPOp else 0
                    if added is None:
                        return False
                    dead.append(user)
                    pending.append((user.results[0], offset + added))
                    continue
                size = self._size_read(user, index)
                if size is None or offset < known.low or offset + size > known.high:
                    return False
                access = _Access(user, offset)
                if cls is not LoadOp and self._copied_scalars(access, known) is None:
                    return False
                accesses.append(access)
        return True

    def _size_read(self, user: Operation, index: int) -> int | None:
        """The number of bytes that a load or a copy reads through an operand; None for other
        uses.
        """
        if type(user) is LoadOp:
            if not memory.is_simple_access(user):
                return None
            return self.layout.store_size(user.results[0].type)
        if type(user) not in COPIES or index != 1 or memory.is_volatile_transfer(user):
            return None
        length = transfer_length(user)
        return length if length is not None and length <= MAX_COPIED_BYTES else None

    def _copied_scalars(
        self, copy: _Access, known: _ReadableBytes
    ) -> list[tuple[int, Attribute]] | None:
        """The scalars of a copy with their offsets; None if a scalar is only partially copied.

        Bytes of padding, and of scalars that do not fill their bytes, are copied as bytes.
        """
        element = element_type_of(known.slot)
        count = constant_unsigned(fast.operands_of(known.slot)[0])
        leaves = memory.leaves_of(array(count or 0, element), self.layout, MAX_LEAVES)
        length = transfer_length(copy.op)
        assert length is not None
        begin = known.offset + copy.offset
        end = begin + length
        found: list[tuple[int, Attribute]] = []
        at = begin
        for start, type_, _ in leaves or ():
            stop = start + self.layout.store_size(type_)
            if stop <= begin or start >= end or self.layout.bits(type_) != 8 * (stop - start):
                continue
            if start < at or stop > end:
                return None
            # These bytes may have been written through another type.
            found += [(byte - begin, I8) for byte in range(at, start)]
            found.append((start - begin, type_))
            at = stop
        return [*found, *((byte - begin, I8) for byte in range(at, end))]

    @staticmethod
    def _starts_with(block: Block, accesses: Sequence[_Access]) -> bool:
        """Whether no op between the start of a block and accesses in it changes memory."""
        pending = {access.op for access in accesses}
        for op in fast.ops_of(block):
            pending.discard(op)
            if not pending:
                return True
            harmless = READS | ARGUMENTS_ONLY | UNSPECULATABLE
            if effects(op) & ~harmless and op.name not in MARKERS:
                return False
        return False

    def _is_private(self, choice: SSAValue) -> bool:
        """Whether the slots to which the values of a choice point have only known accesses, so
        that `sroa` promotes them.
        """
        pending, seen = _arms(choice), {choice}
        while pending:
            arm = pending.pop()
            while isinstance(arm, OpResult) and (
                type(arm.op) is GEPOp or arm.op.name in ADDRESS_CASTS
            ):
                arm = fast.operands_of(arm.op)[0]
            if arm in seen or not self._is_known(arm):
                continue
            seen.add(arm)
            if _is_choice(arm):
                pending += _arms(arm)
                continue
            slot = fast.producer_of(arm)
            if slot not in self._private:
                self._private[slot] = self._has_known_uses(slot)
            if not self._private[slot]:
                return False
        return True

    def _is_known(self, address: SSAValue | None) -> bool:
        return address in self.readable or address in self.choices

    def _has_known_uses(self, slot: Operation) -> bool:
        pending = [slot.results[0]]
        while pending:
            address = pending.pop()
            for user, index in fast.uses_of(address):
                cls = type(user)
                if cls is GEPOp or user.name in ADDRESS_CASTS:
                    if not self._is_known(user.results[0]):
                        return False
                    pending.append(user.results[0])
                elif cls is SelectOp:
                    if not self._is_known(user.results[0]):
                        return False
                elif fast.successors_of(user):
                    if not self._is_known(branches.argument_behind(user, index)):
                        return False
                elif not _is_known_access(user, address):
                    return False
        return True

    # Rewriting.

    def _split_copy(
        self, copy: _Access, known: _ReadableBytes, dead: list[Operation]
    ) -> list[_Access]:
        """Replaces a copy by loads and stores; returns the loads."""
        pieces = self._copied_scalars(copy, known)
        assert pieces is not None
        op = copy.op
        target, source = fast.operands_of(op)[:2]
        loads: list[_Access] = []
        for at, type_ in pieces:
            address = byte_offset(source, at, op, INBOUNDS)
            if address is not source:
                dead.append(fast.producer_of(address))
            alignment = common_alignment(memory.argument_alignment(op, 1), at)
            loaded = memory.load(address, type_, alignment, op)
            loads.append(_Access(fast.producer_of(loaded), copy.offset + at))
        for (at, _), load in zip(pieces, loads):
            address = byte_offset(target, at, op, INBOUNDS)
            alignment = common_alignment(memory.argument_alignment(op, 0), at)
            memory.store(load.op.results[0], address, alignment, op)
        fast.erase(op)
        return loads

    def _load_from(self, arm: SSAValue, load: _Access, before: Operation) -> SSAValue:
        known = self.readable.get(arm)
        if known is None:
            alignment = stated_alignment(load.op, 1)
        else:
            alignment = common_alignment(known.alignment, load.offset)
        address = byte_offset(arm, load.offset, before, INBOUNDS)
        return memory.load(address, load.op.results[0].type, alignment, before, load.op.location)

    def _load_both(self, choice: SSAValue, load: _Access) -> None:
        """Loads both values at the load, and selects one."""
        select = fast.producer_of(choice)
        values = [self._load_from(arm, load, load.op) for arm in _arms(choice)]
        condition = fast.operands_of(select)[0]
        made = fast.create(
            SelectOp, (condition, *values), (values[0].type,), location=load.op.location
        )
        fast.insert_before(made, load.op)
        fast.replace_op(load.op, (made.results[0],))

    def _load_before(self, choice: BlockArgument, load: _Access) -> None:
        """Loads at the ends of the predecessors, and passes the values."""
        block = choice.block
        value = fast.add_argument(block, load.op.results[0].type)
        for terminator in dict.fromkeys(op for op, _ in fast.edges_to(block)):
            branches.set_edges(
                terminator,
                [
                    (
                        target,
                        (*values, self._load_from(values[choice.index], load, terminator))
                        if target is block
                        else values,
                    )
                    for target, values in branches.edges_of(terminator)
                ],
            )
        fast.replace_op(load.op, (value,))


def _is_known_access(user: Operation, address: SSAValue) -> bool:
    """Whether a load, store, copy or fill of memory can be promoted."""
    if type(user) is LoadOp:
        return memory.is_simple_access(user)
    if user.name == "llvm.store":
        return fast.operands_of(user)[0] is not address and memory.is_simple_access(user)
    if user.name in MARKERS:
        return True
    if type(user) not in COPIES and type(user) not in FILLS:
        return False
    return transfer_length(user) is not None and not memory.is_volatile_transfer(user)
