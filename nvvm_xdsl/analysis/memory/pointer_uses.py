"""Uses of a pointer: whether memory is written through it, and whether it escapes.

A pointer is followed through address arithmetic, casts, selects, block arguments and the bodies of
called functions. The resulting values are based on it (LLVM LangRef, "Pointer Aliasing Rules").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.llvm import (
    BitcastOp,
    CallOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LLVMPointerType,
    LoadOp,
    SelectOp,
    StoreOp,
)
from xdsl.ir import Operation, SSAValue, Use

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    function_type_of,
    is_volatile,
    ordering_of,
)
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    AssumeOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    DbgDeclareOp,
    DbgValueOp,
    FreezeOp,
    LifetimeEndOp,
    LifetimeStartOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
    PrefetchOp,
)
from nvvm_xdsl.dialects.llvm.symbols import is_definition_exact
from nvvm_xdsl.ir import fast

READ = 1
"""Memory is read through the pointer."""
WRITTEN = 2
"""Memory is written through the pointer."""
ORDERED = 4
"""Memory is read by volatile or atomic accesses: other threads may write it."""
CAPTURED = 8
"""The pointer may be known outside of the traced values."""

MAX_FOLLOWED = 10_000
"""Maximum number of traced values; with more, the pointer counts as captured."""

FunctionOf = Callable[[str], Operation | None]
"""The function of the module with this name."""

_DERIVING = frozenset({GEPOp, BitcastOp, SelectOp, AddrSpaceCastOp, FreezeOp})
_COPIES = frozenset({MemcpyOp, MemcpyInlineOp, MemmoveOp})
_FILLS = frozenset({MemsetOp, MemsetInlineOp})
_ATOMICS = frozenset({AtomicRMWOp, AtomicCmpXchgOp})
_HARMLESS = frozenset(
    {ICmpOp, LifetimeStartOp, LifetimeEndOp, AssumeOp, DbgValueOp, DbgDeclareOp, PrefetchOp}
)


def is_ordered_access(op: Operation) -> bool:
    """Returns True if a load or store is volatile or atomic."""
    return is_volatile(op) or ordering_of(op) != 0


def pointer_uses(
    pointer: SSAValue, function_of: FunctionOf, known: Mapping[SSAValue, int] | None = None
) -> int:
    """The uses of a pointer and of values based on it: the flags above.

    Arguments:
        function_of: finds callees.
        known: earlier results for some values, such as arguments of callees.
    """
    known = known or {}
    flags = 0
    pending = [pointer]
    seen = {pointer}
    while pending:
        for use in pending.pop().uses:
            found, followed = pointer_use(use, function_of)
            flags |= found
            for value in followed:
                if value in known:
                    flags |= known[value]
                elif value not in seen:
                    seen.add(value)
                    pending.append(value)
        if len(seen) > MAX_FOLLOWED:
            return flags | CAPTURED
    return flags


def pointer_use(use: Use, function_of: FunctionOf) -> tuple[int, list[SSAValue]]:
    """The flags of one use, and the values based on the pointer that it computes or passes on."""
    op, index = use.operation, use.index
    cls = type(op)
    if cls is LoadOp:
        return READ | (ORDERED if is_ordered_access(op) else 0), []
    if cls is StoreOp:
        return (WRITTEN if index == 1 else CAPTURED), []
    if cls in _DERIVING:
        result = op.results[0]
        return (0, [result]) if isinstance(result.type, LLVMPointerType) else (CAPTURED, [])
    if cls in _HARMLESS:
        return 0, []
    if cls in _COPIES:
        return (WRITTEN if index == 0 else READ), []
    if cls in _FILLS:
        return WRITTEN, []
    if cls in _ATOMICS:
        return (READ | WRITTEN | ORDERED if index == 0 else CAPTURED), []
    if cls is CallOp:
        return _call(op, index, function_of)
    if fast.successors_of(op):
        return _branch(op, index)
    return CAPTURED, []


def _branch(op: Operation, index: int) -> tuple[int, list[SSAValue]]:
    """A pointer that is passed to arguments of a block."""
    value = fast.operands_of(op)[index]
    followed: list[SSAValue] = [
        block.args[i]
        for block, values in edges_of(op)
        for i, sent in enumerate(values)
        if sent is value
    ]
    return (0, followed) if followed else (CAPTURED, [])


def _call(op: Operation, index: int, function_of: FunctionOf) -> tuple[int, list[SSAValue]]:
    callee = callee_of(op)
    if callee is None:
        return CAPTURED, []
    func = function_of(callee)
    if not isinstance(func, FuncOp):
        return CAPTURED, []
    type_ = function_type_of(func)
    if index >= len(type_.inputs.data):
        return CAPTURED, []
    attributes = argument_attributes(func, index)
    if "llvm.byval" in attributes:
        return READ, []
    body = func.regions[0].first_block
    if (
        body is not None
        and is_definition_exact(func)
        and body.args[index].type == type_.inputs.data[index]
    ):
        return 0, [body.args[index]]
    if "llvm.nocapture" not in attributes:
        return CAPTURED, []
    if "llvm.readnone" in attributes:
        return 0, []
    return READ | (0 if "llvm.readonly" in attributes else WRITTEN), []
