"""Runs CUDA tests that check their own results on the simulator.

    python -m dev.cuda_tests LIBCUDACXX [--only TEXT...] [--count N] [--results results.jsonl]

`LIBCUDACXX` is the folder `libcudacxx` of NVIDIA's CCCL, with `include` and `test`. Each of its tests
`*.pass.cpp` has a `main` for host and device that returns 0 and contains assertions. A kernel calls
`main` with the threads that the test requests. The tests run at -O3, in the order of a hash of their
names; a failing test runs at -O0, too, to separate faults of the optimizer from other causes.

A test that clang rejects, that is too large, or that exceeds the limits of the simulator is counted
but no failure. With `--results` an interrupted run continues. The exit status is 1 if a test fails,
2 if clang is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from dev.c_programs import ARCH, Verdict
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.cuda import ClangError, CudaOptions, find_clang, translate
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import Limits, SimulationError, launch

MAX_LINES: Final = 25_000
"""Maximum number of lines of LLVM assembly of a test."""

PRELUDE: Final = """\
__host__ __device__ int test_main(int, char **);
extern "C" __global__ void cuda_test(int *status) { *status = test_main(0, nullptr); }
static int cuda_thread_count = 1, cuda_cluster_size = 1;
#define main(...) __host__ __device__ test_main(__VA_ARGS__)
"""
"""Text before a test: its `main` becomes a function that a kernel calls. The suite's own kernel
needs the host."""


def requested(text: str, name: str) -> int:
    """The largest number that a test assigns to a variable of the suite; 1 without assignments."""
    return max([1, *map(int, re.findall(rf"\b{name}\s*=\s*(\d+)", text))])


def outcome(program: str, level: int, size: tuple[int, int], limits: Limits) -> str:
    """The exit status of a test, or the error of its compilation or execution.

    Arguments:
        program: the LLVM assembly of the test.
        size: the number of blocks, which form a cluster, and of threads in a block.
    """
    status = np.full(1, -1, np.int32)
    try:
        module = parse(program, filename="test.ll")
        ptx = compile_modules([module], CompileOptions(arch=ARCH, opt_level=level))
        machine = convert(parse(ptx, filename="test.ptx"))
        blocks, threads = size
        cluster = blocks if blocks > 1 else None
        launch(machine, "cuda_test", blocks, threads, [status], cluster=cluster, limits=limits)
    except SimulationError as error:
        return f"{'limit' if error.kind == 'limit' else 'error'}: {error}"
    except DiagnosticError as error:
        return f"error: {error}"
    return f"status {int(status[0])}"


def verdict(path: Path, suite: Path, *, limits: Limits) -> Verdict:
    """Compiles and runs a test of a suite."""
    folders = (suite / "include", suite / "test/support", suite / "test/libcudacxx", path.parent)
    with tempfile.TemporaryDirectory() as folder:
        prelude = Path(folder, "prelude.h")
        prelude.write_text(PRELUDE, encoding="utf-8")
        flags = ("-std=c++20", "-w", *(f"-I{f}" for f in folders), "-include", str(prelude))
        try:
            data, _ = translate(b"", str(path), CudaOptions(arch=ARCH, flags=flags))
        except ClangError as error:
            return Verdict(str(path), "rejected", {"clang": str(error).partition("\n")[0]})
    program = data.decode()
    if program.count("\n") > MAX_LINES:
        return Verdict(str(path), "limit", {"clang": f"more than {MAX_LINES} lines"})
    text = path.read_text(encoding="utf-8", errors="replace")
    size = (requested(text, "cuda_cluster_size"), requested(text, "cuda_thread_count"))
    outcomes = {"-O3": outcome(program, 3, size, limits)}
    if outcomes["-O3"] == "status 0":
        return Verdict(str(path), "passed", {})
    if outcomes["-O3"].startswith("limit"):
        return Verdict(str(path), "limit", outcomes)
    outcomes["-O0"] = outcome(program, 0, size, limits)
    return Verdict(str(path), "failed", outcomes)


def tests_of(suite: Path, only: Sequence[str]) -> Iterator[Path]:
    """The tests with one of the texts in their path, in the order of a hash of the path."""

    def order(path: Path) -> str:
        return sha256(str(path.relative_to(suite)).encode()).hexdigest()

    for path in sorted((suite / "test").rglob("*.pass.cpp"), key=order):
        if not only or any(text in str(path) for text in only):
            yield path


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suite", type=Path, metavar="LIBCUDACXX")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="TEXT", help="only tests with a text in their path"
    )
    parser.add_argument("--count", type=int, help="maximum number of tests in this run")
    parser.add_argument("--max-steps", type=int, default=1_500_000, help="limit of executed ops")
    parser.add_argument("--results", type=Path, help="a file of JSON lines with the verdicts")
    args = parser.parse_args(argv)
    try:
        find_clang()
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 2
    done: set[str] = set()
    if args.results and args.results.exists():
        done = {json.loads(line)["file"] for line in args.results.read_text().splitlines()}
    limits = Limits(steps=args.max_steps, stack=1 << 19)
    counts = Counter[str]()
    files = [path for path in tests_of(args.suite, args.only) if str(path) not in done]
    for path in files[: args.count]:
        found = verdict(path, args.suite, limits=limits)
        counts[found.kind] += 1
        if args.results:
            with args.results.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(found)) + "\n")
        if found.kind == "failed":
            print(f"{path.relative_to(args.suite)}: failed")
            for name, text in found.outcomes.items():
                print(f"  {name}: {text}")
    print(", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())) or "no tests")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
