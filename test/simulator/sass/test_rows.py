"""Each row of the tables of machine instructions against the PTX simulator.

ptxas assembles kernels of single PTX instructions. Both executions run on all pairs of boundary values and on
random bits; the results must have the same bits.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from helpers import contested_rows
from helpers.contested_rows import UNKNOWN_TO_THE_EXECUTOR
from helpers.machine_rows import (
    GROUPS,
    KINDS,
    LANES,
    differs,
    inputs,
    kernel_of,
    rows_of,
)

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.lab.machine_simulation import machine_program, why_no_machine_code
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.simulator.sass.program import SassProgram

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

ARCHS = ("sm_80", "sm_90", "sm_100")

ERROR = 2.0**-20
"""The error of approximate functions between 0.007 and 1: `sin.approx` is within 2^-20.5 (PTX ISA)."""


CONTESTED = {
    name: (kind, [row for row in rows if not any(w in row for w in UNKNOWN_TO_THE_EXECUTOR)])
    for name, (kind, rows) in contested_rows.GROUPS.items()
}


@cache
def run(group: str, arch: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, SassProgram]:
    """Returns the rows of a group, the results of PTX and of machine code, and its program."""
    kind, rows = GROUPS[group][0], rows_of(group, arch)
    text = kernel_of(rows, kind, arch)
    source = executable(text, None).program
    program = machine_program(text, arch, source)
    values = inputs(KINDS[kind])
    count = values[0].size
    expected = np.zeros((len(rows), count), values[0].dtype)
    found = np.zeros((len(rows), count), values[0].dtype)
    launch(source, "rows", count // LANES, LANES, [*values, expected])
    launch(program, "rows", count // LANES, LANES, [*values, found])
    return tuple(rows), expected, found, program


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("group", [g for g in GROUPS if g != "approximate"])
def test_the_results_are_those_of_ptx(group: str, arch: str):
    kind = GROUPS[group][0]
    values = inputs(KINDS[kind])
    rows, expected, found, _ = run(group, arch)
    wrong: list[str] = []
    for row, a, b in zip(rows, expected, found):
        places = np.flatnonzero(differs(a, b, kind))
        if places.size:
            i = int(places[0])
            operands = ", ".join(f"{int(v[i]):#x}" for v in values)
            wrong.append(f"{row} of {operands}: {int(b[i]):#x}, PTX {int(a[i]):#x}")
    assert wrong == []


@pytest.mark.parametrize("group", CONTESTED)
def test_contested_results_are_those_of_ptx(group: str):
    kind, rows = CONTESTED[group]
    text = kernel_of(rows, kind, "sm_90")
    source = executable(text, None).program
    values = inputs(KINDS[kind])
    count = values[0].size
    expected = np.zeros((len(rows), count), values[0].dtype)
    found = expected.copy()
    launch(source, "rows", count // LANES, LANES, [*values, expected])
    program = machine_program(text, "sm_90", source)
    launch(program, "rows", count // LANES, LANES, [*values, found])
    wrong = [row for row, a, b in zip(rows, expected, found) if differs(a, b, kind).any()]
    assert wrong == []


@pytest.mark.parametrize("arch", ARCHS)
def test_approximate_results_are_within_bounds(arch: str):
    rows, expected, found, _ = run("approximate", arch)
    for row, a, b in zip(rows, expected, found):
        error = np.abs(a.view("f4").astype(float) - b.view("f4"))
        assert error.max() <= ERROR, row


def executed_opcodes(arch: str) -> set[str]:
    """Returns the mnemonics in the machine code of all groups."""
    found: set[str] = set()
    for group in GROUPS:
        for op in run(group, arch)[3].module.walk():
            if isinstance(op, InstructionOp):
                found.add(op.mnemonic)
    return found
