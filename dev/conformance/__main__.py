"""Runs a folder of LLVM's `test/CodeGen/NVPTX`, or of MLIR's `test/Dialect/LLVMIR`, through this compiler.

    python -m dev.conformance FOLDER|FILE ... [--only TEXT] [--results FILE] [--all]
    python -m dev.conformance FOLDER|FILE ... [--only TEXT] --run

LLVM assembly is compiled for the targets of its RUN lines at -O0 and -O3; it passes if ptxas
accepts the PTX, and is only tested if `llc` compiles it and ptxas accepts llc's PTX. A module of
MLIR passes if this compiler and `mlir-opt` both accept it or both reject it. Verdicts are kept in
FILE, so that a second run tests only the cases that did not pass.

With `--run` the functions and kernels of LLVM assembly are run on the simulator with random
arguments, comparing the PTX of -O0 and -O3 with that of `llc`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from dev.conformance.cases import cases_of
from dev.conformance.running import FileRun, run_file, run_table
from dev.conformance.store import Store
from dev.conformance.verdicts import DIFFERS, NOT_ASKED, PASSES, REFUSED, Verdict

KINDS = (PASSES, REFUSED, DIFFERS, NOT_ASKED)

_NAMES = re.compile(r"'[^']*'|@\S+|%\S+|\d+")


def test_files(places: Sequence[Path]) -> list[Path]:
    """The test files in folders, and files themselves."""
    found: list[Path] = []
    for place in places:
        inside = place.rglob("*") if place.is_dir() else [place]
        found += sorted(path for path in inside if path.suffix in (".ll", ".mlir"))
    return found


def table(results: dict[str, dict[str, Verdict]], *, every: bool = False) -> Iterator[str]:
    """The results in Markdown: by file, then by reason, then in total.

    Arguments:
        results: verdicts by case and file.
        every: whether files that pass are included.
    """
    yield f"| file | {' | '.join(KINDS)} | first that does not pass |"
    yield "| --- |" + " --- |" * (len(KINDS) + 1)
    reasons: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    files: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for file, verdicts in sorted(results.items()):
        counts = Counter(verdict.kind for verdict in verdicts.values())
        total += counts
        wrong = {name: v for name, v in verdicts.items() if v.kind in (REFUSED, DIFFERS)}
        files["with what does not pass" if wrong else PASSES if counts[PASSES] else NOT_ASKED] += 1
        for verdict in wrong.values():
            reasons[verdict.kind, _class_of(verdict.reason)].add(file)
        if wrong or every:
            first = next((f"{name}: {v.reason}" for name, v in wrong.items()), "")
            numbers = " | ".join(str(counts[kind]) for kind in KINDS)
            yield f"| {file} | {numbers} | {first.replace('|', '/')[:200]} |"
    yield ""
    yield "| files | what | reason |"
    yield "| --- | --- | --- |"
    for (kind, reason), where in sorted(reasons.items(), key=lambda item: -len(item[1])):
        yield f"| {len(where)} | {kind} | {reason.replace('|', '/')[:160]} |"
    yield ""
    yield "files: " + ", ".join(f"{count} {what}" for what, count in files.items())
    yield "cases: " + ", ".join(f"{total[kind]} {kind}" for kind in KINDS)


def _class_of(reason: str) -> str:
    """A reason without names, numbers and locations."""
    return _NAMES.sub("_", re.sub(r"^line \d+: ", "", reason))


def _run(files: Sequence[Path]) -> int:
    """Runs the functions and kernels of LLVM's tests; returns the exit status, 1 if results
    differ."""
    found: dict[str, FileRun] = {}
    for path in files:
        print(f"\r\033[K{path.name}", end="", file=sys.stderr, flush=True)
        found[path.name] = run_file(path)
    print("\r\033[K", end="", file=sys.stderr)
    for line in run_table(found):
        print(line)
    return int(any(made.different for made in found.values()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges the requested tests; returns the exit status, 1 if a test fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("places", nargs="+", type=Path, metavar="FOLDER|FILE", help="tests, .ll and .mlir")
    add("--only", default="", metavar="TEXT", help="files whose path contains TEXT")
    add("--results", type=Path, default=Path("conformance.sqlite"), metavar="FILE", help="where verdicts are kept")  # fmt: skip
    add("--all", action="store_true", help="judge again what passed, and list it too")
    add("--run", action="store_true", help="run what LLVM's tests define, beside llc's code")
    options = parser.parse_args(arguments)
    if options.run:
        return _run([p for p in test_files(options.places) if options.only in str(p)])
    store = Store(options.results, all_again=options.all)
    results: dict[str, dict[str, Verdict]] = {}
    for path in test_files(options.places):
        if options.only in str(path):
            print(f"\r\033[K{path.name}", end="", file=sys.stderr, flush=True)
            results[path.name] = {case.name: store.verdict(case) for case in cases_of(path)}
    print("\r\033[K", end="", file=sys.stderr)
    for line in table(results, every=options.all):
        print(line)
    return int(any(v.kind in (REFUSED, DIFFERS) for found in results.values() for v in found.values()))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
