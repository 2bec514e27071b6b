"""Runs the kernels of a folder of modules without their hosts: behaviour by level, and cost
compared with other compilers.

    python -m dev.foreign FOLDER ... [--results FILE] [--seconds 170] [--only TEXT]
        [--no-count | --no-compare] [--again] [--worst N] [--before FILE]

FOLDER contains LLVM assembly, for example made as described in `bench/bench_modules.py`; with `-O2
-Xclang -disable-llvm-passes` all optimization is left to this project. Launches are derived from
the code (`foreign/launches.py`). Findings are written to FILE, one JSON object per module and line,
and not repeated, so that a run can be interrupted and resumed; `--again` repeats modules that
differed or were refused. `--before` compares costs with those of an earlier FILE. Prints the
differences, the reasons for skipped kernels, and the scoreboard. The status is 1 if the outcome of
a level differs.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from dev.foreign.runs import COMPILERS, Cost, ModuleRun, run_module

OURS, *OTHERS = COMPILERS

_PARTS = re.compile(r"'[^']*'|@\S+|%\S+|\d+")


def kept(path: Path) -> dict[str, ModuleRun]:
    """The results of earlier runs, the last one of each module."""
    found: dict[str, ModuleRun] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            made = ModuleRun.of(json.loads(line))
            found[made.module] = made
    return found


def report(found: Sequence[ModuleRun]) -> Iterator[str]:
    """The runs and their differences, in Markdown."""
    kernels = [row for made in found for row in made.kernels]
    yield "| module | kernel | difference |"
    yield "| --- | --- | --- |"
    for made in found:
        for name, why in made.refused.items():
            yield _cells(made.module, "", f"{name}: refused: {why}")
        for row in made.kernels:
            for name, what in row.different.items():
                yield _cells(made.module, row.kernel, f"{name}: {what}")
    yield ""
    yield "| kernels | not run, because |"
    yield "| --- | --- |"
    reasons = Counter(_PARTS.sub("_", row.why)[:120] for row in kernels if not row.launches)
    for reason, count in reasons.most_common(15):
        yield _cells(str(count), reason)
    yield ""
    yield (
        f"{len(found)} modules, {len(kernels)} kernels, {sum(row.launches > 0 for row in kernels)} ran,"
        f" {sum(row.sound for row in kernels)} compared:"
        f" {sum(bool(row.different) for row in kernels)} differ,"
        f" {sum(bool(row.near) for row in kernels)} within the tolerance only"
    )


def _cells(*cells: str) -> str:
    return f"| {' | '.join(c.replace('|', '/')[:160] for c in cells)} |"


Pair = tuple[str, Cost, Cost]
"""Module and kernel, our cost, the other compiler's cost."""


def pairs(found: Sequence[ModuleRun], other: str) -> list[Pair]:
    """The kernels with costs of this compiler and another one."""
    return [
        (f"{made.module}:{row.kernel}", row.costs[OURS], row.costs[other])
        for made in found
        for row in made.kernels
        if OURS in row.costs and other in row.costs
    ]


def trusted(ours: Cost, theirs: Cost) -> bool:
    """Whether executed machine instructions of both may be compared."""
    return ours.trusted and theirs.trusted and min(ours.executed, theirs.executed) > 0


def geometric_mean(ratios: Sequence[float]) -> float:
    """The geometric mean; 1 for an empty list."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def scoreboard(rows: Sequence[Pair], title: str, worst: int) -> Iterator[str]:
    """Ratios of costs, and the kernels with the highest."""
    executed = [(a.executed / b.executed, name, a, b) for name, a, b in rows if trusted(a, b)]
    means = (
        geometric_mean([row[0] for row in executed]),
        geometric_mean([a.executed_ptx / b.executed_ptx for _, a, b in rows if b.executed_ptx]),
        geometric_mean([a.instructions / b.instructions for _, a, b in rows]),
        geometric_mean([a.registers / b.registers for _, a, b in rows]),
    )
    sums = ((sum(a.local for _, a, _ in rows), sum(b.local for _, _, b in rows)),
            (sum(a.spills for _, a, _ in rows), sum(b.spills for _, _, b in rows)))  # fmt: skip
    yield (
        "| beside | kernels | executed machine | executed PTX | machine instructions | registers"
        " | local bytes | spilled bytes |"
    )
    yield "| --- |" + " --- |" * 7
    yield (
        f"| {title} | {len(rows)} | "
        + f"{means[0]:.3f} ({len(executed)}) | "
        + " | ".join(f"{m:.3f}" for m in means[1:])
        + " | "
        + " | ".join(f"{a:,} / {b:,}" for a, b in sums)
        + " |"
    )
    yield ""
    yield "| kernel | ratio | executed machine | PTX | static | registers | local |"
    yield "| --- |" + " --- |" * 6
    executed.sort(key=lambda row: -row[0])
    for ratio, name, a, b in executed[:worst]:
        both = (
            f"{a.executed:.0f} / {b.executed:.0f}",
            f"{a.executed_ptx} / {b.executed_ptx}",
            f"{a.instructions} / {b.instructions}",
            f"{a.registers} / {b.registers}",
            f"{a.local} / {b.local}",
        )
        yield _cells(name, f"{ratio:.2f}", *both)
    yield ""


def modules(folders: Sequence[Path]) -> dict[str, Path]:
    """The files to run, by name."""
    return {
        f"{folder.name}/{path.relative_to(folder)}": path
        for folder in folders
        for path in sorted(folder.rglob("*.ll"), key=lambda p: (p.stat().st_size, p))
    }


def main() -> int:
    """Runs the remaining modules; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER")
    add("--results", type=Path, default=Path("foreign.jsonl"), help="where what is found is kept")
    add("--seconds", type=float, default=float("inf"), help="begin nothing after as many seconds")
    add("--only", default="", metavar="TEXT", help="modules whose names have it")
    add("--part", default="0/1", metavar="I/N", help="every Nth module from the Ith on")
    add("--no-count", action="store_true", help="compare behaviour alone")
    add("--no-compare", action="store_true", help="count costs alone")
    add("--again", action="store_true", help="what differed or was refused once more")
    add("--worst", type=int, default=20, metavar="N")
    add("--before", type=Path, help="compare costs with those of an earlier run")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    files = {n: p for n, p in modules(options.folders).items() if options.only in n}
    files = dict(list(files.items())[part::parts])
    known = kept(options.results)
    end = time.monotonic() + options.seconds
    with options.results.open("a") as out:
        for name, path in files.items():
            before = known.get(name)
            if before is not None and not (options.again and _wrong(before)):
                continue
            if time.monotonic() > end:
                break
            known[name] = run_module(
                path, name, compare=not options.no_compare, count=not options.no_count
            )
            print(json.dumps(asdict(known[name])), file=out, flush=True)
    found = [made for name, made in known.items() if name in files]
    for line in report(found):
        print(line)
    for other in OTHERS:
        print()
        for line in scoreboard(pairs(found, other), other, options.worst):
            print(line)
    if options.before is not None:
        for line in scoreboard(_since(kept(options.before), found), "before", options.worst):
            print(line)
    return int(any(row.different for made in found for row in made.kernels))


def _wrong(made: ModuleRun) -> bool:
    return bool(made.refused) or any(row.different for row in made.kernels)


def _since(before: dict[str, ModuleRun], now: Sequence[ModuleRun]) -> list[Pair]:
    """Costs of this compiler now and before."""
    old = {
        f"{made.module}:{row.kernel}": row.costs[OURS]
        for made in before.values()
        for row in made.kernels
        if OURS in row.costs
    }
    return [
        (name, row.costs[OURS], old[name])
        for made in now
        for row in made.kernels
        if OURS in row.costs and (name := f"{made.module}:{row.kernel}") in old
    ]


if __name__ == "__main__":
    sys.exit(main())
