"""Searches for rewrite rules in modules of LLVM IR; see the package.

Rows are ranked by saved instructions, as a share of the executed ops of a module, summed over all
modules. With `--static`, kernels are
not run, and execution counts are estimated.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from dev.superopt.costs import machine_instructions
from dev.superopt.modules import windows_in
from dev.superopt.rows import Generalization, Row
from dev.superopt.search import Found, Search
from dev.superopt.terms import cost_of, terms, text_of
from dev.superopt.windows import Shape, Window
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.lab.assembled import AssemblyError

MOST_COST = 4.0
"""Upper limit of the part of a window's cost that counts for its rank."""


def ranked(windows: Sequence[Window], *, with_facts: bool) -> list[Window]:
    """The windows in the order of the search.

    Arguments:
        with_facts: whether to keep facts about inputs; otherwise windows that differ only by facts
            are merged.
    """
    merged: dict[Shape, Window] = {}
    for window in windows:
        if with_facts and not window.shape.facts:
            continue
        shape = window.shape if with_facts else Shape(window.shape.root, window.shape.kept)
        row = merged.setdefault(shape, Window(shape))
        for place, runs in window.places.items():
            row.add(place, runs)
    return sorted(merged.values(), key=lambda w: -w.runs * min(_budget(w.shape), MOST_COST))


def _budget(shape: Shape) -> float:
    return sum(cost_of(t) for t in terms(shape.root) if t not in shape.kept)


def searched(windows: Sequence[Window], count: int) -> Iterator[tuple[Window, Found]]:
    """Cheaper equivalents for the first `count` windows without facts and with facts."""
    for with_facts in (False, True):
        for window in ranked(windows, with_facts=with_facts)[:count]:
            found = Search(window.shape, use_facts=with_facts).run()
            if found is not None:
                yield window, found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the search; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.superopt", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("modules", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--static", action="store_true", help="do not run the kernels")
    parser.add_argument("--windows", type=int, default=1000, help="windows to search (%(default)s)")
    parser.add_argument("--rows", type=int, default=50, help="rows to prove (%(default)s)")
    parser.add_argument(
        "--all", action="store_true", help="also replacements whose machine code is not shorter"
    )
    options = parser.parse_args(arguments)
    started = time.monotonic()
    windows: dict[Shape, Window] = {}
    for path in options.modules:
        try:
            for shape, runs in windows_in(path, static=options.static).items():
                windows.setdefault(shape, Window(shape)).add(path.stem, runs)
        except Exception as error:
            diagnostic = as_diagnostic(error)
            if diagnostic is None:
                raise
            print(f"{path}: {diagnostic.message}", file=sys.stderr)
    found = list(searched(list(windows.values()), options.windows))
    found.sort(key=lambda item: -item[0].runs * item[1].saved)
    counts = {
        "windows": len(windows),
        "cheaper": len(found),
        "same code": 0,
        "not general": 0,
        "rows": 0,
    }
    for number, (window, replacement) in enumerate(found[: options.rows]):
        try:
            before, after = machine_instructions(replacement)
        except AssemblyError as error:
            print(f"{text_of(window.shape.root)}: {error}", file=sys.stderr)
            continue
        if after >= before:
            counts["same code"] += 1
            if not options.all:
                continue
        row = Generalization(replacement, f"row-{number}").row()
        counts["not general" if row.problem else "rows"] += 1
        print(_shown(window, replacement, row, before - after), flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()), end="")
    print(f", {time.monotonic() - started:.0f} s")
    return 0


def _shown(window: Window, found: Found, row: Row, saved: int) -> str:
    share = 100 * window.runs * found.saved
    lines = [row.text, f"    # {share:.3f} %, {saved} instructions, {len(window.places)} modules"]
    if row.problem:
        lines.append(f"    # {row.problem}")
    for value, facts in window.shape.facts:
        lines.append(f"    # {value.name}: i{value.width} from {facts.low} to {facts.high}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
