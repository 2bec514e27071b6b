"""The test format itself: a format that accepts everything would hide every fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers import lit_format


def run(tmp_path: Path, text: str) -> lit_format.Outcome:
    test = tmp_path / "t.ll"
    test.write_text(text)
    return lit_format.run_test(test)


@pytest.mark.parametrize(
    "text",
    [
        "; RUN: echo a b | filecheck %s\n; CHECK: a b\n",
        "; RUN: echo a > %t && cat %t | filecheck %s\n; CHECK: a\n",
        "; RUN: echo a \\\n; RUN:   b | filecheck %s\n; CHECK: a b\n",
        "; RUN: not filecheck %s --check-prefix=NONE < %s\n",
        "; RUN: not filecheck %s --check-prefix=N 2>&1 < %s | filecheck %s\n; CHECK: No check\n",
        "; RUN-CLI: not filecheck %s --check-prefix=NONE < %s\n",
        "; RUN: echo 'x | y' | filecheck %s\n; CHECK: x | y\n",
        "; RUN: nvvm-opt --version | filecheck %s\n; CHECK: nvvm-opt\n",
        "; RUN: not nvvm-opt %S/missing.mlir 2>&1 | filecheck %s\n; CHECK: error: no such file\n",
    ],
)
def test_passes(tmp_path: Path, text: str):
    outcome = run(tmp_path, text)
    assert outcome.status == "pass", outcome.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("; RUN: echo a | filecheck %s\n; CHECK: b\n", "Couldn't match"),
        ("; RUN: echo a | filecheck %s\n; RUN: not echo a\n; CHECK: a\n", "not echo a"),
        ("; RUN: filecheck %s --check-prefix=NONE < %s | echo a\n", "exit status"),
        ("; RUN: no-such-program-anywhere\n", "command not found"),
        ("; RUN: not no-such-program-anywhere && echo > %t/x\n", ""),
        ("; RUN-CLI: echo a | filecheck %s\n; CHECK: b\n", "Couldn't match"),
        ("; RUN: echo a 3> %t\n", "not supported"),
        ("; RUN: echo a 2>&1 > %t\n", "not supported"),
    ],
)
def test_fails(tmp_path: Path, text: str, message: str):
    outcome = run(tmp_path, text)
    assert outcome.status == "fail"
    assert message in outcome.message


def test_a_traceback_fails_under_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def crash(args: list[str]) -> int:
        raise KeyError(args[0])

    monkeypatch.setitem(lit_format.TOOLS, "nvvm-cc", crash)
    outcome = run(tmp_path, "; RUN: not nvvm-cc x\n")
    assert outcome.status == "fail"
    assert "KeyError" in outcome.message


def test_an_internal_error_fails_under_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(args: list[str]) -> int:
        print("x.ll: error: internal error at nvvm_xdsl/ir/fast.py:1: KeyError", file=sys.stderr)
        return 1

    monkeypatch.setitem(lit_format.TOOLS, "nvvm-cc", fail)
    assert run(tmp_path, "; RUN: not nvvm-cc x\n").status == "fail"


def test_missing_features_skip(tmp_path: Path):
    outcome = run(tmp_path, "; RUN: echo\n; REQUIRES: ptxas, no-such-program\n")
    assert outcome.status == "skip"


def test_files_without_run_lines_are_no_tests(tmp_path: Path):
    path = tmp_path / "a.ll"
    path.write_text("define void @f() {\n  ret void\n}\n")
    assert lit_format.read_script(path) is None


def test_changes_to_xdsl_do_not_leak(tmp_path: Path):
    from xdsl.ir import Attribute

    before = Attribute.__post_init__
    (tmp_path / "in.mlir").write_text("builtin.module {\n}\n")
    text = "; RUN: nvvm-opt %S/in.mlir --disable-verify | filecheck %s\n; CHECK: builtin.module\n"
    assert run(tmp_path, text).status == "pass"
    assert Attribute.__post_init__ is before
