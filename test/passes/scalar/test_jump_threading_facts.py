"""Facts on edges: the implication of comparisons against all numbers of 3 bits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from helpers.modules import function
from xdsl.ir import SSAValue

from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.types import I1, integer
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.jump_threading_facts import connected_parts, implied_comparison

WIDTH = 3
NUMBERS = range(1 << WIDTH)
PREDICATES: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: signed(a) < signed(b),
    lambda a, b: signed(a) <= signed(b),
    lambda a, b: signed(a) > signed(b),
    lambda a, b: signed(a) >= signed(b),
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]
"""By their numbers in `llvm.icmp`."""

SIGNED, UNSIGNED = {0, 1, 2, 3, 4, 5}, {0, 1, 6, 7, 8, 9}


def signed(number: int) -> int:
    return number - (number >> (WIDTH - 1) << WIDTH)


def values() -> dict[str, SSAValue]:
    """Two arguments and some constants."""
    func = function(read_ll("define void @f(i3 %a, i3 %b) {\n  ret void\n}"))
    constants = Constants(func)
    a, b = func.body.blocks[0].args
    found: dict[str, SSAValue] = {"a": a, "b": b}
    for number in (0, 1, 3, -2):
        found[str(number & 7)] = constants.integer(number, integer(WIDTH))
    return found


def truth(predicate: int, x: str, y: str) -> int:
    """Returns the argument values for which a comparison holds, as a bit mask."""
    mask = 0
    for place, (a, b) in enumerate(product(NUMBERS, NUMBERS)):
        given = {"a": a, "b": b}
        left, right = (given[v] if v in given else int(v) for v in (x, y))
        mask |= PREDICATES[predicate](left, right) << place
    return mask


def test_implied_comparisons():
    """Every derived fact holds, and for operands in the same order every fact that holds is derived."""
    known_values = values()
    pairs = [(x, y) for x, y in product(known_values, known_values) if {x, y} & {"a", "b"}]
    masks = {(p, x, y): truth(p, x, y) for p in range(10) for x, y in pairs}
    decided = 0
    for (x, y), (v, w) in product(pairs, pairs):
        same = {x, y} == {v, w} == {"a", "b"}
        for known, asked in product(range(10), range(10)):
            holds, then = masks[known, x, y], masks[asked, v, w]
            found = implied_comparison(
                known, known_values[x], known_values[y], asked, known_values[v], known_values[w]
            )
            if found is not None:
                decided += 1
                assert not holds & (~then if found else then), (known, x, y, asked, v, w)
                continue
            one_order = {known, asked} <= SIGNED or {known, asked} <= UNSIGNED
            if holds and same and one_order:
                assert holds & then, (known, x, y, asked, v, w)
                assert holds & ~then, (known, x, y, asked, v, w)
    assert decided > 2000


PARTS = {
    "and i1 %a, %b": (True, [("a", True), ("b", True)]),
    "or i1 %a, %b": (False, [("a", False), ("b", False)]),
    "xor i1 %a, true": (True, [("a", False)]),
    "xor i1 %a, %b": (True, None),
    "icmp eq i1 %a, %b": (True, None),
}


@pytest.mark.parametrize("text", PARTS)
def test_parts_of_a_condition(text: str):
    holds, parts = PARTS[text]
    func = function(read_ll(f"define i1 @f(i1 %a, i1 %b) {{\n  %c = {text}\n  ret i1 %c\n}}"))
    names = dict(zip(func.body.blocks[0].args, "ab"))
    condition = func.body.blocks[0].ops.last.operands[0]

    def found(value: bool) -> list[tuple[str, bool]] | None:
        made = connected_parts(condition, value)
        return None if made is None else [(names[part], so) for part, so in made]

    assert condition.type == I1
    assert found(holds) == parts
    if "xor i1 %a, true" not in text:
        assert found(not holds) is None
