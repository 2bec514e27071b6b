"""Progress of long operations: shown on a terminal, absent in a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.terminal import in_terminal

from nvvm_xdsl.tools import nvvm_tv, nvvm_verify_races

TWO = ["examples/saxpy.ll", "examples/switch.ll"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "words", "text"),
    [
        ("nvvm_cc", [*TWO, "-j", "2", "-o"], "/2 "),
        ("nvvm_fuzz", ["--count", "2"], "of 2 kernels, 0 failures"),
        ("nvvm_tv", ["examples/saxpy.ll", "-p", "gvn"], "proving function 1"),
        ("nvvm_verify_races", ["examples/saxpy.ll"], "proving kernel 1"),
    ],
)
def test_on_a_terminal(tool: str, words: list[str], text: str, tmp_path: Path):
    pytest.importorskip("z3")
    with in_terminal(tool, *words, *([str(tmp_path)] if words[-1] == "-o" else [])) as terminal:
        terminal.until(text, seconds=120)
        terminal.status(120)


@pytest.mark.parametrize("tool", [nvvm_tv, nvvm_verify_races])
def test_in_a_pipe(tool, capfd: pytest.CaptureFixture[str]):
    pytest.importorskip("z3")
    words = ["-p", "gvn"] if tool is nvvm_tv else []
    tool.main([str(Path(__file__).parents[2] / "examples" / "saxpy.ll"), *words])
    out, err = capfd.readouterr()
    assert "saxpy" in out
    assert err == ""
