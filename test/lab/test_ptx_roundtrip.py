"""A sample of `bench/bench_ptx_roundtrip.py`: parsed and printed PTX gives the same machine code."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.assembling import needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.lab.ptx_roundtrip import round_trip

ROOT = Path(__file__).resolve().parents[2]


@needs_ptxas
@pytest.mark.parametrize("name", ["device_function", "inline_asm", "struct_argument", "switch"])
def test_own_ptx(name: str):
    found = round_trip(nvvm_xdsl.compile(ROOT / f"examples/{name}.ll", arch="sm_90"))
    assert found.read
    assert found.converted
    assert found.instructions > 20


@needs_ptxas
@pytest.mark.parametrize("name", ["language", "saxpy"])
def test_ptx_of_others(name: str):
    found = round_trip((ROOT / f"test/frontend/ptx/{name}.ptx").read_text())
    assert found.read
    assert found.converted
