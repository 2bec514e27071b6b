"""Modules in the form that the symbolic execution reads."""

from __future__ import annotations

from collections import Counter
from typing import Final

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import callee_of, defined_name
from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.lab.races.barriers import GRID_BARRIER
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
from nvvm_xdsl.pipeline.manager import optimize_module

INLINING: Final = "always-inline,mem2reg"

CALLED_VALUES: Final = (
    "called-value-propagation",
    "called-value-propagation<whole-program-visibility>",
)
"""Passes that replace calls through pointers: of pointers that can be traced, and of those that can only
refer to functions of the module, because it is the whole program."""

PROMOTION: Final = "sroa,loop-simplify,lcssa"
"""Passes that keep all accesses to memory of other threads, also loads whose result is unused. Only
copies of undefined contents are removed by `sroa`, unless they are volatile."""

_COPIES: Final = ("llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memcpy.inline")


def prepare(module: ModuleOp) -> frozenset[str]:
    """Inlines all calls, promotes local variables and puts loops in LCSSA form, in place.

    Returns the kernels whose calls through pointers were replaced by calls of the functions whose
    address the module takes.
    """
    for op in module.body.block.ops:
        if op.name != "llvm.func" or is_kernel(op) or is_declaration(op):
            continue
        if GRID_BARRIER.fullmatch(defined_name(op)):
            op.properties.pop("always_inline", None)
            continue
        op.properties.pop("no_inline", None)
        op.properties.pop("optimize_none", None)
        op.attributes.pop("no_inline", None)
        # Keeps calls through a pointer that differs between the threads of a warp.
        op.properties.pop("convergent", None)
        op.properties["always_inline"] = UnitAttr()
    _inline(module)
    assumed = _replace_called_pointers(module)
    _run(module, PROMOTION)
    return assumed


def _run(module: ModuleOp, pipeline: str) -> None:
    optimize_module(module, pipeline, Watcher(Instruments()))


def _inline(module: ModuleOp) -> None:
    """Inlines calls and promotes local variables; copies of undefined contents stay."""
    _run(module, INLINING)
    for op in module.walk():
        if op.name in _COPIES and _is_undefined(op.operands[1]):
            op.properties["isVolatile"] = IntegerAttr(1, 1)


def _replace_called_pointers(module: ModuleOp) -> frozenset[str]:
    """Replaces calls through pointers by calls of functions, and inlines these.

    Returns the kernels for which this assumes that the module is the whole program.
    """
    calls = _called_pointers(module)
    if not calls:
        return frozenset()
    _run(module, "sroa")
    for pipeline in CALLED_VALUES:
        calls = _called_pointers(module)
        _run(module, pipeline)
    replaced = calls - _called_pointers(module)
    _inline(module)
    return frozenset(replaced)


def _called_pointers(module: ModuleOp) -> Counter[str]:
    """The number of calls through pointers in each kernel."""
    return Counter(
        defined_name(kernel)
        for kernel in module.body.block.ops
        if kernel.name == "llvm.func" and is_kernel(kernel)
        for op in kernel.walk()
        if op.name == "llvm.call" and callee_of(op) is None
    )


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
