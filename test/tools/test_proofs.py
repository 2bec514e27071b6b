"""`--verify-each=proof`: a wrong pass is an error with a counterexample that can be reduced."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("z3")

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddOp, FuncOp

import nvvm_xdsl
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.cache import Cache
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.validation import results
from nvvm_xdsl.lab.validation.passes import PassProofs
from nvvm_xdsl.lab.validation.validator import Limits
from nvvm_xdsl.passes.scalar.dce import DCE
from nvvm_xdsl.tools import nvvm_cc, nvvm_opt, nvvm_reduce

KERNEL = """
define i32 @f(i32 noundef %a, i32 noundef %b) {
  %x = add i32 %a, 0
  %y = mul i32 %x, 8
  %dead = sub i32 %y, %b
  ret i32 %y
}
define void @k(ptr %p) {
  %v = load i32, ptr %p
  %w = add i32 %v, 0
  store i32 %w, ptr %p
  ret void
}
"""


def test_correct_passes_are_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ll"
    path.write_text(KERNEL)
    out = str(tmp_path / "out.mlir")
    assert (
        nvvm_opt.main([str(path), "-p", "instcombine,dce", "--verify-each=proof", "-o", out]) == 0
    )
    assert "proofs of changed functions: 2 proved" in capsys.readouterr().err


def test_nvvm_cc_shares_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ll"
    path.write_text(KERNEL)
    assert (
        nvvm_cc.main([str(path), "-O1", "--verify-each=proof", "-o", str(tmp_path / "k.ptx")]) == 0
    )
    assert re.search(r"proofs of changed functions: \d+ proved", capsys.readouterr().err)


def wrong_dce(self: DCE, func: FuncOp, am: AnalysisManager) -> bool:
    """A pass that replaces each addition by its second operand."""
    found = [op for op in fast.ops_inside(func) if isinstance(op, AddOp)]
    for op in found:
        op.results[0].replace_all_uses_with(op.operands[1])
        op.detach()
        op.erase()
    return bool(found)


def test_a_wrong_pass_is_refuted_and_reduced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(DCE, "run_on_function", wrong_dce)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "k.ll"
    path.write_text(KERNEL)
    assert nvvm_opt.main([str(path), "-p", "dce", "--verify-each=proof"]) == 1
    lines = capsys.readouterr().err.splitlines()
    start = next(n for n, line in enumerate(lines) if "dce on f is refuted:" in line)
    assert re.match(r"  %a = \d+", lines[start + 1])
    shown = [line.rpartition(" ")[2] for line in lines if "the simulator returns" in line]
    assert len(set(shown)) == 2
    command = next(line for line in lines if "reduce it with: " in line).partition(": ")[2]
    words = shlex.split(command)
    assert words[0] == "nvvm-reduce"
    small = tmp_path / "small.mlir"
    assert nvvm_reduce.main([*words[1:-1], str(small)]) == 0
    reduced = small.read_text()
    assert "llvm.add" in reduced
    assert "llvm.mul" not in reduced
    assert "@k" not in reduced


def both_modules(body: str) -> tuple[ModuleOp, ModuleOp]:
    """A module, and another with a dead op."""
    text = "define i32 @f(i32 %a) {{\n  {}\n  ret i32 %a\n}}\n"
    return nvvm_xdsl.parse(text.format(body)), nvvm_xdsl.parse(text.format(""))


def test_undecided_changes_are_summarized():
    before, after = both_modules("%v = call float @llvm.sin.f32(float 1.0)")
    checker = PassProofs()
    dce = DCE()
    checker.after(dce, after, before)
    assert checker.counts["proved"] == 1
    before, after = both_modules("%p = alloca i32, i32 %a\n  store i32 1, ptr %p")
    checker.after(dce, after, before)
    assert list(checker.summary()) == [
        "proofs of changed functions: 1 proved, 1 unsupported",
        "  1 x dce: alloca of variable size",
    ]


def test_unchanged_functions_of_a_module_are_not_compared():
    before, after = both_modules("")
    checker = PassProofs()
    checker.after(DCE(), after, before)
    assert not checker.counts


def test_verdicts_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache = Cache(tmp_path)
    before, after = both_modules("%x = add i32 %a, 1")
    PassProofs(cache=cache).after(DCE(), after, before)

    def forbidden(*_arguments: object) -> None:
        raise AssertionError("validated again")

    monkeypatch.setattr(results, "validate_function", forbidden)
    checker = PassProofs(cache=cache)
    checker.after(DCE(), after, before)
    assert checker.counts["proved"] == 1
    other, _ = both_modules("%x = add i32 %a, 2")
    with pytest.raises(AssertionError, match="validated again"):
        checker.after(DCE(), after, other)
    with pytest.raises(AssertionError, match="validated again"):
        PassProofs(Limits(1.0), cache).after(DCE(), after, before)


def test_refutations_are_not_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache = Cache(tmp_path / "cache")
    before = nvvm_xdsl.parse("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n")
    after = nvvm_xdsl.parse("define i32 @f(i32 %a) {\n  ret i32 7\n}\n")
    for _ in range(2):
        with pytest.raises(DiagnosticError, match="dce on f is refuted"):
            PassProofs(cache=cache).after(DCE(), after, before)
