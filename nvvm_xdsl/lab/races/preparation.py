"""Modules in the form that the symbolic execution reads."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
from nvvm_xdsl.pipeline.manager import optimize_module

INLINING: Final = "always-inline,mem2reg"

PROMOTION: Final = "sroa,loop-simplify,lcssa"
"""Passes that keep all accesses to memory of other threads, also loads whose result is unused. Only
copies of undefined contents are removed by `sroa`, unless they are volatile."""

_COPIES: Final = ("llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memcpy.inline")


def prepare(module: ModuleOp) -> None:
    """Inlines all calls, promotes local variables and puts loops in LCSSA form, in place."""
    for op in module.body.block.ops:
        if op.name != "llvm.func" or is_kernel(op) or is_declaration(op):
            continue
        op.properties.pop("no_inline", None)
        op.properties.pop("optimize_none", None)
        op.attributes.pop("no_inline", None)
        op.properties["always_inline"] = UnitAttr()
    optimize_module(module, INLINING, Watcher(Instruments()))
    for op in module.walk():
        if op.name in _COPIES and _is_undefined(op.operands[1]):
            op.properties["isVolatile"] = IntegerAttr(1, 1)
    optimize_module(module, PROMOTION, Watcher(Instruments()))


def _is_undefined(pointer: SSAValue) -> bool:
    """Whether the pointer points into a local variable that nothing writes."""
    while isinstance(pointer, OpResult) and pointer.op.name in ("llvm.getelementptr", *_CASTS):
        pointer = pointer.op.operands[0]
    if not isinstance(pointer, OpResult) or pointer.op.name != "llvm.alloca":
        return False
    pending: list[SSAValue] = [pointer]
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if op.name in ("llvm.getelementptr", *_CASTS):
                pending.append(op.results[0])
            elif not (
                op.name == "llvm.load"
                or op.name.startswith("llvm.intr.lifetime.")
                or (op.name in _COPIES and use.index == 1)
            ):
                return False
    return True


_CASTS: Final = ("llvm.bitcast", "llvm.addrspacecast")
