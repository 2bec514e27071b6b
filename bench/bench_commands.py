#!/usr/bin/env python3
"""Measures processor time and memory of whole commands: nvvm-cc without and with a cache, LLVM, and nvcc.

    bench/bench_commands.py FILE.ll[=FILE.cu] ... [--nvcc-option=-Iinclude] [--repeat 3] [--json FILE]

FILE.cu is the source of FILE.ll. The commands are

- `nvvm-cc -O3` without a cache, with an empty cache, and again with the cache that the second command filled;
- `opt -O3` and `llc -O3` of LLVM 22;
- `nvcc -O3 -ptx` of the CUDA source, whose front end parses the headers of the toolkit, too.

Startup is included, with bytecode and the compiled code that `nvvm-cc` keeps. A row has the processor seconds (user and system, minimum of the
interleaved runs) and the peak resident memory of each command. The last rows have the median, the 90th percentile and the maximum of the ratios
to LLVM.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

ARCH = "sm_90"
WAYS = ("no cache", "empty cache", "cached", "LLVM", "nvcc")


@dataclass(frozen=True)
class Cost:
    """Processor seconds and peak megabytes of a command."""

    seconds: float
    megabytes: float


def cost_of(commands: Sequence[Sequence[str]]) -> Cost | None:
    """The cost of commands that run one after the other; None if one fails."""
    seconds = megabytes = 0.0
    for command in commands:
        files = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_WRONLY, 0) for n in (1, 2)]
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
        _, status, used = os.wait4(child, 0)
        if status:
            return None
        seconds += used.ru_utime + used.ru_stime
        megabytes = max(megabytes, used.ru_maxrss / 1024)
    return Cost(seconds, megabytes)


def measure(
    module: Path, source: Path | None, nvcc_options: Sequence[str], folder: Path, repeat: int
) -> dict[str, Cost]:
    """The cost of each command that succeeds: least seconds and least memory of all runs."""
    cache, optimized = folder / "cache", str(folder / "optimized.bc")
    ours = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_cc", str(module), "-O3", "-arch", ARCH]
    ours += ["-o", str(folder / "out.ptx")]
    with_cache = [*ours, "--cache-dir", str(cache)]
    llvm = [
        ["opt-22", "-O3", str(module), "-o", optimized],
        ["llc-22", "-O3", f"-mcpu={ARCH}", optimized, "-o", os.devnull],
    ]
    ways = {
        "no cache": [ours],
        "empty cache": [with_cache],
        "cached": [with_cache],
        "LLVM": llvm,
    }
    if source is not None:
        nvcc = ["nvcc", "-O3", "-std=c++17", "-arch", ARCH, f"-I{source.parent}", *nvcc_options]
        ways["nvcc"] = [[*nvcc, "-ptx", str(source), "-o", str(folder / "nvcc.ptx")]]
    found: dict[str, Cost] = {}
    for _ in range(repeat):
        shutil.rmtree(cache, ignore_errors=True)
        for way, commands in ways.items():
            cost = cost_of(commands)
            if cost is not None:
                least = found.get(way, cost)
                found[way] = Cost(
                    min(least.seconds, cost.seconds), min(least.megabytes, cost.megabytes)
                )
    return found


def instructions_of(module: Path) -> int:
    """The number of indented lines, which are about the instructions."""
    return sum(line.startswith("  ") for line in module.read_text().splitlines())


def show(results: dict[str, tuple[int, dict[str, Cost]]]) -> None:
    """Prints the table."""
    table = Table(title="processor seconds, and peak MB")
    for name in ("module", "instructions", *WAYS, *(f"{way} MB" for way in WAYS)):
        table.add_column(name, justify="left" if name == "module" else "right")
    for name, (count, costs) in results.items():
        seconds = [f"{costs[way].seconds:.2f}" if way in costs else "" for way in WAYS]
        memory = [f"{costs[way].megabytes:.0f}" if way in costs else "" for way in WAYS]
        table.add_row(name, str(count), *seconds, *memory)
    table.add_section()
    for label, select in (
        ("median of LLVM's", median),
        ("90th percentile", lambda ratios: quantiles(ratios, n=10, method="inclusive")[-1]),
        ("maximum", max),
    ):
        cells: list[str] = []
        for field in ("seconds", "megabytes"):
            for way in WAYS:
                ratios = [
                    getattr(costs[way], field) / getattr(costs["LLVM"], field)
                    for _, costs in results.values()
                    if way in costs and "LLVM" in costs
                ]
                cells.append(f"{select(ratios):.1f}" if len(ratios) > 1 else "")
        table.add_row(label, "", *cells)
    Console(width=180).print(table)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="+", metavar="FILE.ll[=FILE.cu]")
    parser.add_argument("--nvcc-option", action="append", default=[], metavar="OPTION")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write the measurements to this file")
    arguments = parser.parse_args()
    results: dict[str, tuple[int, dict[str, Cost]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for words in arguments.modules:
            name, _, source = words.partition("=")
            module = Path(name)
            costs = measure(
                module,
                Path(source) if source else None,
                arguments.nvcc_option,
                Path(folder),
                arguments.repeat,
            )
            results[module.stem] = instructions_of(module), costs
    show(results)
    if arguments.json:
        records = {
            name: {way: asdict(cost) for way, cost in costs.items()}
            for name, (_, costs) in results.items()
        }
        arguments.json.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()
