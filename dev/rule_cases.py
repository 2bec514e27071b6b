"""Claims of rewrite rules case by case: over shift amounts and over powers of two."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from dev.rule_claims import Claim, z3_module
from nvvm_xdsl.lab.validation.solver import Answer, solve
from nvvm_xdsl.rules.language import Apply, Const, Node, Var

Term = Any
"""A Z3 expression."""

_SHIFTS = frozenset({"shl", "lshr", "ashr", "fshl", "fshr"})

FIRST_SECONDS = 0.5
"""Time limit in seconds for a case before it is split further."""


def cases_of(claim: Claim) -> dict[str, str]:
    """Inputs and constants with few values of interest: `amount` or `power`."""
    found = {name: "power" for name in re.findall(r"pow2\((?!width)(\w+)\)", claim.rule.where)}
    for name in re.findall(r"\b(C\d?) < width", claim.rule.where):
        found[name] = "amount"
    for name in _amounts(claim.rule.left):
        found[name] = "amount"
    return found


def _amounts(node: Node) -> Iterator[str]:
    if not isinstance(node, Apply):
        return
    for arg in node.args:
        yield from _amounts(arg)
    last = node.args[-1]
    if node.op.name in _SHIFTS and isinstance(last, Var | Const):
        yield last.name


def solve_by_cases(claim: Claim, wrong: Term, seconds: float, timeout: float) -> Answer:
    """Whether `wrong`, the claim's counterexample, has a solution.

    Arguments:
        seconds: time limit in seconds for all cases.
        timeout: time limit in seconds for one case.
    """
    names = cases_of(claim)
    chosen = [
        (claim.constants[name] if name in claim.constants else claim.inputs[name][0], kind)
        for name, kind in names.items()
    ]
    if not chosen:
        return "unknown"
    return _solve(wrong, chosen, time.monotonic() + seconds, timeout)


def _solve(wrong: Term, names: list[tuple[Term, str]], deadline: float, timeout: float) -> Answer:
    z3 = z3_module()
    (name, kind), *more = names
    width = name.size()
    if kind == "amount":
        values = range(min(width, 1 << width))
    else:
        values = [1 << n for n in range(width)]
    rest = z3.And(wrong, *(name != z3.BitVecVal(value, width) for value in values))
    if solve([rest], timeout).answer != "unsat":
        return "unknown"
    for value in values:
        case = z3.simplify(z3.substitute(wrong, (name, z3.BitVecVal(value, width))))
        if z3.is_false(case):
            continue
        if time.monotonic() > deadline:
            return "unknown"
        answer = solve([case], min(timeout, FIRST_SECONDS) if more else timeout).answer
        if answer == "unknown" and more:
            answer = _solve(case, more, deadline, timeout)
        if answer != "unsat":
            return answer
    return "unsat"
