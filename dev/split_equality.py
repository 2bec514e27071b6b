"""Checks that the PTX of a module does not depend on the number of processes.

    python -m dev.split_equality --count 500 [-j 2] [FILE.ll ...]

A module is compiled in one process, then split for each number of workers, its batches compiled one
after the other and joined. The process that compiles a batch does not matter: batches are bytes,
and so are their results. Expensive work is shared: phase 1 runs once for all numbers, and equal
batches are compiled once.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver import split
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.signals import signals_raise
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.driver.tasks import Lost, run_here
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.driver.workers import worker_count
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.random_kernels import random_kernel_text
from nvvm_xdsl.pipeline.manager import PassManager

COUNTS = (1, 2, 3, 8)
"""Numbers of workers."""

LEVELS = 4
"""Random modules are compiled at -O0 to -O3 in turn, files at each."""

_DEFINED = re.compile(r"^define[^@\n]*@([\w$.]+)\(", re.MULTILINE)

_BY_VALUE = re.compile(r"ptr byval\([^()]*\)")

BY_VALUE_SHARE = 0.2

Source = int | Path
"""A seed of `random_module`, or a file."""


def random_module(seed: int) -> ModuleOp:
    """Two to four random kernels, with the functions that they call, in one module.

    In most of the modules structs are passed by pointer, because by-value structs prevent
    splitting.
    """
    chosen = random.Random(seed)
    by_value = chosen.random() < BY_VALUE_SHARE
    modules: list[ModuleOp] = []
    for number in range(chosen.randrange(2, 5)):
        text = random_kernel_text(chosen.randrange(1 << 30), size=chosen.randrange(10, 40))
        if not by_value:
            text = _BY_VALUE.sub("ptr", text)
        for name in set(_DEFINED.findall(text)):
            text = re.sub(rf"@{re.escape(name)}\b", f"@{name}_{number}", text)
        modules.append(driver.parse(text, format="ll"))
    return link(modules)


def split_here(
    module: ModuleOp, options: CompileOptions, counts: Sequence[int] = COUNTS
) -> list[str] | None:
    """The PTX of a module split for a number of workers; None if it is not split. The module is
    consumed."""
    chosen = options.for_module(module)
    driver.complete(module)
    link_libdevice(module, find_libdevice())
    if not chosen.rdc:
        driver.drop_unreached(module)
    manager = PassManager(pipeline_of(chosen), options=chosen.settings)
    manager.run(module, only_phase=1)
    if manager.phase != 1 or not split.can_split(module):
        return None
    portable = split.portable(chosen)
    made: dict[bytes, bytes] = {}
    found: list[str] = []
    for count in counts:
        batches = split.split(module, count)
        for batch in batches:
            if batch.data not in made:
                made[batch.data] = split.compile_batch(batch.data, portable)
        # The joined module contains the functions added by lowering.
        whole = fast.clone(module)
        machine = split.join(whole, batches, [made[batch.data] for batch in batches], chosen)
        assert machine is not None
        found.append(driver.generate_from_machine(machine, chosen))
    return found


def compared(
    module: ModuleOp, options: CompileOptions, counts: Sequence[int] = COUNTS
) -> tuple[int, ...] | None:
    """The numbers of workers for which the PTX differs from that of a single process; None if the
    module is not split."""
    copy = fast.clone(module)
    want = driver.compile_modules([module], options)
    found = split_here(copy, options, counts)
    return (
        None if found is None else tuple(count for count, ptx in zip(counts, found) if ptx != want)
    )


def try_source(source: Source, arch: str) -> dict[str, str]:
    """Whether PTX of a seed or a file is the same, by level.

    The text is `equal`, `not split`, `refused`, or `different` with the numbers of workers.
    """
    levels = [source % LEVELS] if isinstance(source, int) else range(LEVELS)
    return {f"{source} at -O{level}": _try_level(source, level, arch) for level in levels}


def _try_level(source: Source, level: int, arch: str) -> str:
    module = random_module(source) if isinstance(source, int) else driver.parse(source)
    try:
        wrong = compared(module, CompileOptions(opt_level=level, arch=arch))
    except DiagnosticError:
        return "refused"
    if wrong is None:
        return "not split"
    return f"different with {', '.join(map(str, wrong))} workers" if wrong else "equal"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns 1 if a module differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=500, help="how many random modules")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("-j", dest="jobs", type=int, default=0, help="processes; 0 for all")
    options = parser.parse_args(argv)
    seeds = range(options.seed, options.seed + options.count)
    sources: Iterator[Source] = chain(options.files, seeds)
    tasks = ((source, source) for source in sources)
    kinds: Counter[str] = Counter()
    function = partial(try_source, arch=options.arch)
    with signals_raise():
        for source, result in run_here(function, tasks, worker_count(options.jobs, 1 << 30)):
            if isinstance(result, Lost):
                result = {str(source): f"different: {result.why}"}
            for name, found in result.items():
                kinds[found.partition(" with")[0]] += 1
                if found.startswith("different"):
                    print(f"{name}: {found}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    return any(kind.startswith("different") for kind in kinds)


if __name__ == "__main__":
    sys.exit(main())
