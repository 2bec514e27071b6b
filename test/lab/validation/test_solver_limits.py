"""Time limits of the solvers are processor time."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("z3")

from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.solver import (
    Solver,
    ask_bitwuzla,
    ask_z3,
    bitwuzla,
    interrupting,
    solve,
)


def test_waiting_does_not_count():
    calls: list[float] = []
    with interrupting(lambda: calls.append(time.thread_time()), 0.05):
        time.sleep(0.3)
        assert not calls
        end = time.monotonic() + 60
        while not calls and time.monotonic() < end:
            pass
    assert calls


def hard() -> list[object]:
    """Equations of products that neither solver decides in seconds."""
    a, b, c = z3.BitVecs("a b c", 64)
    return [
        a * a * b == c * 0x1234567890123457 + b,
        (a + c) * b * c * a == c * c * c + 77,
        a * c == b * b * b + a * 3 + 1,
        z3.UGT(a * b, c * c + 1000),
    ]


@pytest.mark.parametrize("ask", [ask_z3, ask_bitwuzla, solve])
def test_a_query_ends_at_its_limit(ask: Solver):
    if ask is ask_bitwuzla and bitwuzla() is None:
        pytest.skip("Bitwuzla is not installed")
    started = time.thread_time()
    assert ask(hard(), 0.3).answer == "unknown"
    # The solvers look at the limit now and then.
    assert time.thread_time() - started < 20
    # The next query is not interrupted.
    x = z3.BitVec("x", 8)
    assert ask([x == 7], 20.0).answer == "sat"
