"""`sccp`: sparse conditional constant propagation.

      llvm.br ^loop(%one : i32)                            llvm.br ^loop
    ^loop(%x: i32):                                      ^loop:
      %same = llvm.icmp "eq" %x, %one : i32        ->      llvm.cond_br %more, ^loop, ^exit
      llvm.cond_br %same, ^next, ^other
    ^next:
      llvm.cond_br %more, ^loop(%x : i32), ^exit

Wegman and Zadeck, "Constant Propagation with Conditional Branches" (1991): every value is assumed
to be constant, and every edge to be not executable, until the opposite is proved. A value that is
passed around a loop and a branch that depends on it can thus prove each other. Blocks without
executable incoming edges are removed.

An undef or poison incoming value of a block argument is assumed to equal the other incoming values.
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
