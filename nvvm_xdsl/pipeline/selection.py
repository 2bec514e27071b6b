"""Instruction selection with the passes in front of it that it relies on."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.pipeline.manager import run_pipeline

LOWERINGS = (
    "printf-lowering,lower-ops,alloca-hoisting,lower-struct-args<opt-byval>,lower-aggr-copies"
)
"""What settles where parameters lie, and lowers what selection has no rules for."""


def lower_for_selection(module: ModuleOp) -> None:
    """Runs `LOWERINGS` on a module of the llvm and nvvm dialects, at whatever level."""
    run_pipeline(module, LOWERINGS)


def select(module: ModuleOp, options: CodegenOptions) -> ModuleOp:
    """The nvptx module for a module of the llvm and nvvm dialects, which is lowered in place.

    Raises SelectionError for what has no code on the target.
    """
    lower_for_selection(module)
    return select_module(module, options)
