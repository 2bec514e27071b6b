"""`nvopt<libnvvm-O3>`: libNVVM's order of this project's passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.pipeline.levels import TargetFacts, pipeline_text, with_target

SAXPY = Path(__file__).parents[2] / "examples" / "saxpy.ll"


def test_the_kernel_computes_the_same():
    arguments = (10, 2.0, np.arange(10, dtype=np.float32), np.ones(10, np.float32))
    launch = Launch("saxpy", 1, 32, arguments)
    assert find_difference(read_ll(SAXPY.read_text()), "nvopt<libnvvm-O3>", [launch]) is None


def test_facts_about_the_target_reach_the_passes():
    text = with_target("nvopt<libnvvm-O3>", TargetFacts(90, ftz=True))
    assert text == "nvopt<libnvvm-O3;arch=90;ftz>"
    assert "nvvm-reflect<arch=900;ftz>," in pipeline_text("libnvvm-O3;arch=90;ftz")
    with pytest.raises(DiagnosticError, match="invalid nvopt pipeline parameter 'mid'"):
        build_pipeline("nvopt<libnvvm-O3;mid>")


def test_parameters_of_options_reach_the_passes_and_guards_do_not():
    names = [p.name for p in passes_in(build_pipeline("nvopt<libnvvm-O3>"))]
    nodes = build_pipeline(
        "nvopt<libnvvm-O3>", options=parse_opt("-no-dse -remat-maxreg-ceiling=40")
    )
    found = list(passes_in(nodes))
    assert [p.name for p in found] == names
    (remat,) = [p for p in found if p.name == "remat"]
    assert "remat-maxreg-ceiling=40" in remat.parameters()


def test_passes_run_in_the_order_of_libnvvm():
    """Some positions that differ from those of -O3 (docs/deviations.md)."""
    names = [p.name for p in passes_in(build_pipeline("nvopt<libnvvm-O3>"))]
    assert (
        names.index("inline")
        < names.index("sroa")
        < names.index("globalopt")
        < names.index("ipsccp")
    )
    assert names.index("gvn") < names.index("jump-threading") < names.index("branch-dist")
    assert names.count("memory-space-opt") == 3
    assert "nvvm-lower-barriers" not in names
