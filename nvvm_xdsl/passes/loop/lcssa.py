"""`lcssa`: passes values that leave a loop through arguments of its exit blocks.

    llvm.cond_br %c, ^loop, ^exit             llvm.cond_br %c, ^loop, ^exit(%v : f32)
  ^exit:                               ->   ^exit(%r: f32):
    llvm.return %v : f32                      llvm.return %r : f32

Passes that change the loop then need not update uses after it. (LLVM's LCSSA.cpp.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.loops import form_lcssa_of_all


@dataclass(frozen=True)
class LCSSA(FunctionPass):
    """Brings loops into loop-closed SSA form, inner loops first."""

    name = "lcssa"
    title = "LCSSA"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return form_lcssa_of_all(am.get(LoopFacts, func))
