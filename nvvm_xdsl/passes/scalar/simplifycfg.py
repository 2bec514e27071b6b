"""`simplifycfg`: simplifies the control-flow graph.

      llvm.cond_br %c, ^then, ^join(%a : i32)
    ^then:
      %b = llvm.add %a, %one : i32
      llvm.br ^join(%b : i32)
    ^join(%x: i32):

becomes

      %b = llvm.add %a, %one : i32
      %x = llvm.select %c, %b, %a : i1, i32

The pass removes unreachable blocks, merges blocks into their only predecessor, and applies the
simplifications of these files:

    simplifycfg_terminators.py     branches and switches on known conditions
    simplifycfg_empty_blocks.py    edges past blocks that do nothing
    simplifycfg_selects.py         selects in place of short branches, as above
    simplifycfg_common_target.py   two branches with a common target become one
    simplifycfg_common_code.py     common code of both successors or all predecessors
    simplifycfg_switches.py        switches from chains of comparisons, and formulas for switches
    simplifycfg_known_edges.py     edges with a constant past the block that branches on it

Legal because every path through the function computes the same values in the same order of
side effects. Ops that run speculatively have no side effects and cannot trap. No op is duplicated,
and no convergent op changes the set of threads that reaches it: an edge is redirected only past
empty blocks, and past a branch only where `analysis/convergence.py` allows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import BrOp, CondBrOp, FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.switches import SwitchOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.simplifycfg_common_code import hoist_common, sink_common
from nvvm_xdsl.passes.scalar.simplifycfg_common_target import BranchUniformity, merge_branches
from nvvm_xdsl.passes.scalar.simplifycfg_empty_blocks import EmptyBlocks
from nvvm_xdsl.passes.scalar.simplifycfg_known_edges import redirect_known_edges
from nvvm_xdsl.passes.scalar.simplifycfg_selects import speculate
from nvvm_xdsl.passes.scalar.simplifycfg_switches import form_switch, range_to_compare, to_formula
from nvvm_xdsl.passes.scalar.simplifycfg_terminators import fold_terminator
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist, has_loop_annotation
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.conditionals import erase_dead


@dataclass(frozen=True)
class SimplifyCFG(FunctionPass):
    """Merges blocks, folds branches and turns short ones into selects."""

    name = "simplifycfg"
    title = "SimplifyCFG"
    # A block may become cheap enough to be folded after others were folded into it.
    idempotent = False

    bonus_inst_threshold: int = 1
    """Maximum number of ops that are speculated to join two branches to a common target (LLVM's
    knob)."""

    phi_node_folding_threshold: int = 4
    """Maximum cost of the ops of a short branch that become selects; LLVM's
    two-entry-phi-node-folding-threshold."""

    speculate_blocks: bool = True
    """Whether short branches are replaced by selects."""

    hoist_common_insts: bool = False
    """Whether code common to both successors of a branch is hoisted before it."""

    sink_common_insts: bool = False
    """Whether common code at the end of all predecessors is sunk into their successor."""

    simplify_cond_branch: bool = True
    """Whether branches to a common target are merged."""

    switch_range_to_icmp: bool = True
    """Whether a switch on a range is replaced by a comparison."""

    switch_to_lookup: bool = True
    """Whether a switch that selects values is replaced by a formula or bits of a number."""

    keep_loops: bool = True
    """Whether the single latch of a loop is kept."""

    disable_jump_threading: bool = False
    """Disables redirecting edges with a constant past the block that branches on it; NVIDIA's
    "Disable jump threading for OCG experiments" (004)."""

    fold_with_var_cond: bool = True
    """Whether branches to a common target are merged if the threads of a warp may differ in the
    conditions; NVIDIA's knob (004), which is not described."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Simplifier(self, func, am).run()


class _Simplifier:
    """Simplifies the blocks of a function until none changes."""

    def __init__(self, options: SimplifyCFG, func: FuncOp, am: AnalysisManager) -> None:
        self._options = options
        self._func = func
        self._am = am
        self._region = func.regions[0]
        self._work = Worklist(func)
        self._changed = False
        self._most_selects = (
            options.phi_node_folding_threshold // 2 if options.speculate_blocks else 0
        )
        """Maximum number of selects that edges to one block may need."""
        self._empty_blocks = EmptyBlocks(func, self._work, options.keep_loops, self._most_selects)
        self._uniformity = BranchUniformity(func)
        self._may_merge = None if options.fold_with_var_cond else self._uniformity.is_uniform

    def run(self) -> bool:
        """Simplifies the function; returns whether anything changed."""
        if cfg.remove_unreachable_blocks(self._region):
            self._changed = True
        for block in self._in_visiting_order():
            self._work.push(block)
        self._simplify_queued()
        if self._uniformity.undecided:
            self._simplify_undecided()
        if not self._options.disable_jump_threading:
            while redirect_known_edges(self._func, self._work, self._most_selects):
                self._changed = True
                self._simplify_queued()
        if self._changed:
            cfg.remove_unreachable_blocks(self._region)
        return self._changed

    def _in_visiting_order(self) -> list[Block]:
        """The blocks, last one first, with the blocks that end in an unconditional branch behind the others.

        Edges past empty blocks show that branches have a common target. A chain of such branches
        is then merged from its start, one condition at a time.
        """
        blocks = list(fast.blocks_of(self._region))
        blocks.reverse()
        blocks.sort(key=lambda block: type(block.last_op) is BrOp)
        return blocks

    def _simplify_queued(self) -> None:
        for block in self._work.drain():
            while block.parent is self._region and self._simplify(block):
                self._changed = True

    def _simplify_undecided(self) -> None:
        """Computes uniformity, and simplifies the blocks that depend on it."""
        cfg.remove_unreachable_blocks(self._region)
        self._uniformity.compute(AnalysisManager() if self._changed else self._am)
        for block in self._uniformity.undecided:
            self._work.push(block)
        self._simplify_queued()

    def _simplify(self, block: Block) -> bool:
        """Applies one simplification to a block; returns whether the block changed."""
        work = self._work
        entry = self._region.first_block
        terminator = branches.terminator_of(block)
        if block is not entry and block.first_use is None:
            targets = fast.successors_of(terminator)
            cfg.drop_blocks([block])
            for target in targets:
                work.push(target)
            return True
        if block.args and cfg.simplify_arguments(block):
            work.push_adjacent(block)
            return True
        if fold_terminator(terminator, work):
            return True
        if type(terminator) is SwitchOp and self._replace_switch(terminator):
            return True
        before = cfg.merge_into_predecessor(block)
        if before is not None:
            work.push(before)
            work.push_adjacent(before)
            return True
        if self._options.sink_common_insts and sink_common(block):
            work.push_adjacent(block)
            return True
        terminator = block.last_op
        if type(terminator) is BrOp:
            return self._empty_blocks.skip(block)
        return type(terminator) is CondBrOp and self._simplify_conditional(block)

    def _simplify_conditional(self, block: Block) -> bool:
        """Applies one simplification to the conditional branch at the end of a block; returns
        whether it changed.
        """
        options, work = self._options, self._work
        if options.hoist_common_insts and hoist_common(block):
            work.push_adjacent(block)
            return True
        if options.speculate_blocks and speculate(block, work, options.phi_node_folding_threshold):
            return True
        if options.simplify_cond_branch and merge_branches(
            block, work, options.bonus_inst_threshold, self._may_merge
        ):
            return True
        return self._form_switch(block)

    def _replace_switch(self, terminator: Operation) -> bool:
        """Replaces a switch by a branch on a range, or by a formula for the selected values."""
        new = None
        if self._options.switch_range_to_icmp:
            new = range_to_compare(terminator, self._work.constants)
        if new is None and self._options.switch_to_lookup:
            new = to_formula(terminator, self._work.constants)
        if new is None:
            return False
        cfg.sum_weights(new, terminator)
        self._work.replace_terminator(terminator, new)
        return True

    def _form_switch(self, block: Block) -> bool:
        """Replaces a chain of comparisons by a switch."""
        terminator = branches.terminator_of(block)
        formed = form_switch(terminator)
        if formed is None:
            return False
        new, passed = formed
        if any(has_loop_annotation(branches.terminator_of(b)) for b in passed):
            fast.erase(new)
            return False
        for op in [op for b in passed for op in fast.ops_of(b) if type(op) in CONSTANT_CLASSES]:
            fast.move_before(op, terminator)
        condition = fast.operands_of(terminator)[0]
        self._work.replace_terminator(terminator, new)
        erase_dead(condition)
        cfg.drop_blocks(passed)
        return True
