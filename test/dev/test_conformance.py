"""The command that runs LLVM's and MLIR's tests through this compiler."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dev.conformance.__main__ import main
from dev.conformance.cases import Case, cases_of, run_commands
from dev.conformance.verdicts import PASSES, REFUSED, judge, refusal_by_others
from nvvm_xdsl.lab.compilers import compiler

KERNEL = """\
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx83 | FileCheck %s
; RUN: llc < %s -march=nvptx -mcpu=sm_20 \\
; RUN:   -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90 %{ llc < %s -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx83 | %ptxas-verify %}
target triple = "nvptx-nvidia-cuda"
target datalayout = "e-p:32:32:32"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_cases_of_assembly(tmp_path: Path):
    cases = list(cases_of(write(tmp_path, "k.ll", KERNEL)))
    found = [(c.arch, c.ptx_version, c.level, c.triple) for c in cases]
    assert found == [
        ("sm_90", 83, 0, "nvptx64"),
        ("sm_90", 83, 3, "nvptx64"),
        ("sm_75", 0, 0, "nvptx64-nvidia-cuda"),
        ("sm_75", 0, 3, "nvptx64-nvidia-cuda"),
    ]
    assert all("32:32" not in c.text and f'triple = "{c.triple}"' in c.text for c in cases)


def test_commands_over_lines():
    assert run_commands("; RUN: llc -a \\\n; RUN:  -b | FileCheck\n") == [
        "llc -a  -b",
        "FileCheck",
    ]


def test_cases_of_a_split_file(tmp_path: Path):
    text = "; RUN: split-file %s %t\n;--- a.ll\ndefine void @a() { ret void }\n;--- b.txt\nno\n"
    (first, second) = cases_of(write(tmp_path, "k.ll", text))
    assert (first.line, first.level, second.level) == (3, 0, 3)
    assert "define void @a" in first.text
    assert "b.txt" not in first.text


def test_cases_of_mlir(tmp_path: Path):
    text = "// RUN: mlir-opt %s -split-input-file\nllvm.func @f()\n// -----\n// none\n// -----\nllvm.func @g()\n"
    cases = list(cases_of(write(tmp_path, "k.mlir", text)))
    assert [(c.line, c.text.split("@")[1][0]) for c in cases] == [(1, "f"), (6, "g")]


def test_verdicts(tmp_path: Path):
    if compiler("llc").why_missing() is not None:
        pytest.skip("llc was not found")
    case = next(cases_of(write(tmp_path, "k.ll", KERNEL)))
    assert refusal_by_others(case) == ""
    assert judge(case, "").kind == PASSES
    broken = Case("k.ll", "define void @f() { foo }", arch="sm_90")
    assert "llc" in refusal_by_others(broken)
    refused = judge(broken, "")
    assert (refused.kind, refused.reason) == (REFUSED, "line 1: unknown instruction 'foo'")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if shutil.which("mlir-opt-22") is None:
        pytest.skip("mlir-opt was not found")
    folder = tmp_path / "tests"
    folder.mkdir()
    write(folder, "good.mlir", "llvm.func @f()\n")
    write(folder, "bad.mlir", "llvm.func @f(%x: i32) { llvm.return %x : i32 }\n")
    arguments = [str(folder), "--results", str(tmp_path / "results.sqlite"), "--all"]
    # An input that both reject passes.
    assert main(arguments) == 0
    assert "files: 2 passes" in capsys.readouterr().out
    # A second run starts no tool.
    (folder / "good.mlir").rename(folder / "same.mlir")
    assert main([*arguments, "--only", "bad"]) == 0
    assert "files: 1 passes" in capsys.readouterr().out
