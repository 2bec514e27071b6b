"""`basic-dbe`: removes barriers that order no accesses, considering single blocks.

    llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
      nvvm.barrier0                     // nothing happened before
      llvm.store %x, %p : i32, !llvm.ptr<1>
      nvvm.barrier0
      nvvm.barrier0                     // right behind another
      %y = llvm.load %p : !llvm.ptr<1> -> i32
      llvm.store %y, %p : i32, !llvm.ptr<1>
      nvvm.barrier0                     // nothing happens after
      llvm.return
    }

keeps the second barrier. The page on dead barrier elimination has four patterns:

1. of several barriers in a row one is left;
2. a block in which no memory is accessed needs no barrier;
3. nor does the start of a function;
4. nor does its end.

Applied to single blocks, as the document describes them, rules 2 to 4 are wrong: accesses in
predecessors and successors may need ordering, and so may those in callers of a device function.
Therefore 3 and 4 apply to kernels, in the entry block and in blocks that return, and 2 to kernels
without memory accesses. Other passes use the whole graph.

Barriers of a warp go by the same rules. All this relies on what CUDA asks of programs: that all
threads that a barrier is for come to the same one (CUDA C++ Programming Guide, `__syncthreads`).

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
        ops: in order from the function's start, or from its end backwards.
        whole: only if there is no such op.
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
