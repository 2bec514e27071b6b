"""What comparisons say of each other, tried on all values."""

from __future__ import annotations

import math

import pytest

from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.passes.nvidia.registers.nvvm_predicate_opt import FLOAT_INVERSE, implies

NAMES = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
FLOATS = (-1.0, 0.0, 2.0, math.nan)


def holds(predicate: int, a: int, b: int) -> bool:
    found = ConstantRange.single(3, a).icmp(predicate, ConstantRange.single(3, b))
    assert found is not None
    return found


@pytest.mark.parametrize("known", range(10))
def test_implications(known: int):
    pairs = [(a, b) for a in range(8) for b in range(8) if holds(known, a, b)]
    for asked in range(10):
        answers = {holds(asked, a, b) for a, b in pairs}
        said = implies(known, asked)
        assert said is None or answers == {said}, (known, asked)
        one_reading = (known < 6 or known < 2) == (asked < 6 or asked < 2) or min(known, asked) < 2
        if one_reading and len(answers) == 1:
            assert said is not None, (known, asked)


def float_holds(predicate: int, a: float, b: float) -> bool:
    name = NAMES[predicate]
    unordered = math.isnan(a) or math.isnan(b)
    if name in ("false", "true"):
        return name == "true"
    if name in ("ord", "uno"):
        return unordered == (name == "uno")
    if unordered:
        return name[0] == "u"
    return {"eq": a == b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b, "ne": a != b}[
        name[1:]
    ]


@pytest.mark.parametrize("predicate", range(16))
def test_float_inverse(predicate: int):
    inverse = FLOAT_INVERSE[predicate]
    for a in FLOATS:
        for b in FLOATS:
            assert float_holds(predicate, a, b) != float_holds(inverse, a, b)
