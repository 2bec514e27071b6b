"""Where pointers come from that were in memory, or were integers, meanwhile."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    AndOp,
    AShrOp,
    GlobalOp,
    IntToPtrOp,
    LLVMPointerType,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    PtrToIntOp,
    SelectOp,
    SExtOp,
    ShlOp,
    StoreOp,
    SubOp,
    TruncOp,
    XOrOp,
    ZeroOp,
    ZExtOp,
)
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import MARKERS, is_simple_access
from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import INTERPOSABLE_LINKAGE, linkage_of, walk_function
from nvvm_xdsl.dialects.llvm.types import PTR, address_space_of
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GLOBAL

_ARITHMETIC: frozenset[type[Operation]] = frozenset(
    {SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp, SExtOp, ZExtOp, TruncOp, SelectOp}
)
"""Ops on integers, other than sums, that are looked through for pointers."""


def space_of(value: SSAValue) -> int:
    """The address space of a pointer; 0 for other values too."""
    type_ = value.type
    return address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0


def pointers_stored(slot: Operation) -> list[SSAValue] | None:
    """The pointers stored in a slot that is only loaded from and stored to, as a whole."""
    stored: list[SSAValue] = []
    pending = [slot.results[0]]
    while pending:
        address = pending.pop()
        for user, index in fast.uses_of(address):
            cls = user.__class__
            if cls is StoreOp:
                value = fast.operands_of(user)[0]
                if index != 1 or value.type != PTR or not is_simple_access(user):
                    return None
                stored.append(value)
            elif cls is LoadOp:
                if user.results[0].type != PTR or not is_simple_access(user):
                    return None
            elif cls is AddrSpaceCastOp:
                pending.append(user.results[0])
            elif user.name not in MARKERS:
                return None
    return stored


MOST_SUMMANDS = 64
"""So many values of a sum of integers are looked into for a pointer."""


def pointer_in_sum(value: SSAValue) -> SSAValue | None:
    """The one pointer whose bits went into a sum of integers; None for none, several or unclear.

    The addend must not depend on a pointer: `p + (q - p)` points into the object of q.
    """
    found: SSAValue | None = None
    pending = [value]
    for _ in range(MOST_SUMMANDS):
        if not pending:
            return found
        summand = pending.pop()
        owner = summand.owner
        if owner.__class__ is AddOp:
            pending += fast.operands_of(cast(Operation, owner))
        elif owner.__class__ is PtrToIntOp:
            (pointer,) = fast.operands_of(cast(Operation, owner))
            if found is not None or not isinstance(pointer.type, LLVMPointerType):
                return None
            found = pointer
        elif _has_pointer(summand):
            return None
    return None


def _has_pointer(value: SSAValue) -> bool:
    """True if a pointer's bits went into an integer; True as well where that is far to seek."""
    pending = [value]
    for _ in range(MOST_SUMMANDS):
        if not pending:
            return False
        owner = pending.pop().owner
        cls = owner.__class__
        if cls is PtrToIntOp:
            return True
        if cls is AddOp or cls in _ARITHMETIC:
            pending += fast.operands_of(cast(Operation, owner))
    return True


def spaces_in_constants(module: ModuleOp) -> dict[str, int]:
    """Constants by name whose initial value holds pointers into one space only: that space.

    An initial value that computes with integers of pointers, or holds pointers to generic
    variables or functions, counts for none, and so does one that is not final.
    """
    found: dict[str, int] = {}
    body = module.regions[0].first_block
    for op in fast.ops_of(body) if body is not None else ():
        if (
            op.__class__ is GlobalOp
            and "constant" in op.properties
            and op.regions[0].first_block is not None
            and not set_by_host(op)
            and linkage_of(op) not in INTERPOSABLE_LINKAGE
        ):
            space = _space_of_initializer(op)
            if space:
                found[defined_name(op)] = space
    return found


def _space_of_initializer(variable: Operation) -> int | None:
    spaces: set[int] = set()
    for op in walk_function(variable):
        cls = op.__class__
        if cls is AddressOfOp:
            spaces.add(space_of(op.results[0]))
        elif cls is ZeroOp and op.results[0].type == PTR:
            # Null is null in global memory only.
            spaces.add(GLOBAL)
        elif cls in (PtrToIntOp, IntToPtrOp):
            return None
    return spaces.pop() if len(spaces) == 1 else None
