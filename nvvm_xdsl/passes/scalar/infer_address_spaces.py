"""`infer-address-spaces`: replaces generic pointers by pointers into their known address space.

    llvm.func @k(%p: !llvm.ptr, %i: i64) attributes {nvvm.kernel} {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %q : !llvm.ptr -> f32

becomes

      %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
      %q = llvm.getelementptr %g[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %x = llvm.load %q : !llvm.ptr<1> -> f32

A generic pointer points into a known space if it was cast from the space, if it is the address of a
stack slot (local), or if it is a pointer parameter of a kernel or was loaded from a by-value
parameter of a kernel (global: CUDA passes only such pointers to a kernel). Values computed from
such pointers stay in the space if all sources agree, through address arithmetic, selects and block
arguments. A use that requires a generic pointer gets a cast.

Legal because a cast to a space and back is the identity for a pointer into the space. Volatile
accesses and atomics stay generic if PTX does not support them in the space (local).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions


@dataclass(frozen=True)
class InferAddressSpaces(FunctionPass):
    """Replaces generic pointers by pointers into their known address space."""

    name = "infer-address-spaces"
    title = "InferAddressSpaces"

    kernel_pointers_global: bool = True
    """Pointer parameters of kernels point to global memory, as CUDA guarantees."""

    local_allocas: bool = True
    """Stack slots are accessed as local memory."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        assumptions = SpaceAssumptions(self.kernel_pointers_global, self.local_allocas)
        return AddressSpaceInference(assumptions, func, am.get(CFG, func)).run()
