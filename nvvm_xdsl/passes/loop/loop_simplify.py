"""`loop-simplify`: a loop gets one way in, one way back, and exits that are its own.

    llvm.cond_br %a, ^loop, ^exit             llvm.cond_br %a, ^preheader, ^exit
  ^loop:                                    ^preheader:
    ...                                       llvm.br ^loop
    llvm.cond_br %b, ^loop, ^more      ->   ^loop:
  ^more:                                      ...
    llvm.cond_br %c, ^loop, ^exit             llvm.cond_br %b, ^latch, ^more
                                            ^more:
                                              llvm.cond_br %c, ^latch, ^dedicated
                                            ^latch:
                                              llvm.br ^loop
                                            ^dedicated:
                                              llvm.br ^exit

What a pass hoists goes into the preheader, what it sinks into the exits, and a block between two
others changes nothing of what is computed. `simplifycfg` takes blocks away again that are still empty.
(LLVM's LoopSimplify.cpp; the sequences' row 20, sub_198DF00.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.utils.loops import simplify_loops


@dataclass(frozen=True)
class LoopSimplify(FunctionPass):
    """Brings loops into the form that other passes over loops start from."""

    name = "loop-simplify"
    title = "LoopSimplify"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return simplify_loops(am.get(LoopFacts, func))
