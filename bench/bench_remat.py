"""Measures spills with and without rematerialization under a register limit, beside libNVVM.

    python bench/bench_remat.py [--registers 32,40] [--markdown FILE] [FILE.ll ...]

Each kernel is compiled in four ways: with `-maxrregcount=N`, the register target of remat, nvptx-remat-block
and machine-scheduler; without the option, so that ptxas alone enforces the limit; with the option but without
both rematerialization passes; and by libNVVM. ptxas gets the limit in each case. There is one table for each
limit. It shows the kernels that spill in any column, or that exceed the limit without one, with registers and
the bytes moved by spills, and the sums over all kernels.

Without files, the script uses examples/ and the kernels of test/corpus for sm_100. Needs libNVVM and ptxas.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench_quality import inputs, markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble
from nvvm_xdsl.lab.compilers import CompilerError, compiler

ARCH = "sm_100a"
WITHOUT = "-do-remat=0 -nv-remat-block=0"
COLUMNS = ("-maxrregcount", "without remat", "without the option", "libNVVM")

Row = dict[str, Kernel]
"""A kernel's figures by column."""


def texts(path: Path, registers: int) -> dict[str, str]:
    """Returns the PTX of each column. Raises DiagnosticError, and CompilerError if libNVVM fails."""
    text = path.read_text()
    limited = CompileOptions(arch=ARCH, maxrregcount=registers)
    return {
        "-maxrregcount": compile_here(text, options=limited),
        "without remat": compile_here(
            text,
            options=CompileOptions(arch=ARCH, maxrregcount=registers, pass_options=WITHOUT),
        ),
        "without the option": compile_here(text, options=CompileOptions(arch=ARCH)),
        "libNVVM": compiler("libnvvm").compile(text, ARCH),
    }


def measured(path: Path, registers: int) -> dict[str, Row]:
    """Returns the rows of a file by `file:kernel`, for the kernels that all columns have."""
    found: dict[str, Row] = {}
    for column, ptx in texts(path, registers).items():
        for name, kernel in assemble(ptx, ARCH, maxrregcount=registers).items():
            found.setdefault(f"{path.stem}:{name}", {})[column] = kernel
    return {name: row for name, row in found.items() if len(row) == len(COLUMNS)}


def table_of(registers: int, rows: dict[str, Row]) -> Table:
    """Returns the table of the kernels that spill in some column, and the sums."""
    table = Table(title=f"ptxas -maxrregcount={registers}, {len(rows)} kernels")
    for column in ("kernel", *COLUMNS):
        table.add_column(column)
    for name, row in sorted(rows.items()):
        if any(kernel.spills for kernel in row.values()):
            cells = [f"{row[c].registers}, {row[c].spills} bytes" for c in COLUMNS]
            table.add_row(name, *cells)
    table.add_section()
    sums = [str(sum(row[c].spills for row in rows.values())) for c in COLUMNS]
    table.add_row("spilled bytes of all", *sums)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--registers", default="32,40")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=200)
    parts: list[str] = []
    for registers in map(int, arguments.registers.split(",")):
        rows: dict[str, Row] = {}
        for path in track(arguments.files or inputs(), console=console, transient=True):
            try:
                rows |= measured(path, registers)
            except (AssemblyError, CompilerError, DiagnosticError) as error:
                console.print(f"{path.stem}: left out: {str(error).splitlines()[0][:100]}")
        table = table_of(registers, rows)
        console.print(table)
        parts.append(markdown(table))
    if arguments.markdown is not None:
        arguments.markdown.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
