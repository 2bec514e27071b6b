"""The campaign over random litmus programs: its report and its exit status."""

from __future__ import annotations

import sys

import pytest

from dev import litmus_campaign
from nvvm_xdsl.lab.memory_model.pass_campaign import Counts, Failure


def test_report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def check(seed: int, counts: Counts) -> None:
        counts.too_large += seed == 5
        counts.programs += seed != 5
        if seed == 6:
            counts.failures += [Failure(seed, "gvn", ((("x", 1),),)), Failure(seed, "dse", ((),))]

    monkeypatch.setattr(litmus_campaign, "check_program", check)
    monkeypatch.setattr(sys, "argv", ["campaign", "--first", "3", "--programs", "4"])
    assert litmus_campaign.main() == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "seed 6: gvn adds (('x', 1),)"
    assert "seeds 3 to 7: 4 programs checked, 1 too large, 1 with added outcomes" in out


def test_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["campaign", "--first", "14", "--programs", "1"])
    assert litmus_campaign.main() == 0
