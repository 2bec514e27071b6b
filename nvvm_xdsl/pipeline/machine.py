"""The passes over machine code, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.passes.machine.base import is_ssa
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.instrumentation import Watcher
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.options import PassOptions

KEEPING_LOOPS = {"block-placement": "block-placement<no-reverse-loop-conditions>"}
"""The passes that decide the form in which ptxas unrolls a loop, and the parameters that preserve
it."""


def machine_pipeline(opt_level: int, *, keep_loops: bool = False) -> str:
    """The pipeline text of the machine passes of an optimization level, 0 to 3.

    With keep_loops the branches of loops keep their form, because an earlier optimizer has decided
    which loops are unrolled.
    """
    names = dispatch(opt_level)
    return ",".join(KEEPING_LOOPS.get(name, name) if keep_loops else name for name in names)


def run_machine_passes(
    module: ModuleOp,
    pipeline: str,
    options: PassOptions | None = None,
    watcher: Watcher | None = None,
) -> None:
    """Runs passes over machine code on a module of the nvptx dialect.

    For machine code that was read out of SSA form, these passes have run already: only PHI
    elimination runs, on functions that need it.

    Arguments:
        pipeline: its text, as returned by `machine_pipeline`.
        options: the options of `-opt`.
        watcher: the watcher of the whole compilation. The caller calls its `finish`.
    """
    chosen = pipeline if is_ssa(module) else machine_pipeline(0)
    run_pipeline(module, chosen, watcher=watcher, options=options)
