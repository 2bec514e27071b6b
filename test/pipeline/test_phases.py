"""The phases of the two-phase model in which each pass runs (document 000)."""

from __future__ import annotations

import pytest

from nvvm_xdsl.passes import PASSES, pass_class

PHASE_2 = {"loop-reduce", "remat", "sinking2"}
"""Passes that use one function alone and depend on its registers: phase II."""

BOTH_PHASES = {
    "alloca-hoisting", "bypass-slow-division", "load-store-vectorizer", "lower-aggr-copies", "lower-ops",
    "nvvm-ir-verification", "nvvm-unreachable-block-elim", "nvvm-verify", "old-load-store-vectorizer",
    "propagate-alignment", "set-local-array-alignment", "verify",
}  # fmt: skip
"""Verification, and lowerings that later passes of phase II may need again."""


@pytest.mark.parametrize("name", sorted(PASSES))
def test_the_phases_of_each_pass(name: str):
    phases = pass_class(name).phases
    if name in PHASE_2:
        assert phases == {2}
    elif name in BOTH_PHASES:
        assert phases == {1, 2}
    else:
        assert phases == {1}
