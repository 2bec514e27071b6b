"""Measures registers, machine instructions and simultaneous loads of loops after ptxas.

    python bench/loops.py [--arch sm_90] [--save FILE] [--against FILE] [FILE.ll ...]

nvvm-xdsl compiles each file at -O3. For each kernel the global loads in one iteration of its innermost
machine-code loops are counted: if ptxas unrolls a loop, loads of several iterations are in flight together.
--save writes the counts to a JSON file; --against compares them with such a file, as the geometric mean over
the kernels that load in loops in either. Without files, the script uses examples/ and the kernels under
test/corpus. Needs ptxas.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from bench_codegen import geometric_mean, inputs
from rich.console import Console
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble


def measure(paths: list[Path], arch: str, console: Console) -> dict[str, Kernel]:
    """Returns the kernels of all files, by file and name."""
    found: dict[str, Kernel] = {}
    for path in paths:
        try:
            kernels = assemble(nvvm_xdsl.compile(path, arch=arch, opt_level=3), arch)
        except (DiagnosticError, AssemblyError) as error:
            console.print(f"{path.name}: {str(error).splitlines()[0]}", markup=False)
            continue
        found.update({f"{path.name} {name}": kernel for name, kernel in kernels.items()})
    return found


def compare(before: dict[str, Kernel], after: dict[str, Kernel], console: Console) -> None:
    """Prints the kernels that differ, and ratios over those that load in loops."""
    table = Table("kernel", "loads", "registers", "instructions", "spills")
    ratios: list[tuple[float, float, float]] = []
    for name in sorted(before.keys() & after.keys()):
        old, new = before[name], after[name]
        pairs = [
            (old.loop_loads, new.loop_loads),
            (old.registers, new.registers),
            (old.instructions, new.instructions),
            (old.spills, new.spills),
        ]
        if old.loop_loads and new.loop_loads:
            ratios.append(tuple(b / a for a, b in pairs[:3]))  # pyright: ignore[reportArgumentType]
        if old != new:
            table.add_row(name, *(f"{a}, {b}" for a, b in pairs))
    console.print(table)
    words = ("loads in a pass", "registers", "machine instructions")
    for word, values in zip(words, zip(*ratios)):
        console.print(f"{word}: {geometric_mean(list(values)):.3f} over {len(values)} kernels")


def main() -> None:
    """Runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    console = Console()
    found = measure(options.files or inputs(), options.arch, console)
    if options.save:
        options.save.write_text(json.dumps({name: asdict(k) for name, k in found.items()}))
    if options.against:
        before = json.loads(options.against.read_text())
        compare({name: Kernel(**k) for name, k in before.items()}, found, console)
    loads = sum(kernel.loop_loads for kernel in found.values())
    console.print(f"{len(found)} kernels, {loads} loads in one iteration of their innermost loops")


if __name__ == "__main__":
    main()
