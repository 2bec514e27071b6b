"""Damaged inputs end in success or a clean error; failures are classified by kind."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.frontend.bitcode import disassemble
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import damaged_inputs
from nvvm_xdsl.lab.damaged_inputs import Limits, try_inputs
from nvvm_xdsl.lab.mutations import INPUT_KINDS, InputKind, Pieces, collect, mutated, ptx_pieces
from nvvm_xdsl.tools.nvvm_fuzz import main

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("examples", "test/codegen", "test/passes", "test/frontend/ptx", "test/corpus/triton_ptx")
PIECES = collect([ROOT / folder for folder in FOLDERS])
COUNTS = {"ll": 100, "mlir": 60, "bc": 12, "ptx": 100, "pipeline": 60}


@pytest.mark.parametrize("kind", INPUT_KINDS)
def test_a_sample(kind: InputKind):
    outcomes = list(try_inputs(kind, PIECES, range(COUNTS[kind])))
    assert [o.seed for o in outcomes] == list(range(COUNTS[kind]))
    assert [o for o in outcomes if o.failed] == []
    assert len({o.kind for o in outcomes}) == 2


def test_a_seed_determines_an_input():
    assert mutated("mlir", PIECES, 7) == mutated("mlir", PIECES, 7)
    assert mutated("mlir", PIECES, 7) != mutated("mlir", PIECES, 8)


def test_bitcode_does_not_depend_on_earlier_inputs():
    """LLVM renames a struct if its context already contains one of the same name."""
    text = "%pair = type {{ i32 }}\ndefine void @{}(ptr byval(%pair) %p) {{\n  ret void\n}}\n"
    pieces = Pieces(ll=[text.format(name) for name in "fg"])
    found: set[str] = set()
    for seed in range(40):
        try:
            found.add(disassemble(mutated("bc", pieces, seed)))
        except DiagnosticError:
            continue
    assert any("@f" in text for text in found)
    assert any("@g" in text for text in found)
    assert all("%pair.1" not in text for text in found)


def test_fragments_contain_their_references():
    (piece,) = collect([ROOT / "examples" / "saxpy.ll"]).ll
    driver.compile(piece)


def test_fragments_of_ptx_are_functions_with_their_symbols():
    parts = ptx_pieces(
        '.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "a.cu"\n'
        ".global .u32 table[2] = {1, 2}; // first\n.global .u32 other;\n"
        ".func helper(.param .b32 x);\n"
        ".visible .entry k(.param .u64 p)\n{\n\t.loc 1 2 3\n\t.reg .u64 %rd<2>;\n\t{ .reg .u64 %x; }\n"
        "\tmov.u64 %rd1, table;\n\tret;\n}\n.func helper(.param .b32 x) { ret; }\n"
        ".section .debug_str { .b8 1 }\n"
    )
    assert len(parts) == 2
    kernel = next(part for part in parts if "entry" in part)
    assert "table[2] = {1, 2};" in kernel
    assert "other" not in kernel
    assert ".loc" not in kernel
    for part in parts:
        driver.compile(part)


def test_modifiers_of_ptx_are_mutated():
    texts = {mutated("ptx", PIECES, seed) for seed in range(40)}
    opcodes = {word for text in texts for word in re.findall(rb"[a-z]\w*(?:\.\w+)+", text)}
    known = {word for text in PIECES.ptx for word in re.findall(r"[a-z]\w*(?:\.\w+)+", text)}
    assert {word.decode() for word in opcodes} - known


def _hang(*_: object) -> None:
    while True:
        pass


def _eat(*_: object) -> None:
    bytearray(1 << 30)


def _break(*_: object) -> None:
    raise KeyError("x")


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [(_hang, "hang"), (_eat, "memory"), (_break, "internal error"), (_die, "crash")],
)
def test_failures_are_classified(fault: object, kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(damaged_inputs, "_try_module", fault)
    limits = Limits(seconds=0.2, memory=1 << 28)
    found = list(try_inputs("ll", Pieces(ll=["define void @f() {\n}\n"]), range(2), limits))
    assert [(o.seed, o.kind) for o in found] == [(0, kind), (1, kind)]


def test_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["--mutate", "ll", "--from", str(ROOT / "examples" / "saxpy.ll"), "--count", "5"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    reported = capsys.readouterr().out
    assert "error" in reported or "success" in reported
    assert main(["--mutate", "ll"]) == 1
    assert "see --from" in capsys.readouterr().err
