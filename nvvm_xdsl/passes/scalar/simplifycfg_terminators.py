"""Folds branches and switches on known conditions, for `simplifycfg`.

    llvm.cond_br %true, ^a, ^b      ->   llvm.br ^a

    llvm.switch %x, ^a [1: ^a, 2: ^b]    ->   %c = llvm.icmp "eq" %x, %two
                                              llvm.cond_br %c, ^b, ^a

Legal because only edges are removed that no thread takes, or that lead to the target of another
edge with the same values.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.llvm import CondBrOp, ICmpOp, XOrOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import branch_weights_of, integers_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_undefined
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.setters import set_branch_weights
from nvvm_xdsl.dialects.llvm.switches import SwitchOp, make_switch
from nvvm_xdsl.dialects.llvm.types import I1, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation, is_dead_end
from nvvm_xdsl.transforms.conditionals import select

ICMP_EQ = int_attr(0, I64)


def fold_terminator(terminator: Operation, work: Worklist) -> bool:
    """Folds a conditional branch or a switch; returns whether it changed."""
    if type(terminator) is CondBrOp:
        return _fold_conditional(terminator, work)
    if type(terminator) is SwitchOp:
        return _fold_switch(terminator, work)
    return False


def _fold_conditional(terminator: Operation, work: Worklist) -> bool:
    condition = fast.operands_of(terminator)[0]
    edge = _only_edge(terminator, condition)
    if edge is not None:
        work.replace_terminator(terminator, branches.branch(*edge))
        return True
    if type(condition.owner) is XOrOp:
        inner, mask = fast.operands_of(fast.producer_of(condition))
        if constant_integer(mask):
            then_edge, else_edge = branches.edges_of(terminator)
            fast.set_operand(terminator, 0, inner)
            branches.set_edges(terminator, (else_edge, then_edge))
            cfg.swap_weights(terminator)
            return True
    return False


def _only_edge(terminator: Operation, condition: SSAValue) -> branches.Edge | None:
    """The edge that a conditional branch takes for any value of its condition.

    If both edges lead to one block with different values, selects are inserted before the branch.
    """
    then_edge, else_edge = branches.edges_of(terminator)
    known = constant_integer(condition)
    if known is not None:
        return then_edge if known else else_edge
    if is_undefined(condition):
        return else_edge
    if is_dead_end(then_edge[0]):
        return else_edge
    if is_dead_end(else_edge[0]):
        return then_edge
    if then_edge[0] is else_edge[0]:
        return then_edge[0], selected(condition, then_edge[1], else_edge[1], terminator)
    return None


def selected(
    condition: SSAValue, then_values: Sequence[SSAValue], else_values: Sequence[SSAValue],
    before: Operation,
) -> tuple[SSAValue, ...]:  # fmt: skip
    """Selects between the values of two edges to one block, inserted before an op.

    Arguments:
        condition: true for the first edge.
        then_values: values of the first edge.
        else_values: values of the second edge.
        before: the op before which the selects are inserted.
    """
    return tuple(
        a if a is b else select(condition, a, b, before) for a, b in zip(then_values, else_values)
    )


def _fold_switch(terminator: Operation, work: Worklist) -> bool:
    value = fast.operands_of(terminator)[0]
    default, *cases = branches.edges_of(terminator)
    keep = [i for i, edge in enumerate(cases) if edge != default and not is_dead_end(edge[0])]
    edge = _only_switch_edge(terminator, value, keep)
    if edge is not None:
        work.replace_terminator(terminator, branches.branch(*edge))
        return True
    if len(keep) == 1:
        work.replace_terminator(terminator, _compare_with_case(terminator, keep[0], work.constants))
        return True
    if len(keep) == len(cases):
        return False
    new = _with_cases(terminator, keep)
    copy_loop_annotation(terminator, new)
    work.push_successors(terminator)
    cfg.replace_terminator(terminator, new)
    return True


def _only_switch_edge(
    terminator: Operation, value: SSAValue, keep: Sequence[int]
) -> branches.Edge | None:
    """The edge that a switch takes for any value.

    Arguments:
        terminator: the switch.
        value: its operand.
        keep: indices of the cases whose edge differs from the default edge.
    """
    default, *cases = branches.edges_of(terminator)
    known = constant_integer(value)
    if known is not None:
        numbers = branches.case_values(terminator, signed=True)
        return next((e for n, e in zip(numbers, cases) if n == known), default)
    if is_undefined(value) or not keep:
        return default
    first = cases[keep[0]]
    if is_dead_end(default[0]) and all(cases[i] == first for i in keep):
        return first
    return None


def _compare_with_case(terminator: Operation, case: int, constants: Constants) -> Operation:
    """The conditional branch that replaces a switch with one case."""
    value = fast.operands_of(terminator)[0]
    default, *cases = branches.edges_of(terminator)
    number = constants.integer(branches.case_values(terminator, signed=True)[case], value.type)
    compare = fast.create(
        ICmpOp, (value, number), (I1,), {"predicate": ICMP_EQ}, location=terminator.location
    )
    fast.insert_before(compare, terminator)
    return branches.conditional_branch(compare.results[0], *cases[case], *default)


def _with_cases(terminator: Operation, keep: Sequence[int]) -> Operation:
    """A copy of a switch with only some of its cases."""
    value = fast.operands_of(terminator)[0]
    default, *cases = branches.edges_of(terminator)
    numbers = branches.case_values(terminator, signed=True)
    new = make_switch(value, default, [(numbers[i], cases[i]) for i in keep])
    weights = branch_weights_of(terminator)
    if weights is not None:
        old = integers_of(weights)
        set_branch_weights(new, [old[0], *(old[i + 1] for i in keep)])
    return new
