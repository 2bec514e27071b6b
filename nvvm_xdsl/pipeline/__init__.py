"""Which passes run, in what order: pipeline text, levels, and the manager that runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline.build import build_pipeline, print_nodes
    from nvvm_xdsl.pipeline.instrumentation import Instruments
    from nvvm_xdsl.pipeline.manager import PassFailure, PassManager, run_pipeline
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

_HOMES = {
    "Instruments": "instrumentation",
    "PassFailure": "manager",
    "PassManager": "manager",
    "PipelineError": "text",
    "build_pipeline": "build",
    "print_nodes": "build",
    "run_pipeline": "manager",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for: the command lines need little of it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
