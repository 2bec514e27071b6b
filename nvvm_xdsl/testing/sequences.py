"""Launches in a row over the same device memory, before and after a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.ir.op_verifier import verify_ops
from nvvm_xdsl.ir.verifier import verify_module
from nvvm_xdsl.pipeline import PassManager, build_pipeline
from nvvm_xdsl.simulator import Limits, prepare
from nvvm_xdsl.simulator.execution.variables import space_of
from nvvm_xdsl.testing.behaviour import ALL_CHECKS, select, visible
from nvvm_xdsl.testing.launches import Launch, Outcome, difference, run

DEVICE_MEMORY = (GENERIC, GLOBAL)
"""Spaces whose variables keep what they hold from one launch to the next."""


def run_in_a_row(
    module: ModuleOp,
    launches: Sequence[Launch],
    checks: Sequence[str] = ALL_CHECKS,
    source: ModuleOp | None = None,
    limits: Limits | None = None,
) -> list[Outcome]:
    """What each launch leaves when the one after it finds the device's variables as they are."""
    program = prepare(module, checks, prepare(source) if source is not None else None)
    kept: Mapping[str, bytes] = {}
    found: list[Outcome] = []
    for launch in launches:
        known = program.placement.variables
        contents = {
            n: b for n, b in kept.items() if n in known and space_of(known[n].op) in DEVICE_MEMORY
        }
        outcome = run(
            program, replace(launch, variables={**contents, **launch.variables}), checks, limits
        )
        kept = outcome.variables
        found.append(outcome)
    return found


def sequence_difference(
    module: ModuleOp, pipeline: str, launches: Sequence[Launch], *, machine: bool = False
) -> str | None:
    """The first difference that a pipeline makes to launches in a row, in words; None for none."""
    before = visible(module, run_in_a_row(module, launches))
    copy = fast.clone(module)
    said = PassManager(build_pipeline(pipeline)).run(copy)
    if not said and str(copy) != str(module):
        return "the module changed, which nobody said"
    verify_ops(copy)
    verify_module(copy)
    limits = Limits(steps=8 * max(o.steps for o in before) + 100_000)
    after = run_in_a_row(copy, launches, limits=limits)
    if machine:
        after = run_in_a_row(select(copy), launches, source=copy)
    for launch, a, b in zip(launches, before, after):
        what = difference(launch, a, b)
        if what is not None:
            return f"@{launch.kernel}: {what}"
    return None
