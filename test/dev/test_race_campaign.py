"""The campaign over random kernels: proofs agree with runs, and wrong proofs are found."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("z3")

from dev import race_campaign
from dev.race_campaign import Counts, Kernel, check_kernel
from nvvm_xdsl.lab.races import verify
from nvvm_xdsl.lab.validation.smt import z3

SEEDS = range(24)


def test_kernels_are_those_of_their_seeds() -> None:
    assert Kernel(3).text() == Kernel(3).text()
    texts = [Kernel(seed).text() for seed in SEEDS]
    assert len(set(texts)) == len(texts)
    for part in ("red.or", "red.popc", "cta.sync", "phi i32", "select i1", "addrspace(3) %"):
        assert any(part in text.partition("entry:")[2] for text in texts), part


def test_no_proof_contradicts_a_run() -> None:
    counts = Counts()
    for seed in SEEDS:
        check_kernel(seed, counts)
    assert counts.wrong == []
    assert min(counts.verdicts["proved"], counts.verdicts["race"], counts.confirmed) > 3


def test_wrong_proofs_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object, **__: object) -> object:
        """No two accesses are unordered."""
        return z3.BoolVal(False)

    monkeypatch.setattr(verify, "both_intervals", never)
    monkeypatch.setattr(sys, "argv", ["race_campaign", "--kernels", "8"])
    assert race_campaign.main() == 1
    output = capsys.readouterr().out
    assert "proved, but a run has an error" in output
    assert "8 kernels, " in output


def test_time_limit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["race_campaign", "--seconds", "-1"])
    assert race_campaign.main() == 0
    assert capsys.readouterr().out == "0 kernels; 0 with an error in a run, 0 wrong proofs\n"
