"""Custom pipelines in place of a level's: `--passes` and `--machine-passes`."""

from __future__ import annotations

from pathlib import Path

import pytest

import nvvm_xdsl
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.levels import EXCLUSION_ERROR, TargetFacts, with_target
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.tools import nvvm_cc, nvvm_opt

EXAMPLES = Path(__file__).parents[2] / "examples"
LOCAL = EXAMPLES / "reduction.O0.ll"


def test_a_level_by_name_equals_the_level():
    named = CompileOptions(arch="sm_90", passes="nvopt<O2>", machine_passes=machine_pipeline(2))
    assert nvvm_xdsl.compile(LOCAL, options=named) == nvvm_xdsl.compile(
        LOCAL, arch="sm_90", opt_level=2
    )


def test_custom_passes_replace_the_level():
    text = nvvm_xdsl.compile(
        LOCAL, options=CompileOptions(passes="", machine_passes="nvptx-phi-elimination")
    )
    assert len(text) > 1.5 * len(nvvm_xdsl.compile(LOCAL))  # fmt: skip


def test_split_compilation_runs_custom_passes():
    path = EXAMPLES / "switch.ll"
    options = CompileOptions(
        passes="nvopt<O1>", machine_passes="nvptx-mem2reg,nvptx-phi-elimination"
    )
    split = CompileOptions(**{**vars(options), "split_compile": 2})
    assert nvvm_xdsl.compile(path, options=split) == nvvm_xdsl.compile(path, options=options)


def test_passes_get_the_target_unless_the_text_sets_it():
    facts = TargetFacts(90, ftz=True)
    assert with_target("nvopt<O3>", facts) == "nvopt<O3;arch=90;ftz>"
    assert with_target("nvopt<O1;short>", facts) == "nvopt<O1;short;arch=90;ftz>"
    assert with_target("nvopt<O2;mid>", facts) == "nvopt<O2;mid;arch=90;ftz>"
    assert with_target("default<O2>,dce", facts) == "default<O2;arch=90;ftz>,dce"
    assert with_target("nvopt<O3;arch=75>", facts) == "nvopt<O3;arch=75>"
    assert with_target("function(sroa),nvvm-reflect", facts) == "function(sroa),nvvm-reflect<arch=900;ftz>"  # fmt: skip
    assert with_target("nvvm-reflect<no-ftz>", facts) == "nvvm-reflect<no-ftz>"


def test_errors_point_into_the_text():
    with pytest.raises(DiagnosticError, match="unknown pass 'nothing'") as caught:
        nvvm_xdsl.compile(LOCAL, options=CompileOptions(passes="sroa,nothing"))
    assert (caught.value.line, caught.value.column) == (1, 6)


@pytest.mark.parametrize("tool", [nvvm_cc, nvvm_opt])
@pytest.mark.parametrize("level", ["-O0", "-O2", "-Ofc=mid", "-Ofast-compile=max"])
def test_a_level_and_passes_are_mutually_exclusive(
    tool, level: str, capsys: pytest.CaptureFixture[str]
):
    """`nvvm-cc` ignored the level."""
    assert tool.main([level, "-p", "sroa", str(LOCAL)]) == 1
    assert capsys.readouterr() == ("", f"error: {EXCLUSION_ERROR}\n")


def test_ofc_0_is_not_an_optimization_level(capsys: pytest.CaptureFixture[str]):
    assert nvvm_cc.main(["-Ofc=0", "-p", "sroa", str(LOCAL)]) == 0
    assert ".entry" in capsys.readouterr().out


def test_level_options_and_passes_are_mutually_exclusive():
    for stated in ({"opt_level": 3}, {"fast_compile": "min"}):
        with pytest.raises(DiagnosticError) as caught:
            CompileOptions(passes="sroa", **stated)
        assert caught.value.message == EXCLUSION_ERROR
