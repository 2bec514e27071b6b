"""Pipelines of a user's own in place of a level's: `--passes` and `--machine-passes`."""

from __future__ import annotations

from pathlib import Path

import pytest

import nvvm_xdsl
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.levels import TargetFacts, with_target
from nvvm_xdsl.pipeline.machine import machine_pipeline

EXAMPLES = Path(__file__).parents[2] / "examples"
LOCAL = EXAMPLES / "reduction.O0.ll"


def test_a_level_by_name_is_the_level():
    named = CompileOptions(arch="sm_90", passes="nvopt<O2>", machine_passes=machine_pipeline(2))
    assert nvvm_xdsl.compile(LOCAL, options=named) == nvvm_xdsl.compile(
        LOCAL, arch="sm_90", opt_level=2
    )


def test_they_run_in_place_of_the_level():
    text = nvvm_xdsl.compile(
        LOCAL, options=CompileOptions(passes="", machine_passes="nvptx-phi-elimination")
    )
    assert len(text) > 1.5 * len(nvvm_xdsl.compile(LOCAL))  # fmt: skip


def test_split_compilation_runs_them_too():
    path = EXAMPLES / "switch.ll"
    options = CompileOptions(
        passes="nvopt<O1>", machine_passes="nvptx-mem2reg,nvptx-phi-elimination"
    )
    split = CompileOptions(**{**vars(options), "split_compile": 2})
    assert nvvm_xdsl.compile(path, options=split) == nvvm_xdsl.compile(path, options=options)


def test_passes_are_told_of_the_target_unless_the_text_says_something():
    facts = TargetFacts(90, ftz=True)
    assert with_target("nvopt<O3>", facts) == "nvopt<O3;arch=90;ftz>"
    assert with_target("nvopt<O3;arch=75>", facts) == "nvopt<O3;arch=75>"
    assert with_target("function(sroa),nvvm-reflect", facts) == "function(sroa),nvvm-reflect<arch=900;ftz>"  # fmt: skip
    assert with_target("nvvm-reflect<no-ftz>", facts) == "nvvm-reflect<no-ftz>"


def test_errors_point_into_the_text():
    with pytest.raises(DiagnosticError, match="unknown pass 'nothing'") as caught:
        nvvm_xdsl.compile(LOCAL, options=CompileOptions(passes="sroa,nothing"))
    assert (caught.value.line, caught.value.column) == (1, 6)
