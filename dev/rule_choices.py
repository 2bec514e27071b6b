"""Claims of rewrite rules with candidates for the choices of the left side.

The sign of a zero under `nsz`, a frozen poison value and undef are choices. A claim holds if for all
choices of the right side the left side has a choice with the same result. Here some candidates are
tried, separately for all values of inputs of one bit. Such an input selects which choices matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from dev.rule_claims import Claim, z3_module
from dev.rule_rounding import narrowed
from nvvm_xdsl.lab.validation.solver import nodes, solve
from nvvm_xdsl.rules.language import applications

Term = Any
"""A Z3 expression."""

MOST_BITS = 4
"""Maximum number of bits of choices all of whose values are candidates."""


def holds_for_candidates(claim: Claim, timeout: float) -> bool:
    """Whether the claim is proved with candidates.

    Arguments:
        timeout: time limit in seconds for each value of the inputs of one bit.
    """
    return all(solve(case, timeout).answer == "unsat" for case in cases(claim))


def cases(claim: Claim) -> Iterator[list[Term]]:
    """For each value of the inputs of one bit, conditions that all hold for a counterexample."""
    z3 = z3_module()
    bits = [n for n, _, _ in claim.inputs.values() if z3.is_bv(n) and n.size() == 1]
    ops = {a.op.name for side in (claim.rule.left, claim.rule.right) for a in applications(side)}
    for values in product((0, 1), repeat=len(bits)):
        chosen = [(bit, z3.BitVecVal(value, 1)) for bit, value in zip(bits, values)]
        case = z3.simplify(z3.substitute(claim.bare, *chosen, *_held(claim)))
        conditions: list[Term] = []
        for candidate in _candidates(claim, case):
            failed = z3.simplify(z3.substitute(case, *candidate))
            conditions.append(narrowed(failed) if "fpext" in ops else failed)
        yield conditions


def _held(claim: Claim) -> list[tuple[Term, Term]]:
    """Constants that the condition states to be extensions, each with the extension of a variable.

    `held_by` is true of numbers that rounding to the narrower type does not change.
    """
    z3 = z3_module()
    found: list[tuple[Term, Term]] = []
    where = claim.rule.where
    if " or " in where or "not " in where:
        return found
    for name, value in re.findall(r"held_by\((\w+), type\((\w+)\)\)", where):
        constant = claim.constants[name]
        small = z3.Const(f"{name} in the narrower type", claim.sort(claim.paths[value]))
        found.append((constant, z3.fpFPToFP(z3.RNE(), small, constant.sort())))
    return found


def _candidates(claim: Claim, case: Term) -> Iterator[list[tuple[Term, Term]]]:
    """Values of the left side's choices."""
    z3 = z3_module()
    present = {node.get_id() for node in nodes([case]) if z3.is_const(node)}
    left, right = (
        [choice for choice in choices if choice.get_id() in present]
        for choices in (claim.left_choices, claim.right_choices)
    )
    if not left:
        yield []
        return
    if all(z3.is_bv(c) for c in left) and sum(c.size() for c in left) <= MOST_BITS:
        for values in product(*(range(1 << c.size()) for c in left)):
            yield [(c, z3.BitVecVal(v, c.size())) for c, v in zip(left, values)]
        return
    zeros = [(choice, _zero(choice)) for choice in left]
    yield zeros
    if z3.is_bv(left[-1]):
        # The other sign of the result.
        yield [*zeros[:-1], (left[-1], z3.BitVecVal(1, left[-1].size()))]
    yield _in_order(left, right)
    yield _in_order(left[::-1], right[::-1])


def _zero(choice: Term) -> Term:
    z3 = z3_module()
    return z3.BitVecVal(0, choice.size()) if z3.is_bv(choice) else z3.FPVal(0.0, choice.sort())


def _in_order(left: Sequence[Term], right: Sequence[Term]) -> list[tuple[Term, Term]]:
    """For each choice of the left side, the next one of the right side with the same type."""
    rest = list(right)
    found: list[tuple[Term, Term]] = []
    for choice in left:
        other = next((c for c in rest if c.sort() == choice.sort()), None)
        if other is not None:
            rest.remove(other)
        found.append((choice, _zero(choice) if other is None else other))
    return found
