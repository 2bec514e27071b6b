"""The generated modules of the benchmarks compile, and ptxas accepts the output."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl

BENCH = Path(__file__).resolve().parent.parent / "bench"


Generate = Callable[[int], str]


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> Generate:
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    from generate_module import generate

    return generate


STARTED_ALONE = """
import sys
from importlib import import_module

root, names = sys.argv[1], sys.argv[2:]
path = [f"{root}/bench", *(entry for entry in sys.path if entry not in ("", root))]
for name in names:
    sys.path[:] = path
    import_module(name)
    for loaded in [n for n in sys.modules if n.partition(".")[0] in ("dev", "checkout") or n.startswith("bench_")]:
        del sys.modules[loaded]
"""


def test_benchmarks_start_as_documented():
    """`python bench/NAME.py` finds `dev`, which is not installed."""
    names = sorted(path.stem for path in BENCH.glob("bench_*.py"))
    assert len(names) > 10
    command = [sys.executable, "-c", STARTED_ALONE, str(BENCH.parent), *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=BENCH.parent, check=False)
    assert done.returncode == 0, done.stderr


@needs_ptxas
def test_the_generated_module_assembles(generate: Generate):
    text = generate(600)
    ptx = nvvm_xdsl.compile(text, arch="sm_80", opt_level=0)
    # Addresses fold into loads; few other instructions may disappear.
    assert ptx.count("\n") > 450
    assemble(ptx, "sm_80")


def test_the_size_is_the_requested_one(generate: Generate):
    for size in (200, 3000):
        lines = sum(line.startswith("  ") for line in generate(size).splitlines())
        assert size <= lines <= 1.4 * size


@pytest.mark.slow
def test_the_benchmark_runs():
    command = [sys.executable, str(BENCH / "bench_compile.py"), "300"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "xDSL" in done.stdout


@pytest.mark.slow
@needs_ptxas
def test_the_effect_of_a_pass_is_shown():
    example = BENCH.parent / "examples" / "local_array.O0.ll"
    command = [sys.executable, str(BENCH / "bench_passes.py"), str(example)]
    command += ["--before", "", "--machine-level", "0", "--pass", "sroa"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    row = next(line for line in done.stdout.splitlines() if "local_array.O0:" in line)
    registers, instructions, local = (
        [int(n) for n in cell.split("->")] for cell in row.split("│")[2:5]
    )
    assert registers[1] > 0
    assert instructions[1] < instructions[0]
    assert local[1] < local[0]
