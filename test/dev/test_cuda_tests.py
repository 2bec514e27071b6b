"""CUDA tests that check their own results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.cuda_tests import main, requested
from nvvm_xdsl.driver.cuda import find_clang
from nvvm_xdsl.ir.diagnostics import DiagnosticError

try:
    find_clang()
    CLANG = True
except DiagnosticError:
    CLANG = False

pytestmark = pytest.mark.skipif(not CLANG, reason="clang was not found")

COUNTS = """\
#include "counts.h"
int main(int, char **) {
#ifndef __CUDA_ARCH__
  cuda_thread_count = 3;
#endif
  __shared__ int seen;
  if (threadIdx.x == 0) seen = 0;
  __syncthreads();
  atomicAdd(&seen, 1);
  __syncthreads();
  return seen == WANTED ? 0 : 1;
}
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    tests = tmp_path / "test" / "std"
    tests.mkdir(parents=True)
    (tmp_path / "include" / "counts.h").write_text("#define WANTED 3\n")
    (tests / "threads.pass.cpp").write_text(COUNTS)
    (tests / "wrong.pass.cpp").write_text("int main(int, char **) { return blockDim.x; }\n")
    (tests / "endless.pass.cpp").write_text(
        "int main(int, char **) { volatile int i = 0; while (i == 0); return i; }\n"
    )
    (tests / "invalid.pass.cpp").write_text("int main(int, char **) { return missing; }\n")
    (tests / "other.fail.cpp").write_text("int main(int, char **) { return 1; }\n")
    return tmp_path


def test_each_test_has_a_verdict(suite: Path, capsys: pytest.CaptureFixture[str]):
    results = suite / "results.jsonl"
    assert main([str(suite), "--max-steps", "20000", "--results", str(results)]) == 1
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    kinds = {Path(row["file"]).name.partition(".")[0]: row["kind"] for row in rows}
    assert kinds == {
        "threads": "passed",
        "wrong": "failed",
        "endless": "limit",
        "invalid": "rejected",
    }
    text = capsys.readouterr().out
    assert "test/std/wrong.pass.cpp: failed\n  -O3: status 1\n  -O0: status 1\n" in text
    assert text.endswith("1 failed, 1 limit, 1 passed, 1 rejected\n")


def test_a_run_continues(suite: Path, capsys: pytest.CaptureFixture[str]):
    arguments = [str(suite), "--only", "threads", "--results", str(suite / "results.jsonl")]
    assert main(arguments) == 0
    assert main(arguments) == 0
    assert capsys.readouterr().out == "1 passed\nno tests\n"


def test_the_number_of_threads_is_read_from_the_test():
    assert requested("cuda_thread_count = 64;\n cuda_thread_count=8;", "cuda_thread_count") == 64
    assert requested("cuda_cluster_size = 2;", "cuda_thread_count") == 1
