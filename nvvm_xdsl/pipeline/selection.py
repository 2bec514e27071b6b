"""Instruction selection with the passes in front of it that it relies on."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.pipeline.instrumentation import Watcher
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.options import PassOptions

LOWERINGS = (
    "soften-fp128,printf-lowering,lower-ops,alloca-hoisting,lower-struct-args<opt-byval>,"
    "lower-aggr-copies,separate-const-offset-from-gep,speculative-execution,slsr"
)
"""What settles where parameters lie, and lowers what selection has no rules for, at every level."""


def select(
    module: ModuleOp,
    options: CodegenOptions,
    settings: PassOptions | None = None,
    watcher: Watcher | None = None,
) -> ModuleOp:
    """The nvptx module for a module of the llvm and nvvm dialects, which is lowered in place.

    Arguments:
        settings: what `-opt` states for the passes.
        watcher: whose observer is told of the passes in front.
    Raises SelectionError for what has no code on the target.
    """
    beside = watcher.beside() if watcher is not None and watcher.observer is not None else None
    run_pipeline(module, LOWERINGS, watcher=beside, options=settings)
    return select_module(module, options)
