"""Branch folding: tail merging, branch optimization, hoisting of common code.

    ^a: ... x; y; z; bra ^c               ^a: ... bra ^t
    ^b: ... x; y; z; bra ^c       ->      ^b: ... bra ^t
                                          ^t: x; y; z; bra ^c

All of document 001, "BranchFolding & TailMerge": three transformations are repeated until none
changes the code. It is LLVM's BranchFolding with NVIDIA's changes. Tails are merged although PTX
requires structured control flow: a new block whose only predecessors are the merged blocks keeps a
reducible graph reducible. No reserved register may be live into the new block. Blocks that end in
unconditional branches are tried first.

Requires the property NoPHIs. Simplifications 4 and 5 of OptimizeBranches, which select the
successor that falls through and reverse the condition, are part of the PTX printer: a terminator
has both successors of a conditional branch, and the layout determines the form. This pass performs
the simplifications that change blocks and edges.

The document's proof that reducibility is preserved overlooks one case: a loop header with edges
from both the latch and a block before the loop. Their common tail would become a second entry if a
third block enters the loop, too. Therefore blocks are merged only within one innermost loop, as
LLVM does after block placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp, TerminatorOp, branch, branch_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.equality import shape_of
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, require_no_phis
from nvvm_xdsl.passes.machine.branch_optimization import optimize_branches
from nvvm_xdsl.passes.machine.tail_merging import (
    CommonTails,
    hash_end_of_block,
    is_analyzable,
    is_mergeable,
    local_symbols,
    merge_decision,
    merge_facts,
    priority_of,
)

TAIL_MERGE_THRESHOLD: Final = 150
"""tail-merge-threshold: maximum number of predecessors considered at once."""

TAIL_MERGE_SIZE: Final = 3
"""tail-merge-size: minimum number of instructions for a shared block."""


MERGED = remarks.Statistic("branch-folder", "merged", "Number of block tails merged")
HOISTED = remarks.Statistic("branch-folder", "hoisted", "Number of instructions hoisted")


@dataclass(frozen=True)
class BranchFolder(MachineFunctionPass):
    """Merges common tails, simplifies branches and hoists common code."""

    name = "branch-folder"
    title: ClassVar[str] = "BranchFolder"

    knobs: ClassVar = {"disable-nvptx-require-structured-cfg": "no-requires-structured-cfg"}

    disable_branch_fold: bool = False
    """Whether the pass is disabled."""

    enable_tail_merge: bool | None = None
    """Whether tails are merged; if unset, the inverse of `requires_structured_cfg`."""

    tail_merge_threshold: int = TAIL_MERGE_THRESHOLD
    tail_merge_size: int = TAIL_MERGE_SIZE

    requires_structured_cfg: bool = False
    """Whether tail merging is disabled by default because the target requires structured control
    flow: LLVM's gate, which NVIDIA removed."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.disable_branch_fold:
            return False
        require_no_phis(func, self.name)
        merges = self.enable_tail_merge
        if merges is None:
            merges = not self.requires_structured_cfg
        folder = _Folder(func, self.tail_merge_threshold, self.tail_merge_size)
        return folder.optimize_function(merges)


@dataclass
class _Candidate:
    """An entry of MergePotentials."""

    hash: int
    priority: int
    block: Block


class _Folder:
    def __init__(self, func: FuncOp, threshold: int, minimum: int) -> None:
        self.func = func
        self.threshold = threshold
        self.minimum = minimum
        self.tails = CommonTails(local_symbols(func))

    def optimize_function(self, merges: bool) -> bool:
        """OptimizeFunction: the three transformations until a fixed point."""
        changed_at_all = False
        while True:
            changed = merges and self.tail_merge_blocks()
            changed |= optimize_branches(self.func)
            changed |= self.hoist_common_code()
            if not changed:
                return changed_at_all
            changed_at_all = True

    @property
    def entry(self) -> Block:
        """The entry block of the function."""
        first = self.func.body.blocks.first
        assert first is not None
        return first

    def _report(self, name: str, ops: Sequence[Operation], what: str) -> None:
        if remarks.wanted():
            pieces = (("Instructions", str(len(ops))), " instructions", what)
            remarks.emit("Passed", BranchFolder.name, name, self.func.symbol, *pieces, op=ops[0])

    # Tail merging

    def tail_merge_blocks(self) -> bool:
        """TailMergeBlocks: first for the blocks that leave the function, then for the predecessors
        of each block.
        """
        loops = LoopInfo(CFG(self.func.body))
        exits = [
            block
            for block in fast.blocks_of(self.func.body)
            if not fast.successors_of(fast.terminator_of(block))
        ]
        changed = self._merge_candidates(exits[: self.threshold], loops)
        numbers = {b: n for n, b in enumerate(fast.blocks_of(self.func.body))}
        for block in list(fast.blocks_of(self.func.body)):
            before = [
                p
                for p in dict.fromkeys(fast.predecessors_of(block))
                if p is not block and is_analyzable(p)
            ]
            before.sort(key=lambda b: numbers.get(b, len(numbers)))
            changed |= self._merge_candidates(before[: self.threshold], loops)
        return changed

    def _merge_candidates(self, blocks: Sequence[Block], loops: LoopInfo) -> bool:
        """TryTailMergeBlocks over blocks with the same successors."""
        if len(blocks) < 2:
            return False
        potentials = [_Candidate(hash_end_of_block(b), priority_of(b), b) for b in blocks]
        potentials.sort(key=lambda c: (c.hash, c.priority))
        self.tails.forget()
        changed = False
        at = 0
        while at < len(potentials):
            end = at
            while end < len(potentials) and potentials[end].hash == potentials[at].hash:
                end += 1
            changed |= self._merge_group(potentials[at:end], loops)
            at = end
        return changed

    def _merge_group(self, group: list[_Candidate], loops: LoopInfo) -> bool:
        """Compares all pairs of candidates that share a hash, the safe ones first."""
        changed = False
        first = 0
        while first < len(group):
            second = first + 1
            while second < len(group):
                one, other = group[first].block, group[second].block
                if _same_loop(loops, one, other):
                    verdict = merge_decision(one, other, self.minimum, self.tails)
                    if verdict.accepted:
                        self._report("TailMerged", verdict.tail.first, " shared by two blocks")
                        MERGED.add()
                        shared = self._merge(one, other, verdict.tail.first, verdict.tail.second)
                        self.tails.forget(one, other)
                        loop = loops.loop_for(one)
                        if loops.loop_for(shared) is not loop:
                            loops.add_block(shared, loop)
                        # The shared block may have a common tail with other candidates.
                        group[first] = _Candidate(group[first].hash, 0, shared)
                        del group[second]
                        changed = True
                        continue
                second += 1
            first += 1
        return changed

    def _merge(
        self, one: Block, other: Block, tail: list[Operation], other_tail: list[Operation]
    ) -> Block:
        """Makes both blocks end in a branch to one copy of their tail; returns its block."""
        last = branch_of(one)
        for op, twin in (*zip(tail, other_tail), (last, fast.terminator_of(other))):
            merge_facts(op, twin)
            merge_facts(twin, op)
        for keeper, loser, kept, lost in (
            (one, other, tail, other_tail),
            (other, one, other_tail, tail),
        ):
            # A block that consists of the tail serves as the shared one.
            if keeper is not self.entry and keeper.first_op is kept[0]:
                replace_tail(loser, lost, keeper)
                return keeper
        shared = fast.new_block()
        fast.insert_block_after(shared, one)
        for op in dict.fromkeys((*tail, last)):
            fast.detach(op)
            fast.append(shared, op)
        fast.append(one, branch(shared))
        replace_tail(other, other_tail, shared)
        return shared

    # Hoisting

    def hoist_common_code(self) -> bool:
        """HoistCommonCode: moves common instructions at the start of both successors before the
        branch."""
        changed = False
        for block in fast.blocks_of(self.func.body):
            last = block.last_op
            if not isinstance(last, CbraOp):
                continue
            then_block, else_block = fast.successors_of(last)
            if block in (then_block, else_block):
                continue
            if any(fast.single_predecessor(b) is None for b in (then_block, else_block)):
                continue
            hoisted: list[Operation] = []
            while op := self._hoist_one(last, then_block, else_block):
                hoisted.append(op)
            if hoisted:
                changed = True
                HOISTED.add(len(hoisted))
                self._report("Hoisted", hoisted, " of both successors hoisted")
        return changed

    @staticmethod
    def _hoist_one(last: CbraOp, then_block: Block, else_block: Block) -> Operation | None:
        op, other = then_block.first_op, else_block.first_op
        if op is None or other is None or isinstance(op, TerminatorOp):
            return None
        if not is_identical(op, other) or not is_mergeable(op):
            return None
        condition = register_class(fast.operands_of(last)[0])
        if condition.number is not None and any(r.type is condition for r in op.results):
            return None
        merge_facts(op, other)
        fast.move_before(op, last)
        fast.replace_op(other, op.results)
        return op


def _same_loop(loops: LoopInfo, one: Block, other: Block) -> bool:
    """Returns True if both blocks lie in the same innermost loop, or in none."""
    mine: Loop | None = loops.loop_for(one)
    return mine is loops.loop_for(other)


def is_identical(op: Operation, other: Operation) -> bool:
    """isIdenticalTo: the same instruction on the same registers; SSA results may differ.

    Arguments:
        op, other: instructions without successors.
    """
    return fast.operands_of(op) == fast.operands_of(other) and shape_of(op) == shape_of(other)


def replace_tail(block: Block, tail: Sequence[Operation], target: Block) -> None:
    """ReplaceTailWithBranchTo: replaces the end of a block by a branch."""
    doomed = list(tail)
    last = fast.terminator_of(block)
    if last is not doomed[-1]:
        doomed.append(last)
    for op in doomed:
        fast.drop_uses(op)
    for op in doomed:
        fast.detach(op)
    fast.append(block, branch(target))


# Branch optimization


__all__ = ["BranchFolder", "is_identical"]
