"""`slsr`: computes an address from another one that differs by one step.

    %i1 = llvm.add %i, %n overflow<nsw> : i32              // &a[i], &a[i + n], &a[i + 2 * n]
    %n2 = llvm.shl %n, %c1 overflow<nsw> : i32
    %i2 = llvm.add %i, %n2 overflow<nsw> : i32
    ...
    %p1 = llvm.getelementptr %a[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %p1 : f32, !llvm.ptr
    %p2 = llvm.getelementptr %a[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32

becomes

    %p1 = llvm.getelementptr %p0[%s] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
    llvm.store %x, %p1 : f32, !llvm.ptr
    %p2 = llvm.getelementptr %p1[%s] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>

LLVM's straight-line strength reduction of addresses: each address takes one multiplication with an
addition, and the arithmetic of its index is removed. The step may be part of a product: from
`&a[i * w + j]` to `&a[(i + 8) * w + j]` it is `8 * w` elements
(`analysis/values/address_polynomials.py`). The other address must be available on every path, and
must have been used for an access or computed by this pass (`passes/scalar/address_sharing.py`).
Addresses are computed by steps where this removes more than it adds
(`passes/scalar/stride_sharing.py`). Remaining products of a stride and `%i + 1`, and sums with
them, are computed from those of `%i` (`analysis/values/stride_reuse.py`), and sums with a constant
multiple of `%i + 1` from those with the multiple of `%i` (`passes/scalar/scaled_sums.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.stride_reuse import ProductSteps
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.scaled_sums import share_scaled_sums
from nvvm_xdsl.passes.scalar.stride_sharing import StrideSharing


@dataclass(frozen=True)
class StraightLineStrengthReduce(FunctionPass):
    """Straight-line strength reduction of addresses."""

    name = "slsr"
    title = "StraightLineStrengthReduce"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        dominators = am.get(DominatorTree, func)
        constants = Constants(func)
        changed = StrideSharing(dominators, func, constants).run()
        changed |= share_scaled_sums(dominators, constants)
        return ProductSteps(constants, narrow=True).run(func.body.blocks) > 0 or changed


__all__ = ["StraightLineStrengthReduce"]
