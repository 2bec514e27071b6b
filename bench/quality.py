"""What the passes over machine code are worth.

    python bench/quality.py [--arch sm_90] [FILE.ll ...]
    python bench/quality.py --per-pass [--arch sm_90] [FILE.ll ...]

Both compilers get IR that LLVM's `opt -O3` has optimized. The first form counts, by kernel, the
instructions in loops that only move a register to another: those are the copies that PHI
elimination left. llc's are counted the same way. With --per-pass each pass over machine code
is left out once, and run alone once: registers and machine instructions by ptxas, as geometric
means over all kernels in relation to those of the whole pipeline and of none.

Without files it takes examples/ and the kernels under test/corpus. Needs LLVM 22's opt and llc,
and ptxas.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from assembled import AssemblyError, Kernel, assemble
from bench_codegen import geometric_mean, inputs, optimize, with_llc
from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.codegen.convert_nvptx_to_ptx import convert
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import optimize as run_passes
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.selection import select

PHI_ELIMINATION = "nvptx-phi-elimination"

_FUNCTION = re.compile(r"\.(?:entry|func)\b[^;{]*?(?P<name>[\w$]+)\s*\(", re.DOTALL)
_BODY = re.compile(r"^\{$(.*?)^\}$", re.DOTALL | re.MULTILINE)
_LABEL = re.compile(r"^\s*(\$[\w$]+):", re.MULTILINE)
_BRANCH = re.compile(r"(@!?%p\d+\s+)?bra(?:\.uni)?\s+(\$[\w$]+)")
_TABLE = re.compile(r"(\$[\w$]+):\s*\.branchtargets\s+([^;]+)")
_INDEXED = re.compile(r"brx\.idx(?:\.uni)?\s+%\w+,\s*(\$[\w$]+)")
_COPY = re.compile(r"\bmov\.\w+\s+(%[a-z]+)\d+,\s*(%[a-z]+)\d+\s*$")


def copies_in_loops(ptx: str) -> dict[str, int]:
    """For each function the instructions in cycles of its graph that copy a register."""
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
    """Machine code in SSA form, before any pass over it."""
    module = parse(text)
    run_passes(module, CompileOptions(arch, opt_level=0).for_module(module))
    return select(module, CodegenOptions.for_arch(arch))


def through(module: ModuleOp, passes: Sequence[str]) -> str:
    """The PTX of a copy of the module after some passes."""
    copy = module.clone()
    for name in passes:
        pass_class(name)().run(copy, AnalysisManager())
    return print_ptx(convert(copy))


def compare_copies(files: Sequence[Path], arch: str, console: Console) -> None:
    """The table of copies in loops."""
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


def measured(modules: Sequence[ModuleOp], passes: Sequence[str], arch: str) -> Kernels:
    """What ptxas makes of every kernel after some passes."""
    found: Kernels = {}
    for number, module in enumerate(modules):
        for name, kernel in assemble(through(module, passes), arch).items():
            found[f"{number}:{name}"] = kernel
    return found


def _relation(a: Kernels, b: Kernels) -> tuple[str, str, str, str]:
    both = a.keys() & b.keys()
    worse = max(both, key=lambda k: a[k].instructions / b[k].instructions)
    return (
        f"{geometric_mean([a[k].registers / b[k].registers for k in both]):.4f}",
        f"{geometric_mean([a[k].instructions / b[k].instructions for k in both]):.4f}",
        f"{a[worse].instructions / b[worse].instructions:.2f}",
        f"{sum(a[k].local for k in both) - sum(b[k].local for k in both):+}",
    )


def measure_passes(files: Sequence[Path], arch: str, console: Console) -> None:
    """The table of passes."""
    modules: list[ModuleOp] = []
    for path in files:
        try:
            module = selected(optimize(path, arch), arch)
            assemble(through(module, dispatch(3)), arch)
        except (subprocess.CalledProcessError, DiagnosticError, AssemblyError):
            continue
        modules.append(module)
    pipeline = dispatch(3)
    whole = measured(modules, pipeline, arch)
    least = measured(modules, [PHI_ELIMINATION], arch)
    heads = ("registers", "instructions", "largest", "local bytes")
    table = Table("pass", *(f"without: {h}" for h in heads), *(f"alone: {h}" for h in heads))
    table.add_row("all", *("",) * 4, *_relation(whole, least))
    for name in pipeline:
        if name == PHI_ELIMINATION:
            continue
        without = measured(modules, [n for n in pipeline if n != name], arch)
        order = [n for n in pipeline if n in (name, PHI_ELIMINATION)]
        alone = measured(modules, order, arch)
        table.add_row(name, *_relation(without, whole), *_relation(alone, least))
    console.print(table)
    console.print(f"{len(whole)} kernels of {len(modules)} modules")


def main() -> None:
    """Prints one of the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--per-pass", action="store_true")
    arguments = parser.parse_args()
    table = measure_passes if arguments.per_pass else compare_copies
    table(arguments.files or inputs(), arguments.arch, Console(width=160))


if __name__ == "__main__":
    main()
