"""`speculative-execution`: hoists a few cheap ops of a branch's successor before the branch.

    llvm.cond_br %c, ^then, ^join                %j = llvm.add %i, %n : i32
  ^then:                                         %p = llvm.getelementptr %a[%j] : ...
    %j = llvm.add %i, %n : i32            ->     llvm.cond_br %c, ^then, ^join
    %p = llvm.getelementptr %a[%j] : ...       ^then:
    llvm.store %x, %p : f32, !llvm.ptr           llvm.store %x, %p : f32, !llvm.ptr
    llvm.br ^join                                llvm.br ^join

Hoisted ops dominate all later code: other successors can derive addresses from them (`slsr`).
Diverging threads of a warp execute both sides anyway. LLVM's pass, written for GPUs, which runs in
its NVPTX code generator: if-then, if-else and diamonds with one empty side; all speculatable ops
with available operands are moved, unless their total cost exceeds `spec-exec-max-speculation-cost`
or more than `spec-exec-max-not-hoisted` ops are not moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import CondBrOp, FuncOp
from xdsl.ir import Block, Operation, OpResult

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import without_line
from nvvm_xdsl.passes.base import FunctionPass

MAX_SPECULATION_COST: Final = 7
MAX_NOT_HOISTED: Final = 5
"""LLVM's defaults (SpeculativeExecution.cpp)."""


@dataclass(frozen=True)
class SpeculativeExecution(FunctionPass):
    """Hoists cheap ops of a branch's successors before the branch."""

    name = "speculative-execution"
    title = "SpeculativeExecution"

    only_if_divergent_target: bool = False
    """Whether the pass runs only on targets with divergent branches; all targets here have them."""

    spec_exec_max_speculation_cost: int = MAX_SPECULATION_COST
    """Maximum cost of the ops hoisted out of a block."""

    spec_exec_max_not_hoisted: int = MAX_NOT_HOISTED
    """Maximum number of ops that are not hoisted from the block."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for block in am.get(CFG, func).rpo_blocks():
            side = _side_of(block)
            if side is not None:
                changed |= self._hoist(side, block)
        return changed

    def _hoist(self, side: Block, block: Block) -> bool:
        """Moves speculatable ops to the end of the block; returns whether any was moved."""
        hoisted: list[Operation] = []
        staying: set[Operation] = set()
        cost = 0
        for op in fast.ops_of(side):
            if op is side.last_op:
                break
            price = speculation_cost(op)
            if price is None or any(
                isinstance(v, OpResult) and v.op in staying for v in fast.operands_of(op)
            ):
                staying.add(op)
                if len(staying) > self.spec_exec_max_not_hoisted:
                    return False
                continue
            cost += price
            if cost > self.spec_exec_max_speculation_cost:
                return False
            hoisted.append(op)
        last = block.last_op
        assert last is not None
        for op in hoisted:
            fast.move_before(op, last)
            op.location = without_line(op.location)
        return bool(hoisted)


def _side_of(block: Block) -> Block | None:
    """The only successor of the block with ops of its own and no other predecessors."""
    last = block.last_op
    if type(last) is not CondBrOp:
        return None
    then_block, else_block = fast.successors_of(last)
    if block in (then_block, else_block):
        return None
    after_then, after_else = _only_successor(then_block), _only_successor(else_block)
    if after_then is else_block:
        return then_block
    if after_else is then_block:
        return else_block
    if after_then is None or after_then is not after_else or after_then is block:
        return None
    if _is_empty(else_block):
        return then_block
    return else_block if _is_empty(then_block) else None


def _only_successor(side: Block) -> Block | None:
    """The target of a side without arguments and without other predecessors."""
    last = side.last_op
    if last is None or side.args or fast.single_predecessor(side) is None:
        return None
    successors = fast.successors_of(last)
    return successors[0] if len(successors) == 1 else None


def _is_empty(block: Block) -> bool:
    return block.first_op is block.last_op


__all__ = ["SpeculativeExecution"]
