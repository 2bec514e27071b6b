"""`local-memory-remarks`: reports arrays and structs that stay in local memory, with the reasons.

    remark: k.cu:7:9: in @k: array 'bins' of 64 bytes stays in local memory: it is indexed by a
    value %i that is not constant, at k.cu:9:5

If ptxas can avoid local memory by itself, the remark states the condition: "stays in local memory
unless ptxas unrolls the loop that counts the index".

The pass emits a remark for each variable with the location of each reason: a dynamic index, or an
address that is stored or passed to a call. It changes nothing. It runs at the end of optimizing
pipelines.

Benefit: none; it only reports.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.local_memory import LocalMemory, LocalVariable
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, symbol_name
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.passes.base import FunctionPass

MOST_REASONS = 4
"""Maximum number of reasons listed for a variable; the others are counted."""


@dataclass(frozen=True)
class LocalMemoryRemarks(FunctionPass):
    """Reports variables that stay in local memory, with reasons and locations."""

    name = "local-memory-remarks"
    title = "LocalMemoryRemarks"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if remarks.wanted(self.name):
            for variable in am.get(LocalMemory, func).variables:
                if variable.kind != "variable" or variable.reasons:
                    self._report(func, variable)
        return False

    def _report(self, func: FuncOp, variable: LocalVariable) -> None:
        type_ = element_type_of(variable.alloca)
        name = f" '{variable.name}'" if variable.name else f" without a name, {type_},"
        size = "" if variable.size is None else f" of {variable.size} bytes"
        reasons = list(dict.fromkeys(r.text + _place(r.op) for r in variable.reasons))
        more = len(reasons) - MOST_REASONS
        if more > 0:
            reasons[MOST_REASONS:] = [f"and for {more} more reason{'s' if more > 1 else ''}"]
        because = f": {'; '.join(reasons)}" if reasons else ""
        remedies = list(dict.fromkeys(r.remedy for r in variable.reasons))
        unless = f" unless ptxas {' and '.join(remedies)}" if remedies and all(remedies) else ""
        remarks.emit(
            "Missed",
            self.name,
            "LocalMemory",
            symbol_name(func) or "",
            ("Variable", f"{variable.kind}{name}{size}"),
            f" stays in local memory{unless}",
            ("Reasons", because),
            op=variable.alloca,
        )


def _place(op: Operation) -> str:
    place = place_of(op)
    return "" if place.file is None else f", at {place}"
