"""Shapes: kinds of statements and traits of random kernels, each with a switch and a probability.

Every seed enables a random subset of the shapes (swarm testing). A kernel with few kinds of
statements has more of each, and some faults only occur if other statements are absent.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nvvm_xdsl.ir.diagnostics import DiagnosticError

SWARM = "swarm"
ALL = "all"
CORE = "core"

ENABLED = 0.5
"""The probability that a swarm enables a kind of statement."""


@dataclass(frozen=True)
class Shape:
    """A kind of statement, or a trait of a whole kernel.

    Arguments:
        name: its switch.
        what: one line for `--list-shapes`.
        weight: for a statement, its frequency relative to the others.
        probability: for a trait, the share of kernels that have it; 0 for a statement.
        core: whether a swarm always enables it.
        later: whether it is drawn from a separate stream, so that seeds recorded before it was added
            give the same kernels if it is not selected.
    """

    name: str
    what: str
    weight: float = 0.0
    probability: float = 0.0
    core: bool = False
    later: bool = False


def parse_shapes(text: str, shapes: Iterable[Shape]) -> tuple[str, dict[str, float]]:
    """A selection of shapes: its start, and the shapes that it sets.

    The text is a list of `NAME` and `NAME=NUMBER`; the number replaces the weight or the probability
    of the shape. The list may begin with `swarm`, `all` or `core`, by default `core`. Raises
    DiagnosticError for an unknown name or a number that is negative.
    """
    known = {shape.name: shape for shape in shapes}
    first, *rest = items = [item.strip() for item in text.split(",")]
    base, items = (first, rest) if first in (SWARM, ALL, CORE) else (CORE, items)
    chosen: dict[str, float] = {}
    for item in items:
        name, _, number = item.partition("=")
        shape = known.get(name)
        if shape is None:
            raise DiagnosticError(f"--shapes: there is no shape '{name}'; see --list-shapes")
        try:
            value = float(number) if number else shape.weight or 1.0
        except ValueError:
            value = -1.0
        if not 0.0 <= value < float("inf"):
            raise DiagnosticError(
                f"--shapes: '{number}' is not a weight or probability of '{name}'"
            )
        chosen[name] = value
    return base, chosen


def choose_shapes(
    base: str,
    chosen: Mapping[str, float],
    shapes: Iterable[Shape],
    chance: random.Random,
    later: random.Random,
) -> dict[str, float]:
    """The shapes of one kernel with the weights of its statements; an enabled trait has weight 1.

    The shapes marked `later` are drawn with `later`, all others with `chance`.
    """
    found: dict[str, float] = {}
    for shape in shapes:
        # Every seed draws the same numbers, so that one switch does not change the other shapes.
        number = (later if shape.later else chance).random()
        probability = shape.probability
        if shape.name in chosen:
            weight = chosen[shape.name]
            probability = weight
        elif base == ALL or shape.core:
            weight = shape.weight
        else:
            weight = shape.weight if base == SWARM and number < ENABLED else 0.0
        if shape.probability:
            if base == CORE and shape.name not in chosen:
                probability = 0.0
            elif base == ALL and shape.name not in chosen:
                probability = 1.0
            weight = float(number < probability)
        if weight:
            found[shape.name] = weight
    return found
