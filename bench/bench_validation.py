"""Runs translation validation of passes on LLVM's own tests; prints verdicts per pass.

    python bench/bench_validation.py LLVM/llvm/test/Transforms [--pass NAME ...] [--functions N]
        [--per-file N] [--seconds S] [--loops] [--verdicts FILE] [--markdown FILE]
    python bench/bench_validation.py --random N [--seed N] [--pass NAME ...] [--verdicts FILE]

For each pass, the functions of its test folder that the pass changes are compared with `nvvm-tv`'s method.
Functions with loops are left out without `--loops`. Of a folder with more than N such functions, the files
are selected evenly, with at most `--per-file` functions of each. `--verdicts` writes one line for each
function. With `--random`, every pass is run on N random loop-free functions (`random_functions.py`) from
`--seed` on; functions that FILE has verdicts on are not validated again.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_llvm_tests import functions
from bench_quality import markdown
from random_functions import random_function
from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.validation.encoder import Graph
from nvvm_xdsl.lab.validation.validator import Limits, Verdict, validate
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.instrumentation import ir_text

ROWS = """
instcombine            | InstCombine
instsimplify           | InstSimplify
gvn                    | GVN
early-cse              | EarlyCSE
simplifycfg            | SimplifyCFG
sccp                   | SCCP
correlated-propagation | CorrelatedValuePropagation
reassociate            | Reassociate
jump-threading         | JumpThreading
dse                    | DeadStoreElimination
"""
"""Passes and the folders of their tests."""

STATUSES = ("proved", "refuted", "bounded", "unsupported", "unknown")
_DEFINE = re.compile(r"^define .*?^\}", re.M | re.S)
_HEADER = re.compile(r"^(target (datalayout|triple)|source_filename).*$", re.M)
_BREAK = re.compile(r"^;.*$", re.M)


def read(text: str) -> ModuleOp | None:
    """Returns the module, or None if it is not valid NVVM IR."""
    try:
        return nvvm_xdsl.parse(text)
    except DiagnosticError:
        return None


def candidates(path: Path) -> Iterator[tuple[str, str]]:
    """Returns the functions of a file, each as a module with the declarations of the file."""
    text = _BREAK.sub("", _HEADER.sub("", path.read_text(errors="replace")))
    rest = _DEFINE.sub("", text)
    bodies = list(functions(text))
    for name, body in bodies:
        others = "\n".join(
            declaration(other)
            for called, other in bodies
            if called != name and f"@{called}" in body
        )
        yield name, f"{rest}\n{others}\n{body}\n"


def declaration(body: str) -> str:
    """Returns the declaration of a defined function."""
    head = body.partition("{\n")[0].split("\n")[0].rpartition(")")[0]
    head = re.sub(r"^define (private |internal |linkonce_odr |linkonce |weak |available_externally )?", "declare ", head)  # fmt: skip
    return re.sub(r" %[\w.$-]+(?=[,)]|$)", "", head) + ")"


def is_wanted(module: ModuleOp, name: str, *, loops: bool) -> bool:
    """Returns whether the function has no loops, or loops are enabled."""
    function = symbols_of(module).get(name.strip('"'))
    return function is not None and (loops or not Graph.of(function).headers)


def verdict_on(text: str, name: str, passes: str, options: argparse.Namespace) -> Verdict | None:
    """Returns the verdict on a function, or None if the pass does not change it."""
    before, after = read(text), read(text)
    if before is None or after is None or not is_wanted(before, name, loops=options.loops):
        return None
    try:
        run_pipeline(after, passes)
    except DiagnosticError:
        return None
    if ir_text(before) == ir_text(after):
        return None
    limits = Limits(options.seconds, 2 * options.seconds, options.unroll)
    return next(iter(validate(before, after, limits, [name.strip('"')])), None)


def campaign(passes: str, folder: Path, options: argparse.Namespace) -> list[tuple[str, Verdict]]:
    """Returns the verdicts on the functions of a folder."""
    found: list[tuple[str, Verdict]] = []
    files = sorted(folder.rglob("*.ll"))
    step = max(1, len(files) // max(1, options.functions // 2))
    for path in [*files[::step], *(p for n, p in enumerate(files) if n % step)]:
        here = 0
        for name, text in candidates(path):
            if here == options.per_file:
                break
            if len(found) >= options.functions:
                return found
            verdict = verdict_on(text, name, passes, options)
            if verdict is None:
                continue
            place = f"{path.relative_to(folder)} {name}"
            found.append((place, verdict))
            here += 1
            if options.verdicts:
                with options.verdicts.open("a") as file:
                    file.write(f"{passes}\t{place}\t{verdict.status}\t{verdict.reason}\n")
    return found


def verdicts_in(path: Path | None) -> dict[tuple[str, str], str]:
    """Returns the verdicts that an earlier run has written, by pass and place."""
    if path is None or not path.exists():
        return {}
    rows = (line.split("\t", 3) for line in path.read_text().splitlines())
    return {(row[0], row[1]): row[2] for row in rows}


def random_campaign(names: Sequence[str], options: argparse.Namespace) -> dict[str, Counter[str]]:
    """Returns the number of random functions with each verdict, by pass."""
    known = verdicts_in(options.verdicts)
    counts = {name: Counter[str]() for name in names}
    for seed in range(options.seed, options.seed + options.random):
        text = random_function(seed)
        for name in names:
            status = known.get((name, f"seed {seed}"))
            if status is None:
                verdict = verdict_on(text, "f", name, options)
                status = "unchanged" if verdict is None else verdict.status
                reason = "" if verdict is None else verdict.reason
                if options.verdicts:
                    with options.verdicts.open("a") as file:
                        file.write(f"{name}\tseed {seed}\t{status}\t{reason}\n")
            counts[name][status] += 1
    return counts


def main() -> None:
    """Runs the campaign and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--pass", dest="names", action="append", default=[], metavar="NAME")
    parser.add_argument("--functions", type=int, default=150, metavar="N")
    parser.add_argument("--per-file", type=int, default=6, metavar="N")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S")
    parser.add_argument("--unroll", type=int, default=3, metavar="N")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--verdicts", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    options = parser.parse_args()
    folder: Path | None = options.folder
    if options.random is not None:
        names = [row.split("|")[0].strip() for row in ROWS.strip().splitlines()]
        chosen = [name for name in names if not options.names or name in options.names]
        table = Table("pass", "functions", "changed", *STATUSES)
        for name, counts in random_campaign(chosen, options).items():
            changed = counts.total() - counts["unchanged"]
            numbers = [str(counts[status]) for status in STATUSES]
            table.add_row(f"`{name}`", str(counts.total()), str(changed), *numbers)
        Console().print(table)
        return
    if folder is None:
        parser.error("a folder of tests or --random is required")
    table = Table("pass", "functions", *STATUSES, "proved of all", "seconds")
    for row in ROWS.strip().splitlines():
        passes, place = (part.strip() for part in row.split("|"))
        if options.names and passes not in options.names:
            continue
        started = time.monotonic()
        found = campaign(passes, folder / place, options)
        counts = Counter(verdict.status for _, verdict in found)
        share = 100 * counts["proved"] / max(1, len(found))
        seconds = f"{time.monotonic() - started:.0f}"
        numbers = [str(counts[status]) for status in STATUSES]
        table.add_row(f"`{passes}`", str(len(found)), *numbers, f"{share:.0f}%", seconds)
    Console().print(table)
    if options.markdown:
        options.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
