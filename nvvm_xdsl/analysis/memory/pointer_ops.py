"""Ops that compute pointers from pointers, and ops that access memory."""

from __future__ import annotations

import re

from xdsl.dialects.llvm import (
    BitcastOp,
    CallIntrinsicOp,
    CallOp,
    ExtractValueOp,
    GEPOp,
    LoadOp,
    MaskedStoreOp,
    SelectOp,
    StoreOp,
    ZeroOp,
)
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES
from nvvm_xdsl.dialects.llvm.ops import (
    AtomicCmpXchgOp,
    AtomicRMWOp,
    FreezeOp,
    MaskedLoadOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
    PrefetchOp,
    PtrMaskOp,
)

FLOWS: dict[type[Operation], tuple[int, ...]] = {
    GEPOp: (0,),
    SelectOp: (1, 2),
    BitcastOp: (0,),
    FreezeOp: (0,),
    PtrMaskOp: (0,),
}
"""Ops whose pointer result is in the space of the operands with these indices."""

ADDRESSES: dict[type[Operation], tuple[int, ...]] = {
    LoadOp: (0,),
    StoreOp: (1,),
    AtomicRMWOp: (0,),
    AtomicCmpXchgOp: (0,),
    MemcpyOp: (0, 1),
    MemcpyInlineOp: (0, 1),
    MemmoveOp: (0, 1),
    MemsetOp: (0,),
    MemsetInlineOp: (0,),
    PrefetchOp: (0,),
    MaskedLoadOp: (0,),
    MaskedStoreOp: (1,),
}
"""Ops that access memory, with the indices of address operands that may be of any space."""

ACCESSES: dict[type[Operation], int] = {LoadOp: 0, StoreOp: 1, AtomicRMWOp: 0, AtomicCmpXchgOp: 0}
"""Ops whose address operand must not be poison. (A copy of no bytes accepts any address.)"""

TARGETS: dict[type[Operation], int] = {
    StoreOp: 1,
    MaskedStoreOp: 1,
    **dict.fromkeys((MemcpyOp, MemcpyInlineOp, MemmoveOp, MemsetOp, MemsetInlineOp), 0),
}
"""Index of the address operand that is written to, which is never in constant memory."""

UNKNOWN: frozenset[type[Operation]] = frozenset({CallOp, ExtractValueOp})
"""Ops, other than loads and casts of integers, that return unknown pointers."""

ATOMIC = frozenset({AtomicRMWOp, AtomicCmpXchgOp})

_ACCESS = re.compile(
    r"(?P<base>llvm\.nvvm\.(?:wmma\..*\.(?:load|store)\..*|(?P<shared>(?:ld|st)matrix\..*)"
    r"|(?P<atomic>atomic\.\w+\.gen\..*)))\.p0"
)
"""Intrinsics that access memory through their first operand; the name ends in its space."""


def intrinsic_access(op: Operation) -> re.Match[str] | None:
    """The name of an access by an intrinsic through a generic pointer; None for other ops.

    The group `base` is the name without the space, `shared` is present if the memory must be
    shared, and `atomic` if the access is atomic.
    """
    if type(op) is not CallIntrinsicOp:
        return None
    return _ACCESS.fullmatch(intrinsic_name(op))


TO_GENERIC = {
    "llvm.nvvm.ptr.global.to.gen": 1,
    "llvm.nvvm.ptr.shared.to.gen": 3,
    "llvm.nvvm.ptr.constant.to.gen": 4,
    "llvm.nvvm.ptr.local.to.gen": 5,
}

NEUTRAL = frozenset({ZeroOp, *UNDEFINED_CLASSES})
