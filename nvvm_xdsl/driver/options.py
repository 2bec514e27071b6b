"""The options of a compilation, which `pipeline/compile_options.py` defines."""

from __future__ import annotations

from nvvm_xdsl.pipeline.compile_options import (
    CompileOptions,
    DebugInfo,
    OutputFormat,
    ResolvedOptions,
)

__all__ = ["CompileOptions", "DebugInfo", "OutputFormat", "ResolvedOptions"]
