"""Measures how clang's optimization level for CUDA C++ changes the cost of our -O3 code.

    python bench/bench_clang_levels.py [NAME ...]

For each kernel of examples/*.cu: the PTX instructions and machine instructions that its launches execute.
Totals are geometric means over launches, relative to the first level. Needs clang, ptxas and nvdisasm.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]

import nvvm_xdsl
from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.driver import cuda
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.lab.measure import measure
from nvvm_xdsl.simulator import prepare

ROOT = Path(__file__).parent.parent
ARCH = "sm_90"
LEVELS = {
    "-O2, no passes": ("-O2", "-Xclang", "-disable-llvm-passes"),
    "-O1": ("-O1",),
    "-O2": ("-O2",),
    "-O3": ("-O3",),
}


def costs(name: str, flags: tuple[str, ...]) -> list[tuple[int, float]]:
    """Returns the executed PTX and machine instructions of each launch of an example."""
    options = cuda.CudaOptions(arch=ARCH, optimization=flags)
    file = ROOT / "examples" / f"{name}.cu"
    text, _ = cuda.translate(b"", str(file), options)
    ptx = nvvm_xdsl.compile(text.decode(), arch=ARCH, opt_level=3)
    module = nvvm_xdsl.parse(text)
    source = prepare(link_libdevice(module, find_libdevice()) or module)
    found: list[tuple[int, float]] = []
    for example in launches_of(name):
        try:
            m = measure(ptx, ARCH, [example.launch], source)[example.launch.kernel]
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
            found.append((0, 0))
            continue
        found.append((m.executed.warps, m.machine_warps))
    return found


def main(names: list[str]) -> None:
    """Prints a line for each launch, and the means."""
    logs: dict[str, list[tuple[float, float]]] = {level: [] for level in LEVELS}
    for name in names or sorted(EXAMPLES):
        if not (ROOT / "examples" / f"{name}.cu").exists():
            continue
        rows = [costs(name, flags) for flags in LEVELS.values()]
        for example, *cells in zip(launches_of(name), *rows):
            print(name, example.launch.kernel, *(f"{p}/{m:.0f}" for p, m in cells), flush=True)
            first = cells[0]
            for level, cell in zip(LEVELS, cells):
                if all(first) and all(cell):
                    logs[level].append((math.log(cell[0] / first[0]), math.log(cell[1] / first[1])))
    for level, values in logs.items():
        ptx, machine = (math.exp(sum(column) / len(values)) for column in zip(*values))
        print(f"{level}: PTX {ptx:.3f}, machine {machine:.3f} over {len(values)} launches")


if __name__ == "__main__":
    main(sys.argv[1:])
