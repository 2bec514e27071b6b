"""Pipelines of passes: their text, optimization levels, and the pass manager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nvvm_xdsl.ir.late_exports import late_exports

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline.build import build_pipeline, print_nodes
    from nvvm_xdsl.pipeline.instrumentation import Instruments
    from nvvm_xdsl.pipeline.manager import PassManager, run_pipeline
    from nvvm_xdsl.pipeline.pass_runner import PassFailure
    from nvvm_xdsl.pipeline.text import PipelineError

__all__ = [
    "Instruments",
    "PassFailure",
    "PassManager",
    "PipelineError",
    "build_pipeline",
    "print_nodes",
    "run_pipeline",
]

__getattr__ = late_exports(
    __name__,
    {
        "Instruments": "nvvm_xdsl.pipeline.instrumentation",
        "PassFailure": "nvvm_xdsl.pipeline.pass_runner",
        "PassManager": "nvvm_xdsl.pipeline.manager",
        "PipelineError": "nvvm_xdsl.pipeline.text",
        "build_pipeline": "nvvm_xdsl.pipeline.build",
        "print_nodes": "nvvm_xdsl.pipeline.build",
        "run_pipeline": "nvvm_xdsl.pipeline.manager",
    },
)
