"""Checks whether PTX that is parsed and printed again gives the same machine code.

    python bench/bench_ptx_roundtrip.py [--arch sm_90] [--keep FOLDER] [FILE ...]

Each file is PTX; or LLVM assembly, from which this compiler and `llc` generate PTX; or CUDA, from which nvcc
does. A folder means all files in it. Without files, the script uses examples/ and the kernels under
test/corpus. PTX that ptxas already rejects before the round trip is counted separately. --keep writes the PTX
to a folder. Differences are listed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench_codegen import optimize, tool
from rich.console import Console
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.opcodes import CONTROL_FLOW, find_opcode
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.ptx_roundtrip import AssemblyError, round_trip

ROOT = Path(__file__).parent.parent


def files_of(names: list[Path]) -> list[Path]:
    """Returns the given files, those of the given folders, or by default those of the project."""
    found: list[Path] = []
    for name in names or [ROOT / "examples", ROOT / "test/corpus"]:
        found.extend(sorted(name.rglob("*.*")) if name.is_dir() else [name])
    return [path for path in found if path.suffix in (".ptx", ".ll", ".cu")]


def compiled(path: Path, arch: str) -> Iterator[tuple[str, str]]:
    """Returns the PTX of a file by compiler."""
    if path.suffix == ".ptx":
        yield path.parent.name, path.read_text()
    elif path.suffix == ".cu":
        nvcc = shutil.which("nvcc")
        if nvcc is not None:
            done = subprocess.run(
                [nvcc, "-ptx", f"-arch={arch.rstrip('af')}", path, "-o", "-"],
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                yield "nvcc", done.stdout
    else:
        for level in (0, 3):
            try:
                yield f"nvvm-cc -O{level}", nvvm_xdsl.compile(path, arch=arch, opt_level=level)
            except DiagnosticError as error:
                print(f"{path.name}: {error.render()}", file=sys.stderr)
        try:
            module = optimize(path, arch)
            llc = [tool("llc"), "-O3", f"-mcpu={arch}", "-mattr=+ptx88", "-", "-o", "-"]
            done = subprocess.run(llc, input=module, capture_output=True, text=True, check=True)
            yield "llc", done.stdout
        except subprocess.CalledProcessError as error:
            print(f"{path.name}: llc: {error}", file=sys.stderr)


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    opcodes: dict[str, set[str]] = defaultdict(set)
    differ = False
    for path in files_of(arguments.files):
        for compiler, text in compiled(path, arguments.arch):
            if arguments.keep is not None:
                kept = arguments.keep / f"{compiler.replace(' ', '')}.{path.stem}.ptx"
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(text)
            count = counts[compiler]
            count["files"] += 1
            try:
                found = round_trip(text, path.name)
            except AssemblyError as error:
                count["refused"] += 1
                print(f"{path.name} by {compiler}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            except DiagnosticError as error:
                differ = True
                print(error.render(), file=sys.stderr)
                continue
            count["instructions"] += found.instructions
            count["read"] += found.read
            count["converted"] += found.converted
            opcodes[compiler] |= found.opcodes
            if not found.read or not found.converted:
                differ = differ or not found.read
                stage = "printed" if not found.read else "converted"
                print(f"{path.name} by {compiler}: {stage}, it differs", file=sys.stderr)
    table = Table(
        "compiler", "files", "refused", "same", "same as nvptx", "instructions", "opcodes"
    )
    for compiler, count in counts.items():
        names = ("files", "refused", "read", "converted", "instructions")
        numbers = [str(count[name]) for name in names]
        table.add_row(compiler, *numbers, str(len(opcodes[compiler])))
    Console(width=110).print(table)
    every = set[str]().union(*opcodes.values())
    known = {find_opcode(o).instruction.mnemonic for o in every if o not in CONTROL_FLOW}
    print(f"{len(every)} opcodes of {len(known)} of the {len(ROWS)} rows of the tables")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
