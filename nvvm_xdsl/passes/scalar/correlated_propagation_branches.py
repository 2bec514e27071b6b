"""Decides conditions, and values on edges, by their ranges, for `correlated-propagation`."""

from __future__ import annotations

from xdsl.dialects.llvm import SelectOp, UnreachableOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    branch_weights_of,
    integer_width,
    integers_of,
    predicate_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.setters import set_branch_weights
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.correlated_propagation_rewriter import DECIDED, RangeRewriter
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import is_dead_end


def decide_comparison(work: RangeRewriter, op: Operation) -> bool:
    """Decides a comparison by the ranges of its operands."""
    found = work.ranges(op)
    if found is None:
        return False
    answer = found[0].icmp(predicate_of(op), found[1])
    return answer is not None and work.decide(op, work.constants.boolean(answer))


def decide_select(work: RangeRewriter, op: Operation) -> bool:
    """Decides a select by the range of its condition."""
    condition, yes, no = fast.operands_of(op)
    known = work.range(condition, op)
    chosen = None if known is None else known.value()
    return chosen is not None and work.decide(op, yes if chosen else no)


def replace_returned_values(work: RangeRewriter, op: Operation) -> bool:
    """Replaces a returned value that is constant at the return."""
    changed = False
    for index, value in enumerate(fast.operands_of(op)):
        known = None if is_constant(value) else work.range(value, op)
        number = None if known is None else known.value()
        if number is not None:
            fast.set_operand(op, index, work.constants.integer(number, value.type))
            DECIDED.add()
            changed = True
    return changed


def decide_branch(work: RangeRewriter, op: Operation) -> bool:
    """Folds a branch whose condition is known at the branch, but not everywhere."""
    condition = fast.operands_of(op)[0]
    if is_constant(condition):
        return False
    known = work.range(condition, op)
    number = None if known is None else known.value()
    if number is None:
        return False
    fast.set_operand(op, 0, work.constants.boolean(bool(number)))
    DECIDED.add()
    work.edges_changed = True
    return True


def simplify_switch(work: RangeRewriter, op: Operation) -> bool:
    """Removes unreachable cases, and an unreachable default."""
    value = fast.operands_of(op)[0]
    known = work.range(value, op)
    if known is None or is_constant(value):
        return False
    number = known.value()
    if number is not None:
        fast.set_operand(op, 0, work.constants.integer(number, value.type))
        work.edges_changed = True
        DECIDED.add()
        return True
    default, *cases = branches.edges_of(op)
    numbers = branches.case_values(op, signed=False)
    kept = [n for n, case in enumerate(numbers) if known.contains(case)]
    no_default = len(kept) == known.size and not is_dead_end(default[0])
    if len(kept) == len(cases) and not no_default:
        return False
    if no_default:
        default = (_dead_end(work, op), ())
    weights = branch_weights_of(op)
    if kept:
        new = make_switch(value, default, [(numbers[n], cases[n]) for n in kept])
        if weights is not None:
            old = integers_of(weights)
            left = [0 if no_default else old[0], *(old[n + 1] for n in kept)]
            set_branch_weights(new, left)
    else:
        new = branches.branch(*default)
    cfg.replace_terminator(op, new)
    work.edges_changed = True
    DECIDED.add()
    return True


def _dead_end(work: RangeRewriter, terminator: Operation) -> Block:
    """A new unreachable block after the block of a terminator."""
    block = fast.new_block()
    fast.set_name(block, "default.unreachable")
    fast.append(block, fast.create(UnreachableOp, (), (), location=terminator.location))
    home = terminator.parent
    assert home is not None
    fast.insert_block_after(block, home)
    return block


def replace_edge_values(work: RangeRewriter, block: Block) -> bool:
    """Replaces values on edges that are constant there, or equal to one operand of a select."""
    terminator = branches.terminator_of(block)
    new_edges: list[branches.Edge] = []
    changed = False
    for target, values in branches.edges_of(terminator):
        sent: list[SSAValue] = []
        for value in values:
            known = _value_on_edge(work, value, block, target)
            if known is not None:
                value, changed = known, True
                DECIDED.add()
            sent.append(value)
        new_edges.append((target, tuple(sent)))
    if changed:
        branches.set_edges(terminator, new_edges)
    return changed


def _value_on_edge(
    work: RangeRewriter, value: SSAValue, source: Block, target: Block
) -> SSAValue | None:
    """The replacement of a value on an edge; None to keep it."""
    if is_constant(value):
        return None
    if integer_width(value.type):
        known = work.lvi.range_on_edge(value, source, target)
        number = known.value()
        if number is not None:
            return work.constants.integer(number, value.type)
    if isinstance(value, OpResult) and type(value.op) is SelectOp:
        condition, yes, no = fast.operands_of(value.op)
        if condition.type is I1:
            chosen = work.lvi.range_on_edge(condition, source, target).value()
            if chosen is not None:
                return yes if chosen else no
    return None
