#!/usr/bin/env python3
"""Measures the gain and overhead of worker processes: split compilation and parallel modules.

    bench/bench_split.py [FUNCTIONS...] [--instructions 50] [--level 3] [--repeat 3] [FILE.ll ... with --files]

For each module the table shows the processor seconds of one process by part (phase 1, the part that workers
can run, the rest) and the overhead of splitting and joining. It then compares one process with one process
per processor, after a warm-up. The measure is processor time on the critical path: this process and the
busiest worker. Unlike wall time it is meaningful on a shared machine.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generate_module

from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver import split, workers
from nvvm_xdsl.driver.many import compile_many
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.serialization import unpack
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.pipeline.manager import PassManager


class Clock:
    """Processor seconds of one process by part."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.last = time.process_time()

    def stop(self, part: str) -> None:
        now = time.process_time()
        self.parts[part] = self.parts.get(part, 0.0) + now - self.last
        self.last = now


def parts_of(text: str, options: CompileOptions) -> dict[str, float]:
    """Returns the processor seconds of each part, run in this process."""
    with driver.paused_collector():
        clock = Clock()
        module = driver.parse(text, format="ll")
        driver.complete(module)
        driver.verify(module)
        clock.stop("read")
        chosen = options.for_module(module)
        manager = PassManager(pipeline_of(chosen), options=chosen.settings)
        manager.run(module, only_phase=1)
        clock.stop("phase 1")
        batches = split.split(module, 2)
        clock.stop("split")
        for batch in batches:
            unpack(batch.data)
        clock.stop("unpack")
        results = [split.compile_batch(batch.data, chosen) for batch in batches]
        clock.stop("work")
        machine = split.join(module, batches, results, chosen)
        assert machine is not None
        clock.stop("join")
        driver.generate_from_machine(machine, chosen)
        clock.stop("print")
    return clock.parts


def worker_seconds() -> list[float]:
    """Returns the processor seconds of each worker so far."""
    found: list[float] = []
    for process in workers.shared_pool(workers.processors()).processes:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return found


def longest(work: Callable[[], object], repeat: int) -> float:
    """Returns processor seconds of this process and the busiest worker, the minimum of several runs."""
    best = 1e9
    for _ in range(repeat):
        before, start = worker_seconds(), time.process_time()
        work()
        own = time.process_time() - start
        best = min(best, own + max(b - a for a, b in zip(before, worker_seconds())))
    return best


def show(rows: list[dict[str, Any]]) -> None:
    """Prints a table in Markdown."""
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for row in rows:
        cells = [f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values()]
        print("| " + " | ".join(cells) + " |")


def measure_split(name: str, text: str, options: CompileOptions, repeat: int) -> dict[str, Any]:
    """Returns one row of the table."""
    count = workers.processors()
    parts = parts_of(text, options)
    parts = {part: min(parts[part], other) for part, other in parts_of(text, options).items()}
    several = CompileOptions(**{**vars(options), "split_compile": count})

    def compiled(chosen: CompileOptions) -> None:
        driver.compile_modules([driver.parse(text, format="ll")], chosen)

    one = longest(lambda: compiled(options), repeat)
    two = longest(lambda: compiled(several), repeat)
    work = parts["work"]
    serial = sum(parts.values()) - work - parts["unpack"]
    plain = serial - parts["split"] - parts["join"] + work - parts["unpack"]
    row: dict[str, Any] = {"module": name, **parts}
    for n in (2, 8, 64):
        row[f"paper {n}"] = plain / (serial + work / n)
    row["1 process"] = one
    row[f"{count} workers"] = two
    row["ratio"] = one / two
    return row


def measure_many(files: list[Path], options: CompileOptions) -> dict[str, Any]:
    """Compares one process with all processes on many modules."""
    count = workers.processors()

    def compiled(jobs: int) -> None:
        compile_many(files, options=options, jobs=jobs)

    compiled(count)
    two = longest(lambda: compiled(count), 1)
    one = longest(lambda: compiled(1), 1)
    return {"files": len(files), "1 process": one, f"{count} workers": two, "ratio": one / two}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", type=int, default=[2, 10, 50, 200])
    parser.add_argument("--instructions", type=int, default=50)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--files", nargs="*", type=Path, default=[])
    arguments = parser.parse_args()
    options = CompileOptions(opt_level=arguments.level, arch="sm_90")
    generate_module.FUNCTION_INSTRUCTIONS = arguments.instructions
    start = time.perf_counter()
    pool = workers.shared_pool(workers.processors())
    pool.warm()
    pool.run(workers.processors, [()] * pool.count, pool.count)
    print(f"pool of {pool.count}: {time.perf_counter() - start:.2f} s to start\n")
    driver.compile_modules([driver.parse(generate_module.generate(200), format="ll")], options)
    rows = [
        measure_split(
            f"{count} functions",
            generate_module.generate(count * arguments.instructions),
            options,
            arguments.repeat,
        )
        for count in arguments.functions
    ]
    if rows:
        show(rows)
    if arguments.files:
        print()
        show([measure_many(arguments.files, options)])


if __name__ == "__main__":
    main()
