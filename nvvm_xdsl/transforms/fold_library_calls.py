"""Folds calls of libdevice's mathematical functions with constant arguments."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp, ReturnOp

from nvvm_xdsl.analysis.library_folding import PREFIX, fold_library_call
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import callee_of, symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.constants import constant_of
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    calls_in,
    functions_of,
    linkage_of,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic

FOLDED = Statistic("always-inline", "folded", "Number of calls of libdevice folded")


def fold_library_calls(module: ModuleOp, am: AnalysisManager) -> bool:
    """Replaces calls with constant arguments by their results; returns whether any was replaced.

    A call of a function that only calls a function of libdevice, such as `powf` of CUDA's headers, is
    folded, too.
    """
    names = _library_names(module)
    changed = False
    for func in functions_of(module) if names else ():
        folded = [
            (call, result)
            for call in calls_in(func)
            if (name := names.get(callee_of(call) or "")) is not None
            and (result := fold_library_call(name, list(map(constant_of, fast.operands_of(call)))))
            and [value.type for value in call.results] == [fast.operands_of(call)[0].type]
        ]
        constants = Constants(func) if folded else None
        for call, result in folded:
            assert constants is not None
            value = constants.attribute(result, call.results[0].type)
            fast.replace_op(call, (value,))
            FOLDED.add()
        if folded:
            am.invalidate(func)
            changed = True
    return changed


def _library_names(module: ModuleOp) -> dict[str, str]:
    """The names of libdevice's functions, and the function that each of the other functions forwards
    its arguments to."""
    functions = [(symbol_name(func) or "", func) for func in functions_of(module)]
    names = {name: name for name, _ in functions if name.startswith(PREFIX)}
    if not names:
        return names
    forwards = {
        name: callee
        for name, func in functions
        if name not in names and (callee := _forwarded(func)) is not None
    }
    for name in forwards:
        chain = {name}
        callee = forwards[name]
        while callee in forwards and callee not in chain:
            chain.add(callee)
            callee = forwards[callee]
        if callee in names:
            names[name] = names[callee]
    return names


def _forwarded(func: FuncOp) -> str | None:
    """The function that a function calls with its own arguments, and whose result it returns; None
    if there is none, or if another definition may replace the function."""
    block = func.body.first_block
    call = None if block is None else block.first_op
    if block is None or type(call) is not CallOp or linkage_of(func) in INTERPOSABLE_LINKAGE:
        return None
    last = call.next_op
    if type(last) is not ReturnOp or list(fast.operands_of(last)) != list(call.results):
        return None
    return callee_of(call) if list(fast.operands_of(call)) == list(block.args) else None
