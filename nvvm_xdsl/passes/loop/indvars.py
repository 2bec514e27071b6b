"""`indvars`: reduces the number and width of a loop's counters, and decides comparisons.

    llvm.br ^loop(%c0, %n : i64, i64)               llvm.br ^loop(%c0 : i32)
  ^loop(%i: i64, %left: i64):                     ^loop(%i: i32):
    %s = llvm.icmp "slt" %i, %c0 : i64              %w = llvm.zext %i : i32 to i64
    %x = llvm.select %s, %y, %i : i1, i64    ->     ... %w ...
    ... %x ...                                      %m = llvm.add %i, %c1 : i32
    %m = llvm.add %i, %c1 : i64                     %c = llvm.icmp "ne" %m, %n32 : i32
    %k = llvm.add %left, %c-1 : i64                 llvm.cond_br %c, ^loop(%m : i32), ^exit
    %c = llvm.icmp "sgt" %left, %c1 : i64
    llvm.cond_br %c, ^loop(%m, %k : i64, i64), ^exit

In this order, based on ScalarEvolution's expressions:

  - Comparisons that the ranges of their operands decide are replaced with constants; signed
    division of non-negative values becomes unsigned.
  - Values with the same expression as a header argument, or as an extension of one, are replaced by
    it.
  - Exit values are computed in the preheader if that is cheap (`replexitval`), so that the loop
    need not compute them.
  - The test at the loop's end compares a counter for inequality with its final value (linear
    function test replacement, `disable-lftr`), if the previously compared counter has no other use.
  - 64-bit counters whose values fit in 32 bits are narrowed (NVIDIA's demotion, `remat-iv`): a
    64-bit addition or comparison takes two machine instructions, and a widening multiplication for
    an address takes 32-bit operands directly. Steps are constants, or values extended outside the
    loop, such as the size of a block. Counters are never widened.
  - Counters that only feed their own next value are removed.

(LLVM's IndVarSimplify.cpp; the sister pages on loop passes, sub_1945A50, and on demotion of
induction variables, sub_1CD74B0.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.loop.indvars_comparisons import decide_comparisons
from nvvm_xdsl.passes.loop.indvars_congruent import replace_congruent_values
from nvvm_xdsl.passes.loop.indvars_dead import erase_dead_counters
from nvvm_xdsl.passes.loop.indvars_exit_test import replace_test
from nvvm_xdsl.passes.loop.indvars_exit_values import replace_exit_values
from nvvm_xdsl.passes.loop.indvars_state import SCEV_CHEAP_EXPANSION_BUDGET, InductionVariables
from nvvm_xdsl.passes.loop.indvars_width import narrow_counters

FULL_DEMOTION: Final = 4
"""The default level of `remat-iv` on the sister page."""
NEVER, CHEAP, ALWAYS = "never", "cheap", "always"


@dataclass(frozen=True)
class IndVarSimplify(LoopPass):
    """Reduces the number and width of induction variables, and decides comparisons."""

    name = "indvars"
    title = "IndVarSimplify"

    replexitval: str = CHEAP
    """When exit values are computed before the loop: never, if cheap, or always."""

    disable_lftr: bool = False
    """Whether the exit tests of loops are kept."""

    disable_unknown_trip_iv: bool = False
    """Whether loops with an unknown trip count are skipped."""

    iv_loop_level: int = 0
    """Maximum nesting depth of loops that are processed; 0: any. The sister page states 1."""

    remat_iv: int = FULL_DEMOTION
    """Level of narrowing of counters to 32 bits; 0 disables it."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        if self.iv_loop_level and loop.depth > self.iv_loop_level:
            return False
        if loop.preheader() is None or loop.latch() is None:
            return False
        se = am.get(ScalarEvolution, func)
        if self.disable_unknown_trip_iv and (se.backedge_taken_count(loop) is se.could_not_compute):
            return False
        ivs = InductionVariables(loop, func, se)
        changed = decide_comparisons(ivs)
        changed |= replace_congruent_values(ivs)
        if self.replexitval != NEVER:
            budget = None if self.replexitval == ALWAYS else SCEV_CHEAP_EXPANSION_BUDGET
            changed |= replace_exit_values(ivs, budget)
        if not self.disable_lftr:
            changed |= replace_test(ivs)
        changed |= erase_dead_counters(ivs)
        if self.remat_iv:
            changed |= narrow_counters(ivs)
        return changed
