"""`inline`: calls are replaced by the callee's body where that pays.

Calls on a GPU are dear: arguments go through the parameter space, registers are saved, and
nothing is known of what the callee touches. So nearly everything is inlined, as LLVM does for
NVPTX: a call goes when the callee's cost is below `threshold` times `multiplier`, or when the
callee is internal and this is the only call. Functions marked `noinline` or `optnone`, recursive
ones, and those that another definition may replace at link time stay.

Costs are LLVM's: 5 an op, nothing for constants and casts that are free.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp, BitcastOp, BrOp, CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    LOCAL_LINKAGE,
    linkage_of,
    references_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.ir.attributes import callee_of, global_name, symbol_name
from nvvm_xdsl.passes.base import NvvmPass, functions_of
from nvvm_xdsl.passes.ipo.always_inline import inline_where
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES

OP_COST = 5
CALL_PENALTY = 25
FREE: frozenset[type[Operation]] = frozenset(
    {*CONSTANT_CLASSES, AddressOfOp, BitcastOp, BrOp, ReturnOp}
)


def cost_of(func: FuncOp) -> int:
    """What the function's body adds to a caller."""
    cost = 0
    for op in walk_function(func):
        cls = op.__class__
        if cls not in FREE:
            cost += CALL_PENALTY if cls is CallOp else OP_COST
    return cost


@dataclass(frozen=True)
class Inline(NvvmPass):
    """Inlines calls to functions that are small enough or called only once."""

    name = "inline"
    title = "Inliner"

    threshold: int = 225
    """LLVM's `inline-threshold`."""

    multiplier: int = 11
    """By how much NVPTX raises the threshold."""

    caller_limit: int = 100_000
    """The cost above which a caller takes in no more, so that compile time stays bounded."""

    total_limit: int = 100_000
    """The most ops that one run over a module copies, for the same reason."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        costs: dict[FuncOp, int] = {}
        growth: dict[FuncOp, int] = {}
        single = _called_once(module)
        limit = self.threshold * self.multiplier

        def wanted(call: CallOp, caller: FuncOp, callee: FuncOp) -> bool:
            if has_function_attribute(caller, "optimize_none"):
                return False
            for attribute in ("no_inline", "optimize_none"):
                if has_function_attribute(callee, attribute):
                    return False
            if has_function_attribute(call, "no_inline"):
                return False
            if linkage_of(callee) in INTERPOSABLE_LINKAGE:
                return False
            cost = cost_of(callee)
            size = growth.get(caller)
            if size is None:
                size = costs.setdefault(caller, cost_of(caller))
            if size + cost > self.caller_limit:
                return False
            if cost > limit and callee not in single:
                return False
            growth[caller] = size + cost
            return True

        return inline_where(module, wanted, am, self.name, self.total_limit)


def _called_once(module: ModuleOp) -> set[FuncOp]:
    """The internal functions that are called at one place and whose address nobody takes."""
    calls: dict[str, int] = {}
    for func in functions_of(module):
        for op in walk_function(func):
            if op.__class__ is CallOp and "callee" in op.properties:
                name = callee_of(op) or ""
                calls[name] = calls.get(name, 0) + 1
            elif op.__class__ is AddressOfOp:
                name = global_name(op)
                calls[name] = calls.get(name, 0) + 2
    for symbol in symbols_of(module).values():
        if not isinstance(symbol, FuncOp):
            for name in references_of(symbol):
                calls[name] = calls.get(name, 0) + 2
    return {
        func
        for func in functions_of(module)
        if calls.get(symbol_name(func) or "") == 1 and linkage_of(func) in LOCAL_LINKAGE
    }
