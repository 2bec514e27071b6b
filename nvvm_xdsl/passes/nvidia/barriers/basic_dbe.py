"""`basic-dbe`: removes barriers that order no accesses, considering single blocks.

    llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
      nvvm.barrier0                     // no access before
      llvm.store %x, %p : i32, !llvm.ptr<1>
      nvvm.barrier0
      nvvm.barrier0                     // directly after another
      %y = llvm.load %p : !llvm.ptr<1> -> i32
      llvm.store %y, %p : i32, !llvm.ptr<1>
      nvvm.barrier0                     // no access after
      llvm.return
    }

keeps the second barrier. The page on dead barrier elimination has four rules:

1. of consecutive barriers, all but one are removed;
2. barriers of a block without memory accesses are removed;
3. barriers at the start of a function are removed;
4. barriers at the end of a function are removed.

Applied to single blocks, as the document describes them, rules 2 to 4 are wrong: accesses in
predecessors and successors may need ordering, and so may those in callers of a device function.
Therefore rules 3 and 4 apply only to the entry block and to returning blocks of kernels, and rule 2
only to kernels without memory accesses. `dead-sync-elim` and `branch-dist` consider the whole
graph.

The same rules apply to barriers of a warp. They are legal because CUDA requires that all threads of
a barrier reach the same barrier (CUDA C++ Programming Guide, `__syncthreads`).

Benefit: runs on demand; it changes no kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp, ReturnOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.barriers import Meetings
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.symbols import entry_of, walk_function
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.barriers import is_barrier, is_seen_through_barriers, merge_barriers


@dataclass(frozen=True)
class BasicDeadBarrierElimination(FunctionPass):
    """Removes barriers that order no accesses."""

    name = "basic-dbe"
    title = "BasicDeadBarrierElimination"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        if is_kernel(func):
            changed |= _drop_leading(walk_function(func), whole=True)
            changed |= _drop_leading(fast.ops_of(entry_of(func)))
            for block in fast.blocks_of(func.regions[0]):
                if type(block.last_op) is ReturnOp:
                    changed |= _drop_leading(fast.reversed_ops_of(block))
        meetings = Meetings(func, am)
        for block in am.get(CFG, func).rpo_blocks():
            changed |= merge_barriers(block, meetings)
        return changed


def _drop_leading(ops: Iterable[Operation], *, whole: bool = False) -> bool:
    """Erases the barriers before the first op with an effect; returns whether there were any.

    Arguments:
        ops: the ops in order from the function's start, or in reverse order from its end.
        whole: whether barriers are erased only if no op has an effect.
    """
    doomed: list[Operation] = []
    for op in ops:
        if is_barrier(op):
            doomed.append(op)
        elif type(op) is not ReturnOp and is_seen_through_barriers(op):
            if whole:
                return False
            break
    for op in doomed:
        fast.erase(op)
    return bool(doomed)
