"""`mem2reg`: promotes stack slots to SSA values.

    llvm.func @f(%c: i1, %x: i32) -> i32 {
      %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %x, %slot : i32, !llvm.ptr
      llvm.cond_br %c, ^then, ^join
    ^then:
      llvm.store %zero, %slot : i32, !llvm.ptr
      llvm.br ^join
    ^join:
      %y = llvm.load %slot : !llvm.ptr -> i32
      llvm.return %y : i32

becomes

      llvm.cond_br %c, ^then, ^join(%x : i32)
    ^then:
      llvm.br ^join(%zero : i32)
    ^join(%y: i32):
      llvm.return %y : i32

Legal because the address of such a slot is used only by plain loads and stores of the whole slot,
so that each load reads the value of the last store on the path to it. A load that no store reaches
yields `llvm.mlir.undef`, as in LLVM.

Block arguments are placed at the iterated dominance frontiers of the stores if the slot is live
there.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.promote_memory import find_slots, promote, report_kept_slots


@dataclass(frozen=True)
class Mem2Reg(FunctionPass):
    """Promotes stack slots whose only uses are loads and stores."""

    name = "mem2reg"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        slots = find_slots(func, layout)
        if slots:
            promote(slots, am.get(DominatorTree, func), layout, self.name)
        report_kept_slots(func, self.name)
        return bool(slots)
