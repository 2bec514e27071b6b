"""Implications between comparisons, tested on all values."""

from __future__ import annotations

import math

import pytest

from nvvm_xdsl.analysis.values.constant_range import ConstantRange, allowed_region
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.passes.nvidia.registers.nvvm_predicate_opt import (
    FLOAT_INVERSE,
    KnownNumbers,
    bounds,
    implies,
)
from nvvm_xdsl.pipeline.manager import run_pipeline

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
        message = implies(known, asked)
        assert message is None or answers == {message}, (known, asked)
        one_reading = (known < 6 or known < 2) == (asked < 6 or asked < 2) or min(known, asked) < 2
        if one_reading and len(answers) == 1:
            assert message is not None, (known, asked)


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


@pytest.mark.parametrize("known", range(10))
def test_decided_comparisons_with_constants(known: int):
    """Bounds or ranges decide exactly the comparisons that have one result for all numbers."""
    for limit in range(-4, 4):
        values = [a for a in range(8) if holds(known, a, limit & 7)]
        region = allowed_region(known, ConstantRange.single(3, limit))
        facts = KnownNumbers(region, bounds(known, limit, 3))
        for asked in range(10):
            for other in range(-4, 4):
                answers = {holds(asked, a, other & 7) for a in values}
                message = facts.answer(asked, other)
                assert message is None or not answers or answers == {message}
                assert message is not None or len(answers) != 1


def test_comparisons_of_one_signedness_need_no_ranges(monkeypatch: pytest.MonkeyPatch):
    """At most 64 dominating conditions are queried for each of many nested conditions on one number."""
    size = 100
    text = "llvm.func @f(%n: i32) {\n"
    for i in range(size):
        text += f"  %k{i} = llvm.mlir.constant({i} : i32) : i32\n"
        text += f'  %c{i} = llvm.icmp "sgt" %n, %k{i} : i32\n'
        text += f"  llvm.cond_br %c{i}, ^then{i}, ^end\n^then{i}:\n"
    module = parse(text + "  llvm.br ^end\n^end:\n  llvm.return\n}\n", format="mlir")
    asked: list[int] = []

    def icmp(*_: object) -> None:
        asked.append(1)

    monkeypatch.setattr(ConstantRange, "icmp", icmp)
    run_pipeline(module, "nvvm-predicate-opt")
    assert not asked
