"""Instruction selection with the passes in front of it that it relies on."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.passes import pass_class

LOWERINGS: tuple[str, ...] = ("lower-aggr-copies",)
"""Passes by name that lower what selection has no rules for, in order."""


def lower_for_selection(module: ModuleOp) -> None:
    """Runs `LOWERINGS` on a module of the llvm and nvvm dialects, at whatever level."""
    for name in LOWERINGS:
        pass_class(name)().run(module, AnalysisManager())


def select(module: ModuleOp, options: CodegenOptions) -> ModuleOp:
    """The nvptx module for a module of the llvm and nvvm dialects, which is lowered in place.

    Raises SelectionError for what has no code on the target.
    """
    lower_for_selection(module)
    return select_module(module, options)
