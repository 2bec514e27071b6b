"""Refinement: a program may only have outcomes of the original program."""

from __future__ import annotations

from collections.abc import Iterable

from nvvm_xdsl.lab.memory_model.events import Undefined
from nvvm_xdsl.lab.memory_model.search import ANYTHING, Outcome


class Allowed:
    """The outcomes that a program with the given outcomes allows.

    An undefined value allows every value, undefined behaviour every outcome.
    """

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self.outcomes = set(outcomes)
        self.partial = [
            outcome
            for outcome in self.outcomes
            if any(isinstance(bits, Undefined) for _, bits in outcome)
        ]

    def allows(self, outcome: Outcome) -> bool:
        """True if the program may have an outcome."""
        return (
            outcome in self.outcomes
            or ANYTHING in self.outcomes
            or any(_allows(known, outcome) for known in self.partial)
        )


def added_outcomes(before: Iterable[Outcome], after: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of `after` that `before` does not allow."""
    allowed = Allowed(before)
    return [outcome for outcome in after if not allowed.allows(outcome)]


def _allows(known: Outcome, outcome: Outcome) -> bool:
    return len(known) == len(outcome) and all(
        name == other and (isinstance(bits, Undefined) or bits == value)
        for (name, bits), (other, value) in zip(known, outcome)
    )
