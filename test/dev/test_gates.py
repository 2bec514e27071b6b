"""The targets in the tables, compared with ptxas."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers.scale import share

from dev import gates
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.target import Target, known_targets
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.ir.diagnostics import DiagnosticError

needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="ptxas was not found")

KEPT = json.loads(gates.KEPT.read_text())
NEWEST = max(KEPT, key=lambda release: [int(part) for part in release.split(".")])
FOUND = KEPT[NEWEST]["targets"]
LENIENT = {"fence.acquire.cta", "fence.acquire.gpu", "fence.acquire.sys", "fence.release.cta"}
"""Instructions that ptxas 13.0 accepts for GPUs before sm_90, but the PTX ISA and later releases do not."""
ONE_IN_OPCODES = 8
"""The share of the opcodes whose results are compared with ptxas (see `scale`)."""
PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def test_cached_results():
    assert {release.rpartition(".")[0] for release in KEPT} == {"13.0", "13.5"}
    assert FOUND.keys() <= set(known_targets())
    assert {"sm_75", "sm_90a", "sm_100f", "sm_120a"} <= FOUND.keys()


def test_the_tables_agree_with_ptxas():
    assert list(gates.each(FOUND)) == []


def test_older_releases_differ_where_the_isa_does():
    for release in KEPT.keys() - {NEWEST}:
        differing = list(gates.each(KEPT[release]["targets"]))
        assert {(kind, opcode) for _, kind, opcode in differing} <= {
            ("too few", opcode) for opcode in LENIENT
        }
        assert all(Target.parse(target).sm < 90 for target, _, _ in differing)


def test_the_page_lists_the_exceptions():
    text = " ".join(PAGE.read_text().split())
    count = KEPT[NEWEST]["instructions"]
    assert f"With ptxas {NEWEST} none of {count:,} instructions differs" in text


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
            "sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e4m3.e5m2.f16",
            "100a 100f 103a 110f 120a 121f",
            "90a 100 120",
        ),
        ("cvt", "rn.satfinite.f16.f32", "75 80 120", ""),
        ("cvt", "rn.relu.satfinite.f16.f32", "80 120", "75"),
        ("cvt", "rp.bf16.f32", "80 90", "75"),
        ("wmma.mma", "sync.aligned.row.row.m16n16k16.f16.f16.satfinite", "75", "80 90a"),
        (
            "mma",
            "sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
            "120a 120f 121a 121f",
            "100a 120",
        ),
    ],
)
def test_targets_corrected_by_ptxas(mnemonic: str, modifiers: str, having: str, lacking: str):
    needed = ROWS[mnemonic].requirement_with(modifiers)
    names = f"{having} {lacking}".split()
    has = [name for name in names if Target.parse(f"sm_{name}").supports(needed)]
    assert has == having.split()


@pytest.mark.parametrize(
    ("operands", "vectors", "having", "lacking"),
    [(5, 0, "100a 110a", ""), (6, 1, "100a 110f", ""), (6, 0, "100a 103f", "110a 110f"), (7, 1, "100f", "110a")],
)  # fmt: skip
def test_scaled_input_forms_are_distinguished_from_lane_masks(operands: int, vectors: int, having: str, lacking: str):  # fmt: skip
    needed = ROWS["tcgen05.mma"].requirement_with("cta_group::1.kind::f16", operands, 0, vectors)
    has = [name for name in f"{having} {lacking}".split() if Target.parse(f"sm_{name}").supports(needed)]  # fmt: skip
    assert has == having.split()


@needs_ptxas
def test_rows_that_agree(capsys: pytest.CaptureFixture[str]):
    assert gates.main(["--targets", "sm_90,sm_100f", "stmatrix", "setmaxnreg"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert found["instructions"] > 5
    assert found["targets"]["sm_90"] == {"too many": [], "too few": []}


@needs_ptxas
def test_a_wrong_gate_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    _, newest = gates.ptxas_release()
    found = gates.probes(gates.samples(["stmatrix"], newest))
    right = gates.Target.supports
    monkeypatch.setattr(gates.Target, "supports", lambda target, needed: not right(target, needed))
    (differing,) = gates.compare(found, ["sm_90"], newest).values()
    assert any("m16n8" in opcode for opcode in differing["too many"])
    assert any("m8n8" in opcode for opcode in differing["too few"])
    monkeypatch.setattr(gates, "probes", lambda tested: found)
    assert gates.main(["--targets", "sm_90", "stmatrix"]) == 1
    assert "sm_90: the tables say too many: stmatrix" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="runs a shell script")
def test_a_ptxas_that_crashes_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    crashing = tmp_path / "ptxas"
    crashing.write_text("#!/bin/sh\nkill -SEGV $$\n")
    crashing.chmod(0o755)
    monkeypatch.setattr(gates, "find_ptxas", lambda: crashing)
    with pytest.raises(DiagnosticError, match="ptxas failed without"):
        gates.refused([], "sm_90", 90)


@needs_ptxas
@pytest.mark.slow
def test_the_cache_is_complete():
    release, newest = gates.ptxas_release()
    kept = KEPT.get(release)
    if kept is None:
        pytest.skip(f"another ptxas: {release}")
    samples = gates.samples([], newest)
    assert len(samples) == kept["instructions"]
    if "digest" not in kept:
        tested = samples
    elif kept["digest"] == gates.digest(samples):
        tested = share(samples, ONE_IN_OPCODES, lambda sample: sample.opcode)
    else:
        pytest.fail("the tables have changed: run python -m dev.gates --output " + str(gates.KEPT))
    opcodes = {sample.opcode for sample in tested}
    wanted = {
        target: {kind: [o for o in listed if o in opcodes] for kind, listed in kinds.items()}
        for target, kinds in kept["targets"].items()
    }
    assert gates.compare(gates.probes(tested), kept["targets"], newest) == wanted
