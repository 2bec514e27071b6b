"""Loads that MemorySSA shows to be available: random kernels compute the same."""

from __future__ import annotations

from helpers.loop_kernels import differences

from nvvm_xdsl.lab.fuzz import Options, fuzz

PIPELINE = "early-cse<memssa>"


def test_random_kernels_of_loops():
    assert differences(PIPELINE, range(8), "function(sroa,simplifycfg)") > 4


def test_random_kernels():
    options = Options((), (f"sroa,{PIPELINE}",), size=40, machine=False)
    assert [f"{f.seed}: {f.what}" for f in fuzz(range(300, 304), options)] == []
