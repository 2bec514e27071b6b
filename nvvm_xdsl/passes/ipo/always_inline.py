"""`always-inline`: calls to functions marked `alwaysinline` are replaced by their bodies.

    %r = llvm.call @square(%x) : (i32) -> i32

becomes

    %r = llvm.mul %x, %x : i32

Functions are taken callees first, so that what is inlined has no such calls left. A function
that calls itself, directly or through others, is not inlined, and neither is one whose
arguments do not fit the call. Calls that would take the ops copied in a run over `INLINE_LIMIT`
stay too: a chain of functions that each call the one before twice doubles with each. Functions that nothing calls after that are left to `globaldce`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import calls_in
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.attributes import callee_of, symbol_name
from nvvm_xdsl.passes.base import NvvmPass, functions_of
from nvvm_xdsl.passes.utils.inline import Inliner, why_not_inlinable

INLINED = remarks.Statistic("inline", "inlined", "Number of calls inlined")


INLINE_LIMIT = 100_000
"""Ops that one run over a module copies at most; calls beyond that stay calls."""


def inline_where(
    module: ModuleOp,
    wanted: Callable[[CallOp, FuncOp, FuncOp], bool],
    am: AnalysisManager,
    pass_name: str,
) -> bool:
    """Inlines the calls for which `wanted(call, caller, callee)` holds; callees come first.

    Calls that an inlined body makes are asked about in their turn.
    """
    functions = {symbol_name(f) or "": f for f in functions_of(module)}
    graph = CallGraph(module)
    order = [node.func for node in graph.bottom_up(indirect=False)]
    recursive = {node.func for node in graph.recursive(indirect=False)}
    sizes: dict[FuncOp, int] = {}
    changed = False
    left = INLINE_LIMIT
    for caller in order:
        pending = list(calls_in(caller))
        pending.reverse()
        inliner: Inliner | None = None
        while pending:
            call = pending.pop()
            callee = functions.get(callee_of(call) or "")
            if callee is None or callee is caller or callee in recursive or call.parent is None:
                continue
            if not wanted(call, caller, callee):
                continue
            reason = why_not_inlinable(call, callee)
            size = sizes.get(callee)
            if size is None:
                # Callees come first: none that is asked about changes any more.
                size = sizes[callee] = sum(1 for _ in callee.walk())
            if reason is None and size > left:
                reason = f"more than {INLINE_LIMIT} ops would be copied"
            if remarks.wanted():
                _tell(pass_name, call, caller, callee, reason)
            if reason is not None:
                continue
            INLINED.add()
            left -= size
            if inliner is None:
                inliner = Inliner(caller)
            pending.extend(reversed(inliner.inline(call, callee)))
        if inliner is not None:
            changed = True
            am.invalidate(caller)
    return changed


def _tell(pass_name: str, call: CallOp, caller: FuncOp, callee: FuncOp, reason: str | None) -> None:
    """Emits the remark that LLVM's inliner has for a call."""
    names = (("Callee", callee.sym_name.data), ("Caller", caller.sym_name.data))
    place = caller.sym_name.data
    if reason is None:
        pieces = (names[0], " inlined into ", names[1])
        remarks.emit("Passed", pass_name, "Inlined", place, *pieces, op=call)
    else:
        pieces = (names[0], " not inlined into ", names[1], f": {reason}")
        remarks.emit("Missed", pass_name, "NotInlined", place, *pieces, op=call)


@dataclass(frozen=True)
class AlwaysInline(NvvmPass):
    """Inlines functions marked `alwaysinline`."""

    name = "always-inline"
    title = "AlwaysInliner"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        def wanted(call: CallOp, caller: FuncOp, callee: FuncOp) -> bool:
            return has_function_attribute(callee, "always_inline") and not (
                has_function_attribute(call, "no_inline")
            )

        return inline_where(module, wanted, am, self.name)
