"""Measures the gain of a pipeline search over -O3 on launches outside the search.

    python bench/bench_tune.py [--trials N] [--markdown FILE] [FILE.ll ...]

Each kernel of examples/ is searched on the first of its launches (`dev/example_launches.py`). The pipeline
that the search returns is then compared with -O3 on the kernel's other launches and on the same launches with
other random contents. A kernel without other launches is reported and left out. Needs ptxas, nvdisasm and
Optuna.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
import numpy as np
from bench_quality import ROOT, geometric_mean, markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.tuning.search import Search, Variation
from nvvm_xdsl.lab.tuning.space import space_of
from nvvm_xdsl.lab.tuning.trial import Problem, outcomes_of
from nvvm_xdsl.simulator import SimulationError

ARCH = "sm_90"
OTHER_SEED = 8
"""Seed of the random contents of launches outside the search."""


def launches_by_kernel(example: str) -> dict[str, tuple[Launch, list[Launch]]]:
    """Returns for each kernel of an example the launch to search on, and the others."""
    found: dict[str, tuple[Launch, list[Launch]]] = {}
    for one in launches_of(example):
        kernel = one.launch.kernel
        if kernel in found:
            found[kernel][1].append(one.launch)
        else:
            found[kernel] = (one.launch, [])
    for one in EXAMPLES[example](np.random.default_rng(OTHER_SEED)):
        found[one.launch.kernel][1].append(one.launch)
    return found


def searched(path: Path, launch: Launch, trials: int) -> tuple[Search, Variation]:
    """A search on one launch, and its best result."""
    text = path.read_text()
    options = CompileOptions(arch=ARCH, opt_level=3)
    problem = Problem(text, options, (launch,), outcomes_of(text, [launch]))
    search = Search(problem, space_of("O3;arch=90;no-ftz;prec-div;prec-sqrt", 3))
    search.run(trials)
    best = search.best()
    if best is None:
        raise DiagnosticError(search.baseline().why)
    return search, search.pruned(best)


def ratios_elsewhere(search: Search, best: Variation, others: list[Launch]) -> list[float]:
    """Returns the ratio of executed machine instructions to -O3, by launch."""
    pairs = [search.judged_on(launch, best) for launch in others]
    return [b.executed / a.executed for a, b in (p for p in pairs if not isinstance(p, str))]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--trials", type=int, default=150, metavar="N")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    console = Console(width=150)
    table = Table(title=f"Search over pipelines, {arguments.trials} trials a kernel")
    for head in ("kernel", "searched on", "elsewhere", "launches", "what differs from -O3"):
        table.add_column(head)
    elsewhere: list[float] = []
    files = arguments.files or sorted((ROOT / "examples").glob("*.ll"))
    for path in track(files, console=console, disable=not console.is_terminal):
        example = path.name.split(".")[0]
        for kernel, (launch, others) in launches_by_kernel(example).items():
            name = f"{path.stem}:{kernel}"
            try:
                search, best = searched(path, launch, arguments.trials)
                base = search.baseline().figures
                found = ratios_elsewhere(search, best, others)
            except (DiagnosticError, SimulationError) as error:
                console.print(f"{name}: left out: {error.message[:100]}")
                continue
            if base is None or not base.executed or not found:
                console.print(f"{name}: left out: no other launch to compare")
                continue
            for (_, machine), what in search.tally().wrong[:1]:
                console.print(f"{name}: different results: {what} ({machine})")
            ratio = geometric_mean(found)
            elsewhere.append(ratio)
            changes = ", ".join(
                f"{key}={value}" for key, value in search.space.changes(best.values).items()
            )
            table.add_row(
                name, f"{best.figures.executed / base.executed:.3f}", f"{ratio:.3f}", str(len(found)), changes
            )  # fmt: skip
            console.print(name, f"{ratio:.3f}", changes, soft_wrap=True)
    console.print(table)
    better = sum(ratio < 0.995 for ratio in elsewhere)
    console.print(
        f"better elsewhere: {better} of {len(elsewhere)}; geometric mean {geometric_mean(elsewhere):.3f}"
    )
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
