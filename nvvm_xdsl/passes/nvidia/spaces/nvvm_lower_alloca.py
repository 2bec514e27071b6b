"""`nvvm-lower-alloca`: accesses local variables of functions as local memory.

    %s = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %p = llvm.getelementptr %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %p : !llvm.ptr -> f32

becomes

    %s = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %l = llvm.addrspacecast %s : !llvm.ptr to !llvm.ptr<5>
    %p = llvm.getelementptr %l[%i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, f32
    %x = llvm.load %p : !llvm.ptr<5> -> f32

Addresses that are stored or passed to functions stay generic. The pass is `memory-space-opt`
restricted to allocas, for pipelines without that pass. `ld.local` is faster than `ld`, which
determines the memory at run time. Sources: LLVM's NVPTXLowerAlloca; document 000, sub_1CBC480.

Benefit: disabling it changes no kernel's machine code. Alone before code generation one kernel has
0.991 of the instructions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions


@dataclass(frozen=True)
class NVVMLowerAlloca(FunctionPass):
    """Accesses local variables of functions as local memory."""

    name = "nvvm-lower-alloca"
    title = "NVVMLowerAlloca"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        assumptions = SpaceAssumptions(kernel_pointers_global=False, local_allocas=True)
        return AddressSpaceInference(assumptions, func, am.get(CFG, func)).run()
