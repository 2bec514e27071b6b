"""Uses of the bytes of a stack slot (LLVM's AllocaSlices)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.llvm import GEPOp, LoadOp, StoreOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.memory import accesses as memory
from nvvm_xdsl.analysis.memory.accesses import (
    ADDRESS_CASTS,
    COPIES,
    FILLS,
    MARKERS,
    transfer_length,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.aggregates import accessed_leaves, expand_in_place

MAX_LEAVES = 64
"""Maximum number of scalars into which an aggregate, or a part that is only copied, is split."""


@dataclass(slots=True)
class Slice:
    """One use of bytes of a slot."""

    op: Operation
    begin: int
    end: int
    operand: int
    """The index of the address operand."""
    pointer: int
    """The index of the address, see `AllocaSlices`."""


@dataclass(slots=True)
class AllocaSlices:
    """All uses of a slot, if they are all known."""

    accesses: list[Slice]
    transfers: list[Slice]
    """Copies and fills, which may be split at any offset."""
    dead: list[Operation]
    """Address computations and markers; users come before their operands."""
    pointers: list[int]
    """The addresses in the order of discovery: for each, the index of the address that it is
    computed from."""


def find_uses(alloca: Operation, size: int, layout: DataLayout) -> AllocaSlices | None:
    """All uses of a slot of `size` bytes; None if a use is unknown or out of bounds."""
    uses = AllocaSlices([], [], [], [])
    pointers = uses.pointers
    pending: list[tuple[SSAValue, int, int]] = [(alloca.results[0], 0, -1)]
    seen: set[Operation] = set()
    while pending:
        address, offset, source = pending.pop()
        pointer = len(pointers)
        pointers.append(source)
        for user in fast.users_of(address):
            cls = type(user)
            if cls is LoadOp or cls is StoreOp:
                if cls is LoadOp:
                    index = 0
                    (value,) = user.results
                else:
                    index = 1
                    value, _ = fast.operands_of(user)
                    if value is address:
                        return None
                if not memory.is_simple_access(user):
                    return None
                end = offset + layout.store_size(value.type)
                if offset < 0 or end > size:
                    return None
                uses.accesses.append(Slice(user, offset, end, index, pointer))
            elif cls is GEPOp:
                added = constant_offset(user, layout)
                if added is None:
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
                if offset < 0 or offset + length > size:
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


def expand_aggregates(
    uses: AllocaSlices, constants: Constants, layout: DataLayout
) -> list[tuple[Operation, int, int]] | None:
    """Replaces accesses of aggregates by accesses of scalars; None if there are none.

    Returns the ops, each with the index of the operand that is the address of the aggregate and the
    byte offset to add once the new slot is known.
    """
    last = _last_derived(uses.pointers)
    made: list[tuple[Operation, int, int]] = []
    # In the order in which `find_uses` visits them, because the first access influences the type
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
