"""Sources of pointers that were stored in memory or converted to integers."""

from __future__ import annotations

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
from nvvm_xdsl.dialects.llvm.accessors import defined_name, is_constant_global
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import INTERPOSABLE_LINKAGE, linkage_of, walk_function
from nvvm_xdsl.dialects.llvm.types import PTR, address_space_of
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GLOBAL

_ARITHMETIC: frozenset[type[Operation]] = frozenset(
    {SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp, SExtOp, ZExtOp, TruncOp, SelectOp}
)
"""Ops on integers, other than sums, through which pointers are traced."""


def space_of(value: SSAValue) -> int:
    """The address space of a pointer; 0 for other values, too."""
    type_ = value.type
    return address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0


def pointers_stored(slot: Operation) -> list[SSAValue] | None:
    """The pointers stored in a slot that is only loaded and stored as a whole."""
    stored: list[SSAValue] = []
    pending = [slot.results[0]]
    while pending:
        address = pending.pop()
        for user, index in fast.uses_of(address):
            cls = type(user)
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
"""Maximum number of values in a sum of integers that are searched for a pointer."""


def pointer_in_sum(value: SSAValue) -> SSAValue | None:
    """The only pointer that a sum of integers is computed from; None if there is none or the result
    is unclear.

    The addend must not depend on a pointer: `p + (q - p)` points into the object of q.
    """
    found: SSAValue | None = None
    pending = [value]
    for _ in range(MOST_SUMMANDS):
        if not pending:
            return found
        summand = pending.pop()
        owner = summand.owner
        if type(owner) is AddOp:
            pending += fast.operands_of(owner)
        elif type(owner) is PtrToIntOp:
            (pointer,) = fast.operands_of(owner)
            if found is not None or not isinstance(pointer.type, LLVMPointerType):
                return None
            found = pointer
        elif _has_pointer(summand):
            return None
    return None


def _has_pointer(value: SSAValue) -> bool:
    """True if an integer depends on a pointer, or if the search limit is exceeded."""
    pending = [value]
    for _ in range(MOST_SUMMANDS):
        if not pending:
            return False
        value = pending.pop()
        cls = type(value.owner)
        if cls is PtrToIntOp:
            return True
        if cls is AddOp or cls in _ARITHMETIC:
            pending += fast.operands_of(fast.producer_of(value))
    return True


def spaces_in_constants(module: ModuleOp) -> dict[str, int]:
    """The common address space of the pointers in each constant's initial value, by name.

    Omitted are initial values that compute with integers of pointers, contain pointers to generic
    variables or functions, or are not final.
    """
    found: dict[str, int] = {}
    body = module.regions[0].first_block
    for op in fast.ops_of(body) if body is not None else ():
        if (
            type(op) is GlobalOp
            and is_constant_global(op)
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
        cls = type(op)
        if cls is AddressOfOp:
            spaces.add(space_of(op.results[0]))
        elif cls is ZeroOp and op.results[0].type == PTR:
            # Null is preserved in global memory only.
            spaces.add(GLOBAL)
        elif cls in (PtrToIntOp, IntToPtrOp):
            return None
    return spaces.pop() if len(spaces) == 1 else None
