"""Executed machine instructions, counted by hand from the listing and by execution."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.counted_kernels import BITONIC, COLLATZ, MATMUL, REDUCE, ROW_SUM

from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.lab.machine_simulation import machine_program, why_no_machine_code
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch

COUNTED = ("13.0.", "13.5.")
"""Releases of ptxas that generate the counted machine code."""


def why_other_code() -> str | None:
    """Returns why the machine code may differ from the counted one, or None."""
    missing = why_no_machine_code()
    if missing is not None:
        return missing
    release = release_of(find_ptxas() or Path())
    if release is not None and release.text.startswith(COUNTED):
        return None
    return "the machine code of this release of ptxas was not counted"


pytestmark = pytest.mark.skipif(why_other_code() is not None, reason=str(why_other_code()))


def counted(ptx: str, kernel: str, grid: int, block: int, args: list[Any]) -> tuple[int, int]:
    """Returns executed instructions by warps and by threads; the results must equal those of the PTX."""
    source = executable(ptx, None).program
    program = machine_program(ptx, "sm_90", source, counting=True)
    expected, found = copy.deepcopy(args), copy.deepcopy(args)
    launch(source, kernel, grid, block, expected)
    profile = launch(program, kernel, grid, block, found).profile
    for a, b in zip(expected, found):
        if isinstance(a, np.ndarray):
            assert a.tobytes() == b.tobytes()
    assert profile is not None
    total = profile.total()
    return total.warps, total.threads


def test_a_sum_of_a_block():
    """Two warps: 12 instructions, 6 iterations of 10, then 2; only the first thread executes 7 more."""
    args = [np.arange(64, dtype=np.float32), np.zeros(1, np.float32)]
    each = 12 + 6 * 10 + 2
    assert counted(REDUCE, "reduce", 1, 64, args) == (2 * each + 7, 64 * each + 7)


def test_a_row_sum_that_ptxas_unrolls():
    """37 elements: 9 iterations of the body of 4, the check for 2 more fails, and one is left."""
    args = [np.arange(37 * 32, dtype=np.float32), np.zeros(32, np.float32), 37]
    executed = 10 + 15 + 2 + 9 * 15 + 4 + 4 + 2 + 4
    assert counted(ROW_SUM, "row_sum", 1, 32, args) == (executed, 32 * executed)


def test_a_bitonic_sort():
    """Five outer iterations with one to five inner ones."""
    args = [np.random.default_rng(0).integers(0, 100, 32).astype(np.uint32)]
    executed = 7 + 5 * (2 + 3) + (1 + 2 + 3 + 4 + 5) * 9 + 2
    assert counted(BITONIC, "bitonic", 1, 32, args) == (executed, 32 * executed)


def test_lanes_that_leave_a_loop_one_by_one():
    """1, 2, 3 and 4 need 0, 1, 7 and 2 iterations: four parts of the warp arrive at the barrier."""
    args = [np.arange(1, 5, dtype=np.uint32)]
    warps = 10 + 1 + 7 * 7 + 4 + 2
    threads = 4 * 10 + 3 * 1 + (1 + 7 + 2) * 7 + 4 + 4 * 2
    assert counted(COLLATZ, "collatz", 1, 4, args) == (warps, threads)


def test_a_matrix_product():
    """Five blocks of two warps, seven iterations of the loop."""
    a, b = np.arange(5 * 7, dtype=np.float32), np.arange(7 * 64, dtype=np.float32)
    each = 14 + 7 * 11 + 5
    args = [a, b, np.zeros(5 * 64, np.float32), 7]
    assert counted(MATMUL, "matmul", 5, 64, args) == (10 * each, 320 * each)
