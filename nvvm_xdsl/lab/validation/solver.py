"""The SMT solvers: Z3, and Bitwuzla if it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import Term

Answer = Literal["sat", "unsat", "unknown"]


@dataclass
class Solution:
    """A solver's answer, with the values of variables by name if it is `sat`."""

    answer: Answer
    model: dict[str, Any] = field(default_factory=dict[str, Any])


def solve(conditions: Sequence[Term], seconds: float) -> Solution:
    """Searches values that satisfy all conditions, for so many seconds."""
    goal = z3.simplify(z3.And(*conditions)) if conditions else z3.BoolVal(True)
    if z3.is_false(goal):
        return Solution("unsat")
    solver: Any = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(goal)
    answer = solver.check()
    if answer == z3.unsat:
        return Solution("unsat")
    if answer == z3.sat:
        model = solver.model()
        return Solution("sat", {str(d): model[d] for d in model.decls()})
    return Solution("unknown")
