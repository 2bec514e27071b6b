"""`early-tailduplication`: redirects edges past blocks that only branch.

      nvptx.cbra %c, ^between, ^other                  %x = nvptx.mov b32 1
    ^between:                                          nvptx.cbra %c, ^join(%x), ^other
      %x = nvptx.mov b32 1                      ->
      nvptx.bra ^join(%x)

`break-crit-edges` and the loop passes leave such blocks, and each costs a branch. Edges to a block
are redirected to its successor with the values that the block would pass. Arguments of the block
are replaced by the edge's values, and constants are created before the edge's branch. An edge is
not redirected if its branch would then have two edges to one block with different values, because
PHI elimination would insert the block again. Edges past a block with constants are not redirected
if a constant would be created in a loop.

The pass is the part `duplicateSimpleBB` of LLVM's EarlyTailDuplicate. LLVM also copies blocks of
one or two instructions that end in a conditional branch into their predecessors. This pass does
not: threads from different predecessors reconverge in such a block, and would reconverge only after
its branch. `jump-threading` duplicates such blocks on IR if that is safe and profitable.

Runs in SSA form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import BraOp, TerminatorOp, branch_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.special_registers import UndefOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, is_immediate_move

FOLDED = Statistic("early-tailduplication", "folded", "Number of branch-only blocks bypassed")


@dataclass(frozen=True)
class EarlyTailDuplication(MachineFunctionPass):
    """Redirects edges past blocks that only branch."""

    name = "early-tailduplication"
    title: ClassVar[str] = "EarlyTailDuplication"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        entry = func.body.blocks.first
        loops = am.get(LoopInfo, func)
        for block in list(fast.blocks_of(func.body)):
            if block is not entry and _only_branches(block):
                changed |= _branch_past(block, loops)
        return changed


def _only_branches(block: Block) -> bool:
    """True if a block only branches to another and otherwise contains only constants and arguments
    for it."""
    last = block.last_op
    if not isinstance(last, BraOp) or fast.successors_of(last)[0] is block:
        return False
    values: list[SSAValue] = list(block.args)
    for op in fast.ops_of(block):
        if op is not last:
            if not is_immediate_move(op) and type(op) is not UndefOp:
                return False
            values.extend(op.results)
    return all(user is last for value in values for user in fast.users_of(value))


def _branch_past(block: Block, loops: LoopInfo) -> bool:
    """Redirects the edges of a block to its successor; a block without remaining edges is
    removed."""
    last = branch_of(block)
    ((target, sent),) = last.edges
    constants = [op for op in fast.ops_of(block) if op is not last]
    sources = list(dict.fromkeys(fast.predecessors_of(block)))
    if constants and any(loops.depth(source) > loops.depth(block) for source in sources):
        return False
    changed = False
    for source in sources:
        terminator = branch_of(source)
        through: dict[int, tuple[SSAValue, ...]] = {}
        for number in terminator.edges_to(block):
            values = terminator.values_on(number)
            brought: dict[SSAValue, SSAValue] = dict(zip(block.args, values))
            through[number] = tuple(brought.get(value, value) for value in sent)
        if not _agree(through.values(), terminator, target):
            continue
        edges = terminator.edges
        for number, values in through.items():
            edges[number] = target, values
        made: dict[SSAValue, SSAValue] = {}
        for op in constants:
            copy = fast.copy_op(op, {})
            fast.insert_before(copy, terminator)
            made[op.results[0]] = copy.results[0]
        terminator.set_edges([(to, tuple(made.get(v, v) for v in vs)) for to, vs in edges])
        changed = True
    if changed and block.first_use is None:
        FOLDED.add()
        for op in fast.reversed_ops_of(block):
            fast.erase(op)
        fast.detach_block(block)
    return changed


def _agree(sent: Iterable[tuple[SSAValue, ...]], terminator: TerminatorOp, target: Block) -> bool:
    """True if new edges to a block pass the same values as existing ones."""
    (values, *others) = set(sent)
    if others:
        return False
    successors = fast.successors_of(terminator)
    if target not in successors:
        return True
    # In a switch, edges without a case usually pass the same values, so the first edge decides.
    return terminator.values_on(successors.index(target)) == values and all(
        terminator.values_on(number) == values for number in terminator.edges_to(target)
    )


__all__ = ["EarlyTailDuplication"]
