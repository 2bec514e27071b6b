"""`relax-cuda-atomics`: makes sequentially consistent read-modify-writes of system scope relaxed.

    %old = llvm.atomicrmw add %p, %n seq_cst : !llvm.ptr, i32
    %res = llvm.cmpxchg %p, %old, %n seq_cst seq_cst : !llvm.ptr, i32

becomes

    %old = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
    %res = llvm.cmpxchg %p, %old, %n monotonic monotonic : !llvm.ptr, i32

CUDA's atomic functions (`atomicAdd`, `atomicCAS` ...) are relaxed. Clang up to version 22
translates them (its builtins `__nvvm_atom_*`) to `seq_cst` operations without a scope; clang 23
translates them to `monotonic` operations (llvm/llvm-project#185822). The IR does not show whether
the source was `atomicAdd` or a sequentially consistent C++ atomic: the pass is correct only for
modules without sequentially consistent C++ atomics. It is in no pipeline;
`nvvm-cc -relaxed-atomics=1` runs it before the optimizer. Atomic loads and stores, fences,
operations with a weaker ordering, and operations with a scope are not changed.

Benefit: each such operation has no `fence.sc.sys` (MEMBAR.SC.SYS and an invalidation of L1) before
it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import int_value, sync_scope_of
from nvvm_xdsl.dialects.llvm.ops import AtomicCmpXchgOp, AtomicRMWOp
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_ATTRIBUTES, SEQ_CST
from nvvm_xdsl.passes.base import FunctionPass

_ORDERINGS: dict[type[Operation], tuple[str, ...]] = {
    AtomicRMWOp: ("ordering",),
    AtomicCmpXchgOp: ("success_ordering", "failure_ordering"),
}
_RELAXED = ORDERING_ATTRIBUTES["monotonic"]


def may_be_cuda_atomic(op: Operation) -> bool:
    """Returns whether the op has the ordering and scope that clang 22 gives CUDA's relaxed atomic
    functions."""
    orderings = _ORDERINGS.get(type(op))
    return (
        orderings is not None
        and all(int_value(op.properties.get(name)) == SEQ_CST for name in orderings)
        and not sync_scope_of(op)
    )


@dataclass(frozen=True)
class RelaxCudaAtomics(FunctionPass):
    """Makes sequentially consistent read-modify-writes of system scope relaxed."""

    name = "relax-cuda-atomics"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for op in func.walk():
            if may_be_cuda_atomic(op):
                op.properties.update(dict.fromkeys(_ORDERINGS[type(op)], _RELAXED))
                changed = True
        return changed
