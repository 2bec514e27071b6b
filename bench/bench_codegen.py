"""Compares code generation with llc's: registers and machine instructions by ptxas.

    python bench/bench_codegen.py [--arch sm_90] [--keep FOLDER] [--no-unrolling] [FILE.ll ...]

Both compilers get the same IR: LLVM's `opt -O3` optimizes each file once; then nvvm-xdsl's code generation
without optimizer passes and `llc -O3` translate it. Without files, the script uses examples/ and the kernels
under test/corpus. With --no-unrolling, ptxas unrolls no loop of either, so that remaining differences are due
to code generation alone. Needs the tools of LLVM 22 and ptxas.
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble

ROOT = Path(__file__).parent.parent


def tool(name: str) -> str:
    """Returns the path of a tool of LLVM 22, or of the installed version under its plain name."""
    found = shutil.which(f"{name}-22") or shutil.which(name)
    if found is None:
        sys.exit(f"error: {name} was not found")
    return found


def inputs() -> list[Path]:
    """Returns the examples and the kernels of the corpus."""
    return sorted([*(ROOT / "examples").glob("*.ll"), *(ROOT / "test/corpus").glob("**/*.ll")])


def optimize(path: Path, arch: str) -> str:
    """Returns the module after linking libdevice and running LLVM's -O3."""
    text = path.read_bytes()
    libdevice = find_libdevice()
    if b"__nv_" in text and libdevice is not None:
        text = subprocess.run(
            [tool("llvm-link"), "--only-needed", "--internalize", "-", str(libdevice), "-o", "-"],
            input=text,
            capture_output=True,
            check=True,
        ).stdout
    done = subprocess.run(
        [tool("opt"), f"-mcpu={arch}", "-mtriple=nvptx64-nvidia-cuda", "-O3", "-S", "-", "-o", "-"],
        input=text,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


def with_llc(text: str, arch: str) -> str:
    """Returns LLVM's PTX."""
    return subprocess.run(
        [tool("llc"), f"-mcpu={arch}", "-mtriple=nvptx64-nvidia-cuda", "-O3", "-o", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def without_unrolling(ptx: str) -> str:
    """Returns the text with `.pragma "nounroll"` at the head of each loop."""
    return re.sub(r"^(\$L__BB\w+:.*)$", r'\1\n\t.pragma "nounroll";', ptx, flags=re.MULTILINE)


def geometric_mean(ratios: list[float]) -> float:
    """Returns the geometric mean; 1 for an empty list."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--no-unrolling", action="store_true", help="nounroll for all loops")
    parser.add_argument("--keep", type=Path, help="write both compilers' PTX to this folder")
    arguments = parser.parse_args()
    files: list[Path] = arguments.files or inputs()
    table = Table("kernel", "regs", "llc", "instrs", "llc", "ratio", "spills", "llc")
    registers: list[float] = []
    instructions: list[float] = []
    failures: list[str] = []
    for path in files:
        try:
            text = optimize(path, arguments.arch)
            theirs_text = with_llc(text, arguments.arch)
            if arguments.no_unrolling:
                theirs_text = without_unrolling(theirs_text)
            theirs = assemble(theirs_text, arguments.arch)
        except (subprocess.CalledProcessError, AssemblyError):
            continue
        try:
            options = CompileOptions(arguments.arch, opt_level=0, machine_level=3)
            ours_text = nvvm_xdsl.compile(text, options=options)
            if arguments.no_unrolling:
                ours_text = without_unrolling(ours_text)
            if arguments.keep:
                arguments.keep.mkdir(exist_ok=True)
                (arguments.keep / f"{path.stem}.ours.ptx").write_text(ours_text)
                (arguments.keep / f"{path.stem}.llc.ptx").write_text(theirs_text)
            ours = assemble(ours_text, arguments.arch)
        except (DiagnosticError, AssemblyError) as error:
            failures.append(f"{path.name}: {error}")
            continue
        for name, other in theirs.items():
            mine: Kernel | None = ours.get(name)
            if mine is None:
                failures.append(f"{path.name}: {name} is missing")
                continue
            ratio = mine.instructions / max(other.instructions, 1)
            registers.append(mine.registers / other.registers)
            instructions.append(ratio)
            table.add_row(
                f"{path.stem}:{name[:28]}",
                str(mine.registers),
                str(other.registers),
                str(mine.instructions),
                str(other.instructions),
                f"{ratio:.2f}",
                str(mine.spills),
                str(other.spills),
                style="red" if ratio > 1.2 or mine.spills > other.spills else "",
            )
    console = Console()
    console.print(table)
    console.print(
        f"{len(instructions)} kernels, geometric means: registers "
        f"{geometric_mean(registers):.3f}, machine instructions {geometric_mean(instructions):.3f}"
    )
    for failure in failures:
        console.print(failure, markup=False)


if __name__ == "__main__":
    main()
