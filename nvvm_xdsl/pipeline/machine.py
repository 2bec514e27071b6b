"""The passes over machine code, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.passes.machine.base import is_ssa
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.manager import run_pipeline


def machine_pipeline(opt_level: int) -> str:
    """The pipeline text of the machine passes of an optimization level, 0 to 3."""
    return ",".join(dispatch(opt_level))


def run_machine_passes(module: ModuleOp, opt_level: int) -> None:
    """Runs the machine passes of an optimization level on a module of the nvptx dialect.

    Machine code that was read out of SSA form has been through them: it gets PHI elimination
    alone, for functions that still need it.
    """
    run_pipeline(module, machine_pipeline(opt_level if is_ssa(module) else 0))
