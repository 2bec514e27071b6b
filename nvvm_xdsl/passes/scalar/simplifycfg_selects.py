"""Replaces short branches by selects, for `simplifycfg`.

      llvm.cond_br %c, ^then, ^else
    ^then:
      %a = llvm.add %x, %one : i32
      llvm.br ^join(%a : i32)
    ^else:
      %b = llvm.sub %x, %one : i32
      llvm.br ^join(%b : i32)
    ^join(%y: i32):

becomes

      %a = llvm.add %x, %one : i32
      %b = llvm.sub %x, %one : i32
      %y = llvm.select %c, %a, %b : i1, i32

Legal because the ops that run unconditionally afterwards have no side effects and cannot trap.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.llvm import BrOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.simplifycfg_terminators import selected
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation


def speculate(block: Block, work: Worklist, most: int) -> bool:
    """Replaces a branch around, or between, short blocks by selects; returns whether it did.

    Arguments:
        block: the block that ends in the conditional branch.
        work: the worklist, which gets the changed blocks.
        most: maximum cost of the speculated ops, and maximum number of selects.
    """
    terminator = branches.terminator_of(block)
    then_edge, else_edge = branches.edges_of(terminator)
    then_arm = _arm(block, then_edge)
    else_arm = _arm(block, else_edge)
    if then_arm is not None and else_arm is not None and then_arm[0] is else_arm[0]:
        join, then_values, else_values = then_arm[0], then_arm[1], else_arm[1]
        arms = [then_edge[0], else_edge[0]]
    elif then_arm is not None and then_arm[0] is else_edge[0]:
        join, then_values, else_values = then_arm[0], then_arm[1], else_edge[1]
        arms = [then_edge[0]]
    elif else_arm is not None and else_arm[0] is then_edge[0]:
        join, then_values, else_values = else_arm[0], then_edge[1], else_arm[1]
        arms = [else_edge[0]]
    else:
        return False
    if not _are_short(arms, most):
        return False
    if sum(a is not b for a, b in zip(then_values, else_values)) > most:
        return False
    _speculate_arms(arms, terminator)
    condition = fast.operands_of(terminator)[0]
    new = branches.branch(join, selected(condition, then_values, else_values, terminator))
    for arm in arms:
        copy_loop_annotation(branches.terminator_of(arm), new)
    cfg.replace_terminator(terminator, new)
    cfg.drop_blocks(arms)
    work.push(block)
    work.push(join)
    return True


def _arm(block: Block, edge: branches.Edge) -> branches.Edge | None:
    """The outgoing edge of an edge's target, if that block may be speculated.

    The edge must be the only edge to the block, and the block must end in an unconditional branch.
    """
    arm, _ = edge
    if arm.args:
        return None
    if fast.single_predecessor(arm) is None:
        return None
    if type(arm.last_op) is not BrOp:
        return None
    ((target, values),) = branches.edges_of(branches.terminator_of(arm))
    if target is block:
        return None
    return target, values


def _are_short(arms: Sequence[Block], budget: int) -> bool:
    """Returns True if all ops of the blocks may be speculated and cost at most `budget` in
    total.
    """
    spent = 0
    for arm in arms:
        for op in fast.ops_of(arm):
            if op is arm.last_op:
                continue
            cost = speculation_cost(op)
            if cost is None or spent + cost > budget:
                return False
            spent += cost
    return True


def _speculate_arms(arms: Sequence[Block], terminator: Operation) -> None:
    """Moves the ops of the blocks before a branch."""
    for arm in arms:
        for op in fast.ops_of(arm):
            if op is not arm.last_op:
                fast.move_before(op, terminator)
                op.location = terminator.location
