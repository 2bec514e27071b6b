"""Numba's own tests: one module of them, in a process with the simulated driver."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.assembling import needs_libdevice

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@needs_libdevice
@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None or shutil.which("cc") is None,
    reason="no numba-cuda (extra `numba`) or no C compiler",
)
def test_two_modules_and_a_failure(tmp_path: Path):
    results = tmp_path / "results.jsonl"
    # The last test has an invalid access.
    names = ("test_idiv", "test_dispatcher.TestDispatcher.test_dispatcher_cpointer_arguments")
    command = [sys.executable, "-m", "dev.numba_tests", *names, "--results", str(results)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["passed", "passed", "failed"]
    assert "out of bounds" in rows[-1]["errors"][0]
    assert done.stdout.endswith("1 failed, 2 passed\n")
    assert done.returncode == 1
    again = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)
    assert again.stdout == "no tests\n"
