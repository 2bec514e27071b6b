#!/usr/bin/env python3
"""Measures which modules of real programs compile and assemble, and the time per level and GPU.

    bench/bench_modules.py FOLDER... [--arch sm_75 ...] [--level 0 ...] [--results FILE] [--seconds 170]

FOLDER holds LLVM assembly or bitcode. Public CUDA sources become such modules by

    clang --cuda-device-only --cuda-gpu-arch=sm_75 --cuda-path=... -O2 -S -emit-llvm x.cu

(clang 22 needs a `curand_mtgp32_kernel.h`, which CUDA 13 no longer has; an empty file suffices.) Results are
written to FILE, a JSON object a line, and are not computed again. A run can therefore be stopped, or limited
to some seconds, and continued. The output is a table with a line for each module that fails for some level or
GPU, then the error messages, then seconds by level and GPU. The exit status is 1 if anything fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]

from dev.conformance.verdicts import refusal_by_ptxas
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions

ARCHS = ("sm_75", "sm_90", "sm_100", "sm_120")
LEVELS = (0, 3)
MOST_SECONDS = 120.0
"""Time limit of one compilation in seconds."""


@dataclass(frozen=True)
class Attempt:
    """One compilation.

    Attributes:
        refused: why there is no machine code; empty on success.
        seconds: of the compilation, without ptxas.
    """

    module: str
    arch: str
    level: int
    refused: str
    seconds: float


def attempt(path: Path, name: str, arch: str, level: int) -> Attempt:
    """Compiles a module and assembles the PTX with ptxas."""
    options = CompileOptions(arch, opt_level=level, rdc=True, time_limit=MOST_SECONDS)
    start = time.perf_counter()
    try:
        ptx = compile_here(path, options=options)
    except Exception as error:
        found = as_diagnostic(error)
        refused = repr(error) if found is None else found.message.split("\n", 1)[0]
        return Attempt(name, arch, level, refused, time.perf_counter() - start)
    seconds = time.perf_counter() - start
    return Attempt(name, arch, level, refusal_by_ptxas(ptx), seconds)


def kept(path: Path) -> dict[tuple[str, str, int], Attempt]:
    """Returns the results of earlier runs, the last attempt of each."""
    if not path.exists():
        return {}
    attempts = [Attempt(**json.loads(line)) for line in path.read_text().splitlines()]
    return {(a.module, a.arch, a.level): a for a in attempts}


def table(found: Sequence[Attempt], count: int) -> Iterator[str]:
    """Returns the results in Markdown.

    Arguments:
        count: the number of modules, tried or not.
    """
    by_module: defaultdict[str, list[Attempt]] = defaultdict(list)
    by_kind: defaultdict[tuple[str, int], list[Attempt]] = defaultdict(list)
    for a in found:
        by_module[a.module].append(a)
        by_kind[a.arch, a.level].append(a)
    yield "| module | taken | seconds | not taken |"
    yield "| --- | --- | --- | --- |"
    for name, attempts in sorted(by_module.items()):
        wrong = [a for a in attempts if a.refused]
        if wrong:
            seconds = sum(a.seconds for a in attempts)
            said = f"{wrong[0].arch} -O{wrong[0].level}: {wrong[0].refused}".replace("|", "/")
            taken = f"{len(attempts) - len(wrong)} of {len(attempts)}"
            yield f"| {name} | {taken} | {seconds:.1f} | {said[:200]} |"
    yield ""
    yield "| target | level | modules | taken | median s | most s | sum s |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for (arch, level), attempts in sorted(by_kind.items()):
        times = [a.seconds for a in attempts]
        taken = sum(not a.refused for a in attempts)
        figures = f"{median(times):.2f} | {max(times):.1f} | {sum(times):.0f}"
        yield f"| {arch} | -O{level} | {len(attempts)} | {taken} | {figures} |"
    yield ""
    yield f"{count} modules, {len(found)} attempts, {sum(not a.refused for a in found)} taken"


def main() -> int:
    """Runs the remaining attempts; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER")
    add("--arch", action="append", default=[], help=f"GPU; {', '.join(ARCHS)} by default")
    add(
        "--level",
        action="append",
        default=[],
        type=int,
        help="optimization levels; 0 and 3 by default",
    )
    add("--results", type=Path, default=Path("modules.jsonl"), help="the file of earlier results")
    add(
        "--seconds",
        type=float,
        default=float("inf"),
        help="start no compilation after this many seconds",
    )
    add("--again", action="store_true", help="repeat failed attempts")
    options = parser.parse_args()
    kinds = [(a, o) for o in options.level or LEVELS for a in options.arch or ARCHS]
    files = {
        str(path.relative_to(folder)): path
        for folder in options.folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".ll", ".bc")
    }
    known = kept(options.results)
    end = time.monotonic() + options.seconds
    with options.results.open("a") as out:
        # All modules for one combination, then the next. Consecutive combinations differ in both
        # fields, so that a stopped run has covered some of each level and GPU.
        for turn in range(len(kinds)):
            for number, (name, path) in enumerate(files.items()):
                key = (name, *kinds[(turn + number) % len(kinds)])
                done = key in known and not (options.again and known[key].refused)
                if done or time.monotonic() > end:
                    continue
                known[key] = attempt(path, *key)
                print(json.dumps(asdict(known[key])), file=out, flush=True)
    found = [a for a in known.values() if a.module in files]
    for line in table(found, len(files)):
        print(line)
    return int(any(a.refused for a in found))


if __name__ == "__main__":
    sys.exit(main())
