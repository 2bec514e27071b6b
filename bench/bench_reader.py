#!/usr/bin/env python3
"""Measures the time to read .ll per instruction, beside xDSL's parser on the same MLIR module.

    bench/bench_reader.py [SIZE...] [--file FILE.ll]

Times are microseconds per instruction of the .ll text, the minimum of three runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generate_module import generate
from xdsl.parser import Parser

from nvvm_xdsl.driver.compile import mlir_context
from nvvm_xdsl.frontend.ll_reader import read_ll

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
PARSER_LIMIT = 30_000
"""Above this number of instructions xDSL's parser is skipped because it takes minutes."""


def best(function: Callable[[], Any], runs: int = 3) -> float:
    """Returns the seconds of the fastest run."""
    times: list[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def instructions(text: str) -> int:
    """Returns the number of lines in function bodies."""
    return sum(line.startswith("  ") for line in text.splitlines())


def main() -> None:
    """Prints a line for each module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--file", action="append", default=[], help="an .ll file to read instead")
    arguments = parser.parse_args()
    modules = [(name, Path(name).read_text()) for name in arguments.file]
    if not modules:
        modules = [(str(size), generate(size)) for size in arguments.sizes]
    read_ll(generate(100))
    print(f"{'module':>24} {'instructions':>12} {'read_ll us':>10} {'xDSL us':>9} {'ratio':>6}")
    for name, text in modules:
        count = instructions(text)
        ours = best(lambda text=text: read_ll(text)) / count * 1e6
        line = f"{name[-24:]:>24} {count:>12} {ours:>10.1f}"
        if count <= PARSER_LIMIT:
            mlir = str(read_ll(text))
            parse = lambda mlir=mlir: Parser(mlir_context(), mlir).parse_module()  # noqa: E731
            theirs = best(parse, 1) / count * 1e6
            line += f" {theirs:>9.1f} {theirs / ours:>6.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
