#!/usr/bin/env python3
"""Measures the time from .ll to PTX per instruction and stage, beside xDSL's parser and printer.

    bench/bench_compile.py [SIZE...] [--arch sm_90] [--json FILE]

Each size of each side runs in its own process, so that peak memory is measured separately. Times are
microseconds per instruction of the .ll module, at -O0, without imports.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generate_module import generate

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def _timed(function: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    value = function()
    return value, time.perf_counter() - start


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _instructions(text: str) -> int:
    return sum(line.startswith("  ") for line in text.splitlines())


def measure_ours(size: int, arch: str) -> dict[str, float]:
    """Returns the seconds of each stage from .ll text to PTX text."""
    from nvvm_xdsl.driver import compile as driver
    from nvvm_xdsl.driver.options import CompileOptions

    options = CompileOptions(arch=arch, opt_level=0)
    # A small module is compiled first, so that imports and tables built at first use are not
    # measured.
    driver.compile_modules([driver.parse(generate(100), format="ll")], options)
    text = generate(size)
    base = _peak_megabytes()
    module, read = _timed(lambda: driver.parse(text, format="ll"))
    stages: dict[str, float] = {}
    _, total = _timed(lambda: driver.compile_modules([module], options, stages=stages))
    return {
        "instructions": _instructions(text),
        "read": read,
        **stages,
        "total": read + total,
        "megabytes": _peak_megabytes() - base,
    }


def measure_xdsl(size: int, arch: str) -> dict[str, float]:
    """Returns the seconds of xDSL's parser and printer on the same module as MLIR text."""
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from nvvm_xdsl.driver import compile as driver

    del arch
    text = generate(size)
    stream = io.StringIO()
    Printer(stream).print_op(driver.parse(text, format="ll"))
    mlir = stream.getvalue()
    context = driver.mlir_context()
    base = _peak_megabytes()
    module, parse = _timed(lambda: Parser(context, mlir).parse_module())
    _, printing = _timed(lambda: Printer(io.StringIO()).print_op(module))
    return {
        "instructions": _instructions(text),
        "operations": sum(1 for _ in module.walk()),
        "parse": parse,
        "print": printing,
        "total": parse + printing,
        "megabytes": _peak_megabytes() - base,
    }


def _in_child(side: str, size: int, arch: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", side, str(size), "--arch", arch]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def show(rows: list[tuple[dict[str, float], dict[str, float]]]) -> None:
    """Prints the table."""
    from rich.console import Console
    from rich.table import Table

    stages = ["read", "optimize", "select", "machine", "convert", "print", "total"]
    table = Table(title="microseconds per instruction, .ll to PTX at -O0")
    table.add_column("instructions", justify="right")
    for stage in stages:
        table.add_column(stage, justify="right")
    for name in ("xDSL parse", "xDSL print", "xDSL total", "total / xDSL", "MB", "xDSL MB"):
        table.add_column(name, justify="right")
    for ours, xdsl in rows:
        count = ours["instructions"]

        def per(seconds: float, count: float = count) -> str:
            return f"{seconds / count * 1e6:.1f}"

        table.add_row(
            f"{count:,.0f}",
            *[per(ours[stage]) for stage in stages],
            per(xdsl["parse"]),
            per(xdsl["print"]),
            per(xdsl["total"]),
            f"{ours['total'] / xdsl['total']:.2f}",
            f"{ours['megabytes']:.0f}",
            f"{xdsl['megabytes']:.0f}",
        )
    Console(width=160).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, metavar="SIZE", help="instructions")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--json", type=Path, help="also write the measurements to this file")
    parser.add_argument("--child", choices=["ours", "xdsl"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        measure = measure_ours if arguments.child == "ours" else measure_xdsl
        print(json.dumps(measure(arguments.sizes[0], arguments.arch)))
        return
    rows: list[tuple[dict[str, float], dict[str, float]]] = []
    for size in arguments.sizes or SIZES:
        ours = _in_child("ours", size, arguments.arch)
        rows.append((ours, _in_child("xdsl", size, arguments.arch)))
    show(rows)
    if arguments.json:
        records = [{"nvvm-xdsl": ours, "xdsl": xdsl} for ours, xdsl in rows]
        arguments.json.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()
