"""Refinement: a program may only have outcomes of the original program."""

from __future__ import annotations

from collections.abc import Iterable

from nvvm_xdsl.lab.memory_model.events import Undefined
from nvvm_xdsl.lab.memory_model.search import ANYTHING, Outcome


def added_outcomes(before: Iterable[Outcome], after: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of `after` that `before` does not allow.

    An undefined value of `before` allows every value, undefined behaviour every outcome.
    """
    allowed = set(before)
    if ANYTHING in allowed:
        return []
    partial = [
        outcome for outcome in allowed if any(isinstance(bits, Undefined) for _, bits in outcome)
    ]
    return [
        outcome
        for outcome in after
        if outcome not in allowed and not any(_allows(known, outcome) for known in partial)
    ]


def _allows(known: Outcome, outcome: Outcome) -> bool:
    return len(known) == len(outcome) and all(
        name == other and (isinstance(bits, Undefined) or bits == value)
        for (name, bits), (other, value) in zip(known, outcome)
    )
