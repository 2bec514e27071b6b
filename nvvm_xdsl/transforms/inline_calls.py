"""Inlines chosen calls of a module, callees first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.llvm.accessors import callee_of, symbol_name
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import calls_in, functions_of
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.transforms.inline import Inliner, why_not_inlinable

INLINED = remarks.Statistic("inline", "inlined", "Number of calls inlined")


INLINE_LIMIT = 1_000_000
"""Maximum number of ops that are copied into the functions of a module."""


Wanted: TypeAlias = Callable[[CallOp, FuncOp, FuncOp], bool]
"""Decides whether a call is inlined, from the call, its caller and its callee."""


def inline_where(
    module: ModuleOp, wanted: Wanted, am: AnalysisManager, pass_name: str, limit: int
) -> bool:
    """Inlines the calls for which `wanted` holds; callees come first.

    Calls in an inlined body are processed, too. Calls whose inlining would exceed `limit` are kept.
    """
    functions = {symbol_name(f) or "": f for f in functions_of(module)}
    graph = am.get(CallGraph, module)
    order = [node.func for node in graph.bottom_up(indirect=False)]
    recursive = {node.func for node in graph.recursive(indirect=False)}
    sizes: dict[FuncOp, int] = {}
    changed = False
    left = limit
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
                # Callees come first, so that a callee does not change after it is examined.
                size = sizes[callee] = sum(1 for _ in callee.walk())
            if reason is None and size > left:
                reason = f"more than {limit} ops would be copied"
            if remarks.wanted():
                _report(pass_name, call, caller, callee, reason)
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


def require_bounded(module: ModuleOp, wanted: Wanted, am: AnalysisManager, limit: int) -> None:
    """Raises DiagnosticError if inlining would copy more than `limit` ops; copies none."""
    functions = {symbol_name(f) or "": f for f in functions_of(module)}
    graph = am.get(CallGraph, module)
    recursive = {node.func for node in graph.recursive(indirect=False)}
    sizes: dict[FuncOp, int] = {}
    copied = 0
    for node in graph.bottom_up(indirect=False):
        caller = node.func
        size = 0
        for op in caller.walk():
            size += 1
            if type(op) is not CallOp:
                continue
            callee = functions.get(callee_of(op) or "")
            if callee is None or callee in recursive or not wanted(op, caller, callee):
                continue
            if why_not_inlinable(op, callee) is None:
                size += sizes[callee]
                copied += sizes[callee]
                if copied > limit:
                    file, line, column = place_of(caller)
                    raise DiagnosticError(
                        f"inlining the alwaysinline functions into @{caller.sym_name.data} copies more"
                        f" than {limit} ops",
                        file=file,
                        line=line,
                        column=column,
                    )
        sizes[caller] = size


def inline_marked(
    module: ModuleOp,
    am: AnalysisManager,
    pass_name: str = "always-inline",
    limit: int = INLINE_LIMIT,
    keep_pure: bool = False,
) -> bool:
    """Inlines calls of functions that are marked `alwaysinline`; returns whether any was inlined.

    With `keep_pure`, calls without side effects are not inlined. Raises DiagnosticError if more
    than `limit` ops would be copied.
    """

    def wanted(call: CallOp, caller: FuncOp, callee: FuncOp) -> bool:
        return (
            has_function_attribute(callee, "always_inline")
            and not has_function_attribute(call, "no_inline")
            and not (keep_pure and is_expression(call))
        )

    require_bounded(module, wanted, am, limit)
    return inline_where(module, wanted, am, pass_name, limit)


def _report(
    pass_name: str, call: CallOp, caller: FuncOp, callee: FuncOp, reason: str | None
) -> None:
    """Emits LLVM's remark for an inlined call."""
    names = (("Callee", callee.sym_name.data), ("Caller", caller.sym_name.data))
    place = caller.sym_name.data
    if reason is None:
        pieces = (names[0], " inlined into ", names[1])
        remarks.emit("Passed", pass_name, "Inlined", place, *pieces, op=call)
    else:
        pieces = (names[0], " not inlined into ", names[1], f": {reason}")
        remarks.emit("Missed", pass_name, "NotInlined", place, *pieces, op=call)
