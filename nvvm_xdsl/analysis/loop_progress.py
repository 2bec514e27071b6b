"""Termination of loops: ops that may not return in an iteration, and loops that must make progress.

(LLVM's `loopHasNoAbnormalExits`, `loopHasNoSideEffects` and `mustprogress`: LLVM Language
Reference, "Function Attributes"; a loop that must make progress and has no observable effects
terminates, or the program is undefined.)
"""

from __future__ import annotations

from xdsl.dialects.llvm import StoreOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.dialects.effects import ALLOCATES, MAY_NOT_RETURN, STATE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    int_property,
    int_value,
    is_volatile,
    loop_annotation_of,
    returns_always,
)
from nvvm_xdsl.dialects.llvm.function_attributes import passthrough_of
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr
from nvvm_xdsl.ir import fast

UNOBSERVABLE = frozenset(
    {
        "llvm.intr.dbg.declare",
        "llvm.intr.dbg.label",
        "llvm.intr.dbg.value",
        "llvm.intr.experimental.noalias.scope.decl",
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.assume",
    }
)
"""Ops that must not be moved but have no observable effect."""


def must_progress(func: Operation, loop: Loop) -> bool:
    """Returns True if the function, or the loop by its latch's annotation, must make progress."""
    if "mustprogress" in passthrough_of(func):
        return True
    latch = loop.latch()
    last = latch.last_op if latch is not None else None
    annotation = loop_annotation_of(last) if last is not None else None
    return isinstance(annotation, LoopAnnotationAttr) and bool(int_value(annotation.mustProgress))


def is_finite_by_assumption(func: Operation, loop: Loop) -> bool:
    """Returns True if an infinite loop would be undefined."""
    if returns_always(func):
        return True
    return must_progress(func, loop) and not any(
        _is_seen(op) for block in loop.blocks for op in fast.ops_of(block)
    )


def _is_seen(op: Operation) -> bool:
    if type(op) is StoreOp:
        return is_volatile(op) or bool(int_property(op, "ordering"))
    if op.name in UNOBSERVABLE:
        return False
    found = effects(op)
    return bool(found & (WRITES | STATE)) and not found & ALLOCATES


def reaches_latch_or_exit(func: Operation, loops: LoopInfo, loop: Loop) -> bool:
    """Returns whether every iteration that starts reaches the latch or an exit branch.

    False if an op may not return, or if an inner loop may not terminate.
    """
    for block in loop.blocks:
        for op in fast.ops_of(block):
            if effects(op) & MAY_NOT_RETURN:
                return False
    if not all(is_finite_by_assumption(func, inner) for inner in loop.subloops):
        return False
    return not any(
        loop.contains(block) for cycle in loops.irreducible_cycles for block in cycle.blocks
    )
