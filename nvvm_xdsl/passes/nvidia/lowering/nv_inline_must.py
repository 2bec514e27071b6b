"""`nv-inline-must`: marks functions that cannot be called `alwaysinline`, and inlines marked ones.

    llvm.func internal @sample(%t: !llvm.ptr) ...    ->    ... attributes {always_inline}

The pass is registered as "Mark must inline functions for NVVM"; a second description states that it
forces inlining "of functions whose ABI cannot survive as calls", a third mentions `__forceinline__`
functions. PTX passes a texture, sampler or surface to a function only by name, so a function that
receives the address of such a variable must be inlined. `always-inline` inlines the marked
functions. A remark reports a marked function that is recursive or cannot be inlined for another
reason.

Benefit: required for calls that PTX cannot express; otherwise disabling it changes no kernel's
machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.llvm import AddressOfOp, CallOp, FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import callee_of, defined_name, global_name
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import functions_of, symbols_of, walk_function
from nvvm_xdsl.dialects.nvvm.handles import handle_kind
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.inline_calls import inline_marked

MARKED: Final = remarks.Statistic(
    "nv-inline-must", "marked", "Number of functions marked alwaysinline"
)


@dataclass(frozen=True)
class InlineMust(NvvmPass):
    """Marks functions that cannot be called, and inlines all that are marked."""

    name = "nv-inline-must"
    title = "InlineMust"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = mark(module)
        changed |= inline_marked(module, am)
        if remarks.wanted():
            _report_remaining_functions(module)
        return changed


def mark(module: ModuleOp) -> bool:
    """Marks the functions that receive the address of a texture, sampler or surface from a call."""
    symbols = symbols_of(module)
    handles = {name for name, op in symbols.items() if handle_kind(op) is not None}
    changed = False
    pending = list(functions_of(module)) if handles else []
    while pending:
        func = pending.pop()
        for op in walk_function(func):
            if type(op) is not CallOp:
                continue
            callee = symbols.get(callee_of(op) or "")
            if (
                isinstance(callee, FuncOp)
                and callee.regions[0].first_block is not None
                and not is_kernel(callee)
                and not has_function_attribute(callee, "always_inline")
                and any(_is_handle(v.owner, handles) for v in fast.operands_of(op))
            ):
                callee.properties["always_inline"] = UnitAttr()
                callee.properties.pop("no_inline", None)
                MARKED.add()
                changed = True
    return changed


def _is_handle(owner: object, handles: set[str]) -> bool:
    return type(owner) is AddressOfOp and global_name(owner) in handles


def _report_remaining_functions(module: ModuleOp) -> None:
    symbols = symbols_of(module)
    for func in functions_of(module):
        for op in walk_function(func):
            callee = symbols.get(callee_of(op) or "") if type(op) is CallOp else None
            if callee is not None and has_function_attribute(callee, "always_inline"):
                names = ("Callee", defined_name(callee)), ("Caller", defined_name(func))
                said = " must be inlined into ", names[1], " and was not"
                remarks.emit(
                    "Missed",
                    "nv-inline-must",
                    "NotInlined",
                    defined_name(func),
                    names[0],
                    *said,
                    op=op,
                )


__all__ = ["InlineMust"]
