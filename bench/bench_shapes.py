"""Measures time and memory per instruction for unusual module shapes at three sizes.

    python bench/bench_shapes.py [SHAPE ...] [--level 3] [--sizes N,2N,4N] [--state FILE.json] [--passes 3]

The shapes are those of `shapes.py`. Each module is compiled in its own process, after a warm-up compilation.
If the time per instruction of a shape grows with its size, the compiler takes more than linear time; the
passes whose time grows are listed for the largest size. With `--state`, earlier results are kept and only
missing ones are measured.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from generate_module import generate
from shapes import SHAPES, make

TIME_LIMIT = 600
"""Time limit of a compilation in seconds."""
LEAST = 20e-6
"""Smallest time per instruction at the largest size, in seconds, of a listed pass."""


def _peak_kilobytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(shape: str, size: int, level: int) -> dict[str, Any]:
    """Processor seconds in total and by pass, peak memory in kilobytes, and the size of the module."""
    from nvvm_xdsl.driver import compile as driver
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher

    options = CompileOptions(opt_level=level)
    driver.compile_modules([driver.parse(generate(100), format="ll")], options)
    text = make(shape, size)
    base = _peak_kilobytes()
    watcher = Watcher(Instruments(time_passes=True), io.StringIO(), clock=time.process_time)
    start = time.process_time()
    module = driver.parse(text, format="ll")
    read = time.process_time() - start
    ptx = driver.compile_modules([module], options, watcher=watcher)
    seconds = time.process_time() - start
    return {
        "instructions": sum(line.startswith("  ") for line in text.splitlines()),
        "lines": ptx.count("\n"),
        "seconds": seconds,
        "kilobytes": _peak_kilobytes() - base,
        "passes": {
            "read": read,
            "rest": seconds - read - sum(watcher.seconds.values()),
            **watcher.seconds,
        },
    }


def measured(shape: str, size: int, level: int) -> dict[str, Any]:
    """Measures a compilation in its own process; `error` is set if it fails."""
    command = [sys.executable, __file__, shape, "--sizes", str(size), "--level", str(level)]
    try:
        done = subprocess.run(
            [*command, "--child"], capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except subprocess.TimeoutExpired:
        return {"error": f"more than {TIME_LIMIT} s"}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or ["?"])[-1]}
    return json.loads(done.stdout)


def by_instruction(found: dict[str, Any], name: str) -> float:
    """Returns the seconds of a pass per instruction of the module."""
    return found["passes"].get(name, 0.0) / found["instructions"]


def row(shape: str, sizes: list[int], found: list[dict[str, Any]], shown: int) -> list[str]:
    """Returns a row of the table."""
    cells = [shape, ", ".join(f"{size:,}" for size in sizes)]
    good = [one for one in found if "error" not in one]
    cells.append(", ".join(f"{one['instructions']:,}" for one in good))
    cells.append(
        ", ".join(
            one.get("error") or f"{1e3 * one['seconds'] / one['instructions']:.3f}" for one in found
        )
    )
    cells.append(", ".join(f"{one['kilobytes'] / one['instructions']:.1f}" for one in good))
    if not good:
        return [*cells, ""]
    small, large = good[0], good[-1]
    names = sorted(large["passes"], key=lambda name: -by_instruction(large, name))
    cells.append(
        ", ".join(
            f"{name} {1e6 * by_instruction(small, name):.0f} to {1e6 * by_instruction(large, name):.0f}"
            for name in names[:shown]
            if by_instruction(large, name) >= LEAST
        )
    )
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--level", type=int, default=3, choices=range(4))
    parser.add_argument(
        "--sizes", help="sizes to use instead of each shape's own, separated by commas"
    )
    parser.add_argument("--state", type=Path, help="a JSON file of earlier results")
    parser.add_argument("--passes", type=int, default=3, help="listed passes (default 3)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        (shape,) = arguments.shapes
        print(json.dumps(measure(shape, int(arguments.sizes), arguments.level)))
        return
    state: Path | None = arguments.state
    known: dict[str, Any] = {}
    if state is not None and state.exists():
        known = json.loads(state.read_text())
    print("| shape | size | instructions | ms an instruction | kB | µs an instruction of passes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for shape in arguments.shapes or SHAPES:
        least = SHAPES[shape][1]
        sizes = [least, 2 * least, 4 * least]
        if arguments.sizes:
            sizes = [int(size) for size in arguments.sizes.split(",")]
        found: list[dict[str, Any]] = []
        for size in sizes:
            key = f"{shape} {size} -O{arguments.level}"
            if key not in known:
                known[key] = measured(shape, size, arguments.level)
                if state is not None:
                    state.write_text(json.dumps(known))
            found.append(known[key])
        cells = row(shape, sizes, found, arguments.passes)
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
