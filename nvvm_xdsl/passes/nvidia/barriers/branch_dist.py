"""`branch-dist`: removes block-wide barriers that order no accesses, within stated limits.

    nvvm.barrier0                         // nothing was accessed before
    %y = llvm.load %p : !llvm.ptr<3> -> i32

Despite its name, the pass does the same as `dead-sync-elim`, according to the page on branch
distribution, but has knobs. Both passes share the implementation. In the tiers it is at the
positions of the optimizer document, so it also runs at levels without that document's barrier
optimization.

Three knobs deviate from the page. `branch-dist-norm` (which combines paths with "and" instead of
"or") is off, because it removes barriers that one path needs. `ignore-phi-overhead` has no effect,
because there is no such cost. `ignore-call-safety` is off; the page's default, on, assumes that
called functions access no shared or global memory.

Benefit: after `dead-sync-elim` disabling it changes no kernel's machine code; it replaces that pass
at -O1 and -O2. With all barrier passes, a kernel with four barriers, of which one is needed,
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
        ignore_call_safety: assume that calls access no memory that other threads access.
        ignore_variance_cond: assume that all threads reach each barrier, even after divergent
            branches.
        ignore_address_space_check: treat accesses of memory that is private to a thread like other
            accesses.
        disable_complex_branch_dist: consider each block alone.
        branch_dist_norm: other than 0, an access outside a block counts only if it occurs on all
            paths. Correct only if paths without the access never need the barrier.
        no_branch_dist: comma-separated names of functions that are not changed.
        branch_dist_func_limit: maximum number of functions of a module to process, in order; -1 for
            all.
        branch_dist_block_limit: maximum number of blocks of a function to process; -1 for all.
        dump_branch_dist: report removed barriers.
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
