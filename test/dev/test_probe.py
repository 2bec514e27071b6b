"""The search for modifiers that the tables lack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dev import probe
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.driver.toolkit import find_ptxas

needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="ptxas was not found")


@needs_ptxas
def test_a_missing_modifier_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    row = replace(ROWS["lg2"], forms=(".approx .f32 : f32 -> f32",))
    monkeypatch.setitem(ROWS, "lg2", row)
    assert probe.main(["--target", "sm_90", "--words", "ftz,rn,sat", "lg2"]) == 0
    assert capsys.readouterr().out == "7.8 lg2.ftz.approx.f32\n"


@needs_ptxas
def test_known_modifiers_are_not_printed(capsys: pytest.CaptureFixture[str]):
    assert probe.main(["--target", "sm_90", "--words", "ftz,rn,sat", "lg2"]) == 0
    assert capsys.readouterr().out == ""


def test_the_vocabulary_has_single_words():
    words = probe.vocabulary()
    assert {"ftz", "multicast::cluster", "b32"} <= set(words)
    assert not any("." in word for word in words)


def test_modifiers_fit_a_row_in_any_order():
    assert probe._fits(ROWS["lg2"], "f32.ftz.approx")
    assert not probe._fits(ROWS["lg2"], "f32.approx.rn")
