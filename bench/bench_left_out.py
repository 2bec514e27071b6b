"""Measures the effect of leaving out each of NVIDIA's passes at -O3.

    python bench/bench_left_out.py [--pass NAME ...] [--alone] [--level 3] [--markdown FILE] [FILE.ll ...]

Each module is compiled with all passes, and once more without each pass that changed it. Each row is a pass.
It shows the number of kernels whose PTX differs, and over those, with the pass relative to without, the
geometric means of registers, machine instructions and executed machine instructions, the sums of local bytes,
and the seconds of all runs of the pass. A pass without which nothing compiles is reported as needed. With
--alone, all named passes are left out, and each pass alone is compared with that. Without files, the script
uses the unoptimized examples and Numba's kernels of test/corpus. Needs ptxas and nvdisasm.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from bench_quality import ROOT, geometric_mean, launches_for, markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import FunctionPass, LoopPass
from nvvm_xdsl.simulator import SimulationError, prepare

ARCH = "sm_100a"


@dataclass
class Row:
    """Results for a pass: kernel costs with and without it."""

    pairs: list[tuple[Measurement, Measurement]] = field(
        default_factory=list[tuple[Measurement, Measurement]]
    )
    needed: int = 0
    seconds: float = 0.0


def _methods(cls: type[Any]) -> list[str]:
    """The methods that run a pass; a loop pass in a loop pass manager runs once per loop."""
    if issubclass(cls, LoopPass):
        own = "run_on_function" in cls.__dict__
        return ["run_on_loop", "run_on_function"] if own else ["run_on_loop"]
    return ["run_on_function" if issubclass(cls, FunctionPass) else "run"]


@contextmanager
def replaced(name: str, make: Any) -> Iterator[None]:
    """Replaces the run methods of a pass by those that `make` returns, within a context."""
    cls: type[Any] = pass_class(name)
    own = {method: cls.__dict__.get(method) for method in _methods(cls)}
    for method in own:
        setattr(cls, method, make(getattr(cls, method)))
    try:
        yield
    finally:
        for method, real in own.items():
            if real is None:
                delattr(cls, method)
            else:
                setattr(cls, method, real)


@contextmanager
def without_all(names: list[str]) -> Iterator[None]:
    """Disables the given passes."""
    if not names:
        yield
        return
    with replaced(names[0], lambda _: lambda *_: False), without_all(names[1:]):
        yield


@contextmanager
def noting(names: list[str], changed: set[str], rows: dict[str, Row]) -> Iterator[None]:
    """Records which of the passes changed the IR, and their time."""
    if not names:
        yield
        return
    first, *others = names
    depth = 0

    def make(real: Any) -> Any:
        def run(*arguments: Any) -> bool:
            nonlocal depth
            before, depth = process_time(), depth + 1
            did = real(*arguments)
            depth -= 1
            if not depth:
                # One run method of a pass may call the other.
                rows[first].seconds += process_time() - before
            if did:
                changed.add(first)
            return did

        return run

    with replaced(first, make), noting(others, changed, rows):
        yield


def compiled(text: str, level: str) -> str:
    if level.isdigit():
        return compile_here(text, options=CompileOptions(ARCH, opt_level=int(level)))
    return compile_here(text, options=CompileOptions(ARCH, fast_compile=level))


def look_at(
    path: Path, names: list[str], level: str, rows: dict[str, Row], alone: bool = False
) -> None:
    """Compiles a file with and without each pass that changes it, or each pass alone with none."""
    text = path.read_text()
    changed: set[str] = set()
    with noting(names, changed, rows):
        whole = compiled(text, level)
    if alone:
        with without_all(names):
            whole = compiled(text, level)
    source = nvvm_xdsl.parse(path)
    library = find_libdevice()
    if library is not None:
        source = link_libdevice(source, library) or source
    program = prepare(source)

    def measured(ptx: str) -> dict[str, Measurement]:
        for launches in launches_for(path):
            try:
                return measure(ptx, ARCH, launches, program)
            except (SimulationError, DiagnosticError, AssemblyError, ValueError):
                continue
        return {}

    figures: dict[str, Measurement] | None = None
    for name in sorted(changed):
        try:
            left_out = [other for other in names if other != name] if alone else [name]
            with without_all(left_out):
                without = compiled(text, level)
        except (DiagnosticError, AssertionError, KeyError, ValueError):
            rows[name].needed += 1
            continue
        if without == whole:
            continue
        if figures is None:
            figures = measured(whole)
        other = measured(without)
        pairs = [(figures[k], other[k]) for k in figures.keys() & other.keys()]
        rows[name].pairs += [(b, a) for a, b in pairs] if alone else pairs


def table_of(names: list[str], rows: dict[str, Row]) -> Table:
    table = Table(title="with the pass relative to without it")
    columns = "pass,kernels,registers,instructions,executed,local bytes,seconds"
    for column in columns.split(","):
        table.add_column(column)
    for name in names:
        row = rows[name]
        pairs = [
            (a, b)
            for a, b in row.pairs
            if (a.static, a.machine_warps) != (b.static, b.machine_warps)
        ]
        if not pairs:
            kernels = "needed" if row.needed else "0"
            table.add_row(name, kernels, "", "", "", "", f"{row.seconds:.2f}")
            continue
        ratios = [
            geometric_mean([f(a) / f(b) for a, b in pairs if f(a) > 0 and f(b) > 0])
            for f in (
                lambda m: m.static.registers,
                lambda m: m.static.instructions,
                lambda m: m.machine_warps,
            )
        ]
        local = (
            f"{sum(b.static.local for _, b in pairs)} to {sum(a.static.local for a, _ in pairs)}"
        )
        table.add_row(
            name, str(len(pairs)), *(f"{r:.3f}" for r in ratios), local, f"{row.seconds:.2f}"
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pass", dest="passes", action="append", default=[])
    parser.add_argument(
        "--alone", action="store_true", help="compare each pass alone with none of the passes"
    )
    parser.add_argument("--level", default="3", help="0 to 3, or max, mid, min of -Ofast-compile")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=160)
    names = arguments.passes or sorted(n for n, at in PASSES.items() if at.startswith("nvidia."))
    files = arguments.files or [
        *sorted((ROOT / "examples").glob("*.O0.ll")),
        *sorted((ROOT / "test/corpus/numba").glob("*.cc100.ll")),
    ]
    rows: dict[str, Row] = defaultdict(Row)
    for path in track(files, console=console, transient=True):
        try:
            look_at(path, names, arguments.level, rows, arguments.alone)
        except (AssemblyError, DiagnosticError, SimulationError) as error:
            console.print(f"{path.stem}: left out: {str(error).splitlines()[0][:100]}")
    table = table_of(names, rows)
    console.print(table)
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
