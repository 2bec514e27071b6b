from __future__ import annotations

import itertools

import pytest

from nvvm_xdsl.passes.nvidia.lowering.nvvm_reflect import NVVMReflect
from nvvm_xdsl.pipeline import build_pipeline
from nvvm_xdsl.pipeline.build import passes_in
from nvvm_xdsl.pipeline.levels import TargetFacts, default_pipeline


@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize(
    ("ftz", "prec"), list(itertools.product([None, False, True], [False, True]))
)
def test_the_pipelines_of_all_options_exist(level: int, ftz: bool | None, prec: bool):
    nodes = build_pipeline(default_pipeline(level, TargetFacts(90, ftz, prec, prec)))
    reflects = [p for p in passes_in(nodes) if isinstance(p, NVVMReflect)]
    assert reflects
    assert {(p.arch, p.ftz, p.prec_div, p.prec_sqrt) for p in reflects} == {(900, ftz, prec, prec)}
