"""`sccp`: sparse conditional constant propagation.

      llvm.br ^loop(%one : i32)                            llvm.br ^loop
    ^loop(%x: i32):                                      ^loop:
      %same = llvm.icmp "eq" %x, %one : i32        ->      llvm.cond_br %more, ^loop, ^exit
      llvm.cond_br %same, ^next, ^other
    ^next:
      llvm.cond_br %more, ^loop(%x : i32), ^exit

Wegman and Zadeck, "Constant Propagation with Conditional Branches" (1991): every value is taken for
a constant and every edge for one that is not taken until the opposite is seen, so that a value that
goes around a loop and a branch that depends on it prove each other. Blocks that no taken edge leads
to are removed.

An undef or poison that a block argument gets along one edge may be what it gets along the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.constant_propagation import SCCPSolver


@dataclass(frozen=True)
class SCCP(FunctionPass):
    """Propagates constants along executable branches."""

    name = "sccp"
    title = "SCCP"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        solver = SCCPSolver(func)
        solver.solve()
        return solver.rewrite()
