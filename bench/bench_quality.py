"""The scoreboard: compares the cost of each compiler's code on the same launches.

    python bench/bench_quality.py [--compilers ours-O3,libnvvm,llc] [--markdown FILE] [FILE.ll ...]

For each kernel: registers, spills, local bytes and machine instructions by ptxas, PTX and machine
instructions executed by warps, sectors of global memory, occupancy. Executed machine instructions are counted
by executing the machine code, without a GPU. If it contains an unsupported instruction, the count is an
estimate (`nvvm_xdsl/lab/machine_counts.py`). Uncertain estimates are excluded from the mean; the number of
the remaining runs is in parentheses. Ratios are relative to the compiler named in --against, by default
libNVVM, as geometric means over all kernels that both compile and run.

Without files, the script uses examples/ and the kernels of Numba and Triton in test/corpus. A given file
outside examples/ is run on generated arguments of several sizes. Needs libNVVM, LLVM 22, ptxas and nvdisasm;
a missing compiler is reported and left out. libNVVM reads current LLVM IR for sm_100 and newer only.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

import nvvm_xdsl
from dev.example_launches import EXAMPLES, launches_of
from dev.made_up_launches import NUMBA_BLOCKS, NUMBA_SIZES, SIZES, made_up_launches
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.compilers import CompilerError, compiler
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import TRUSTED, Measurable, Measurement, measurable, measure_launches
from nvvm_xdsl.simulator import SimulationError, prepare

ROOT = Path(__file__).parent.parent

LINES = 2
"""Lines of PTX shown of a kernel: the most executed ones."""


@dataclass(frozen=True)
class Column:
    """A figure. Ratios use only pairs in which both values are above 0.

    Attributes:
        runs: whether the figure differs by run; otherwise it is the same for all runs of a kernel.
        estimated: whether runs with uncertain estimates are excluded.
    """

    name: str
    value: Callable[[Measurement], float]
    runs: bool = False
    estimated: bool = False


STATIC = (
    Column("registers", lambda m: m.static.registers),
    Column("machine instructions", lambda m: m.static.instructions),
)

EXECUTED = (
    Column("executed PTX", lambda m: m.executed.warps, runs=True),
    Column("executed machine", lambda m: m.machine_warps, runs=True, estimated=True),
    Column(
        "global sectors",
        lambda m: m.memory["global"].sectors if "global" in m.memory else 0,
        runs=True,
    ),
)

COLUMNS = (*STATIC, *EXECUTED, Column("occupancy", lambda m: m.occupancy))

SUMS = (
    Column("spilled bytes", lambda m: m.static.spills),
    Column("local bytes", lambda m: m.static.local),
)


def inputs() -> list[Path]:
    """Returns the examples and the kernels of each corpus for its newest GPU."""
    corpus = ROOT / "test" / "corpus"
    return [
        *sorted((ROOT / "examples").glob("*.ll")),
        *sorted((corpus / "numba").glob("*.cc100.ll")),
        *sorted((corpus / "triton").glob("*.sm100.ll")),
    ]


def sizes_for(path: Path) -> tuple[int, ...]:
    """Returns the sizes to run a file with: 0 for defined launches."""
    name = path.name.split(".")[0]
    if path.parent.name == "examples" and name in EXAMPLES:
        return (0,)
    return (NUMBA_SIZES[name],) if name in NUMBA_SIZES else SIZES


def launches_for(path: Path, sizes: Sequence[int] = ()) -> Iterator[list[Launch]]:
    """Returns the launches of a file: lists, of which the first that runs is used.

    Arguments:
        sizes: some of `sizes_for`; all of them by default.
    """
    name = path.name.split(".")[0]
    if path.parent.name == "examples" and name in EXAMPLES:
        yield [example.launch for example in launches_of(name)]
        return
    module = nvvm_xdsl.parse(path)
    for floats in (True, False):
        yield [
            launch
            for size in sizes or sizes_for(path)
            for launch in made_up_launches(
                module, floats=floats, size=size, block=NUMBA_BLOCKS.get(name)
            )
        ]


Runs = dict[int, dict[str, Measurement]]
"""Launches by size, then by kernel."""


def measured(path: Path, names: list[str], arch: str) -> dict[str, Runs | str]:
    """Returns for each compiler the kernels of a file, or the reason for a failure."""
    text = path.read_text()
    found: dict[str, Runs | str] = {}
    source = nvvm_xdsl.parse(path)
    library = find_libdevice()
    if library is not None:
        source = link_libdevice(source, library) or source
    program = prepare(source)
    for name in names:
        try:
            made = measurable(compiler(name).compile(text, arch), arch, program)
        except (CompilerError, AssemblyError, DiagnosticError) as error:
            found[name] = str(error)
            continue
        runs: Runs = {}
        why = ""
        for size in sizes_for(path):
            row = _measured(made, path, size)
            if isinstance(row, str):
                why = row
            else:
                runs[size] = row
        found[name] = runs or why
    return found


def _measured(made: Measurable, path: Path, size: int) -> dict[str, Measurement] | str:
    why = "no launch"
    for launches in launches_for(path, (size,)):
        try:
            return measure_launches(made, launches)
        except (SimulationError, DiagnosticError) as error:
            why = error.message
        except ValueError as error:
            why = str(error)
    return why


def geometric_mean(ratios: list[float]) -> float:
    """Returns the geometric mean; 1 for an empty list."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


Results = dict[tuple[str, int], dict[str, Measurement]]
"""Results by kernel (`file:kernel`) and size, then by compiler."""


def pairs_of(
    results: Results, name: str, against: str, size: int | None = None
) -> list[tuple[str, Measurement, Measurement]]:
    """Returns the runs that both compilers have, of one size or of all, by kernel."""
    return [
        (kernel, row[name], row[against])
        for (kernel, of), row in results.items()
        if name in row and against in row and size in (None, of)
    ]


def mean(column: Column, pairs: Sequence[tuple[str, Measurement, Measurement]]) -> str:
    """Returns the geometric mean of a figure's ratios, and their number if some are excluded."""
    if not column.runs:
        pairs = list({row[0]: row for row in pairs}.values())
    ratios = [
        column.value(mine) / column.value(theirs)
        for _, mine, theirs in pairs
        if column.value(mine) > 0
        and column.value(theirs) > 0
        and not (column.estimated and not (mine.trusted and theirs.trusted))
    ]
    left = f" ({len(ratios)})" if len(ratios) < len(pairs) else ""
    return f"{geometric_mean(ratios):.3f}{left}"


def bounds(pairs: Sequence[tuple[str, Measurement, Measurement]]) -> str:
    """Returns bounds of the mean ratio of executed machine instructions, including uncertain runs."""
    usable = [
        (mine, theirs)
        for _, mine, theirs in pairs
        if max(mine.deviation, theirs.deviation) <= TRUSTED
        and 0 < mine.machine_warps <= mine.machine_most < math.inf
        and 0 < theirs.machine_warps <= theirs.machine_most < math.inf
    ]
    least = geometric_mean([mine.machine_warps / theirs.machine_most for mine, theirs in usable])
    most = geometric_mean([mine.machine_most / theirs.machine_warps for mine, theirs in usable])
    left = f" ({len(usable)})" if len(usable) < len(pairs) else ""
    return f"{least:.3f} to {most:.3f}{left}"


def summary(results: Results, names: list[str], against: str) -> Table:
    """Returns geometric means of ratios to one compiler; sums for figures that are mostly 0."""
    table = Table(title=f"Relative to {against}", title_justify="left")
    table.add_column("compiler")
    for column in (*COLUMNS, *SUMS):
        table.add_column(column.name, justify="right")
    for head in ("executed machine, bounds", "kernels", "runs"):
        table.add_column(head, justify="right")
    for name in names:
        pairs = pairs_of(results, name, against)
        kernels = {kernel: mine for kernel, mine, _ in pairs}
        table.add_row(
            name,
            *(mean(column, pairs) for column in COLUMNS),
            *(f"{sum(column.value(m) for m in kernels.values()):,.0f}" for column in SUMS),
            bounds(pairs) if name != against else "",
            str(len(kernels)),
            str(len(pairs)),
        )
    return table


def by_size(results: Results, names: list[str], against: str) -> Table:
    """Returns the geometric means of executed instructions and sectors, for each size."""
    table = Table(title=f"By size, relative to {against}", title_justify="left")
    for head in ("compiler", "size", *(column.name for column in EXECUTED), "runs"):
        table.add_column(head, justify="left" if head == "compiler" else "right")
    for name in names:
        for size in sorted({size for _, size in results} - {0}):
            pairs = pairs_of(results, name, against, size)
            cells = (mean(column, pairs) for column in EXECUTED)
            table.add_row(name, str(size), *cells, str(len(pairs)))
    return table


def worst(results: Results, ours: str, against: str, count: int) -> Table:
    """Returns the kernels with the highest ratio of executed machine instructions, with their costly lines."""
    rows = [
        (mine.machine_warps / theirs.machine_warps, f"{kernel} {size or ''}", mine, theirs)
        for (kernel, size), row in results.items()
        if (mine := row.get(ours)) and (theirs := row.get(against)) and theirs.machine_warps
    ]
    rows.sort(key=lambda row: -row[0])
    table = Table(
        title=f"Highest executed machine instructions of {ours} over {against}",
        title_justify="left",
    )
    heads = ("kernel", "ratio", ours, against, "registers", "local", "executed most")
    for name in heads:
        table.add_column(name, justify="left" if name in (heads[0], heads[-1]) else "right")
    for ratio, key, mine, theirs in rows[:count]:
        table.add_row(
            key,
            f"{ratio:.2f}",
            mine.machine_text(),
            theirs.machine_text(),
            f"{mine.static.registers} / {theirs.static.registers}",
            f"{mine.static.local} / {theirs.static.local}",
            Text(
                "; ".join(
                    f"{n:,} {' '.join(t.rstrip(';').split())}" for n, t in mine.costliest(LINES)
                )
            ),
        )
    return table


def markdown(table: Table) -> str:
    """Returns a GitHub Markdown table."""
    columns = [list(column.cells) for column in table.columns]
    heads = [str(column.header) for column in table.columns]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in zip(*columns)]
    title = f"**{table.title}**\n\n" if table.title else ""
    return title + "\n".join(lines) + "\n"


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--compilers", default="ours-O0,ours-O3,llc,libnvvm", metavar="NAME,...")
    parser.add_argument("--against", default="libnvvm", metavar="NAME")
    parser.add_argument("--arch", default="sm_100a")
    parser.add_argument("--worst", type=int, default=10, metavar="N")
    parser.add_argument("--all", action="store_true", help="print the figures of every kernel")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 160)
    names: list[str] = arguments.compilers.split(",")
    for name in list(names):
        why = compiler(name).why_missing()
        if why is not None:
            console.print(f"{name} is left out: {why}", markup=False)
            names.remove(name)
    results: Results = {}
    files: list[Path] = arguments.files or inputs()
    for path in track(files, console=Console(stderr=True), disable=not sys.stderr.isatty()):
        for name, found in measured(path, names, arguments.arch).items():
            if isinstance(found, str):
                console.print(f"{path.name}: {name}: {found}", markup=False)
                continue
            for size, kernels in found.items():
                for kernel, row in kernels.items():
                    results.setdefault((f"{path.stem}:{kernel[:40]}", size), {})[name] = row
    tables = [
        summary(results, names, arguments.against),
        by_size(results, names, arguments.against),
    ]
    ours = [name for name in names if name.startswith("ours") and name != arguments.against]
    if ours and arguments.against in names:
        tables.append(worst(results, ours[-1], arguments.against, arguments.worst))
    for table in tables:
        console.print(table)
    if arguments.all:
        for (kernel, size), row in results.items():
            for name, m in row.items():
                console.print(
                    f"{kernel} {size} {name} regs {m.static.registers} local {m.static.local} static "
                    f"{m.static.instructions} ptx {m.executed.warps} machine {m.machine_text()} "
                    f"deviation {m.deviation:.3f} unanchored {m.unanchored:.3f}",
                    markup=False,
                )
    if arguments.markdown is not None:
        arguments.markdown.write_text("\n".join(markdown(table) for table in tables))


if __name__ == "__main__":
    main()
