"""`branch-dist`: removes barriers of the block that order no accesses, within stated limits.

    nvvm.barrier0                         // nothing was accessed before
    %y = llvm.load %p : !llvm.ptr<3> -> i32

The page on branch distribution says that the pass, in spite of its name, does what the engine for dead
synchronization does (`dead-sync-elim`), with knobs. Here they share it. In the tiers it has the optimizer
document's places, so it runs at levels without that document's barrier optimization too.

Of the knobs, `branch-dist-norm` (joining paths with "and" instead of "or") removes barriers that
one path needs, and is off; `ignore-phi-overhead` belongs to a cost that does not exist here.
`ignore-call-safety` is off here: on, the page's default, it assumes that functions access no shared
or global memory.

Benefit: after `dead-sync-elim` disabling it changes no kernel's machine code; it replaces that pass
at -O1 and -O2. The barrier passes together: a kernel with four barriers of which one is needed
executes 54 machine instructions instead of 60.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.barriers import BarrierRules, Barriers
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.symbols import functions_of, module_of
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.barriers import remove_dead_barriers

UNLIMITED = -1


@dataclass(frozen=True)
class BranchDist(FunctionPass):
    """Removes barriers that order no accesses.

    Arguments:
        ignore_call_safety: calls access no memory that other threads access.
        ignore_variance_cond: branches on which a barrier depends are not looked at.
        ignore_address_space_check: memory that one thread has for itself counts too.
        disable_complex_branch_dist: each block is looked at by itself.
        branch_dist_norm: other than 0, an access outside a block counts only if it occurs on all
            paths. Correct only if paths without the access never need the barrier.
        no_branch_dist: the names of functions to leave alone, with commas.
        branch_dist_func_limit: how many functions of a module are looked at, in order; -1 for all.
        branch_dist_block_limit: how many blocks of a function; -1 for all.
        dump_branch_dist: reports removed barriers.
    """

    name = "branch-dist"
    title = "BranchDist"

    ignore_call_safety: bool = False
    ignore_variance_cond: bool = False
    ignore_address_space_check: bool = False
    disable_complex_branch_dist: bool = False
    branch_dist_norm: int = 0
    no_branch_dist: str = ""
    branch_dist_func_limit: int = UNLIMITED
    branch_dist_block_limit: int = UNLIMITED
    dump_branch_dist: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if func.sym_name.data in self.no_branch_dist.split(",") or self._is_beyond_limit(func):
            return False
        rules = BarrierRules(
            ignore_calls=self.ignore_call_safety,
            ignore_divergence=self.ignore_variance_cond,
            ignore_spaces=self.ignore_address_space_check,
            by_block=self.disable_complex_branch_dist,
            on_all_ways=self.branch_dist_norm != 0,
        )
        sound = rules == BarrierRules()
        barriers = am.get(Barriers, func) if sound else Barriers(func, am, rules)
        blocks = None
        if self.branch_dist_block_limit != UNLIMITED:
            blocks = set(am.get(CFG, func).blocks[: self.branch_dist_block_limit])
        return remove_dead_barriers(
            barriers, func, self.name, blocks=blocks, dump=self.dump_branch_dist
        )

    def _is_beyond_limit(self, func: FuncOp) -> bool:
        if self.branch_dist_func_limit == UNLIMITED:
            return False
        module = module_of(func)
        functions = [] if module is None else list(functions_of(module))
        return func not in functions[: self.branch_dist_func_limit]
