"""Ordinary CUDA C++ in unusual combinations keeps its results at -O1 and -O3, and after each IR
pass alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.lab import Launch
from nvvm_xdsl.lab.behaviour import Comparison
from nvvm_xdsl.lab.fuzz import ir_passes

KERNELS = ("cases", "jumps", "carried", "puns", "arrays", "lists", "spaces")
"""Kernels of one element of the input for each thread."""

LANES = 32
EDGES = (0, 1, 2, 7, 8, 31, 32, 255, 256, -1, -2, -128, -(1 << 31), (1 << 31) - 1)


def numbers() -> np.ndarray:
    """Small numbers, random ones, and boundary values."""
    random = np.random.default_rng(1)
    small = random.integers(-20, 21, 10)
    wide = random.integers(-(1 << 31), 1 << 31, LANES - len(small) - len(EDGES))
    return np.array([*small, *wide, *EDGES], np.int32)


def launches() -> list[Launch]:
    """One launch of each kernel."""
    given = numbers()
    found: list[Launch] = []
    for name in KERNELS:
        out = np.zeros(LANES * (32 if name == "carried" else 1), np.int32)
        found.append(Launch(name, 1, LANES, (out, given, LANES)))
    return [*found, Launch("overlaps", 1, 1, (given % 20, given[:4] % 20, LANES))]


@cache
def comparison() -> Comparison:
    """The results of the unoptimized IR, which has no errors and no undefined values."""
    module = nvvm_xdsl.parse(Path(__file__).with_name("idioms.ll"))
    return Comparison(module, launches())


@pytest.mark.parametrize("pipeline", ["nvopt<O1;short>", "nvopt<O3>"])
def test_levels_preserve_results(pipeline: str):
    assert comparison().difference(pipeline, machine=False) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ir_passes())
def test_each_pass_alone_preserves_results(name: str):
    assert comparison().difference(name, machine=False) is None
