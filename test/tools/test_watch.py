"""`nvvm-cc --watch`: a line for each compilation, files that CUDA C++ includes, and interrupts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import watch
from nvvm_xdsl.tools.nvvm_cc import main

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "define ptx_kernel void @{}() {{\n  ret void\n}}\n"


def test_a_line_for_each_change(tmp_path: Path):
    source, output = tmp_path / "k.ll", tmp_path / "k.ptx"
    source.write_text(KERNEL.format("first"))
    process = subprocess.Popen(
        [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_cc", "k.ll", "--watch", "-o", "k.ptx"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert " k.ll: first in " in process.stdout.readline()
        assert ".entry first" in output.read_text()
        source.write_text("define void @wrong() {\n  ret i32 %x\n}\n")
        line = process.stdout.readline()
        assert line.split(maxsplit=1)[1].startswith("k.ll:2:")
        assert "error: " in line
        assert ".entry first" in output.read_text()
        # Editors replace files.
        (tmp_path / "new").write_text(KERNEL.format("second"))
        os.replace(tmp_path / "new", source)
        assert " k.ll: second in " in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)
        assert (process.returncode, rest) == (130, ("", ""))
    finally:
        process.kill()
        process.wait()
    assert ".entry second" in output.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.ll", "k.ptx"]


def outcome_of(work: str) -> watch.Outcome:
    """The outcome of a compilation that runs these statements and returns PTX with two kernels."""

    def compile() -> str:
        exec(work, {"os": os, "signal": signal, "DiagnosticError": DiagnosticError})
        return ".visible .entry a(\n.entry _Z1bv()\n.func c()\n"

    return watch.compiled_in_child(compile)


@pytest.mark.parametrize(
    ("work", "status", "text", "kernels"),
    [
        ("pass", 0, "", ("a", "_Z1bv")),
        ("raise DiagnosticError('bad', file='k.ll', line=3)", 1, "k.ll:3: error: bad\n", ()),
        ("os.kill(os.getpid(), signal.SIGKILL)", -9, "", ()),
        ("os.write(2, b'half'); os.kill(os.getpid(), signal.SIGKILL)", -9, "half", ()),
    ],
)
def test_a_failing_child_is_reported_as_an_outcome(
    work: str, status: int, text: str, kernels: tuple[str, ...]
):
    found = outcome_of(work)
    assert (found.status, found.text, found.kernels) == (status, text, kernels)


def test_an_interrupt_ends_the_child(monkeypatch: pytest.MonkeyPatch):
    ended: list[int] = []
    wait = os.waitpid

    def interrupted(child: int, options: int) -> tuple[int, int]:
        if not ended:
            ended.append(child)
            raise KeyboardInterrupt
        return wait(child, options)

    monkeypatch.setattr(os, "waitpid", interrupted)
    with pytest.raises(KeyboardInterrupt):
        outcome_of("signal.pause()")
    with pytest.raises(ProcessLookupError):
        os.kill(ended[0], 0)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (watch.Outcome(0, "remark: r\n", ("k",), 0.5), "k.ll: k in 0.50 s\n"),
        (watch.Outcome(0, "", (), 0.5), "k.ll: no kernels in 0.50 s\n"),
        (watch.Outcome(0, "", tuple("abcdefg"), 1), "k.ll: a, b, c, d, e and 2 more in 1.00 s\n"),
        (watch.Outcome(1, "note\nk.ll:1: error: e\nline\n", (), 0), "k.ll:1: error: e\n"),
        (watch.Outcome(1, "", (), 0), "k.ll: error\n"),
        (watch.Outcome(-9, "", (), 0), "k.ll: error: signal 9 ended the compilation\n"),
    ],
)
def test_lines(outcome: watch.Outcome, expected: str, capsys: pytest.CaptureFixture[str]):
    watch._print(outcome, ["k.ll"])  # pyright: ignore[reportPrivateUsage]
    out, err = capsys.readouterr()
    assert out.split(" ", 1)[1] == expected
    assert err == ""


def test_a_terminal_gets_all_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    watch._print(watch.Outcome(1, "k.ll:1: error: e\n  x\n  ^\n", (), 0), ["k.ll"])  # pyright: ignore[reportPrivateUsage]
    assert capsys.readouterr().out.endswith(" k.ll:1: error: e\n  x\n  ^\n")


def test_a_change_during_a_compilation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = tmp_path / "k.ll"
    source.write_text("first")
    found: list[str] = []

    def compile() -> str:
        read = source.read_text()
        source.write_text("second")
        return f".entry {read}"

    def show(outcome: watch.Outcome, files: object) -> None:
        found.extend(outcome.kernels)
        if len(found) == 2:
            raise KeyboardInterrupt

    naps = iter(range(20))
    monkeypatch.setattr(watch, "_print", show)
    monkeypatch.setattr(watch.time, "sleep", lambda _seconds: next(naps))
    monkeypatch.setitem(sys.modules, "nvvm_xdsl.driver.preloaded", ModuleType("preloaded"))
    with pytest.raises(KeyboardInterrupt):
        watch.watch([str(source)], CompileOptions(), compile)
    assert found == ["first", "second"]


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang 22 is not installed")
def test_included_files(tmp_path: Path):
    source, header = tmp_path / "k.cu", tmp_path / "a b.h"
    source.write_text('#include "a b.h"\n#include "missing.h"\n__global__ void k() { broken(\n')
    header.write_text("#pragma once\n")
    found = watch.included(str(source), CompileOptions(arch="sm_80"))
    assert {str(source), str(header), str(tmp_path / "missing.h")} <= set(found)
    assert watch.included("k.ll", CompileOptions()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "--watch needs files"),
        (["k.ll", "-j", "2"], "--watch cannot be combined with -j"),
        (["k.ll", "--report"], "--watch cannot be combined with --report"),
    ],
)
def test_excluded_options(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main([*arguments, "--watch"]) == 1
    assert message in capsys.readouterr().err
