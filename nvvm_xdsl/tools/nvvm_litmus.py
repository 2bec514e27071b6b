"""`nvvm-litmus`: the outcomes of small parallel programs under the memory model of PTX or NVVM IR."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

if TYPE_CHECKING:
    from nvvm_xdsl.lab.memory_model.conditions import Condition
    from nvvm_xdsl.lab.memory_model.litmus import Litmus
    from nvvm_xdsl.lab.memory_model.search import Model, Outcome
    from nvvm_xdsl.lab.memory_model.traces import Program

DESCRIPTION = """\
Prints all outcomes that the memory consistency model of PTX allows for litmus tests, and whether the
condition of each test holds. A module in LLVM assembly, MLIR or PTX can be a test as well:
each kernel is a thread, and comments specify the block and GPU of each thread and the condition. LLVM
assembly is tested against LLVM's memory model. The page memory-model of the documentation describes the formats and the models."""

EPILOG = """\
exit status:
  0  every condition holds, or agrees with the published answers
  1  an error
  2  a condition does not hold or differs from the published answer, the PTX allows outcomes that its
     module does not, or a simulated run has a forbidden outcome
examples:
  nvvm-litmus examples/litmus/mp.litmus
  nvvm-litmus --quiet examples/litmus/*.litmus
  nvvm-litmus --run 100 examples/litmus/mp.litmus
  nvvm-litmus --lower sm_90 examples/litmus/mp.ll
  nvvm-litmus --published answers.csv --root Dat3M
"""

FAILED = 2
"""The exit status if a condition does not hold or differs from the published answer."""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-litmus`."""
    parser = make_tool_parser("nvvm-litmus", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add(
        "files", metavar="FILE", nargs="*",
        help="a litmus test in herd's format for PTX, a file of mixedproxy (.test), or a module: .ll, .bc, .mlir"
        " or .ptx",
    )  # fmt: skip
    add(
        "--lower", metavar="ARCH",
        help="compile modules for an architecture, and report outcomes of the PTX that the module"
        " does not allow",
    )  # fmt: skip
    add(
        "-O",
        dest="level",
        type=int,
        default=3,
        metavar="N",
        help="the level of --lower (default 3)",
    )
    add(
        "--run", type=int, metavar="N",
        help="run each litmus test on the simulator with N random schedules, and check that the model"
        " allows every result; modules are not run",
    )  # fmt: skip
    add("--quiet", action="store_true", help="do not print the outcomes")
    add(
        "--loop-bound", type=int, default=2, metavar="N",
        help="maximum number of backward branches of a thread; longer executions are ignored (default 2)",
    )  # fmt: skip
    add(
        "--published", metavar="CSV",
        help="run the tests of a table with lines FILE,1 (the condition holds) or FILE,0 (it does not), and count"
        " the answers that agree",
    )  # fmt: skip
    add(
        "--root",
        metavar="DIR",
        default=".",
        help="directory of the files that the table of --published names",
    )
    return parser


def _read(name: str, loop_bound: int) -> Litmus:
    from nvvm_xdsl.driver.files import read_input
    from nvvm_xdsl.lab.memory_model.litmus import read_litmus

    return read_litmus(read_input(name).decode(errors="replace"), name, loop_bound)


def _outcomes(program: Program, name: str, model: Model | None = None) -> list[Outcome]:
    from nvvm_xdsl.lab.memory_model.search import PTX, outcomes
    from nvvm_xdsl.lab.memory_model.traces import TooLargeError

    try:
        return sorted(outcomes(program, model or PTX), key=str)
    except TooLargeError as error:
        raise DiagnosticError(str(error), file=name) from None


def _check(name: str, options: argparse.Namespace) -> bool:
    """Prints the outcomes of a test; returns whether the condition holds."""
    if name.endswith(".test"):
        return _check_mixedproxy(name, options)
    if not name.endswith(".litmus") and name != "-":
        return _check_module(name, options)
    return _check_test(_read(name, options.loop_bound), name, options)


def _check_mixedproxy(name: str, options: argparse.Namespace) -> bool:
    """Checks all tests of a file of mixedproxy."""
    from nvvm_xdsl.driver.files import read_input
    from nvvm_xdsl.lab.memory_model.litmus import read_litmus
    from nvvm_xdsl.lab.memory_model.mixedproxy import herd_tests

    texts = list(herd_tests(read_input(name).decode(errors="replace"), name))
    tests = [read_litmus(text, name, options.loop_bound) for text in texts]
    results = [_check_test(test, name, options) for test in tests]
    print(f"{name}: {sum(results)} of {len(results)} conditions hold", flush=True)
    return all(results)


def _check_test(test: Litmus, name: str, options: argparse.Namespace) -> bool:
    """Prints the outcomes of a litmus test; returns whether its condition holds."""
    found = _outcomes(test.program, name)
    holds = _show(test.name, found, test.condition, options)
    return (options.run is None or _runs(test, found, options.run)) and holds


def _runs(test: Litmus, allowed: list[Outcome], count: int) -> bool:
    """Runs a test on the simulator; returns whether all results are allowed."""
    from nvvm_xdsl.lab.memory_model.litmus_run import NotRunnableError, run

    try:
        runs = run(test, count)
    except NotRunnableError as error:
        print(f"{test.name}: not run: {error}")
        return True
    wrong = [outcome for outcome in runs.results if outcome not in allowed]
    for outcome in sorted(wrong, key=str):
        text = " ".join(f"{key}={value}" for key, value in outcome)
        print(f"{test.name}: a simulated run has the forbidden outcome {text}")
    seen = len(runs.results) - len(wrong)
    endless = f", {runs.endless} did not terminate" if runs.endless else ""
    print(f"{test.name}: {count} runs with {seen} of {len(allowed)} outcomes{endless}", flush=True)
    return not wrong


def _show(
    name: str, found: list[Outcome], condition: Condition | None, options: argparse.Namespace
) -> bool:
    """Prints outcomes and whether the condition holds; returns the latter."""
    if not options.quiet:
        print(f"{name}: {len(found)} outcome{'' if len(found) == 1 else 's'}")
        for outcome in found:
            print("  " + " ".join(f"{key}={value}" for key, value in outcome))
    if condition is None:
        return True
    holds = condition.holds([dict(outcome) for outcome in found])
    text = " ".join(condition.text.split())
    print(f"{name}: {text}: {'holds' if holds else 'does not hold'}", flush=True)
    return holds


def _check_module(name: str, options: argparse.Namespace) -> bool:
    """Checks the condition of a module, and its lowering. Raises DiagnosticError."""
    if options.run is not None:
        raise DiagnosticError("--run requires litmus tests, not modules", file=name)
    from nvvm_xdsl.driver.compile import compile, parse
    from nvvm_xdsl.driver.files import read_input
    from nvvm_xdsl.frontend.ptx import read_ptx
    from nvvm_xdsl.lab.memory_model.conditions import ConditionError, parse_condition
    from nvvm_xdsl.lab.memory_model.llvm_model import LLVM
    from nvvm_xdsl.lab.memory_model.module_program import (
        condition_comment,
        ir_program,
        ptx_program,
        threads_comment,
    )
    from nvvm_xdsl.lab.memory_model.refinement import added_outcomes

    text = read_input(name).decode(errors="replace")
    places = threads_comment(text, name)
    stated = condition_comment(text)
    try:
        condition = parse_condition(stated) if stated else None
    except ConditionError as error:
        raise DiagnosticError(f"the condition is not valid: {error}", file=name) from None
    observed = sorted(condition.names) if condition else []
    module = parse(text, filename=name)
    is_llvm = all(not op.name.startswith(("ptx.", "nvptx.")) for op in module.body.block.ops)
    if is_llvm:
        found = _outcomes(ir_program(module, places, observed, options.loop_bound), name, LLVM)
    else:
        if not any(op.name.startswith("ptx.") for op in module.body.block.ops):
            module = read_ptx(compile(text, opt_level=0))
        found = _outcomes(ptx_program(module, places, observed, options.loop_bound), name)
    holds = _show(name, found, condition, options)
    if options.lower is None or not is_llvm:
        return holds
    ptx = read_ptx(compile(text, arch=options.lower, opt_level=options.level))
    lowered = _outcomes(ptx_program(ptx, places, observed, options.loop_bound), name)
    added = added_outcomes(found, lowered)
    for outcome in added:
        print(
            f"{name}: outcome of the PTX only: "
            + " ".join(f"{key}={value}" for key, value in outcome)
        )
    print(f"{name}: the PTX for {options.lower} has {len(lowered)} outcomes, {len(added)} added")
    return holds and not added


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
            found = _outcomes(test.program, file)
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
    if options.run is not None and options.run < 1:
        raise DiagnosticError("--run must be positive")
    if options.published is not None:
        if options.files:
            raise DiagnosticError(
                "--published cannot be combined with FILE: its table names the files"
            )
        return _compare(options)
    if not options.files:
        raise DiagnosticError("expected a file, or a table with --published")
    return 0 if all([_check(name, options) for name in options.files]) else FAILED


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
