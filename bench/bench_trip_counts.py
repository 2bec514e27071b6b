"""Measures loops of few and many iterations with different forms of their remainder.

    python bench/bench_trip_counts.py [--nvcc NVCC] [--markdown FILE]

Each kernel of trip_counts.cu runs with several trip counts in the simulator, one warp. Executed machine
instructions are counted for the default of -O3, for loops that `loop-unroll` leaves to ptxas, for
remainders that are all straight-line code or all loops, and for other compilers: nvcc for sm_90, and
libNVVM, which reads current IR, for sm_100. Needs clang, ptxas and nvdisasm; a missing compiler is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
from bench_quality import ROOT, geometric_mean, markdown
from rich.console import Console
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.cuda import find_clang
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.compilers import CompilerError, compiler
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import measurable, measure_launches
from nvvm_xdsl.passes.loop import loop_unroll
from nvvm_xdsl.simulator import prepare

TRIP_COUNTS = (3, 15, 16, 37, 61, 1000)

FORMS = {
    "default": ("LOADS_UNROLL_SIZE", loop_unroll.LOADS_UNROLL_SIZE),
    "left to ptxas": ("LOADS_UNROLL_SIZE", 0),
    "remainders straight-line": ("LOADS_STRAIGHT_SIZE", 1000),
    "remainders as loops": ("LOADS_STRAIGHT_SIZE", 0),
}
"""The constant of `loop-unroll` to set for each form, and its value."""

Counts = dict[str, tuple[int, ...]]
"""Executed machine instructions of each kernel, by trip count."""


def launch(kernel: str, count: int) -> Launch:
    """A launch of one warp in which each thread runs `count` iterations."""
    size = (max(TRIP_COUNTS) + 4) * 32
    indices = np.arange(size, dtype=np.int32) % 31
    if kernel == "row":
        indices[:4] = (0, 0, count, count)
    values = np.ones(size, np.float32)
    args = (values, values, indices, np.zeros_like(values), np.zeros_like(indices), count)
    return Launch(kernel, 1, 32, args)


def counts_of(ptx: str, arch: str, text: str) -> Counts:
    """Runs all kernels of a module with all trip counts."""
    made = measurable(ptx, arch, prepare(nvvm_xdsl.parse(text, format="ll")))
    return {
        name: tuple(
            int(measure_launches(made, [launch(name, count)])[name].machine_warps)
            for count in TRIP_COUNTS
        )
        for name in made.static
    }


def ours(text: str, arch: str, form: str) -> str:
    """Compiles with the constant of a form."""
    with mock.patch.object(loop_unroll, *FORMS[form]):
        return compile_here(text, options=CompileOptions(arch, opt_level=3))


def ir_of(source: Path) -> str:
    """clang's unoptimized IR."""
    flags = (
        "-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O2 -Wno-everything"
    )
    command = [find_clang(), *flags.split(), "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
    done = subprocess.run([*command, str(source), "-o", "-"], capture_output=True, check=True)
    return done.stdout.decode()


def by_nvcc(nvcc: str, source: Path) -> str:
    """The PTX of nvcc -O3 for sm_90."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "k.ptx"
        subprocess.run([nvcc, "-O3", "-arch=sm_90", "-ptx", source, "-o", output], check=True)
        return output.read_text()


def table_of(title: str, columns: dict[str, Counts], reference: str) -> Table:
    """Counts of each kernel and form, and the means of each form relative to a reference."""
    table = Table("kernel", "form", *(f"n = {count}" for count in TRIP_COUNTS), title=title)
    for name in columns["default"]:
        for form, counts in columns.items():
            table.add_row(name, form, *map(str, counts[name]))
    for form, counts in columns.items():
        ratios = [
            geometric_mean([counts[name][i] / columns[reference][name][i] for name in counts])
            for i in range(len(TRIP_COUNTS))
        ]
        table.add_row(f"relative to {reference}", form, *(f"{ratio:.3f}" for ratio in ratios))
    return table


def main() -> None:
    """Runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    console = Console(width=140)
    source = ROOT / "bench" / "trip_counts.cu"
    text = ir_of(source)
    tables: list[Table] = []
    for arch, other in (("sm_90", "nvcc"), ("sm_100", "libnvvm")):
        columns = {form: counts_of(ours(text, arch, form), arch, text) for form in FORMS}
        try:
            ptx = (
                by_nvcc(options.nvcc, source)
                if other == "nvcc"
                else compiler(other).compile(text, arch)
            )
            columns[other] = counts_of(ptx, arch, text)
        except (CompilerError, OSError) as error:
            console.print(f"{other}: {error}", markup=False)
        tables.append(table_of(arch, columns, other if other in columns else "default"))
        console.print(tables[-1])
    if options.markdown:
        options.markdown.write_text("\n".join(map(markdown, tables)))


if __name__ == "__main__":
    main()
