"""Branches."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.llvm import BrOp, CondBrOp, UnreachableOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.codegen.rules.arith import condition
from nvvm_xdsl.codegen.selector import Selector, immediate_value, selects
from nvvm_xdsl.dialects.llvm.accessors import loop_annotation_of
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.registers import PRED
from nvvm_xdsl.ir import fast


def edge_to(sel: Selector, block: Block, values: tuple[SSAValue, ...]) -> machine.Edge:
    """The edge to the machine block of a block, passing the registers of these values."""
    passed: list[SSAValue] = []
    for value in values:
        passed.extend(sel.regs(value))
    return sel.blocks[block], tuple(passed)


def _mark_loop(sel: Selector, op: Operation) -> None:
    """Emits a pragma against unrolling if this is the backedge of a loop whose annotation requests
    it."""
    annotation = loop_annotation_of(op)
    if not isinstance(annotation, LoopAnnotationAttr):
        return
    unroll = annotation.field("unroll")
    if not isinstance(unroll, LoopUnrollAttr):
        return
    disabled = unroll.field("disable")
    if isinstance(disabled, IntegerAttr) and disabled.value.data:
        for block, _ in edges_of(op):
            sel.mark_loop(sel.blocks[block], "nounroll")


@selects(BrOp)
def select_br(sel: Selector, op: Operation) -> None:
    """A jump."""
    _mark_loop(sel, op)
    ((block, values),) = edges_of(op)
    target, passed = edge_to(sel, block, values)
    branch = machine.branch(target, passed)
    branch.location = sel.location
    sel.append(branch)


@selects(CondBrOp)
def select_cond_br(sel: Selector, op: Operation) -> None:
    """A branch on a predicate; for negated conditions the successors are exchanged.

    If the true successor is the next block, the comparison is inverted later, so that the
    fall-through edge is as in LLVM's SelectionDAG. ptxas considers the form of a loop's latch.
    """
    _mark_loop(sel, op)
    first, second = edges_of(op)
    predicate, inverted = condition(sel, fast.operands_of(op)[0])
    known = immediate_value(predicate)
    if inverted:
        first, second = second, first
    if known is not None:
        target, passed = edge_to(sel, *(first if known & 1 else second))
        branch: Operation = machine.branch(target, passed)
    else:
        then_block, then_values = edge_to(sel, *first)
        else_block, else_values = edge_to(sel, *second)
        register = sel.materialise(predicate, PRED)
        branch = machine.conditional_branch(
            register, then_block, else_block, then_values, else_values
        )
    branch.location = sel.location
    sel.append(branch)
    if type(branch) is machine.CbraOp:
        parent = op.parent_block()
        assert parent is not None
        if parent.next_block is first[0] is not second[0]:
            # The comparison may have users that are selected later.
            sel.branches_to_next.append(branch)


@selects(UnreachableOp)
def select_unreachable(sel: Selector, op: Operation) -> None:
    """The end of an unreachable block."""
    sel.append(fast.create(machine.UnreachableOp, (), (), None, (), None, sel.location))
