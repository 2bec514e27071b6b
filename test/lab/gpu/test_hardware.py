"""Single PTX instructions on a GPU against the simulator; skipped on a machine without one."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import contested_rows
from helpers.machine_rows import (
    GROUPS,
    KINDS,
    LANES,
    differs,
    inputs,
    kernel_of,
    rows_of,
)

from nvvm_xdsl.lab.gpu.client import gpu, why_no_gpu
from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram
from nvvm_xdsl.lab.gpu.job import GPUError
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch

pytestmark = pytest.mark.skipif(why_no_gpu() is not None, reason=str(why_no_gpu()))

ROWS = [f"rows-{name}" for name in GROUPS if name != "approximate"]
CONTESTED = [f"contested-{name}" for name in contested_rows.GROUPS]

MUFU = ("approx", "div.full")


def both(rows: list[str], kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns the results of rows in the simulator and on the GPU."""
    arch = gpu().properties.arch
    text = kernel_of(rows, kind, arch)
    source = executable(text, None).program
    values = inputs(KINDS[kind])
    count = values[0].size
    expected = np.zeros((len(rows), count), values[0].dtype)
    args = (*values, expected.copy())
    launch(source, "rows", count // LANES, LANES, [*values, expected])
    outcome = GPUProgram(text, source).run(Launch("rows", count // LANES, LANES, args))
    return expected, outcome.arrays[-1]


@pytest.mark.parametrize("case", [*ROWS, *CONTESTED])
def test_the_same_bits(case: str):
    table, _, name = case.partition("-")
    contested = table == "contested"
    kind = (contested_rows.GROUPS if contested else GROUPS)[name][0]
    rows = contested_rows.GROUPS[name][1] if contested else rows_of(name, gpu().properties.arch)
    rows = [row for row in rows if not any(word in row for word in MUFU)]
    wrong: list[str] = []
    values = inputs(KINDS[kind])
    try:
        expected, found = both(rows, kind)
    except GPUError:
        # One by one, to find the rejected row.
        expected, found, rows = _one_by_one(rows, kind, wrong)
    for row, a, b in zip(rows, expected, found):
        places = np.flatnonzero(differs(a, b, kind))
        for i in places[:3]:
            operands = ", ".join(f"{int(v[i]):#x}" for v in values)
            wrong.append(
                f"{row} of {operands}: {int(b[i]):#x}, simulator {int(a[i]):#x} ({places.size} differ)"
            )
    assert wrong == []


def _one_by_one(
    rows: list[str], kind: str, wrong: list[str]
) -> tuple[list[np.ndarray], list[np.ndarray], list[str]]:
    expected: list[np.ndarray] = []
    found: list[np.ndarray] = []
    kept: list[str] = []
    for row in rows:
        try:
            a, b = both([row], kind)
        except GPUError as error:
            wrong.append(f"{row}: {error}")
            continue
        expected.append(a[0])
        found.append(b[0])
        kept.append(row)
    return expected, found, kept


@pytest.mark.parametrize("row", contested_rows.APPROXIMATE)
def test_approximate_functions_are_within_their_bounds(row: str):
    expected, found = (x[0].view("f4").astype(float) for x in both([row], "f32"))
    with np.errstate(all="ignore"):
        error = np.abs(found - expected) / np.abs(expected)
    same = (expected == found) | (np.isnan(expected) & np.isnan(found))
    error[same] = 0
    worst = int(np.nanargmax(np.where(np.isnan(error), np.inf, error)))
    operands = [float(v.view("f4")[worst]) for v in inputs(KINDS["f32"])]
    assert error[worst] <= contested_rows.APPROXIMATE[row], (
        operands,
        found[worst],
        expected[worst],
    )
