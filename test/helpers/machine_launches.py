"""Launches of a kernel as PTX and as machine code, whose results must be equal."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.lab.machine_simulation import machine_program
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import Result, launch

ARCHS = ("sm_80", "sm_90", "sm_100")


def both(
    ptx: str,
    arch: str,
    threads: int = 64,
    level: int = 3,
    x: Any = None,
    grid: int = 1,
    cluster: int | None = None,
) -> tuple[np.ndarray, Result, set[str]]:
    """Returns the array after a launch, the result of the machine code, and its mnemonics.

    The array and the output must equal those of the PTX.
    """
    source = executable(ptx, None).program
    program = machine_program(ptx, arch, source, level, counting=True)
    start = np.arange(threads, dtype=np.uint32) * 7 + 3 if x is None else x
    expected, found = copy.deepcopy(start), copy.deepcopy(start)
    one = launch(source, "k", grid, threads, [expected], cluster=cluster)
    other = launch(program, "k", grid, threads, [found], cluster=cluster)
    assert expected.tolist() == found.tolist()
    assert sorted(one.output.splitlines()) == sorted(other.output.splitlines())
    mnemonics = {op.mnemonic for op in program.module.walk() if isinstance(op, InstructionOp)}
    return found, other, mnemonics
