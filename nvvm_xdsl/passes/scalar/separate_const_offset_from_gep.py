"""`separate-const-offset-from-gep`: moves constants in indices into the offset of the address.

    %j = llvm.add %i, %c1 overflow<nsw> : i32
    %f = llvm.sext %j : i32 to i64                        // &a[i + 1]
    %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32

becomes

    %e = llvm.sext %i : i32 to i64
    %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
    %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8

A load or store adds a constant offset at no cost, so that all addresses with the same variable part
share one register and one computation. LLVM's pass of this name, which runs in its NVPTX code
generator.

`i + 1` does not wrap if its address is not poison; otherwise it may wrap. Therefore no address is
derived from one whose index may have wrapped: the shared part is computed again, in 64 bits, from
`i`, or it is part of an address through which memory has been accessed before on every path
(`passes/scalar/address_sharing.py`).

The sign and zero extension of a non-negative value are equal. If some address has the sign
extension, the others get it too, so that all of them share one variable part.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.offset_sharing import OffsetSharing


@dataclass(frozen=True)
class SeparateConstOffsetFromGEP(FunctionPass):
    """Moves constants in indices into the offset of the address."""

    name = "separate-const-offset-from-gep"
    title = "SeparateConstOffsetFromGEP"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        dominators = am.get(DominatorTree, func)
        return OffsetSharing(dominators, data_layout_of(func)).run()


__all__ = ["SeparateConstOffsetFromGEP"]
