"""Compares the optimization levels: passes, compile time and generated code.

    python bench/bench_levels.py [--arch sm_90] [--times 2] [--only=LEVEL ...] [--markdown FILE] [FILE.ll ...]

Each row is a level, -O0 to -O3 and -Ofast-compile=max, mid and min, or a documented pipeline that no level
runs. It shows the number of passes over IR and over machine code in its pipelines; how many of them, by name,
are in no lower row; and, relative to -O3, the processor time from LLVM assembly to PTX (ratio of the sums, and
geometric mean of the modules' ratios) and the geometric means over all kernels of registers, machine
instructions and executed machine instructions; and the sum of local bytes. Each level compiles a module
`--times` times, in turn with the other levels, and the smallest time counts.

Without files, the script uses examples/*.O0.ll, clang's output without optimization, on which every level has
an effect. The launches of a module that is no example are those of `dev/foreign/launches.py`. Needs ptxas and
nvdisasm.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
from bench_quality import ROOT, geometric_mean, launches_for, markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

import nvvm_xdsl
from dev.foreign.launches import found_launches
from dev.foreign.runs import TARGET
from dev.made_up_launches import launched_kernels
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.simulator import SimulationError, prepare
from nvvm_xdsl.simulator.program import Program

LEVELS: dict[str, CompileOptions] = {
    "-O0": CompileOptions(opt_level=0),
    "-Ofc=max": CompileOptions(opt_level=0, fast_compile="max"),
    "-Ofc=mid": CompileOptions(opt_level=0, fast_compile="mid"),
    "-Ofc=min": CompileOptions(opt_level=0, fast_compile="min"),
    "-O1": CompileOptions(opt_level=1),
    "-O2": CompileOptions(opt_level=2),
    "-O3": CompileOptions(opt_level=3),
    "nvopt<Ofcmid>": CompileOptions(passes="nvopt<Ofcmid>"),
    "nvopt<Ofcmin>": CompileOptions(passes="nvopt<Ofcmin>"),
    "nvopt<O1>": CompileOptions(passes="nvopt<O1>"),
}
AGAINST = "-O3"


@dataclass
class Level:
    """Results of a level.

    Arguments:
        passes: the names of the passes that run, with repetitions: over IR, over machine code.
        seconds: the processor time of each module.
        kernels: the costs of each kernel, `file:kernel`.
    """

    passes: tuple[list[str], list[str]]
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    kernels: dict[str, Measurement] = field(default_factory=dict[str, Measurement])


def passes_of(options: CompileOptions) -> tuple[list[str], list[str]]:
    """Returns the names of the passes of a level, over IR and over machine code."""
    resolved = options.for_module(nvvm_xdsl.parse("builtin.module {}", format="mlir"))
    texts = pipeline_of(resolved), machine_pipeline(resolved.codegen_level)
    ir, machine = ([p.name for p in passes_in(build_pipeline(text))] for text in texts)
    return ir, machine


def launch_lists(path: Path, text: str) -> tuple[Program, Iterator[list[Launch]]]:
    """Returns the program of a module, and lists of launches, of which the first that runs is used."""
    source = nvvm_xdsl.parse(text, format="ll")
    library = find_libdevice()
    if library is not None:
        source = link_libdevice(source, library) or source
    if path.is_relative_to(ROOT):
        return prepare(source), launches_for(path)
    checked = prepare(source, ALL_CHECKS)
    found: list[Launch] = []
    for func in launched_kernels(source):
        try:
            found += [attempt.launch for attempt in found_launches(source, func, checked)[0]]
        except (DiagnosticError, ValueError):
            continue
    return prepare(source), iter([found])


def timed(text: str, options: CompileOptions, times: int) -> Iterator[tuple[str, float]]:
    """Yields the PTX and the processor time of each compilation."""
    for _ in range(times):
        gc.collect()
        start = time.process_time()
        ptx = compile_here(text, options=options)
        yield ptx, time.process_time() - start


def add_file(path: Path, levels: dict[str, Level], arch: str, times: int) -> str:
    """Compiles and measures a file at all levels; returns the reason why nothing is measured."""
    text = TARGET.sub("", path.read_text())
    program, lists = launch_lists(path, text)
    runs = {name: timed(text, replace(LEVELS[name], arch=arch), times) for name in levels}
    ptx: dict[str, str] = {}
    least: dict[str, float] = {}
    for _ in range(times):
        for name, compilations in runs.items():
            ptx[name], seconds = next(compilations)
            least[name] = min(least.get(name, seconds), seconds)
    for name, seconds in least.items():
        levels[name].seconds[path.stem] = seconds
    why = "no launch runs"
    for launches in lists:
        try:
            found = {name: measure(made, arch, launches, program) for name, made in ptx.items()}
        except (AssemblyError, DiagnosticError, SimulationError) as error:
            why = str(error).splitlines()[0]
            continue
        for name, kernels in found.items():
            rows = levels[name].kernels
            rows |= {f"{path.stem}:{kernel}": row for kernel, row in kernels.items()}
        return "" if launches else why
    return why


def table_of(levels: dict[str, Level]) -> Table:
    """Returns the table of all levels."""
    last = levels[AGAINST]
    title = f"{len(last.seconds)} modules, {len(last.kernels)} kernels, relative to {AGAINST}"
    table = Table(title=title)
    for column in (
        "level", "passes over IR", "of its own", "over machine code", "time, sum", "time, mean",
        "registers", "machine instructions", "executed", "local bytes",
    ):  # fmt: skip
        table.add_column(column)
    seen: set[str] = set()
    for name, level in levels.items():
        ir, machine = level.passes
        names = set(ir + machine)
        own = names - seen
        seen |= names
        both = [(row, last.kernels[k]) for k, row in level.kernels.items() if k in last.kernels]
        registers = geometric_mean([a.static.registers / b.static.registers for a, b in both])
        size = geometric_mean([a.static.instructions / b.static.instructions for a, b in both])
        executed = geometric_mean(
            [a.machine_warps / b.machine_warps for a, b in both if b.machine_warps]
        )
        total = sum(level.seconds.values()) / sum(last.seconds.values())
        mean = geometric_mean([level.seconds[k] / last.seconds[k] for k in level.seconds])
        table.add_row(
            name, str(len(ir)), str(len(own)), str(len(machine)), f"{total:.2f}", f"{mean:.2f}",
            f"{registers:.3f}", f"{size:.3f}", f"{executed:.3f}",
            str(sum(row.static.local for row in level.kernels.values())),
        )  # fmt: skip
    return table


def highest(levels: dict[str, Level], count: int) -> Iterator[str]:
    """Yields for each level the kernels with the highest ratio of executed instructions."""
    last = levels[AGAINST].kernels
    for name, level in levels.items():
        ratios = [
            (row.machine_warps / last[kernel].machine_warps, kernel)
            for kernel, row in level.kernels.items()
            if kernel in last and last[kernel].machine_warps
        ]
        worst = sorted(ratios, reverse=True)[:count]
        yield f"{name}: " + ", ".join(f"{kernel} {ratio:.2f}" for ratio, kernel in worst)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--times", type=int, default=2, metavar="N", help="compilations per level")
    parser.add_argument(
        "--only", action="append", choices=LEVELS, help="this level and -O3, as `--only=-O1`"
    )
    parser.add_argument("--worst", type=int, default=3, metavar="N", help="kernels to show")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=180)
    files = arguments.files or sorted((ROOT / "examples").glob("*.O0.ll"))
    chosen = [n for n in LEVELS if not arguments.only or n in arguments.only or n == AGAINST]
    levels: dict[str, Level] = {}
    for name in chosen:
        options = replace(LEVELS[name], arch=arguments.arch)
        # Compiles once first: caches of the process must not count as time of the first level.
        compile_here(files[0], options=options)
        levels[name] = Level(passes_of(options))
    for path in track(files, console=console, transient=True):
        try:
            why = add_file(path.absolute(), levels, arguments.arch, arguments.times)
        except DiagnosticError as error:
            why = error.message
        if why:
            console.print(f"{path.stem}: not executed: {why[:100]}", markup=False)
    for line in highest(levels, arguments.worst):
        console.print(line, markup=False, soft_wrap=True)
    table = table_of(levels)
    console.print(table)
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
