"""The passes over machine code, in order, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes import pass_class

PHI_ELIMINATION = "nvptx-phi-elimination"

MACHINE_PIPELINE: tuple[str, ...] = (PHI_ELIMINATION,)
"""Passes by name. Those before PHI elimination see SSA, those behind it NoPHIs."""


def run_machine_passes(module: ModuleOp, *, optimize: bool = True) -> None:
    """Runs the machine passes on a module of the nvptx dialect; without `optimize` the least."""
    for name in MACHINE_PIPELINE if optimize else (PHI_ELIMINATION,):
        pass_class(name)().run(module, AnalysisManager())
