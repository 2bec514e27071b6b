"""`loop-simplify`: gives each loop a preheader, a single latch and dedicated exits.

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

Passes hoist into the preheader and sink into the exits; inserting an empty block does not change
results. `simplifycfg` removes blocks that are still empty later. (LLVM's LoopSimplify.cpp; row 20
of the sequences, sub_198DF00.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.loops import simplify_loops


@dataclass(frozen=True)
class LoopSimplify(FunctionPass):
    """Brings loops into the form that other loop passes require."""

    name = "loop-simplify"
    title = "LoopSimplify"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return simplify_loops(am.get(LoopFacts, func))
