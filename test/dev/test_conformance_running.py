"""Functions of LLVM's tests, run beside llc's code."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.conformance import running
from dev.conformance.__main__ import main
from nvvm_xdsl.lab.compilers import compiler

TEXT = """\
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90 | FileCheck %s
%pair = type { i8, float }
declare void @elsewhere()
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
define i32 @sum(i32 %a, i32 signext %b, ptr %p) {
  %q = getelementptr i32, ptr %p, i32 -1
  %c = load i32, ptr %q
  store i32 %a, ptr %p
  %ab = add i32 %a, %b
  %r = add i32 %ab, %c
  ret i32 %r
}
define { <2 x half>, i1 } @aggregate(<2 x half> %a, %pair %b, i1 %c, bfloat %d) {
  %s = fadd <2 x half> %a, %a
  %t = insertvalue { <2 x half>, i1 } poison, <2 x half> %s, 0
  %r = insertvalue { <2 x half>, i1 } %t, i1 %c, 1
  ret { <2 x half>, i1 } %r
}
define i32 @by_zero(i32 %a, i32 %b) {
  %r = sdiv i32 %a, %b
  ret i32 %r
}
define i32 @not_here(i32 %a) {
  call void @elsewhere()
  ret i32 %a
}
define float @rounded_once_or_twice(float %a, float %b, float %c) {
  %r = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ret float %r
}
define float @relaxed(float %a, float %b) {
  %r = fdiv arcp float %a, %b
  ret float %r
}
define i32 @time() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  ret i32 %r
}
define void @in_memory(ptr byval(%pair) %a) {
  ret void
}
define ptx_kernel void @kernel(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  ret void
}
"""

needs_llc = pytest.mark.skipif(
    compiler("llc").why_missing() is not None, reason="LLVM's tools were not found"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "k.ll"
    path.write_text(TEXT)
    return path


@needs_llc
def test_functions_and_kernels_run(file: Path, capsys: pytest.CaptureFixture[str]):
    found = running.run_file(file)
    both = {"rounded_once_or_twice", "relaxed"}
    assert found.compared == {"sum", "aggregate", "by_zero", "kernel", *both}
    assert found.different == {}
    assert found.left_out["in_memory"] == "it takes an argument in memory"
    assert found.left_out["time"] == "it reads a clock"
    assert "@elsewhere has no body" in found.left_out["not_here"]
    assert main([str(file), "--run"]) == 0
    assert "1 of 1 files ran: 6 functions and kernels, 0 differ" in capsys.readouterr().out


@needs_llc
def test_a_wrong_result_is_reported(file: Path, monkeypatch: pytest.MonkeyPatch):
    compile_here = running.compile_here

    def wrong(text: str, **options: object) -> str:
        text = text.replace("add i32 %ab", "sub i32 %ab").replace("fadd <2", "fmul <2")
        return compile_here(text, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(running, "compile_here", wrong)
    found = running.run_file(file)
    assert found.different.keys() == {"sum", "aggregate"}
    assert found.different["sum"].startswith("-O0: argument 1[")
