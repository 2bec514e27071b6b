"""`nvvm-litmus`: the outcomes of small parallel programs under the memory model of PTX or NVVM IR."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.startup_cache import owns_process

if TYPE_CHECKING:
    from nvvm_xdsl.lab.memory_model.litmus import Litmus
    from nvvm_xdsl.lab.memory_model.search import Outcome

DESCRIPTION = """\
Prints all outcomes that the memory consistency model of PTX allows for litmus tests, and whether the
condition of each test holds. The page memory-model of the documentation describes the formats and the
model."""

EPILOG = """\
exit status:
  0  every condition holds, or agrees with the published answers
  1  an error
  2  a condition does not hold, or differs from the published answer
examples:
  nvvm-litmus examples/litmus/mp.litmus
  nvvm-litmus --quiet examples/litmus/*.litmus
  nvvm-litmus --published answers.csv --root Dat3M
"""

FAILED = 2
"""The exit status if a condition does not hold or differs from the published answer."""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-litmus`."""
    parser = make_tool_parser("nvvm-litmus", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("files", metavar="FILE", nargs="*", help="a litmus test in herd's format for PTX")
    add("--quiet", action="store_true", help="do not print the outcomes")
    add(
        "--loop-bound", type=int, default=2, metavar="N",
        help="jumps backwards of a thread in one execution; longer ones are left out (default 2)",
    )  # fmt: skip
    add(
        "--published", metavar="CSV",
        help="run the tests of a table with lines FILE,1 (the condition holds) or FILE,0, and count"
        " the answers that agree",
    )  # fmt: skip
    add("--root", metavar="DIR", default=".", help="the folder of the files of --published")
    return parser


def _read(name: str, loop_bound: int) -> Litmus:
    from nvvm_xdsl.driver.files import read_input
    from nvvm_xdsl.lab.memory_model.litmus import read_litmus

    return read_litmus(read_input(name).decode(errors="replace"), name, loop_bound)


def _outcomes(test: Litmus, name: str) -> list[Outcome]:
    from nvvm_xdsl.lab.memory_model.search import outcomes
    from nvvm_xdsl.lab.memory_model.traces import TooLargeError

    try:
        return sorted(outcomes(test.program), key=str)
    except TooLargeError as error:
        raise DiagnosticError(str(error), file=name) from None


def _check(name: str, options: argparse.Namespace) -> bool:
    """Prints the outcomes of a test; returns whether the condition holds."""
    test = _read(name, options.loop_bound)
    found = _outcomes(test, name)
    if not options.quiet:
        print(f"{test.name}: {len(found)} outcome{'' if len(found) == 1 else 's'}")
        for outcome in found:
            print("  " + " ".join(f"{key}={value}" for key, value in outcome))
    holds = test.condition.holds([dict(outcome) for outcome in found])
    condition = " ".join(test.condition.text.split())
    print(f"{test.name}: {condition}: {'holds' if holds else 'does not hold'}", flush=True)
    return holds


def _answers(name: str) -> list[tuple[str, bool]]:
    """The rows of a table of published answers."""
    from nvvm_xdsl.driver.files import read_input

    rows: list[tuple[str, bool]] = []
    for number, line in enumerate(read_input(name).decode(errors="replace").splitlines(), 1):
        file, comma, answer = line.strip().rpartition(",")
        if not line.strip():
            continue
        if not comma or answer not in ("0", "1"):
            raise DiagnosticError(
                "expected FILE,0 or FILE,1", file=name, line=number, column=1, source_line=line
            )
        rows.append((file, answer == "1"))
    return rows


def _compare(options: argparse.Namespace) -> int:
    """Compares the published answers; returns the exit status."""
    rows = _answers(options.published)
    agreeing = 0
    for file, answer in rows:
        try:
            test = _read(str(Path(options.root, file)), options.loop_bound)
            found = _outcomes(test, file)
        except DiagnosticError as error:
            print(error.render(), flush=True)
            continue
        holds = test.condition.holds([dict(outcome) for outcome in found])
        agreeing += holds == answer
        if holds != answer:
            texts = ("does not hold", "holds")
            print(f"{file}: {texts[holds]}, published: {texts[answer]}", flush=True)
    print(f"{agreeing} of {len(rows)} agree")
    return 0 if agreeing == len(rows) else FAILED


def _run(options: argparse.Namespace) -> int:
    if options.loop_bound < 0:
        raise DiagnosticError("--loop-bound must not be negative")
    if options.published is not None:
        if options.files:
            raise DiagnosticError("--published takes the files from its table")
        return _compare(options)
    if not options.files:
        raise DiagnosticError("give a file, or a table with --published")
    return 0 if all([_check(name, options) for name in options.files]) else FAILED


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    if argv is None:
        return run_tool(owns_process(_run), make_parser, sys.argv[1:])
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
