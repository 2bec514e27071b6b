"""Triton's own PTX: assembled to the same code after parsing, and run, as it is and optimized."""

from __future__ import annotations

from collections.abc import Callable
from math import erf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.assembling import needs_ptxas

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.ptx_roundtrip import round_trip
from nvvm_xdsl.pipeline.machine import machine_pipeline, run_machine_passes
from nvvm_xdsl.simulator import launch

FOLDER = Path(__file__).parent / "triton_ptx"
FILES = sorted(FOLDER.glob("*.ptx"))

Array = np.ndarray[Any, Any]
Case = tuple[int, list[Any], int, Array, float]
"""Blocks, arguments, index of the result, expected result, and error bound."""


def numbers(*shape: int) -> Array:
    return np.random.default_rng(7).normal(size=shape).astype(np.float32)


def bfloats(values: Array) -> Array:
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def floats(bits: Array) -> Array:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def softmax() -> Case:
    x = numbers(3, 200)
    e = np.exp(x - x.max(1, keepdims=True))
    return 3, [np.zeros_like(x), x, 200, 200], 0, e / e.sum(1, keepdims=True), 1e-5


def histogram() -> Case:
    x = np.random.default_rng(1).integers(0, 1000, 500).astype(np.int32)
    return 4, [x, np.zeros(16, np.int32), 500], 1, np.bincount(x & 15, minlength=16), 0


def transpose() -> Case:
    x = numbers(32, 64)
    return 1, [x, np.zeros((64, 32), np.float32)], 1, x.T, 0


def gelu() -> Case:
    x = bfloats(numbers(512))
    v = floats(x)
    wanted = 0.5 * v * (1 + np.array([erf(t * 0.5**0.5) for t in v]))
    return 2, [x, np.zeros(512, np.uint16), 512], 1, wanted, 0.02


def dot() -> Case:
    a, b = numbers(64, 96).astype(np.float16), numbers(96, 32).astype(np.float16)
    wanted = a.astype(float) @ b.astype(float)
    return 1, [a, b, np.zeros((64, 32), np.float32), 96], 2, wanted, 1e-3


def swap() -> Case:
    x = np.array([0, 5, 0], np.int32)
    return 3, [x, np.zeros(3, np.int32)], 1, np.array([7, 10, 7]), 0


CASES: list[Callable[[], Case]] = [softmax, histogram, transpose, gelu, dot, swap]


def text_of(name: str) -> str:
    # Newer than ptxas 13.0 supports; these kernels do not need it.
    return (FOLDER / f"{name}.sm90.ptx").read_text().replace(".version 9.4", ".version 9.0")


@needs_ptxas
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_machine_code_is_the_same(path: Path):
    found = round_trip(text_of(path.name.split(".")[0]), path.name)
    assert found.read
    assert found.converted


@pytest.mark.parametrize("optimized", [False, True], ids=["read", "optimized"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_results_equal_numpys(case: Callable[[], Case], optimized: bool):
    blocks, args, out, wanted, bound = case()
    module = read_ptx(text_of(case.__name__), case.__name__)
    machine = machine_code(module) if optimized else convert(module)
    if optimized:
        run_machine_passes(machine, machine_pipeline(3))
    # After its own parameters each kernel has two pointers to scratch memory.
    launch(machine, case.__name__, blocks, 128, [*args, None, None], shared_bytes=1 << 14)
    found = floats(args[out]) if args[out].dtype == np.uint16 else args[out]
    assert np.allclose(found, wanted, rtol=bound, atol=bound)


def test_every_file_is_run():
    assert {path.name.split(".")[0] for path in FILES} == {case.__name__ for case in CASES}
