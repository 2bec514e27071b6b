"""Instruction selection and the passes that must run before it."""

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
"""Passes that determine the location of parameters, and lower ops without selection rules, at every
level.
"""


def select(
    module: ModuleOp,
    options: CodegenOptions,
    settings: PassOptions | None = None,
    watcher: Watcher | None = None,
) -> ModuleOp:
    """Converts a module of the llvm and nvvm dialects, which is lowered in place, to an nvptx
    module.

    Arguments:
        settings: the options of `-opt` for the passes.
        watcher: its observer is notified of the preceding passes.
    Raises SelectionError for ops without code on the target.
    """
    beside = watcher.beside() if watcher is not None and watcher.observer is not None else None
    run_pipeline(module, LOWERINGS, watcher=beside, options=settings)
    return select_module(module, options)
