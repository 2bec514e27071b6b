"""Loops without effects are removed, and the remaining code computes the same."""

from __future__ import annotations

import pytest
from helpers.loop_kernels import BEFORE, transformed

# Without stores to dead memory, some loops have no effects.
DEAD = f"{BEFORE},function(dse,adce)"


def test_random_kernels_compute_the_same():
    counts = [transformed(seed, "loop-deletion", DEAD)[1:] for seed in range(12)]
    assert sum(after for _, after in counts) < sum(before for before, _ in counts)


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    for seed in range(12, 20):
        transformed(seed, "loop-deletion", DEAD)
