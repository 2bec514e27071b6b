"""The tables' targets, held against ptxas."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from nvvm_xdsl.dialects.nvptx.instructions import split_opcode
from nvvm_xdsl.dialects.nvptx.rows import ROWS
from nvvm_xdsl.dialects.nvptx.target import Requirement, Target, known_targets
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.testing import gates
from nvvm_xdsl.testing.gate_differences import DIFFERENCES, Difference, each, page, untold
from nvvm_xdsl.testing.instruction_samples import all_samples

needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="ptxas is not on this machine")

KEPT = json.loads(gates.KEPT.read_text())
FOUND = KEPT["targets"]
PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def test_what_is_kept():
    assert KEPT["ptxas"]
    assert FOUND.keys() <= set(known_targets())
    assert {"sm_75", "sm_90a", "sm_100f", "sm_120a"} <= FOUND.keys()


def test_every_difference_is_told_once():
    assert untold(FOUND) == []
    for one in each(FOUND):
        assert sum(row.covers(*one) for row in DIFFERENCES) == 1, one


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.name)
def test_a_difference_is_the_same_on_all_its_targets(row: Difference):
    opcodes: dict[str, set[str]] = defaultdict(set)
    for target, kind, opcode in each(FOUND):
        if row.covers(target, kind, opcode):
            opcodes[target].add(opcode)
    (everywhere,) = {frozenset(some) for some in opcodes.values()}
    for target in FOUND:
        if any(row.covers(target, row.kind, opcode) for opcode in everywhere):
            assert target in opcodes


def test_the_page_tells_of_what_is_kept():
    text = PAGE.read_text()
    assert f"\n\n{page(FOUND)}\n\n" in text
    assert f"ptxas\n{KEPT['ptxas']} says" in text
    assert f"Of {KEPT['instructions']:,} instructions" in text


def test_what_is_kept_is_of_these_tables():
    """Where ptxas is said to differ, the tables still say what they said."""
    stated: dict[str, set[Requirement]] = defaultdict(set)
    opcodes = {opcode for _, _, opcode in each(FOUND)}
    mnemonics = {split_opcode(opcode)[0] for opcode in opcodes}
    for sample in all_samples(mnemonics):
        stated[sample.opcode].add(sample.requirement)
    for target, kind, opcode in each(FOUND):
        has = {Target.parse(target).supports(needed) for needed in stated[opcode]}
        assert (kind == "too many") in has, (target, opcode)


@pytest.mark.parametrize(
    ("mnemonic", "modifiers", "having", "lacking"),
    [
        ("multimem.st", "weak.e4m3x4", "100a 103f 110a 110f 120a 121a", "90a 100 110 120f 121f"),
        ("multimem.ld_reduce", "add.e5m2x4", "100f 103a 110f 120a", "100 120 121f"),
        (
            "mma.sp::ordered_metadata",
            "sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
            "120a 121a",
            "100a 120 120f 121f",
        ),
        (
            "mma",
            "sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
            "120a 120f 121a 121f",
            "100a 120",
        ),
    ],
)
def test_targets_that_ptxas_set_right(mnemonic: str, modifiers: str, having: str, lacking: str):
    needed = ROWS[mnemonic].requirement_with(modifiers)
    names = f"{having} {lacking}".split()
    has = [name for name in names if Target.parse(f"sm_{name}").supports(needed)]
    assert has == having.split()


@needs_ptxas
def test_rows_that_agree(capsys: pytest.CaptureFixture[str]):
    assert gates.main(["--targets", "sm_90,sm_100f", "stmatrix", "setmaxnreg"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["instructions"] > 5
    assert found["targets"]["sm_90"] == {"too many": [], "too few": []}


@needs_ptxas
def test_a_wrong_gate_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    _, newest = gates.ptxas_release()
    found = gates.probes(["stmatrix"], newest)
    right = gates.Target.supports
    monkeypatch.setattr(gates.Target, "supports", lambda target, needed: not right(target, needed))
    (differing,) = gates.compare(found, ["sm_90"], newest).values()
    assert any("m16n8" in opcode for opcode in differing["too many"])
    assert any("m8n8" in opcode for opcode in differing["too few"])
    monkeypatch.setattr(gates, "probes", lambda mnemonics, newest: found)
    assert gates.main(["--targets", "sm_90", "stmatrix"]) == 1
    assert "sm_90: the tables say too many: stmatrix" in capsys.readouterr().err


@needs_ptxas
@pytest.mark.slow
def test_all_of_it_is_as_kept():
    release, newest = gates.ptxas_release()
    if release != KEPT["ptxas"]:
        pytest.skip(f"another ptxas: {release}")
    found = gates.probes([], newest)
    assert len(found) == KEPT["instructions"]
    assert gates.compare(found, FOUND, newest) == FOUND
