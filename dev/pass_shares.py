"""Counts the random kernels that each IR pass changes.

    python -m dev.pass_shares [--count N] [--seed N] [--shapes TEXT] [--statistics]

Prints a line for each IR pass: the number of kernels that the pass changes in the pipeline of -O3, and
the number of kernels that it changes alone. With `--statistics`, also the kernels in which each counter of a pass is not 0 at -O3.
"""

from __future__ import annotations

import argparse
from collections import Counter

from nvvm_xdsl.ir.remarks import STATISTICS, reset_statistics
from nvvm_xdsl.lab.fuzz import ir_passes
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.lab.random_kernels.shapes import SWARM
from nvvm_xdsl.pipeline import Instruments, PassManager, build_pipeline
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher


def changing_passes(pipeline: str, seed: int, size: int, shapes: str) -> set[str]:
    """The passes of a pipeline that change the kernel of a seed."""
    found: set[str] = set()

    def observe(run: PassRun) -> None:
        if run.changed:
            found.add(run.instance.name)

    watcher = Watcher(Instruments(), observer=observe)
    PassManager(build_pipeline(pipeline), watcher=watcher).run(random_kernel(seed, size, shapes))
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description="Counts the random kernels that each pass changes."
    )
    parser.add_argument("--count", type=int, default=60, help="number of kernels")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--size", type=int, default=60, help="size of the kernels")
    parser.add_argument("--shapes", default=SWARM, help="the shapes of the kernels")
    parser.add_argument("--statistics", action="store_true", help="also count by statistic")
    options = parser.parse_args()
    at_level, alone = Counter[str](), Counter[str]()
    counted = Counter[str]()
    passes = ir_passes()
    for seed in range(options.seed, options.seed + options.count):
        reset_statistics()
        at_level.update(changing_passes("nvopt<O3>", seed, options.size, options.shapes))
        counted.update(f"{s.pass_name}: {s.description}" for s in STATISTICS if s.value)
        for name in passes:
            alone[name] += name in changing_passes(name, seed, options.size, options.shapes)
    for name in passes:
        print(f"{name:32} {at_level[name]:4} {alone[name]:4}")
    if options.statistics:
        for text, number in sorted(counted.items()):
            print(f"{number:4} {text}")


if __name__ == "__main__":
    main()
