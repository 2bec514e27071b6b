"""Litmus tests on the simulator: results are outcomes of the model, and wrong results are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nvvm_xdsl.lab.memory_model.litmus import read_litmus
from nvvm_xdsl.lab.memory_model.litmus_run import NotRunnableError, run
from nvvm_xdsl.lab.memory_model.search import outcomes
from nvvm_xdsl.simulator.execution import atomics
from nvvm_xdsl.tools import nvvm_litmus

EXAMPLES = Path(__file__).parents[3] / "examples" / "litmus"


def results(name: str, count: int = 24) -> tuple[int, int, int]:
    """How many outcomes occur, how many the model allows, and how many runs do not end."""
    test = read_litmus((EXAMPLES / f"{name}.litmus").read_text(), name)
    allowed = outcomes(test.program)
    runs = run(test, count)
    assert set(runs.results) <= allowed
    assert sum(runs.results.values()) + runs.endless == count
    return len(runs.results), len(allowed), runs.endless


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("mp", 3), ("sb", 3), ("lb", 3), ("sb-barrier", 1), ("cas-fails", 2), ("mp-loop", 1), ("spinlock", 3),
        ("atomicity", 1), ("2+2w", 3), ("corr-volatile", 3), ("proxy-alias-fence", 1), ("lb-data", 1),
        ("barrier-arrive", 1),
    ],
)  # fmt: skip
def test_results_are_the_sequentially_consistent_outcomes(name: str, seen: int) -> None:
    assert results(name, 48)[0] == seen


def test_threads_that_wait_forever() -> None:
    assert results("barrier-deadlock", 3) == (0, 0, 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mbarrier", "'mbarrier.arrive.shared.b64' is not translated"),
        ("cp-async", "'cp.async.ca.shared.global' is not translated"),
        ("barrier-cluster", "'barrier.cluster.arrive' is not translated"),
        ("proxy-texture-block", "'tld.weak' is not translated"),
    ],
)
def test_tests_that_are_not_run(name: str, message: str) -> None:
    with pytest.raises(NotRunnableError, match=message):
        results(name, 1)


def test_guards_registers_with_addresses_and_arithmetic() -> None:
    text = """PTX guard
{ x = 5; y @ generic aliases x; P0:r9 = &x; P0:r8 = 7; P1:r7 = 1; }
 P0@cta 0, gpu 0           | P1@cta 1, gpu 0    ;
 ld.relaxed.gpu r1, [r9]   | @r7 st.weak z, 1   ;
 add r2, r1, r8            | @!r7 st.weak z, 2  ;
 sub r3, r8, 8             | goto LC00          ;
 and r4, r2, 6             | st.weak z, 3       ;
 ld.weak r5, y             | LC00:              ;
 mov r6, r5                | xor r1, r7, 3      ;
exists (P0:r2 == 12 /\\ P0:r3 == 4294967295 /\\ P0:r4 == 4 /\\ P0:r6 == 5 /\\ P1:r1 == 2 /\\ z == 1)
"""
    test = read_litmus(text, "guard")
    runs = run(test, 4)
    assert set(runs.results) == outcomes(test.program)
    assert test.condition.holds([dict(outcome) for outcome in runs.results])


def test_a_wrong_result_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(EXAMPLES / "atomicity.litmus")
    assert nvvm_litmus.main(["--quiet", "--run", "3", file]) == 0
    assert "3 runs with 1 of 1 outcomes" in capsys.readouterr().out

    def lost(access: Any, mask: Any, *_: Any, **__: Any) -> Any:
        return np.zeros(mask.bits.size, np.uint32)

    monkeypatch.setattr(atomics, "rmw", lost)
    assert nvvm_litmus.main(["--quiet", "--run", "3", file]) == nvvm_litmus.FAILED
    assert "a simulated run has the forbidden outcome x=0" in capsys.readouterr().out


def test_errors_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert nvvm_litmus.main(["--run", "0", str(EXAMPLES / "mp.litmus")]) == 1
    assert "--run must be positive" in capsys.readouterr().err
    assert nvvm_litmus.main(["--run", "2", str(EXAMPLES / "mp.ll")]) == 1
    assert "--run requires litmus tests, not modules" in capsys.readouterr().err
    assert nvvm_litmus.main(["--quiet", "--run", "2", str(EXAMPLES / "mbarrier.litmus")]) == 0
    assert "not run: 'mbarrier.arrive.shared.b64'" in capsys.readouterr().out
