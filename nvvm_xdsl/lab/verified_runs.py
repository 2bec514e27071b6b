"""Pipelines whose IR is verified after every pass that changed it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.driver.compile import compile_modules
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline import Instruments, PassManager
from nvvm_xdsl.pipeline.build import Node
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher, unit_name
from nvvm_xdsl.verify.op_verifier import verify_unit


class InvalidIRError(DiagnosticError):
    """A pass or selection produced IR that the verifier rejects. The message names it."""


def verify(unit: Operation, made_by: str) -> None:
    """Verifies a module or function. Raises InvalidIRError with the name of the pass in
    `made_by`."""
    try:
        verify_unit(unit)
    except Exception as error:
        text = f"{made_by} left invalid IR behind on {unit_name(unit)}: {error}"
        raise InvalidIRError(text) from error


def verifying() -> Watcher:
    """A watcher that verifies each function or module that a pass changed.

    Its passes raise InvalidIRError.
    """
    return Watcher(Instruments(), observer=_verify_change)


def _verify_change(run: PassRun) -> None:
    if run.changed:
        verify(run.unit, f"pass '{run.instance.name}'")


def run_verified(pipeline: Sequence[Node], module: ModuleOp) -> bool:
    """Runs a pipeline; returns whether a pass reported a change. Raises InvalidIRError."""
    return PassManager(pipeline, watcher=verifying()).run(module)


def compile_verified(module: ModuleOp, options: CompileOptions) -> str:
    """The PTX of a module, which is consumed. Raises InvalidIRError."""
    return compile_modules([module], options, watcher=verifying())


__all__ = ["InvalidIRError", "compile_verified", "run_verified", "verify", "verifying"]
