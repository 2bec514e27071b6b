"""Kernels at each position of NVIDIA's passes in the documented sequences."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from dev.places import Places
from helpers.assembling import assemble
from helpers.scale import chosen
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline.selection import LOWERINGS
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

PASSES_OF_NVIDIA = frozenset(n for n, place in PASSES.items() if place.startswith("nvidia."))

LEVELS = (
    *("O0", "O1", "O1;short", "O2", "O1;ptx", "O2;mid", "O3;default", "Ofcmax", "Ofcmin"),
    *("Ofcmid", "O3"),
)
"""Every tier and every path; `ptx`, `mid` and `default` after one of the tiers."""

ALWAYS = 1
"""The number of `LEVELS`, from the end, that are always tested: the longest."""

ONE_IN_LEVELS, ONE_IN_RUN, ONE_IN_ASSEMBLED = 10, 8, 20
"""The shares of the other levels and of states (see `scale`). Every state is verified."""

Wrong = Callable[[ModuleOp], str | None]
"""Returns the difference in a module's behaviour as text."""


def check_each_place(module: ModuleOp, title: str, wrong: Wrong, arch: str = "sm_90") -> None:
    """Runs every sequence on a module, and checks the result of each of NVIDIA's passes.

    Arguments:
        title: of the module; determines the tested shares.
        wrong: runs the kernels.
        arch: to assemble for.
    """
    found = Places(PASSES_OF_NVIDIA)
    texts: set[str] = set()
    for number, level in enumerate(LEVELS):
        if len(LEVELS) - number > ALWAYS and not chosen(f"{title}, {level}", ONE_IN_LEVELS):
            continue

        def show(place: str, state: ModuleOp, level: str = level) -> None:
            where = f"{title}, nvopt<{level}>, after {place}"
            verify_ops(state)
            verify_module(state)
            if chosen(where, ONE_IN_RUN):
                message = wrong(state)
                if message is not None:
                    pytest.fail(f"{where}: {message}", pytrace=False)
            if find_ptxas() is not None and chosen(where, ONE_IN_ASSEMBLED):
                text = nvvm_xdsl.compile(fast.clone(state), arch=arch, opt_level=0)
                if text not in texts:
                    texts.add(text)
                    assemble(text, arch)

        # The passes that always precede selection have their positions, too.
        transformed = fast.clone(module)
        found.run(transformed, f"nvopt<{level}>,{LOWERINGS}", show)
        verify_ops(transformed)
    assert found.runs > 0
    print(f"{title}: {found.runs} places, {found.changes} changes, {found.states} states")
