"""`nvvm-barrier-analysis`: computes the accesses that each block barrier orders, for later passes.

    nvvm.barrier0          before: writes; behind: reads

The pass changes nothing. The results are reported as remarks
(`-pass-remarks-analysis=nvvm-barrier-analysis`) and printed by `print<barriers>`; `dead-sync-elim`
uses them. The optimizer document states the name and the position before NVVMLowerBarriers;
`analysis/barriers.py` defines the analysis.

Benefit: none; it only reports.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.barriers import Barriers, sides_text
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass


@dataclass(frozen=True)
class NVVMBarrierAnalysis(FunctionPass):
    """Reports the accesses that barriers order."""

    name = "nvvm-barrier-analysis"
    title = "NVVMBarrierAnalysis"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        barriers = am.get(Barriers, func)
        if remarks.wanted():
            for site in barriers.sites:
                text = sides_text(barriers.before(site), barriers.behind(site))
                remarks.emit("Analysis", self.name, "Barrier", func.sym_name.data, text, op=site.op)
        return False
