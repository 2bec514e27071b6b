"""The ops that make pointers of pointers, and those that access memory through them."""

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

from nvvm_xdsl.dialects.llvm import op_class
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
"""Ops whose pointer result stays in the space of the operands at these places."""

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
"""Ops that access memory, and which of their operands are addresses that may be of any space."""

ACCESSES: dict[type[Operation], int] = {LoadOp: 0, StoreOp: 1, AtomicRMWOp: 0, AtomicCmpXchgOp: 0}
"""Ops whose address operand must not be poison. (An op that copies no byte accepts any address.)"""

TARGETS: dict[type[Operation], int] = {
    StoreOp: 1,
    MaskedStoreOp: 1,
    **{
        op_class(f"llvm.intr.{name}"): 0
        for name in ("memcpy", "memcpy.inline", "memmove", "memset", "memset.inline")
    },
}
"""Which operand is the address that is written to: never one in constant memory."""

UNKNOWN: frozenset[type[Operation]] = frozenset({CallOp, ExtractValueOp})
"""Ops other than loads and casts of integers that yield pointers of which nothing is known."""

ATOMIC = frozenset({AtomicRMWOp, AtomicCmpXchgOp})

_MATRIX_ACCESS = re.compile(
    r"(?P<base>llvm\.nvvm\.(?:wmma\..*\.(?:load|store)\..*|(?P<shared>(?:ld|st)matrix\..*)))\.p0"
)
"""Intrinsics that access matrices through their first operand; the name ends in its space."""


def matrix_access(op: Operation) -> re.Match[str] | None:
    """The name of a matrix access through a generic pointer; None for other ops."""
    if op.__class__ is not CallIntrinsicOp:
        return None
    return _MATRIX_ACCESS.fullmatch(intrinsic_name(op))


TO_GENERIC = {
    "llvm.nvvm.ptr.global.to.gen": 1,
    "llvm.nvvm.ptr.shared.to.gen": 3,
    "llvm.nvvm.ptr.constant.to.gen": 4,
    "llvm.nvvm.ptr.local.to.gen": 5,
}

NEUTRAL = frozenset({ZeroOp, *UNDEFINED_CLASSES})
