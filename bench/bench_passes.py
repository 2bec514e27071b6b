"""Measures the effect of each pass over IR on ptxas's registers, instructions and memory.

    python bench/bench_passes.py [--arch sm_90] [--pass NAME ...] [--before PIPELINE]
        [--after PIPELINE] [--machine-level 0..3] [FILE.ll ...]

Each module is compiled by nvvm-reflect and `--before`, then the pass, then `--after` and code generation; and
in the same way without the pass. Each row is a pass. It shows how many kernels the pass changes, and over
those, with the pass relative to without, the geometric means of registers and machine instructions, and the
sums of bytes of local memory and of spills. `--pass`, with parameters as in pipelines, lists the kernels.
Without files, the script uses the unoptimized and optimized examples. Needs ptxas.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench_codegen import geometric_mean
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.compile import complete, generate, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.levels import TargetFacts, target_parameters

ROOT = Path(__file__).parent.parent

BEFORE = "always-inline,globaldce"
AFTER = "instsimplify,dce"

Kernels = dict[str, Kernel]


@dataclass(frozen=True)
class Change:
    """Costs of a kernel that a pass changes."""

    kernel: str
    without: Kernel
    with_pass: Kernel


class Laboratory:
    """Compiles each module with and without passes, and caches the results.

    Arguments:
        arch: the target.
        before, after: pipelines around the pass.
        machine_level: of the passes over machine code, 0 to 3.
    """

    def __init__(self, arch: str, before: str, after: str, machine_level: int) -> None:
        self.arch = arch
        self.machine_level = machine_level
        self.before = before
        self.after = after
        self._prepared: dict[Path, ModuleOp] = {}
        self._assembled: dict[str, Kernels] = {}

    def _module(self, path: Path) -> ModuleOp:
        module = self._prepared.get(path)
        if module is None:
            module = parse(path)
            complete(module)
            module = link_libdevice(module, find_libdevice()) or module
            facts = TargetFacts(Target.parse(self.arch).sm)
            reflect = f"nvvm-reflect<{';'.join(target_parameters(facts)['nvvm-reflect'])}>"
            PassManager(",".join(text for text in (reflect, self.before) if text)).run(module)
            self._prepared[path] = module
        return module.clone()

    def kernels(self, path: Path, pass_text: str = "") -> Kernels:
        """Returns the kernels of a module, compiled with a pass or with none.

        Raises DiagnosticError and AssemblyError.
        """
        module = self._module(path)
        pipeline = ",".join(text for text in (pass_text, self.after) if text)
        if pipeline:
            PassManager(pipeline).run(module)
        options = CompileOptions(self.arch, opt_level=0, machine_level=self.machine_level)
        text = generate(module, options.for_module(module))
        if text not in self._assembled:
            self._assembled[text] = assemble(text, self.arch)
        return self._assembled[text]

    def changes(self, paths: Iterable[Path], pass_text: str) -> tuple[list[Change], list[str]]:
        """Returns the kernels that a pass changes, and the errors that it causes."""
        found: list[Change] = []
        errors: list[str] = []
        for path in paths:
            try:
                without, with_pass = self.kernels(path), self.kernels(path, pass_text)
            except (DiagnosticError, AssemblyError) as error:
                errors.append(f"{pass_text}: {path.name}: {error}")
                continue
            found.extend(
                Change(f"{path.stem}:{name}", without[name], kernel)
                for name, kernel in with_pass.items()
                if name in without and without[name] != kernel
            )
        return found, errors


def summary(changes: Sequence[Change]) -> list[str]:
    """Returns the cells of a row: kernels, registers, instructions, local bytes, spills."""
    pairs = [(c.without, c.with_pass) for c in changes]

    def sums(field: str) -> str:
        before, after = (sum(getattr(p[i], field) for p in pairs) for i in (0, 1))
        return f"{before} -> {after}" if before != after else str(before)

    return [
        str(len(pairs)),
        f"{geometric_mean([b.registers / a.registers for a, b in pairs]):.3f}",
        f"{geometric_mean([b.instructions / a.instructions for a, b in pairs]):.3f}",
        sums("local"),
        sums("spills"),
    ]


def details(changes: Sequence[Change], title: str) -> Table:
    """Prints the kernels that a pass changes, one a row."""
    table = Table("kernel", "registers", "instructions", "local bytes", "spills", title=title)
    for change in changes:
        a, b = change.without, change.with_pass
        table.add_row(
            change.kernel,
            f"{a.registers} -> {b.registers}",
            f"{a.instructions} -> {b.instructions}",
            f"{a.local} -> {b.local}",
            f"{a.spills} -> {b.spills}",
            style="red" if b.instructions > a.instructions or b.local > a.local else "",
        )
    return table


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--pass", action="append", dest="passes", metavar="NAME", default=[])
    parser.add_argument("--before", default=BEFORE, help=f"default: {BEFORE}")
    parser.add_argument("--after", default=AFTER, help=f"default: {AFTER}")
    parser.add_argument("--machine-level", type=int, default=3, choices=range(4))
    arguments = parser.parse_args()
    paths: list[Path] = arguments.files or sorted((ROOT / "examples").glob("*.ll"))
    names: list[str] = arguments.passes or [n for n in PASSES if "machine." not in PASSES[n]]
    laboratory = Laboratory(
        arguments.arch, arguments.before, arguments.after, arguments.machine_level
    )
    console = Console(width=100)
    table = Table(
        Column("pass", no_wrap=True),
        *("kernels", "registers", "instructions", "local bytes", "spills"),
    )
    failures: list[str] = []
    for name in track(names, transient=True, console=Console(stderr=True)):
        changes, errors = laboratory.changes(paths, name)
        failures.extend(errors)
        table.add_row(name, *summary(changes))
        if arguments.passes:
            console.print(details(changes, name))
    console.print(table)
    for failure in failures:
        console.print(failure, markup=False)


if __name__ == "__main__":
    main()
