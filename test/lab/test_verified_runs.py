"""The fuzzer verifies IR after every pass and names the pass that broke it.

The planted passes add an unused op with inconsistent types. A later pass removes it, so that neither the
final module nor the kernel's behaviour shows the fault.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddOp, UndefOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.types import I32, I64
from nvvm_xdsl.dialects.nvptx.registers import B32, PRED
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab import fuzz as module
from nvvm_xdsl.lab.fuzz import Finding, Options, fuzz, try_against
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.machine_cse import MachineCSE
from nvvm_xdsl.passes.scalar.early_cse import EarlyCSE
from nvvm_xdsl.pipeline import selection
from nvvm_xdsl.tools import nvvm_fuzz

SEED, SIZE = 3, 12


@pytest.fixture
def broken_cse(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: EarlyCSE, func: Any, am: Any) -> bool:
        last = func.regions[0].first_block.last_op
        number = fast.create(UndefOp, (), (I32,))
        wrong = fast.create(AddOp, (number.results[0],) * 2, (I64,))
        for op in (number, wrong):
            fast.insert_before(op, last)
        return True

    monkeypatch.setattr(EarlyCSE, "run_on_function", broken)


def check(finding: Finding, culprit: str) -> None:
    assert finding.kind == "verifier"
    assert finding.what.startswith(f"{culprit} left invalid IR behind on ")


@pytest.mark.usefixtures("broken_cse")
def test_a_pass_over_ir():
    assert not list(fuzz([SEED], Options(("dce",), size=SIZE, machine=False)))
    options = Options(("early-cse,dce",), size=SIZE, machine=False)
    (finding,) = fuzz([SEED], options)
    check(finding, "pass 'early-cse'")
    assert '--match ": verifier:"' in finding.reproducer(options)


@pytest.mark.usefixtures("broken_cse")
def test_nvvm_fuzz_reports_a_verifier_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    chosen = ["--seed", str(SEED), "--count", "1", "--size", str(SIZE), "--no-machine"]
    status = nvvm_fuzz.main([*chosen, "--pipeline", "early-cse,dce", "--out", str(tmp_path)])
    assert status == 1
    assert (
        f"seed {SEED}, 'early-cse,dce': verifier: pass 'early-cse' left" in capsys.readouterr().out
    )
    assert [path.name for path in tmp_path.iterdir()] == [f"seed-{SEED}-0-verifier.mlir"]


@pytest.mark.usefixtures("broken_cse")
def test_a_comparison_with_other_compilers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "OURS_AGAINST_OTHERS", ("ours-O3",))
    (finding,) = try_against(SEED, Options(size=SIZE))
    check(finding, "pass 'early-cse'")


def add_wrong_instruction(func: Operation) -> None:
    """A copy of an instruction with a predicate for its result, if one has a result of 32 bits."""
    for op in func.walk():
        if op.results and op.results[0].type is B32:
            wrong = fast.create(op.__class__, fast.operands_of(op), (PRED,), dict(op.properties))
            fast.insert_before(wrong, op.parent.last_op)
            return


def test_a_pass_over_machine_code(monkeypatch: pytest.MonkeyPatch):
    def broken(self: MachineCSE, func: Operation, am: Any) -> bool:
        add_wrong_instruction(func)
        return True

    monkeypatch.setattr(MachineCSE, "run_on_function", broken)
    (finding,) = fuzz([SEED], Options(("",), size=SIZE))
    check(finding, "pass 'machine-cse'")


def test_selection(monkeypatch: pytest.MonkeyPatch):
    stock = selection.select_module

    def broken(*arguments: Any) -> ModuleOp:
        selected = stock(*arguments)
        for func in machine_functions(selected):
            add_wrong_instruction(func)
        return selected

    monkeypatch.setattr(selection, "select_module", broken)
    (finding,) = fuzz([SEED], Options(("",), size=SIZE))
    check(finding, "selection")
