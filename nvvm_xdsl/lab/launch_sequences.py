"""Consecutive launches on the same device memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.lab.launches import Launch, Outcome, run
from nvvm_xdsl.simulator import Limits, prepare
from nvvm_xdsl.simulator.execution.variables import space_of
from nvvm_xdsl.simulator.program import Program

DEVICE_MEMORY = (GENERIC, GLOBAL)
"""Spaces whose variables keep their contents between launches."""


def following(launch: Launch, left: Outcome | None, program: Program) -> Launch:
    """A launch with the device variables that the previous launch left, except for variables that
    it sets itself."""
    if left is None:
        return launch
    known = program.placement.variables
    kept = {
        name: content
        for name, content in left.variables.items()
        if name in known and space_of(known[name].op) in DEVICE_MEMORY
    }
    return replace(launch, variables={**kept, **launch.variables})


def run_in_a_row(
    module: ModuleOp | Program,
    launches: Sequence[Launch],
    checks: Sequence[str] = (),
    limits: Limits | None = None,
) -> Iterator[Outcome]:
    """The outcome of each launch over the memory that earlier launches wrote. Raises
    SimulationError.
    """
    program = module if isinstance(module, Program) else prepare(module, checks)
    left: Outcome | None = None
    for launch in launches:
        left = run(program, following(launch, left, program), checks, limits)
        yield left
