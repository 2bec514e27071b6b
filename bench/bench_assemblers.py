"""Compares two releases of ptxas on the same PTX: registers, instructions and unrolling.

    python bench/bench_assemblers.py OLD_TOOLKIT NEW_TOOLKIT [--arch sm_90,sm_100] [FILE.ll ...]

The toolkits are folders, as in `CUDA_HOME`. The -O3 PTX of each example and GPU is assembled twice. Each row
is a GPU: the kernels, those with equal counts (registers, instructions, local and shared memory, loads in
loops), those that need fewer and more registers, and the geometric means of new by old registers and static
instructions. Kernels whose innermost loops have a different number of loads were unrolled differently; they
are listed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import nvvm_xdsl
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble

EXAMPLES = Path(__file__).parents[1] / "examples"
ARCHITECTURES = "sm_90,sm_100,sm_103,sm_110,sm_120,sm_121"


def assembled(ptx: str, arch: str, toolkit: str) -> dict[str, Kernel]:
    """Returns the kernels as assembled by a toolkit's ptxas."""
    os.environ["CUDA_HOME"] = toolkit
    return assemble(ptx, arch)


def mean(ratios: Sequence[float]) -> float:
    """Returns the geometric mean; 1 for an empty list."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


def compare(files: Sequence[Path], arch: str, toolkits: tuple[str, str]) -> None:
    """Prints the row of a GPU and the kernels that were unrolled differently."""
    pairs: dict[str, tuple[Kernel, Kernel]] = {}
    for file in files:
        ptx = nvvm_xdsl.compile(file.read_text(), arch=arch, opt_level=3)
        try:
            old, new = (assembled(ptx, arch, toolkit) for toolkit in toolkits)
        except AssemblyError as error:
            print(f"{arch} {file.stem}: {error}")
            continue
        pairs |= {f"{file.stem}:{name}": (kernel, new[name]) for name, kernel in old.items()}
    equal = sum(old == new for old, new in pairs.values())
    fewer = sum(new.registers < old.registers for old, new in pairs.values())
    more = sum(new.registers > old.registers for old, new in pairs.values())
    registers = mean([new.registers / old.registers for old, new in pairs.values()])
    instructions = mean([new.instructions / old.instructions for old, new in pairs.values()])
    print(
        f"| {arch} | {len(pairs)} | {equal} | {fewer} | {more} | {registers:.3f} | {instructions:.3f} |"
    )
    for name, (old, new) in pairs.items():
        if old.loop_loads != new.loop_loads:
            print(f"{arch} {name}: {old.loop_loads} loads in innermost loops, new {new.loop_loads}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", help="the folder of the older toolkit")
    parser.add_argument("new", help="the folder of the newer toolkit")
    parser.add_argument(
        "files", nargs="*", type=Path, help="LLVM assembly files; by default the examples"
    )
    parser.add_argument("--arch", default=ARCHITECTURES, help="GPUs, separated by commas")
    options = parser.parse_intermixed_args()
    files = options.files or [f for f in sorted(EXAMPLES.glob("*.ll")) if ".O0" not in f.name]
    print("| GPU | kernels | equal counts | fewer registers | more | registers | instructions |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for arch in options.arch.split(","):
        compare(files, arch, (options.old, options.new))


if __name__ == "__main__":
    main()
