"""Compares the optimization levels on the examples: passes, compile time and generated code.

    python bench/bench_levels.py [--arch sm_90] [--markdown FILE] [FILE.ll ...]

Each row is a level, -O0 to -O3 and -Ofast-compile=max, mid and min, or a documented pipeline that no level runs. It shows the number of passes over IR and
over machine code in its pipelines; how many of them, by name, are in no lower row; the processor time of all
compilations relative to -O3; the geometric means over all kernels, relative to -O3, of registers, machine
instructions and executed machine instructions; and the sum of local bytes.

Without files, the script uses examples/*.O0.ll, clang's output without optimization, on which every level has
an effect. Needs ptxas and nvdisasm.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path

from bench_quality import ROOT, geometric_mean, launches_for, markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.simulator import SimulationError, prepare

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
        seconds: processor time of all compilations.
        kernels: the costs of each kernel, `file:kernel`.
    """

    passes: tuple[list[str], list[str]]
    seconds: float
    kernels: dict[str, Measurement]


def passes_of(options: CompileOptions) -> tuple[list[str], list[str]]:
    """Returns the names of the passes of a level, over IR and over machine code."""
    resolved = options.for_module(nvvm_xdsl.parse("builtin.module {}", format="mlir"))
    texts = pipeline_of(resolved), machine_pipeline(resolved.codegen_level)
    ir, machine = ([p.name for p in passes_in(build_pipeline(text))] for text in texts)
    return ir, machine


def run(options: CompileOptions, files: list[Path], arch: str, console: Console) -> Level:
    """Compiles and measures all files at a level."""
    seconds = 0.0
    kernels: dict[str, Measurement] = {}
    for path in track(files, console=console, transient=True):
        source = nvvm_xdsl.parse(path)
        library = find_libdevice()
        if library is not None:
            source = link_libdevice(source, library) or source
        program = prepare(source)
        start = time.process_time()
        ptx = compile_here(path, options=options)
        seconds += time.process_time() - start
        for launches in launches_for(path):
            try:
                found = measure(ptx, arch, launches, program)
            except (AssemblyError, DiagnosticError, SimulationError) as error:
                console.print(f"{path.stem}: left out: {str(error).splitlines()[0][:100]}")
                continue
            kernels |= {f"{path.stem}:{name}": row for name, row in found.items()}
            break
    return Level(passes_of(options), seconds, kernels)


def table_of(levels: dict[str, Level]) -> Table:
    """Returns the table of all levels."""
    table = Table(title="Effect of each level on the examples")
    for column in (
        "level", "passes over IR", "of its own", "over machine code", "time", "registers",
        "machine instructions", "executed", "local bytes",
    ):  # fmt: skip
        table.add_column(column)
    last = levels[AGAINST]
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
        table.add_row(
            name, str(len(ir)), str(len(own)), str(len(machine)), f"{level.seconds / last.seconds:.2f}",
            f"{registers:.3f}", f"{size:.3f}", f"{executed:.3f}",
            str(sum(row.static.local for row in level.kernels.values())),
        )  # fmt: skip
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=180)
    files = arguments.files or sorted((ROOT / "examples").glob("*.O0.ll"))
    levels: dict[str, Level] = {}
    for options in LEVELS.values():
        # Compiles once first: caches of the process must not count as time of the first level.
        compile_here(files[0], options=replace(options, arch=arguments.arch))
    for name, options in LEVELS.items():
        levels[name] = run(replace(options, arch=arguments.arch), files, arguments.arch, console)
    table = table_of(levels)
    console.print(table)
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
