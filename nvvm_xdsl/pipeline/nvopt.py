"""`nvopt` in a stock `xdsl-opt`: a pass with the text of a pipeline as its parameter.

    xdsl-opt kernel.mlir -p 'nvopt{pipeline="function(sroa),repeat<2>(dce)"}'
    xdsl-opt kernel.mlir -p 'nvopt{pipeline="nvopt<O2>" opt="-do-licm=0"}'

xDSL's own pipeline grammar has no nesting, so the text is a string argument.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.pipeline.manager import run_pipeline


@dataclass(frozen=True)
class NvOpt(ModulePass):
    """Runs pipeline text."""

    name = "nvopt"

    pipeline: str = "nvopt<O3>"

    opt: str = ""
    """Options of the optimizer and its passes, as in `-opt` of the tools."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        intern_types(op)
        run_pipeline(op, self.pipeline, options=parse_opt(self.opt))
