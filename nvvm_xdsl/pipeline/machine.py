"""The passes over machine code, in order, between selection and printing."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes import pass_class

MACHINE_PIPELINE: tuple[str, ...] = ("nvptx-phi-elimination",)
"""Passes by name. Those before `nvptx-phi-elimination` see SSA, those behind it NoPHIs."""


def run_machine_passes(module: ModuleOp) -> None:
    """Runs the machine passes on a module of the nvptx dialect."""
    for name in MACHINE_PIPELINE:
        pass_class(name)().run(module, AnalysisManager())
