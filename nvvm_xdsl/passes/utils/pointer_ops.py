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
    SelectOp,
    StoreOp,
    ZeroOp,
)
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.ir.attributes import intrinsic_name
from nvvm_xdsl.passes.utils.constants import UNDEFINED_CLASSES

FreezeOp = op_class("llvm.freeze")
PtrMaskOp = op_class("llvm.intr.ptrmask")
AtomicRMWOp = op_class("llvm.atomicrmw")
CmpXchgOp = op_class("llvm.cmpxchg")
PrefetchOp = op_class("llvm.intr.prefetch")

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
    CmpXchgOp: (0,),
    op_class("llvm.intr.memcpy"): (0, 1),
    op_class("llvm.intr.memcpy.inline"): (0, 1),
    op_class("llvm.intr.memmove"): (0, 1),
    op_class("llvm.intr.memset"): (0,),
    op_class("llvm.intr.memset.inline"): (0,),
    PrefetchOp: (0,),
    op_class("llvm.intr.masked.load"): (0,),
    op_class("llvm.intr.masked.store"): (1,),
}
"""Ops that access memory, and which of their operands are addresses that may be of any space."""

ACCESSES: dict[type[Operation], int] = {LoadOp: 0, StoreOp: 1, AtomicRMWOp: 0, CmpXchgOp: 0}
"""Ops whose address, that operand, must not be poison. (What copies no byte may have any.)"""

TARGETS: dict[type[Operation], int] = {
    StoreOp: 1,
    op_class("llvm.intr.masked.store"): 1,
    **{
        op_class(f"llvm.intr.{name}"): 0
        for name in ("memcpy", "memcpy.inline", "memmove", "memset", "memset.inline")
    },
}
"""Which operand is the address that is written to: never one in constant memory."""

UNKNOWN: frozenset[type[Operation]] = frozenset({CallOp, ExtractValueOp})
"""Ops other than loads and casts of integers that yield pointers of which nothing is known."""

ATOMIC = frozenset({AtomicRMWOp, CmpXchgOp})

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
