"""Loops that do nothing go, and the rest does what it did."""

from __future__ import annotations

import pytest
from helpers.loop_kernels import BEFORE, transformed

# Without the stores to what nobody reads, loops are left that do nothing.
DEAD = f"{BEFORE},function(dse,adce)"


def test_random_kernels_do_what_they_did():
    counts = [transformed(seed, "loop-deletion", DEAD)[1:] for seed in range(12)]
    assert sum(after for _, after in counts) < sum(before for before, _ in counts)


@pytest.mark.slow
def test_more_random_kernels_do_what_they_did():
    for seed in range(12, 40):
        transformed(seed, "loop-deletion", DEAD)
