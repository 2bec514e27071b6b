"""`loop-deletion`: deletes loops that compute nothing and terminate.

      llvm.br ^loop(%c0 : i32)
    ^loop(%i: i32):
      %n = llvm.add %i, %c1 : i32
      %c = llvm.icmp "slt" %n, %m : i32                 ->      llvm.br ^exit(%x : f32)
      llvm.cond_br %c, ^loop(%n : i32), ^exit(%x : f32)       ^exit(%r: f32):
    ^exit(%r: f32):

A loop is dead if it has no side effects and passes only loop-invariant values to its single exit
block. It terminates if it has a maximum trip count, or if non-termination is undefined
(`mustprogress`, `will_return`); so must its inner loops. A loop with one iteration is replaced with
its body (as in `loop-unroll`). (LLVM's LoopDeletion.cpp.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loop_progress import UNOBSERVABLE, is_finite_by_assumption
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.cfg import drop_blocks, remove_unreachable_blocks, replace_terminator
from nvvm_xdsl.transforms.thread_edges import BRANCHES_WITH_ARGUMENTS
from nvvm_xdsl.transforms.unroll import Unroller

DELETED = Statistic("loop-deletion", "deleted", "Number of loops deleted")
BROKEN = Statistic(
    "loop-deletion", "broken", "Number of loops with one iteration replaced by their bodies"
)


@dataclass(frozen=True)
class LoopDeletion(LoopPass):
    """Removes dead loops, and replaces loops with one iteration by their bodies."""

    name = "loop-deletion"
    title = "LoopDeletion"

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        facts = am.get(LoopFacts, func)
        if not facts.is_simplified(loop) or not facts.is_lcssa(loop):
            return False
        se = am.get(ScalarEvolution, func)
        exit_ = _end_of_dead(loop, facts)
        if exit_ is not None and _terminates(loop, func, am.get(LoopInfo, func), se):
            _delete(loop, *exit_)
            DELETED.add()
            return True
        if se.constant_max_backedge_taken_count(loop) == 0 and facts.why_not_copied(loop) is None:
            Unroller(func).unroll_fully(loop, 1)
            remove_unreachable_blocks(func.regions[0])
            BROKEN.add()
            return True
        return False


def _end_of_dead(loop: Loop, facts: LoopFacts) -> tuple[Block, list[SSAValue]] | None:
    """The exit block of a dead loop, with the values passed to it; None for other loops."""
    exits = facts.exit_blocks(loop)
    if len(exits) != 1:
        return None
    (exit_,) = exits
    if not all(_does_nothing(op) for block in loop.blocks for op in fast.ops_of(block)):
        return None
    brought: tuple[SSAValue, ...] | None = None
    for block in facts.exiting_blocks(loop):
        for target, values in branches.edges_of(branches.terminator_of(block)):
            if target is not exit_:
                continue
            if any(loop.defines(v) for v in values) or brought not in (None, values):
                return None
            brought = values
    assert brought is not None
    return exit_, list(brought)


def _does_nothing(op: Operation) -> bool:
    return op.name in BRANCHES_WITH_ARGUMENTS or op.name in UNOBSERVABLE or is_removable(op)


def _terminates(loop: Loop, func: FuncOp, loops: LoopInfo, se: ScalarEvolution) -> bool:
    """Whether the loop and its inner loops certainly terminate."""
    if any(loop.contains(b) for cycle in loops.irreducible_cycles for b in cycle.blocks):
        return is_finite_by_assumption(func, loop)
    return all(
        is_finite_by_assumption(func, inner)
        or se.symbolic_max_backedge_taken_count(inner) is not se.could_not_compute
        for inner in loop.preorder()
    )


def _delete(loop: Loop, exit_: Block, values: list[SSAValue]) -> None:
    preheader = loop.preheader()
    assert preheader is not None
    replace_terminator(branches.terminator_of(preheader), branches.branch(exit_, values))
    drop_blocks(loop.blocks)
