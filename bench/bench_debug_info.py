"""Counts the source variables with a location in debug information: ours beside LLVM's.

    python bench/bench_debug_info.py [FILE.cu ...]

clang compiles each file (by default the examples) to LLVM assembly with full debug information and without
optimization. From it we generate PTX with -g at -O0 and -O3; LLVM generates it with `llc -O0`, and with
`opt -O2` and `llc -O2`. ptxas -g assembles all four, and pyelftools reads the DWARF. Declared variables are
counted by name, type and source function: their number, and the number of those with a location. Needs LLVM
22 and ptxas.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
from bench_codegen import ROOT, tool

import nvvm_xdsl
from dev.debug_info import Variable, clang, debug_assembly, variables
from nvvm_xdsl.driver.options import CompileOptions

ARCH = "sm_80"


def ours(module: Path, level: int) -> str:
    """Returns our PTX."""
    options = CompileOptions(arch=ARCH, opt_level=level, debug="full")
    return nvvm_xdsl.compile(module, options=options)


def llvms(module: Path, level: int) -> str:
    """Returns LLVM's PTX."""
    text = module.read_text()
    if level:
        text = _run(["opt", "-O2", "-S"], text)
    return _run(["llc", f"-O{level}", f"-mcpu={ARCH}", "-mattr=+ptx78"], text)


def _run(command: list[str], text: str) -> str:
    full = [tool(command[0]), *command[1:], "-o", "-"]
    return subprocess.run(full, input=text, capture_output=True, text=True, check=True).stdout


def sources(found: list[Variable]) -> dict[tuple[str, str, str], bool]:
    """Returns for each source variable whether any of its copies, inlined ones included, has a location."""
    places: dict[tuple[str, str, str], bool] = {}
    for variable in found:
        key = (variable.function.rpartition("/")[2], variable.name, variable.type_)
        places[key] = places.get(key, False) or bool(variable.place)
    return places


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.cu")
    arguments = parser.parse_args()
    files = arguments.files or sorted((ROOT / "examples").glob("*.cu"))
    print("| example | variables | -O0 | llc -O0 | -O3 | opt and llc -O2 |")
    print("|---|---|---|---|---|---|")
    totals = [[0, 0] for _ in range(4)]
    declared = 0
    for source in files:
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder, "a.ll")
            clang(source.resolve().relative_to(ROOT), module, ROOT)
            made = [ours(module, 0), llvms(module, 0), ours(module, 3), llvms(module, 2)]
        found = [sources(variables(debug_assembly(ptx, ARCH))) for ptx in made]
        everything = {key for one in found for key in one}
        declared += len(everything)
        cells: list[str] = []
        for total, one in zip(totals, found):
            total[0] += len(one)
            total[1] += sum(one.values())
            cells.append(f"{len(one)}, {sum(one.values())}")
        print(f"| {source.stem} | {len(everything)} | {' | '.join(cells)} |", flush=True)
    print(f"| all | {declared} | {' | '.join(f'{a}, {b}' for a, b in totals)} |")


if __name__ == "__main__":
    main()
