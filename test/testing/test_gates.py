"""The tables' targets, held against ptxas."""

from __future__ import annotations

import json

import pytest

from nvvm_xdsl.dialects.nvptx.target import known_targets
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.testing import gates

needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="ptxas is not on this machine")


def test_what_is_kept():
    kept = json.loads(gates.KEPT.read_text())
    assert kept["ptxas"]
    assert kept["targets"].keys() <= set(known_targets())
    assert {"sm_75", "sm_90a", "sm_100f", "sm_120a"} <= kept["targets"].keys()


@needs_ptxas
def test_rows_that_agree(capsys: pytest.CaptureFixture[str]):
    assert gates.main(["--targets", "sm_90,sm_100f", "stmatrix", "setmaxnreg"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["instructions"] > 5
    assert found["targets"]["sm_90"] == {"too many": [], "too few": []}


@needs_ptxas
def test_a_wrong_gate_is_found(monkeypatch: pytest.MonkeyPatch):
    _, newest = gates.ptxas_release()
    found = gates.probes(["stmatrix"], newest)
    right = gates.Target.supports
    monkeypatch.setattr(gates.Target, "supports", lambda target, needed: not right(target, needed))
    (differing,) = gates.compare(found, ["sm_90"], newest).values()
    assert any("m16n8" in opcode for opcode in differing["too many"])
    assert any("m8n8" in opcode for opcode in differing["too few"])
