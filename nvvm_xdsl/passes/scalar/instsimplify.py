"""`instsimplify`: replaces ops by constants or existing values.

    %a = llvm.add %x, %zero : i32
    %b = llvm.mul %a, %one : i32
    llvm.return %b : i32

becomes

    llvm.return %x : i32

The rules are the rows of `rules/`. Ops without remaining uses and side effects are removed. Block
arguments with the same incoming value on all edges are replaced by that value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, simplify
from nvvm_xdsl.transforms import cfg


@dataclass(frozen=True)
class InstSimplify(FunctionPass):
    """Replaces ops by constants or existing values."""

    name = "instsimplify"
    title = "InstSimplify"
    covered_by = frozenset({"instcombine"})

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        constants = Constants(func)
        blocks = list(am.get(CFG, func).rpo_blocks())
        changed = _simplify_arguments(blocks)
        changed |= self._simplify(blocks, constants)
        # A value passed along a backedge may have become equal to the initial value.
        while _simplify_arguments(blocks):
            changed = True
            self._simplify(blocks, constants)
        return changed

    def _simplify(self, blocks: Sequence[Block], constants: Constants) -> bool:
        """Simplifies ops until a fixed point."""
        changed = False
        worklist = [
            op
            for block in blocks
            for op in fast.ops_of(block)
            if type(op) in SIMPLIFIABLE and op.results
        ]
        queued: set[Operation] = set()
        worklist.reverse()
        queued.update(worklist)
        while worklist:
            op = worklist.pop()
            queued.discard(op)
            if op.parent is None:
                continue
            (result,) = op.results
            if result.first_use is not None:
                value = simplify(op, constants)
                if value is None or value is result:
                    continue
                for user in fast.users_of(result):
                    if type(user) in SIMPLIFIABLE and user.results and user not in queued:
                        queued.add(user)
                        worklist.append(user)
                fast.replace_all_uses(result, value)
                changed = True
            if is_removable(op):
                operands = fast.operands_of(op)
                fast.erase(op)
                changed = True
                for operand in operands:
                    owner = operand.owner
                    if (
                        isinstance(owner, Operation)
                        and type(owner) in SIMPLIFIABLE
                        and operand.first_use is None
                        and owner not in queued
                    ):
                        queued.add(owner)
                        worklist.append(owner)
        return changed


def _simplify_arguments(blocks: Sequence[Block]) -> bool:
    changed = False
    for block in blocks:
        if block.args and cfg.simplify_arguments(block):
            changed = True
    return changed
