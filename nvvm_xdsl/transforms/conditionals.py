"""Folding of ops and branches with constant operands."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.llvm import CondBrOp, FastMathAttr, SelectOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, simplify
from nvvm_xdsl.transforms import cfg


def known_edge(terminator: Operation) -> branches.Edge | None:
    """The edge taken by a conditional branch or switch on a constant; None for other operands."""
    cls = type(terminator)
    if cls is not CondBrOp and cls is not SwitchOp:
        return None
    known = constant_integer(fast.operands_of(terminator)[0])
    if known is None:
        return None
    edges = branches.edges_of(terminator)
    if cls is CondBrOp:
        return edges[0 if known else 1]
    default, *cases = edges
    numbers = branches.case_values(terminator, signed=True)
    return next((e for n, e in zip(numbers, cases) if n == known), default)


def fold_terminator(terminator: Operation) -> list[Block] | None:
    """Replaces a branch on a constant by an unconditional one.

    Returns the blocks that lost an edge; None if nothing changed.
    """
    edge = known_edge(terminator)
    if edge is None:
        return None
    lost = list(dict.fromkeys(fast.successors_of(terminator)))
    cfg.replace_terminator(terminator, branches.branch(*edge))
    return lost


def fold_users(users: Iterable[Operation], constants: Constants) -> bool:
    """Folds ops with constant operands, and then the ops that depend on them.

    Unreachable blocks are not removed, and block arguments are not changed. Returns whether
    anything changed.
    """
    pending = list(users)
    changed = False
    while pending:
        op = pending.pop()
        if op.parent is None:
            continue
        if fold_terminator(op) is not None:
            changed = True
        elif type(op) in SIMPLIFIABLE:
            value = simplify(op, constants)
            if value is not None:
                result = op.results[0]
                if value is result:
                    continue
                users_of_result: list[Operation] = list(fast.users_of(result))
                removable = is_removable(op)
                if not users_of_result and not removable:
                    continue
                changed = True
                pending.extend(users_of_result)
                fast.replace_all_uses(result, value)
                if removable:
                    fast.erase(op)
    return changed


def erase_dead(value: SSAValue) -> None:
    """Erases the op that defines an unused value, and the ops that only this op uses."""
    work = [value.owner]
    while work:
        owner = work.pop()
        if not isinstance(owner, Operation) or owner.parent is None or not is_removable(owner):
            continue
        if any(r.first_use is not None for r in owner.results):
            continue
        operands = fast.operands_of(owner)
        fast.erase(owner)
        work.extend(operand.owner for operand in operands)


NO_FAST_MATH = FastMathAttr(None)


def select(condition: SSAValue, a: SSAValue, b: SSAValue, before: Operation) -> SSAValue:
    """The result of a new `llvm.select` before an op, with that op's location."""
    op = fast.create(
        SelectOp,
        (condition, a, b),
        (a.type,),
        {"fastmathFlags": NO_FAST_MATH},
        location=before.location,
    )
    fast.insert_before(op, before)
    return op.results[0]
