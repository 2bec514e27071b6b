"""`dead-sync-elim`: removes barriers of the block that order no accesses, over the whole graph.

    llvm.store %x, %own : i32, !llvm.ptr<3>
    nvvm.barrier0
    %y = llvm.load %other : !llvm.ptr<3> -> i32
    llvm.cond_br %uniform, ^more, ^end
  ^more:
    nvvm.barrier0              // between reads
    %z = llvm.load %third : !llvm.ptr<3> -> i32
    ...

keeps the first barrier. The page on dead synchronization elimination tells of an engine without a
pipeline name that knows for each barrier whether memory is read and written before it and behind
it, up to the next barriers on all paths, and removes it where that is no hazard. It holds a barrier
for dead also where nothing is read before it and nothing written behind it; but writes before
and reads behind are the very thing that barriers are for. Here it is dead when neither side
writes what the other accesses; shared and global memory are two.

The page begins anew after each removal. What a removed barrier kept apart only adds to what the next
ones have on their sides, so one that had to stay still has to: each is looked at once. Accesses of less
than 512 bits are accesses here, the page leaves them out. `__syncthreads_count` and its like with one use
of the result are not removed: the result is that of all threads.

`analysis/barriers.py` says what counts as an access and which barriers may be asked about.

Worth: no kernel of these has a barrier too many. One with four of which one is needed executes 54 machine
instructions for 60 without this and `branch-dist`; either alone does.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.barriers import Barriers, BlockBarrierOp
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.nvvm_barrier_analysis import sides

REMOVED = remarks.Statistic("dead-sync-elim", "Removed", "barriers removed")


@dataclass(frozen=True)
class DeadSyncElim(FunctionPass):
    """Removes barriers that order nothing, whatever block what they would order is in."""

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
        if site.op.__class__ is not BlockBarrierOp or barriers.orders_something(site):
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
