"""Measures -O3 compile time by pass for programs of many device functions.

    python bench/bench_programs.py [FUNCTIONS ...] [--instructions 50] [--state FILE.json]

The programs are those of `generate_program`. Each is compiled in its own process. Inlining makes the PTX of a
deeper program longer, so times are per line of PTX. If the time per line of a pass grows, the pass takes more
than linear time. With `--state`, earlier results are kept and only missing ones are measured.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from generate_module import generate_program

SIZES = (250, 500, 1_000, 2_000)
SHOWN = 8
"""Rows of the table: the passes with the most time at the largest size."""


def measure(functions: int, instructions: int) -> dict[str, Any]:
    """Returns processor seconds in total and by pass, and the size of the compiled program."""
    from nvvm_xdsl.driver import compile as driver
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher

    options = CompileOptions(opt_level=3)
    driver.compile_modules([driver.parse(generate_program(4), format="ll")], options)
    text = generate_program(functions, instructions)
    module = driver.parse(text, format="ll")
    watcher = Watcher(Instruments(time_passes=True), io.StringIO(), clock=time.process_time)
    start = time.process_time()
    ptx = driver.compile_modules([module], options, watcher=watcher)
    return {
        "instructions": sum(line.startswith("  ") for line in text.splitlines()),
        "lines": ptx.count("\n"),
        "seconds": time.process_time() - start,
        "passes": watcher.seconds,
    }


def table(found: dict[int, dict[str, Any]]) -> str:
    """Returns a Markdown table: sizes as columns, passes as rows, microseconds per line of PTX."""
    sizes = sorted(found)
    largest = found[sizes[-1]]["passes"]
    names = sorted(largest, key=lambda name: -largest[name])[:SHOWN]

    def by_line(size: int, seconds: float) -> str:
        return f"{1e6 * seconds / found[size]['lines']:.0f}"

    rows = [
        ["functions", *map(str, sizes)],
        ["instructions", *(f"{found[s]['instructions']:,}" for s in sizes)],
        ["lines of PTX", *(f"{found[s]['lines']:,}" for s in sizes)],
        ["seconds", *(f"{found[s]['seconds']:.1f}" for s in sizes)],
        ["µs a line", *(by_line(s, found[s]["seconds"]) for s in sizes)],
        *([f"`{n}`", *(by_line(s, found[s]["passes"].get(n, 0.0)) for s in sizes)] for n in names),
    ]
    rows.insert(1, ["---"] * (len(sizes) + 1))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def growing(found: dict[int, dict[str, Any]], least: float = 5e-6) -> list[str]:
    """Returns the passes whose time per line grows most from the smallest size to the largest."""
    small, large = found[min(found)], found[max(found)]
    ratios = {
        name: (seconds / large["lines"]) / (small["passes"][name] / small["lines"])
        for name, seconds in large["passes"].items()
        if seconds / large["lines"] >= least and small["passes"].get(name)
    }
    worst = sorted(ratios.items(), key=lambda item: -item[1])[:SHOWN]
    return [f"{name} {ratio:.2f}" for name, ratio in worst]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("functions", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--instructions", type=int, default=50, help="of a function (default 50)")
    parser.add_argument("--state", type=Path, help="a JSON file of earlier results")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(measure(arguments.child, arguments.instructions)))
        return
    state: Path | None = arguments.state
    known = json.loads(state.read_text()) if state is not None and state.exists() else {}
    found: dict[int, dict[str, Any]] = {int(size): one for size, one in known.items()}
    for size in arguments.functions:
        if size in found:
            continue
        command = [sys.executable, __file__, "--child", str(size)]
        command += ["--instructions", str(arguments.instructions)]
        found[size] = json.loads(subprocess.check_output(command, text=True))
        if state is not None:
            state.write_text(json.dumps(found))
    print(table(found))
    if len(found) > 1:
        print("\ngrowing:", ", ".join(growing(found)))


if __name__ == "__main__":
    main()
