"""`dead-sync-elim`: removes barriers of the block that order no accesses, over the whole graph.

    llvm.store %x, %own : i32, !llvm.ptr<3>
    nvvm.barrier0
    %y = llvm.load %other : !llvm.ptr<3> -> i32
    llvm.cond_br %uniform, ^more, ^end
  ^more:
    nvvm.barrier0              // between reads
    %z = llvm.load %third : !llvm.ptr<3> -> i32
    ...

keeps the first barrier. The page on dead synchronization elimination describes an engine without a
pipeline name. It determines for each barrier whether memory is read and written before it and after
it, up to the next barriers on all paths, and removes barriers without a hazard. It also removes a
barrier if nothing is read before it and nothing written after it; but ordering writes before and
reads after is the purpose of barriers. Here a barrier is dead if neither side writes memory that
the other accesses; shared and global memory are separate.

The page restarts after each removal. Removing a barrier only adds accesses to the sides of its
neighbours, so barriers found necessary stay necessary: each is visited once. Accesses of less than
512 bits are accesses here; the page ignores them. `__syncthreads_count` and its variants are not
removed even if the result has one use: the result depends on all threads.

`analysis/barriers.py` says what counts as an access and which barriers may be asked about.

Benefit: no benchmark kernel has a redundant barrier. A kernel with four barriers, three of them
redundant, executes 54 machine instructions instead of 60 with this pass or `branch-dist`.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.barriers import Barriers
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.barriers.nvvm_barrier_analysis import sides

REMOVED = remarks.Statistic("dead-sync-elim", "Removed", "barriers removed")


@dataclass(frozen=True)
class DeadSyncElim(FunctionPass):
    """Removes barriers that order no accesses, considering all blocks."""

    name = "dead-sync-elim"
    title = "DeadSynchronizationElimination"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return remove_dead(am.get(Barriers, func), func, self.name)


def remove_dead(
    barriers: Barriers,
    func: FuncOp,
    pass_name: str,
    *,
    blocks: Container[Block | None] | None = None,
    dump: bool = False,
) -> bool:
    """Erases the barriers that order nothing; returns whether there were any.

    Arguments:
        barriers: of the function.
        func: the function.
        pass_name: whose remarks to emit.
        blocks: where; everywhere if None.
        dump: whether remarks are shown though nobody listens.
    """
    changed = False
    for site in list(barriers.sites):
        if site.op.__class__ is not Barrier0Op or barriers.orders_something(site):
            continue
        if blocks is not None and site.op.parent not in blocks:
            continue
        text = f"Removed dead synch: {sides(barriers.before(site), barriers.behind(site))}"
        name = func.sym_name.data
        remarks.emit("Passed", pass_name, "Removed", name, text, op=site.op, shown=dump)
        barriers.erase(site)
        REMOVED.add()
        changed = True
    return changed
