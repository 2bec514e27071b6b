"""Machine code diverges where the IR that it was selected from does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from nvvm_xdsl.analysis.machine.uniformity import MachineUniformity
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.driver.compile import complete, parse
from nvvm_xdsl.driver.pictures import functions, uniformity_of
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.machine import machine_pipeline, run_machine_passes
from nvvm_xdsl.pipeline.selection import LOWERINGS

EXAMPLES = Path(__file__).parents[3] / "examples"


def branches(uniformity: Uniformity) -> Counter[bool]:
    """Returns the numbers of divergent and of uniform branches; selection reorders blocks."""
    cfg = uniformity.cfg
    return Counter(
        uniformity.has_divergent_branch(block)
        for number, block in enumerate(cfg.blocks)
        if len(cfg.successors[number]) > 1
    )


@pytest.mark.parametrize("name", ["reduction", "matmul", "scan", "saxpy", "histogram", "nbody"])
def test_branch_uniformity_equals_that_of_the_ir(name: str):
    module = parse(EXAMPLES / f"{name}.ll")
    complete(module)
    run_pipeline(module, LOWERINGS)
    wanted = {symbol_name(f): branches(Uniformity(f)) for f in functions(module)}
    selected = select_module(module, CodegenOptions.for_arch("sm_90"))
    found = {symbol_name(f): branches(MachineUniformity(f)) for f in functions(selected)}
    assert found == wanted
    assert sum(found.values(), Counter())[True] > 0


def test_registers_with_several_definitions_are_divergent():
    module = parse(EXAMPLES / "reduction.ll")
    complete(module)
    selected = select_module(module, CodegenOptions.for_arch("sm_90"))
    (func, *_) = functions(selected)
    assert uniformity_of(func, AnalysisManager()) is not None
    run_machine_passes(selected, machine_pipeline(0))
    assert uniformity_of(func, AnalysisManager()) is None
