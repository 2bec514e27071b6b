"""Measures the speed of the simulator in processor time of one core.

    python bench/bench_simulator.py [--only operations|kernels|seeds] [--numba PYTHON]

`operations`: straight-line arithmetic, divergent code, memory, and the cost of the checks, for blocks of
several sizes, in thread-operations a second. A thread-operation is one op executed by one thread. `kernels`:
a matrix product of 256 and the sum of a million numbers (examples/) beside plain NumPy, and with `--numba`, a
Python that has numba-cuda, beside Numba's CUDA simulator on a part of the data. `seeds`: a seed of nvvm-fuzz
through -O3, selection and the machine passes, by phase.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.fuzz import Options, findings_of
from nvvm_xdsl.simulator import launch, prepare

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
LENGTH = 200
ROUNDS = 50


def kernel(body: Sequence[str], divergent: bool = False) -> str:
    """Returns a loop of `ROUNDS` iterations around straight-line code over `%x` (i32) and `%f` (float)."""
    trips = "%rounds" if divergent else str(ROUNDS)
    start = [
        "define ptx_kernel void @k(ptr %in, ptr %out) {",
        "entry:",
        "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %i = zext i32 %tid to i64",
        "  %p = getelementptr i32, ptr %in, i64 %i",
        "  %q = getelementptr i32, ptr %out, i64 %i",
        "  %x0 = load i32, ptr %p",
        "  %f0 = sitofp i32 %x0 to float",
        f"  %low = and i32 %tid, {ROUNDS - 1 if ROUNDS & (ROUNDS - 1) == 0 else 31}",
        "  %rounds = add i32 %low, 18",
        "  br label %loop",
        "loop:",
        "  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]",
        "  %x = phi i32 [ %x0, %entry ], [ %xe, %loop ]",
        "  %f = phi float [ %f0, %entry ], [ %fe, %loop ]",
    ]
    end = [
        "  %n1 = add i32 %n, 1",
        f"  %c = icmp ult i32 %n1, {trips}",
        "  br i1 %c, label %loop, label %done",
        "done:",
        "  %w = fptosi float %fe to i32",
        "  %r = xor i32 %xe, %w",
        "  store i32 %r, ptr %q",
        "  ret void",
        "}",
    ]
    return HEADER + "\n".join([*start, *body, *end]) + "\n"


def integer_code() -> list[str]:
    """Dependent additions, multiplications, logic and shifts."""
    ops = ("add", "mul", "xor", "sub", "and", "or")
    lines: list[str] = []
    last = "%x"
    for i in range(LENGTH - 1):
        lines.append(f"  %v{i} = {ops[i % len(ops)]} i32 {last}, {2 * i + 1}")
        last = f"%v{i}"
    return [*lines, f"  %xe = add i32 {last}, %n", "  %fe = fadd float %f, 1.0"]


def float_code() -> list[str]:
    """Additions and multiplications of floats."""
    lines: list[str] = []
    last = "%f"
    for i in range(LENGTH - 1):
        op = "fadd" if i % 2 else "fmul"
        lines.append(f"  %v{i} = {op} float {last}, 0x3FEFF00000000000")
        last = f"%v{i}"
    return [*lines, f"  %fe = fadd float {last}, 0.0", "  %xe = add i32 %x, 1"]


def memory_code() -> list[str]:
    """Loads and stores."""
    lines: list[str] = []
    for i in range(LENGTH // 4):
        lines += [
            f"  %v{i} = load i32, ptr %p",
            f"  %s{i} = add i32 %v{i}, 1",
            f"  store i32 %s{i}, ptr %q",
        ]
    return [*lines, "  %xe = add i32 %x, 1", "  %fe = fadd float %f, 1.0"]


def measure(text: str, threads: int, operations: int, checks: Sequence[str] = ()) -> float:
    """Returns millions of thread-operations a second."""
    program = prepare(read_ll(text), checks)
    data, out = np.arange(threads, dtype=np.int32), np.zeros(threads, np.int32)
    launch(program, "k", 1, threads, [data, out], checks=checks)
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        launch(program, "k", 1, threads, [data, out], checks=checks)
        best = min(best, time.process_time() - started)
    return operations * threads / best / 1e6


def operations() -> None:
    """Prints thread-operations a second."""
    straight = LENGTH * ROUNDS
    divergent = int(LENGTH * np.mean([18 + (t & 31) for t in range(32)]))
    rows = [
        ("integer arithmetic", kernel(integer_code()), straight),
        ("float arithmetic", kernel(float_code()), straight),
        ("loads and stores", kernel(memory_code()), LENGTH // 4 * 3 * ROUNDS),
        ("integer arithmetic, trip counts differ", kernel(integer_code(), True), divergent),
    ]
    sizes = (32, 256, 1024)
    print(f"{'million thread-operations a second':42}" + "".join(f"{s:>9}" for s in sizes))
    for name, text, operations in rows:
        values = [measure(text, s, operations) for s in sizes]
        print(f"{name:42}" + "".join(f"{v:9.1f}" for v in values))
    for checks in (("init",), ("race",), ("init", "race", "sync")):
        for name, text, operations in (rows[0], rows[2]):
            values = [measure(text, s, operations, checks) for s in sizes]
            print(f"{name + ', ' + '+'.join(checks):42}" + "".join(f"{v:9.1f}" for v in values))
    empty = HEADER + "define ptx_kernel void @k(ptr %in, ptr %out) {\n  ret void\n}\n"
    program = prepare(read_ll(empty))
    data = np.zeros(1, np.int32)
    launch(program, "k", 1, 32, [data, data])
    started = time.process_time()
    for _ in range(100):
        launch(program, "k", 1, 32, [data, data])
    print(f"a launch of an empty kernel: {(time.process_time() - started) * 10:.2f} ms")


def seconds(function: Callable[[], object]) -> float:
    """Returns the minimum processor time of three calls."""
    found: list[float] = []
    for _ in range(3):
        started = time.process_time()
        function()
        found.append(time.process_time() - started)
    return min(found)


def kernels(numba: str) -> None:
    """Prints the time of whole grids."""
    examples = Path(__file__).parents[1] / "examples"
    rng = np.random.default_rng(0)
    n, count = 256, 1 << 20
    a, b = rng.random((2, n, n), dtype=np.float32)
    c, x = np.zeros((n, n), np.float32), rng.random(count, dtype=np.float32)
    product = prepare(read_ll((examples / "matmul.ll").read_text()))
    total = prepare(read_ll((examples / "reduction.ll").read_text()))
    out = np.zeros(1, np.float32)
    tiles, blocks = (n // 16, n // 16), count // 256
    rows = [
        (
            f"product of {n}",
            lambda: launch(product, "matmul_f32", tiles, (16, 16), [a, b, c, n]),
            lambda: a @ b,
        ),
        (
            f"sum of {count}",
            lambda: launch(total, "reduce_sum", blocks, 256, [x, out, count]),
            lambda: x.sum(),
        ),
    ]
    for name, ours, plain in rows:
        print(f"{name}: {seconds(ours):.3f} s, NumPy {seconds(plain) * 1e3:.2f} ms")
    if numba:
        script = Path(__file__).with_name("numba_simulator.py")
        subprocess.run([numba, str(script)], check=True)


PHASES = {
    "passes": ("manager.py", "run"),
    "Python compiles source": ("~", "<built-in method builtins.compile>"),
    "source is written": ("compiler.py", "compile"),
    "selection": ("behaviour.py", "select"),
    "launches, with the two above": ("launch.py", "launch"),
    "verification": ("behaviour.py", "_invalid"),
}


def seeds(count: int = 40) -> None:
    """Prints the time of random kernels, and the share of each phase under Python's profiler."""
    options = Options(pipelines=("nvopt<O3>",))
    for seed in range(3):
        findings_of(seed, options)
    started = time.process_time()
    for seed in range(3000, 3000 + count):
        findings_of(seed, options)
    print(f"a seed: {(time.process_time() - started) / count * 1e3:.0f} ms")
    with cProfile.Profile() as profile:
        for seed in range(3000, 3000 + count):
            findings_of(seed, options)
    stats = pstats.Stats(profile)
    for phase, (file, function) in PHASES.items():
        spent = max(
            row[3]
            for (path, _, name), row in stats.stats.items()  # pyright: ignore
            if Path(path).name == file and name == function
        )
        print(f"  {phase}: {spent / stats.total_tt:.0%}")  # pyright: ignore


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["operations", "kernels", "seeds"])
    parser.add_argument("--numba", default="")
    options = parser.parse_args()
    if options.only in (None, "operations"):
        operations()
    if options.only in (None, "kernels"):
        kernels(options.numba)
    if options.only in (None, "seeds"):
        seeds()


if __name__ == "__main__":
    main()
