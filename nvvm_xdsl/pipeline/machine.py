"""The passes over machine code, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.passes.machine.base import is_ssa
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.instrumentation import Watcher
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.options import PassOptions

KEEPING_LOOPS = {"block-placement": "block-placement<no-reverse-loop-conditions>"}
"""The passes that decide on the form in which ptxas unrolls a loop, and how they keep its form."""


def machine_pipeline(opt_level: int, *, keep_loops: bool = False) -> str:
    """The pipeline text of the machine passes of an optimization level, 0 to 3.

    With keep_loops the branches of loops keep their form: what optimized the module
    before has decided which loops are unrolled.
    """
    names = dispatch(opt_level)
    return ",".join(KEEPING_LOOPS.get(name, name) if keep_loops else name for name in names)


def run_machine_passes(
    module: ModuleOp,
    opt_level: int,
    options: PassOptions | None = None,
    watcher: Watcher | None = None,
    *,
    keep_loops: bool = False,
) -> None:
    """Runs the machine passes of an optimization level on a module of the nvptx dialect.

    Machine code that was read out of SSA form has been through them: it gets PHI elimination
    alone, for functions that still need it.

    Arguments:
        options: what `-opt` states.
        watcher: of the whole compilation, which its maker ends.
        keep_loops: as of `machine_pipeline`.
    """
    level = opt_level if is_ssa(module) else 0
    pipeline = machine_pipeline(level, keep_loops=keep_loops)
    run_pipeline(module, pipeline, watcher=watcher, options=options)
