"""Compares libNVVM's pass order, run with this project's passes, with -O3.

    python bench/bench_libnvvm_order.py [FILE.ll ...]

`nvopt<libnvvm-O3>` is libNVVM 13.0's own -O3 pipeline (docs/deviations.md, "The passes of libNVVM 13.0"). The table
shows registers, machine instructions and executed machine instructions as geometric means, and the kernels
that differ by more than 2%. Without files, the script uses the unoptimized examples and Numba's kernels of
test/corpus. Needs ptxas and nvdisasm.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench_quality import ROOT, geometric_mean, launches_for
from rich.console import Console
from rich.progress import track

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.pipeline.levels import LIBNVVM_O3
from nvvm_xdsl.simulator import SimulationError, prepare

ARCH = "sm_100a"
TOLD = 0.02


def pairs_of(path: Path) -> dict[str, tuple[Measurement, Measurement]]:
    """Returns the figures of -O3 and of libNVVM's order by kernel; none if a launch fails with either."""
    text = path.read_text()
    ours = compile_here(text, options=CompileOptions(ARCH))
    theirs = compile_here(text, options=CompileOptions(ARCH, passes=f"nvopt<{LIBNVVM_O3}>"))
    source = nvvm_xdsl.parse(path)
    library = find_libdevice()
    program = prepare((link_libdevice(source, library) if library else None) or source)
    for launches in launches_for(path):
        try:
            a = measure(ours, ARCH, launches, program)
            b = measure(theirs, ARCH, launches, program)
        except (SimulationError, DiagnosticError, AssemblyError, ValueError):
            continue
        return {name: (a[name], b[name]) for name in a.keys() & b.keys()}
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=160)
    files = arguments.files or [
        *sorted((ROOT / "examples").glob("*.O0.ll")),
        *sorted((ROOT / "test/corpus/numba").glob("*.cc100.ll")),
    ]
    found: list[tuple[Measurement, Measurement]] = []
    for path in track(files, console=console, transient=True):
        for name, (ours, theirs) in sorted(pairs_of(path).items()):
            found.append((ours, theirs))
            if abs(theirs.machine_warps - ours.machine_warps) > TOLD * ours.machine_warps:
                ratio = theirs.machine_warps / ours.machine_warps
                console.print(f"{path.stem}:{name[:40]}: executed {ratio:.3f}")
    for title, figure in (
        ("registers", lambda m: m.static.registers),
        ("machine instructions", lambda m: m.static.instructions),
        ("executed", lambda m: m.machine_warps),
    ):
        ratios = [figure(b) / figure(a) for a, b in found if figure(a) > 0 and figure(b) > 0]
        console.print(f"{title}: {geometric_mean(ratios):.3f} of {len(ratios)} kernels")


if __name__ == "__main__":
    main()
