"""`nvvm-tv`: proves that optimized functions refine the original ones."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.progress import awaited

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.lab.validation.validator import Verdict

DESCRIPTION = """\
Translation validation: proves with an SMT solver that each function refines the function of the same name
before optimization, for all inputs, or prints a counterexample. The page
translation-validation of the documentation lists the limits of a proof. The optimized module is
AFTER, or the result of the given passes or level on BEFORE. Needs z3-solver."""

EPILOG = """\
exit status:
  0  every function is proved
  1  a function is refuted, or an error
  3  a function is not decided: not supported, proved up to an unroll bound, or out of time
examples:
  nvvm-tv before.ll after.ll
  nvvm-tv kernel.ll -p gvn
  nvvm-tv kernel.ll -p 'instcombine,simplifycfg' --function saxpy
  nvvm-tv kernel.ll -O3 --query-seconds 60 --unroll 8
"""

UNDECIDED = 3
"""The exit status if no function is refuted and at least one is undecided."""

TEXTS = {
    "proved": "proved",
    "bounded": "proved {reason} only",
    "refuted": "refuted{reason}",
    "unsupported": "not supported: {reason}",
    "unknown": "not decided: {reason}",
}
"""The printed text of a verdict, by its status."""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-tv`."""
    parser = make_tool_parser("nvvm-tv", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("before", metavar="BEFORE", help="the original module: .ll, .bc or .mlir")
    add("after", metavar="AFTER", nargs="?", help="the optimized module")
    add(
        "-p",
        "--passes",
        metavar="PIPELINE",
        help="run these passes on BEFORE to get the optimized module",
    )
    for level in range(4):
        add(
            f"-O{level}", dest="opt_level", action="store_const", const=level,
            help=f"run the pipeline of level {level} on BEFORE to get the optimized module",
        )  # fmt: skip
    add(
        "--function",
        action="append",
        metavar="NAME",
        help="compare only this function; may be repeated",
    )
    add(
        "--query-seconds", type=float, default=10.0, metavar="S",
        help="limit of one solver query, in seconds of processor time (default 10)",
    )  # fmt: skip
    add(
        "--function-seconds", type=float, default=30.0, metavar="S",
        help="limit of one function, in seconds of processor time (default 30)",
    )  # fmt: skip
    add(
        "--unroll", type=int, default=4, metavar="N",
        help="number of loop iterations to compare if the proof by induction fails (default 4)",
    )  # fmt: skip
    return parser


def _read(name: str) -> ModuleOp:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import read_input

    return parse(read_input(name), filename=name)


def _optimized(options: argparse.Namespace) -> ModuleOp:
    given = [options.after, options.passes, options.opt_level]
    if sum(choice is not None for choice in given) != 1:
        raise DiagnosticError("expected either AFTER, --passes or a level such as -O3")
    if options.after is not None:
        return _read(options.after)
    from nvvm_xdsl.pipeline import run_pipeline

    module = _read(options.before)
    run_pipeline(module, options.passes or f"nvopt<O{options.opt_level}>")
    return module


CONSTRAINED = re.compile(r"@llvm\.experimental\.constrained\.[\w.]+")
"""Operations whose rounding mode the reader does not keep."""

DROPPED = re.compile(r"\bicmp samesign\b|^[^;\n]*\bcall\b.*\)\s*noreturn\b", re.M)
"""Facts in .ll text that the reader does not keep, and that the optimized function may rely on."""

_DEFINITION = re.compile(r'^define\b[^\n]*?@("[^"]*"|[\w.$-]+)\(.*?^\}', re.M | re.S)


def _dropped(name: str | None, pattern: re.Pattern[str]) -> dict[str, str]:
    """The text that matches the pattern, by function of an .ll file."""
    if name is None or not name.endswith(".ll"):
        return {}
    text = Path(name).read_text(errors="replace")
    found = ((d[1].strip('"'), pattern.search(d[0])) for d in _DEFINITION.finditer(text))
    return {function: match[0].strip() for function, match in found if match is not None}


def _validate(options: argparse.Namespace) -> Sequence[Verdict]:
    from dataclasses import replace

    try:
        from nvvm_xdsl.lab.validation.counterexample import described
        from nvvm_xdsl.lab.validation.validator import Limits, validate
    except ImportError as error:
        raise DiagnosticError(f"nvvm-tv needs z3-solver: pip install z3-solver ({error})") from None

    limits = Limits(options.query_seconds, options.function_seconds, options.unroll)
    before, after = _read(options.before), _optimized(options)
    found: list[Verdict] = []
    dropped = _dropped(options.after, DROPPED) | _dropped(options.after, CONSTRAINED)
    dropped |= _dropped(options.before, CONSTRAINED)
    verdicts = validate(before, after, limits, options.function)
    for verdict in awaited(verdicts, "proving function"):
        if verdict.status in ("proved", "bounded") and verdict.function in dropped:
            text = f"the reader of LLVM assembly ignores `{dropped[verdict.function]}`"
            verdict = replace(verdict, status="unsupported", reason=text)
        reason = verdict.reason
        if verdict.status == "refuted":
            reason = "".join(f"\n  {line}" for line in described(verdict, before, after))
        print(f"@{verdict.function}: {TEXTS[verdict.status].format(reason=reason)}", flush=True)
        found.append(verdict)
    if not found:
        raise DiagnosticError("the modules have no function in common")
    return found


def _run(options: argparse.Namespace) -> int:
    counts = Counter(verdict.status for verdict in _validate(options))
    if counts["refuted"]:
        return 1
    return 0 if set(counts) == {"proved"} else UNDECIDED


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
