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

_SHIFTS = frozenset({"shl", "lshr", "ashr"})
_FUNNELS = frozenset({"fshl", "fshr"})

FIRST_SECONDS = 0.5
"""Time limit in seconds for a case before it is split further."""


def cases_of(claim: Claim) -> dict[str, str]:
    """Inputs and constants with few values of interest.

    They are a shift amount (`amount`), an amount modulo the width (`rotation`) or a `power` of two.
    """
    found = {name: "power" for name in re.findall(r"pow2\((?!width)(\w+)\)", claim.rule.where)}
    for name in re.findall(r"\b(C\d?) < width", claim.rule.where):
        found[name] = "amount"
    for kind, names in (("amount", _SHIFTS), ("rotation", _FUNNELS)):
        for name in _amounts(claim.rule.left, names):
            found.setdefault(name, kind)
    return found


def _amounts(node: Node, ops: frozenset[str]) -> Iterator[str]:
    if not isinstance(node, Apply):
        return
    for arg in node.args:
        yield from _amounts(arg, ops)
    last = node.args[-1]
    if node.op.name in ops and isinstance(last, Var | Const):
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
    for name, kind in chosen:
        rest = _other_values(name, kind)
        if rest is not None and solve([wrong, rest], timeout).answer != "unsat":
            return "unknown"
    return _solve(wrong, chosen, time.thread_time() + seconds, timeout) if chosen else "unknown"


def _solve(wrong: Term, names: list[tuple[Term, str]], deadline: float, timeout: float) -> Answer:
    z3 = z3_module()
    (name, kind), *more = names
    split = False
    for value in _values(name, kind):
        case = _with_known_bits(z3.simplify(z3.substitute(wrong, (name, value))))
        if z3.is_false(case):
            continue
        if time.thread_time() > deadline:
            return "unknown"
        answer: Answer = "unknown"
        if not split:
            answer = solve([case], min(timeout, FIRST_SECONDS) if more else timeout).answer
        if answer == "unknown" and more:
            # Other values are as hard.
            split = True
            answer = _solve(case, more, deadline, timeout)
        if answer != "unsat":
            return answer
    return "unsat"


def _values(name: Term, kind: str) -> list[Term]:
    """The values of a variable."""
    z3 = z3_module()
    width = name.size()
    if kind == "rotation":
        low = width.bit_length() - 1
        if width != 1 << low or low == 0:
            return [name]
        high = z3.BitVec(f"{name} without low bits", width - low)
        return [z3.Concat(high, z3.BitVecVal(n, low)) for n in range(width)]
    numbers = range(min(width, 1 << width)) if kind == "amount" else [1 << n for n in range(width)]
    return [z3.BitVecVal(number, width) for number in numbers]


def _other_values(name: Term, kind: str) -> Term | None:
    """The condition that a variable has none of the values; None if it always has one."""
    if kind == "rotation":
        return None
    return z3_module().And(*(name != value for value in _values(name, kind)))


def _with_known_bits(case: Term) -> Term:
    """An equisatisfiable case without variables some of whose bits an equation states."""
    z3 = z3_module()
    for x, parts in _equations(case, holds=True):
        bits = [
            part if z3.is_bv_value(part) else z3.BitVec(f"{x} part {n}", part.size())
            for n, part in enumerate(parts)
        ]
        case = z3.substitute(case, (x, z3.Concat(*bits)))
    return z3.simplify(case)


def _equations(term: Term, *, holds: bool) -> Iterator[tuple[Term, list[Term]]]:
    """Equations of a variable and concatenated parts, at least one of which is a number.

    Arguments:
        holds: the value of `term` for which the equations are true.
    """
    z3 = z3_module()
    if z3.is_not(term):
        yield from _equations(term.arg(0), holds=not holds)
    elif z3.is_and(term) if holds else z3.is_or(term):
        for part in term.children():
            yield from _equations(part, holds=holds)
    elif holds and z3.is_eq(term):
        for x, other in (term.children(), reversed(term.children())):
            is_variable = z3.is_const(x) and z3.is_bv(x) and not z3.is_bv_value(x)
            parts: list[Term] = other.children()
            if (
                is_variable
                and z3.is_app_of(other, z3.Z3_OP_CONCAT)
                and any(map(z3.is_bv_value, parts))
            ):
                yield x, parts
