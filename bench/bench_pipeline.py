"""Measures the time of the pass manager and of each pass per op.

    python bench/bench_pipeline.py [OPS]

Times are in microseconds. The manager runs a pipeline of 100 empty passes over a module; each must cost less
than one walk of the module. The passes of nvopt<O3> are timed on a random kernel.
"""

from __future__ import annotations

import argparse
import gc
import time
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.pipeline import Instruments, PassManager
from nvvm_xdsl.pipeline.build import NestNode, PassNode
from nvvm_xdsl.pipeline.instrumentation import Watcher

PASSES = 100
OPS_A_FUNCTION = 50


@dataclass(frozen=True)
class Nothing(FunctionPass):
    """An empty pass; the number distinguishes it from the others, so that the manager skips none."""

    name = "bench-nothing"
    number: int = 0

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return False


def generate(ops: int) -> ModuleOp:
    """Returns a module of this many ops in functions of `OPS_A_FUNCTION`."""
    lines: list[str] = []
    for number in range(ops // OPS_A_FUNCTION):
        lines.append(f"llvm.func @f{number}(%x: i32) -> i32 {{")
        last = "%x"
        for index in range(OPS_A_FUNCTION - 2):
            lines.append(f"%v{index} = llvm.add {last}, %x : i32")
            last = f"%v{index}"
        lines += [f"llvm.return {last} : i32", "}"]
    return parse("\n".join(lines), format="mlir")


def seconds_of_walk(module: ModuleOp) -> float:
    """Returns the time of one walk of the module, the minimum of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in module.walk():
            pass
        best = min(best, time.perf_counter() - start)
    return best


def seconds_of_pass(module: ModuleOp) -> float:
    """Returns the time of one empty pass, the minimum of five runs of a pipeline of 100."""
    best = float("inf")
    for _ in range(5):
        nodes = [NestNode("function", [PassNode(Nothing(n)) for n in range(PASSES)])]
        manager = PassManager(nodes)
        start = time.perf_counter()
        manager.run(module)
        best = min(best, time.perf_counter() - start)
    return best / PASSES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ops", nargs="?", type=int, default=10_000)
    ops: int = parser.parse_args().ops
    gc.disable()
    module = generate(ops)
    count = sum(1 for _ in module.walk())
    walk, idle = seconds_of_walk(module), seconds_of_pass(module)
    print(f"{count} ops in {ops // OPS_A_FUNCTION} functions")
    print(f"  one walk of the module     {1e3 * walk:8.3f} ms")
    print(f"  an empty pass              {1e3 * idle:8.3f} ms")
    kernel = random_kernel(1, ops)
    count = sum(1 for _ in kernel.walk())
    instruments = Instruments(time_passes=True)
    watcher = Watcher(instruments)
    PassManager("nvopt<O3>", instruments, watcher).run(kernel)
    print(f"nvopt<O3> on a random kernel of {count} ops, microseconds an op and run")
    for name, seconds in sorted(watcher.seconds.items(), key=lambda item: -item[1]):
        runs = watcher.runs[name]
        print(f"  {name:26s} {1e6 * seconds / runs / count:8.2f}  x {runs}")


if __name__ == "__main__":
    main()
