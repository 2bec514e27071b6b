"""Computes exit values of a loop in its preheader, for `indvars`."""

from __future__ import annotations

from typing import Final

from xdsl.ir import SSAValue

from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import InductionVariables

MAX_VALUES_VISITED: Final = 64
"""Maximum number of users of a value that are examined; with more, the loop is assumed to need
it."""


EXIT_VALUES = Statistic("indvars", "exit-values", "Number of exit values computed before the loop")


def replace_exit_values(ivs: InductionVariables, budget: int | None) -> bool:
    """Replaces exit values that can be computed before the loop."""
    se, loop = ivs.se, ivs.loop
    exits = loop.exit_edges()
    if len(exits) != 1 or se.backedge_taken_count(loop) is se.could_not_compute:
        return False
    ((source, target),) = exits
    terminator = branches.terminator_of(source)
    edges = branches.edges_of(terminator)
    changed = False
    replaced: dict[SSAValue, SSAValue] = {}
    for place, values in edges:
        if place is not target:
            continue
        for value in dict.fromkeys(values):
            new = _exit_value(ivs, value, budget)
            if new is not None:
                replaced[value] = new
    if replaced:
        branches.set_edges(
            terminator,
            [
                (b, tuple(replaced.get(v, v) for v in values) if b is target else values)
                for b, values in edges
            ],
        )
        EXIT_VALUES.add(len(replaced))
        changed = True
    return changed


def _exit_value(ivs: InductionVariables, value: SSAValue, budget: int | None) -> SSAValue | None:
    if not integer_width(value.type) or ivs.loop.is_invariant(value):
        return None
    found = ivs.se.at_exit(value, ivs.loop)
    cost = ivs.expander.cost(found, ivs.preheader)
    if cost is None or (budget is not None and cost > budget):
        return None
    # The loop computes the value anyway, at no additional cost.
    if cost and budget is not None and _is_needed(ivs, value):
        return None
    return ivs.expander.expand(found, branches.terminator_of(ivs.preheader))


def _is_needed(ivs: InductionVariables, value: SSAValue) -> bool:
    """Whether the loop computes a value even without its uses after the loop.

    It does if a branch, a memory access or another op that is not an expression uses the value,
    directly or through other values. A recurrence that only feeds itself is not needed.
    """
    visited: set[SSAValue] = {value}
    pending = [value]
    while pending:
        if len(visited) > MAX_VALUES_VISITED:
            return True
        at = pending.pop()
        users: list[SSAValue] = []
        for user, index in fast.uses_of(at):
            if fast.successors_of(user):
                if index == 0 and user.name != "llvm.br":
                    return True
                users += [
                    target.args[place]
                    for target, values in branches.edges_of(user)
                    if ivs.loop.contains(target)
                    for place, brought in enumerate(values)
                    if brought is at
                ]
            elif is_expression(user):
                users += user.results
            else:
                return True
        pending += [v for v in users if v not in visited]
        visited.update(users)
    return False
