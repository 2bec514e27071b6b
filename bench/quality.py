"""Measures the effect of the machine passes on copies in loops, registers and instructions.

    python bench/quality.py [--arch sm_90] [FILE.ll ...]
    python bench/quality.py --per-pass [--no-unroll] [--arch sm_90] [FILE.ll ...]
    python bench/quality.py --without PASS [--no-unroll] [--arch sm_90] [FILE.ll ...]

Both compilers get IR that LLVM's `opt -O3` has optimized. The first form counts, by kernel, the instructions
in loops that only copy a register. These are the copies that PHI elimination inserted and coalescing did not
remove. llc's copies are counted in the same way.

With --per-pass each pass over machine code is left out once. The table shows registers and machine
instructions by ptxas, with the pass relative to without: geometric means over all kernels, over those of
examples/, and of registers rounded up to the hardware's allocation unit of eight. --no-unroll puts
`.pragma "nounroll"` at the head of every loop of both variants, which separates the effect of a pass from
that of unrolling by ptxas. --without shows the kernels that change without a pass. PASS may have parameters:
block-placement{no-reverse-loop-conditions} then replaces the pass.

Without files, the script uses examples/ and the kernels under test/corpus. Needs LLVM 22's opt and llc, and
ptxas.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench_codegen import geometric_mean, inputs, optimize, with_llc
from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.nvptx.control_flow import PragmaOp, pragma
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import optimize as run_passes
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.dispatch import PHI_ELIMINATION, dispatch
from nvvm_xdsl.pipeline.selection import select

_FUNCTION = re.compile(r"\.(?:entry|func)\b[^;{]*?(?P<name>[\w$]+)\s*\(", re.DOTALL)
_BODY = re.compile(r"^\{$(.*?)^\}$", re.DOTALL | re.MULTILINE)
_LABEL = re.compile(r"^\s*(\$[\w$]+):", re.MULTILINE)
_BRANCH = re.compile(r"(@!?%p\d+\s+)?bra(?:\.uni)?\s+(\$[\w$]+)")
_TABLE = re.compile(r"(\$[\w$]+):\s*\.branchtargets\s+([^;]+)")
_INDEXED = re.compile(r"brx\.idx(?:\.uni)?\s+%\w+,\s*(\$[\w$]+)")
_COPY = re.compile(r"\bmov\.\w+\s+(%[a-z]+)\d+,\s*(%[a-z]+)\d+\s*$")


def copies_in_loops(ptx: str) -> dict[str, int]:
    """Returns for each function the number of register copies in cycles of its control-flow graph."""
    found: dict[str, int] = {}
    for body in _BODY.finditer(ptx):
        heads = [m["name"] for m in _FUNCTION.finditer(ptx[: body.start()])]
        found[heads[-1]] = _copies_in_loops(body[1])
    return found


def _copies_in_loops(body: str) -> int:
    tables = {m[1]: re.findall(r"\$[\w$]+", m[2]) for m in _TABLE.finditer(body)}
    blocks: list[list[str]] = [[]]
    numbers: dict[str, int] = {}
    for line in body.replace("{", "").replace("}", "").splitlines():
        label = _LABEL.match(line)
        if label is not None and label[1] not in tables:
            numbers[label[1]] = len(blocks)
            blocks.append([])
        blocks[-1].extend(part.strip() for part in line.split("//")[0].split(";"))
    successors: list[list[int]] = []
    for number, lines in enumerate(blocks):
        targets: list[int] = []
        falls_through = True
        for line in lines:
            branch = _BRANCH.search(line)
            indexed = _INDEXED.search(line)
            if branch is not None:
                targets.append(numbers[branch[2]])
                falls_through = branch[1] is not None
            elif indexed is not None:
                targets.extend(numbers[name] for name in tables[indexed[1]])
                falls_through = False
            elif line.startswith(("ret", "exit")):
                falls_through = False
        if falls_through and number + 1 < len(blocks):
            targets.append(number + 1)
        successors.append(targets)
    count = 0
    for component in strongly_connected_components(list(range(len(blocks))), successors):
        if len(component) > 1 or component[0] in successors[component[0]]:
            for number in component:
                for line in blocks[number]:
                    copy = _COPY.search(line)
                    count += copy is not None and copy[1] == copy[2]
    return count


def selected(text: str, arch: str) -> ModuleOp:
    """Returns machine code in SSA form, before any pass over it."""
    module = parse(text)
    run_passes(module, CompileOptions(arch, opt_level=0).for_module(module))
    return select(module, CodegenOptions.for_arch(arch))


def through(module: ModuleOp, passes: Sequence[str], *, unroll: bool = True) -> str:
    """Returns the PTX of a copy of the module after some passes, optionally with unrolling disabled."""
    copy = module.clone()
    PassManager(",".join(passes)).run(copy)
    if not unroll:
        for func in machine_functions(copy):
            for loop in LoopInfo(CFG(func.body)).loops():
                if not isinstance(loop.header.first_op, PragmaOp):
                    fast.prepend(loop.header, pragma("nounroll"))
    return print_ptx(convert(copy))


def compare_copies(files: Sequence[Path], arch: str, console: Console) -> None:
    """Prints the table of copies in loops."""
    table = Table("kernel", "copies in loops", "llc")
    total = theirs_total = 0
    for path in files:
        try:
            text = optimize(path, arch)
            theirs = copies_in_loops(with_llc(text, arch))
            ours = copies_in_loops(through(selected(text, arch), dispatch(3)))
        except (subprocess.CalledProcessError, DiagnosticError):
            continue
        for name in theirs.keys() & ours.keys():
            total += ours[name]
            theirs_total += theirs[name]
            if ours[name] or theirs[name]:
                style = "red" if ours[name] > theirs[name] else ""
                row = (f"{path.stem}:{name[:40]}", str(ours[name]), str(theirs[name]))
                table.add_row(*row, style=style)
    table.add_row("all", str(total), str(theirs_total))
    console.print(table)


Kernels = dict[str, Kernel]
"""Kernels by file and name."""

GRANULE = 8
"""Registers of a thread are allocated in units of eight (CUDA's occupancy calculator, sm_70 and later)."""


class Laboratory:
    """Kernels whose machine code is measured after different passes."""

    def __init__(self, files: Sequence[Path], arch: str, *, unroll: bool) -> None:
        self.arch = arch
        self.unroll = unroll
        self._known: dict[str, Kernels] = {}
        self.modules: list[tuple[str, ModuleOp]] = []
        for path in files:
            try:
                module = selected(optimize(path, arch), arch)
                self._kernels_of(through(module, dispatch(3), unroll=unroll))
            except (subprocess.CalledProcessError, DiagnosticError, AssemblyError):
                continue
            self.modules.append((f"{path.parent.name}/{path.stem}", module))

    def _kernels_of(self, ptx: str) -> Kernels:
        found = self._known.get(ptx)
        if found is None:
            found = self._known[ptx] = assemble(ptx, self.arch)
        return found

    def measured(self, passes: Sequence[str]) -> Kernels:
        """Returns ptxas's figures of every kernel after some passes."""
        return {
            f"{file}:{name}": kernel
            for file, module in self.modules
            for name, kernel in self._kernels_of(
                through(module, passes, unroll=self.unroll)
            ).items()
        }

    def without(self, name: str) -> Kernels:
        """Returns the figures without a pass, or with the parameters given in `name`."""
        plain, brace, _ = name.partition("{")
        if plain not in dispatch(3):
            sys.exit(f"error: the pipeline has no pass '{plain}'")
        passes = [name if n == plain else n for n in dispatch(3) if n != plain or brace]
        return self.measured(passes)


def _granules(kernel: Kernel) -> int:
    return -(-kernel.registers // GRANULE)


def _relation(a: Kernels, b: Kernels) -> tuple[str, ...]:
    both = sorted(a.keys() & b.keys())
    examples = [k for k in both if k.startswith("examples/")]
    means = (
        [a[k].registers / b[k].registers for k in both],
        [a[k].registers / b[k].registers for k in examples],
        [_granules(a[k]) / _granules(b[k]) for k in both],
        [a[k].instructions / b[k].instructions for k in both],
        [a[k].instructions / b[k].instructions for k in examples],
    )
    return (
        *(f"{geometric_mean(ratios):.4f}" for ratios in means),
        f"{sum(a[k].spills for k in both) - sum(b[k].spills for k in both):+}",
        f"{sum(a[k].local for k in both) - sum(b[k].local for k in both):+}",
    )


def measure_passes(laboratory: Laboratory, console: Console) -> None:
    """Prints the table of passes."""
    pipeline = dispatch(3)
    whole = laboratory.measured(pipeline)
    heads = (
        "registers",
        "examples",
        "in eights",
        "instructions",
        "examples",
        "spills",
        "local bytes",
    )
    table = Table("with / without", *heads)
    table.add_row("all", *_relation(whole, laboratory.measured([PHI_ELIMINATION])))
    for name in pipeline:
        if name != PHI_ELIMINATION:
            table.add_row(name, *_relation(whole, laboratory.without(name)))
    console.print(table)
    examples = sum(name.startswith("examples/") for name in whole)
    console.print(f"{len(whole)} kernels, {examples} of them of examples/")


def show_kernels(laboratory: Laboratory, name: str, console: Console) -> None:
    """Prints the kernels that a pass changes."""
    whole, without = laboratory.measured(dispatch(3)), laboratory.without(name)
    table = Table("kernel", "registers with", "without", "instructions with", "without")
    for kernel, a in sorted(whole.items()):
        b = without[kernel]
        if (a.registers, a.instructions) != (b.registers, b.instructions):
            numbers = (a.registers, b.registers, a.instructions, b.instructions)
            style = "red" if _granules(a) > _granules(b) else ""
            table.add_row(kernel[:60], *map(str, numbers), style=style)
    console.print(table)


def main() -> None:
    """Prints one of the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--per-pass", action="store_true")
    parser.add_argument("--without", metavar="PASS")
    parser.add_argument("--no-unroll", action="store_true")
    arguments = parser.parse_args()
    files: list[Path] = arguments.files or inputs()
    console = Console(width=160)
    if not arguments.per_pass and not arguments.without:
        compare_copies(files, arguments.arch, console)
        return
    laboratory = Laboratory(files, arguments.arch, unroll=not arguments.no_unroll)
    if arguments.per_pass:
        measure_passes(laboratory, console)
    else:
        show_kernels(laboratory, arguments.without, console)


if __name__ == "__main__":
    main()
