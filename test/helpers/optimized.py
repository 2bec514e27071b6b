"""LLVM IR before and after a pipeline, for tables of small cases."""

from __future__ import annotations

from nvvm_xdsl.export.module import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TRIPLE = 'target triple = "nvptx64-nvidia-cuda"\n'


def optimized(text: str, pipeline: str) -> str:
    """Returns the LLVM IR of a module after a pipeline."""
    module = read_ll(TRIPLE + text)
    run_pipeline(module, pipeline)
    module.verify()
    return write_ll(module)


def check_optimized(pipeline: str, text: str, *parts: str) -> None:
    """Fails unless the module after a pipeline has each of the `parts`, and none of those after a `!`."""
    result = optimized(text, pipeline)
    for part in parts:
        if part[0] == "!":
            assert part[1:] not in result
        else:
            assert part in result
