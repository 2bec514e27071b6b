"""The passes over machine code, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.passes.machine.base import is_ssa
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.instrumentation import Watcher
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.options import PassOptions


def machine_pipeline(opt_level: int) -> str:
    """The pipeline text of the machine passes of an optimization level, 0 to 3."""
    return ",".join(dispatch(opt_level))


def run_machine_passes(
    module: ModuleOp,
    opt_level: int,
    options: PassOptions | None = None,
    watcher: Watcher | None = None,
) -> None:
    """Runs the machine passes of an optimization level on a module of the nvptx dialect.

    Machine code that was read out of SSA form has been through them: it gets PHI elimination
    alone, for functions that still need it.

    Arguments:
        options: what `-opt` states.
        watcher: of the whole compilation, which its maker ends.
    """
    level = opt_level if is_ssa(module) else 0
    run_pipeline(module, machine_pipeline(level), watcher=watcher, options=options)
