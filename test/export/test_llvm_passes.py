"""`llvm<"...">`: LLVM's passes within a pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

import nvvm_xdsl
from dev.example_launches import launches_of
from nvvm_xdsl.export import llvm_passes
from nvvm_xdsl.export.llvm_passes import METHODS, LLVMPasses
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.pipeline import build_pipeline, print_nodes
from nvvm_xdsl.pipeline.levels import pipeline_text
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import prepare

DIRECTORY = Path(__file__).resolve().parents[2] / "examples"

SUM = """\
define i32 @sum(i32 %n) {
entry:
  %slot = alloca i32, align 4
  store i32 %n, ptr %slot, align 4
  %a = load i32, ptr %slot, align 4
  %b = add i32 %a, 0
  ret i32 %b
}
"""


def ops_after(pipeline: str) -> list[str]:
    module = nvvm_xdsl.parse(SUM)
    run_pipeline(module, pipeline)
    (func,) = module.body.block.ops
    return [op.name for op in func.walk() if op is not func]


def test_level():
    assert ops_after('llvm<"default<O1>">') == ["llvm.return"]


def test_passes_in_order():
    assert ops_after('llvm<"sroa">').count("llvm.load") == 0
    assert "llvm.add" in ops_after("llvm<passes=sroa>")
    assert ops_after('llvm{passes="sroa,instcombine"}') == ["llvm.return"]


def test_level_0_changes_nothing():
    assert "llvm.alloca" in ops_after('llvm<"default<O0>">')


@pytest.mark.parametrize("text", ['llvm<"default<O3>">', 'llvm<"sroa,dce">', "llvm<cpu=sm_80>"])
def test_printed_pipelines_are_parsed_again(text: str):
    printed = print_nodes(build_pipeline(text))
    assert print_nodes(build_pipeline(printed)) == printed


def test_an_unknown_pass():
    with pytest.raises(DiagnosticError, match="'instcombin'; did you mean 'instcombine'"):
        ops_after('llvm<"instcombin">')


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_documented_pass_exists(name: str):
    ops_after(f'llvm<"{name}">')


def test_no_default_pipeline_runs_llvm_passes():
    for level in ("O0", "O1", "O2", "O3"):
        assert "llvm<" not in pipeline_text(level)


def test_a_module_that_llvm_rejects_is_an_error(monkeypatch: pytest.MonkeyPatch):
    def wrong(_module: object, **_options: object) -> str:
        return "define nothing"

    monkeypatch.setattr(llvm_passes, "write_ll", wrong)
    with pytest.raises(DiagnosticError, match=r"LLVM .* rejects the module"):
        ops_after("llvm")


@pytest.mark.parametrize("name", ["reduction", "switch"])
def test_behaviour(name: str):
    text = (DIRECTORY / f"{name}.ll").read_text()
    source = prepare(nvvm_xdsl.parse(text))
    module = nvvm_xdsl.parse(text)
    LLVMPasses().apply(None, module)  # pyright: ignore
    program = prepare(module, (), source)
    for example in launches_of(name):
        assert example.wrong(run(program, example.launch)) is None
