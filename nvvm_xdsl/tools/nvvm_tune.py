"""`nvvm-tune`: searches for the pipeline that gives the fastest code for one kernel."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from nvvm_xdsl.ir.demangle import choose, plain_name
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.option_flags import ARCH_DEFAULT, add_clang_arguments
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.kernel_arguments import (
    ARGUMENTS_HELP,
    add_launch_arguments,
    in_order,
    parse_argument,
)
from nvvm_xdsl.tools.launched_module import read_assembly, tell_arch

if TYPE_CHECKING:
    from rich.table import Table

    from nvvm_xdsl.lab.launches import Launch
    from nvvm_xdsl.lab.tuning.search import Search, Variation
    from nvvm_xdsl.lab.tuning.space import Pipelines
    from nvvm_xdsl.lab.tuning.trial import Figures

DESCRIPTION = """\
Searches for the pipeline that generates the best code for one kernel: removes passes from -O3, adds others,
changes their parameters, and measures each variation with the simulator and ptxas. Variations that
change the results are rejected. Prints the options for nvvm-cc, and on standard error the gain over -O3,
also on launches that the search did not use."""

EPILOG = f"""\
{ARGUMENTS_HELP}
The launches for validation have other random numbers, half of the blocks, or half of the threads;
--held-out replaces them.

examples, with the kernels of the folder examples:
  nvvm-tune switch.ll --kernel interpret --block 64 \\
      --arg 'u8[6]=arange' --arg 6 --arg 'i32[64]=random' --trials 20
  nvvm-tune saxpy.ll --grid 4 --block 256 --arg 1000 --arg 2.0 --arg f32[1000]=random \\
      --arg f32[1000]=random --objective registers --trials 10 --study saxpy.sqlite
  nvvm-tune saxpy.ll --block 32 --arg 32 --arg 2.0 --arg f32[32]=random --arg f32[32]=1 --trials 5 \\
      --held-out '--grid 2 --arg 40 --arg 0.5 --arg f32[40]=random --arg f32[40]=7' -o options.txt
  xargs -a options.txt nvvm-cc saxpy.ll -o best.ptx    use the result
"""

OTHER_SEED = 1000
"""Seed of the random launches that the search does not use."""

TOLERANCE = 1e-5


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-tune`."""
    parser = make_tool_parser("nvvm-tune", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="LLVM assembly, MLIR or CUDA C++ (.cu)")
    add(
        "--trials",
        type=int,
        default=200,
        metavar="N",
        help="number of variations to measure, including those of a study (default 200); about the first 70 try each choice once",
    )
    add(
        "--objective",
        default="executed",
        metavar="WHAT",
        help="executed (machine instructions that warps execute, the default), registers, instructions (of the "
        "machine code), occupancy, or sectors (of global memory)",
    )
    add(
        "--command",
        default="",
        metavar="COMMAND",
        help="command whose last printed number is minimized instead; {} is replaced by the PTX file",
    )
    add(
        "--tolerance",
        type=float,
        default=TOLERANCE,
        metavar="X",
        help=f"the relative error allowed for floats (default {TOLERANCE:g})",
    )
    add(
        "--held-out",
        action="append",
        default=[],
        metavar="'OPTIONS'",
        help="a launch for validation only, given by the options that differ; may be repeated",
    )
    add("--study", type=Path, metavar="FILE", help="an SQLite file that records the variations; the same command continues from it")  # fmt: skip
    add("--seed", type=int, default=0, metavar="N", help="random seed of the search (default 0)")
    add("-j", dest="jobs", type=int, default=1, metavar="N", help="measure N variations in parallel; 0: one per processor (default 1; other values are not reproducible)")  # fmt: skip
    add("-arch", "--arch", metavar="ARCH", help=f"target architecture; {ARCH_DEFAULT}")
    add("-fmad", "--fmad", type=int, choices=(0, 1), default=1, help="contract multiplications and additions into fma (default 1)")  # fmt: skip
    add("-o", dest="output", default="-", metavar="OUT", help="output file for the options of nvvm-cc; - is standard output (default)")  # fmt: skip
    add_launch_arguments(parser)
    add_clang_arguments(parser)
    return parser


class _Launches(argparse.ArgumentParser):
    """Parses the launch in the value of --held-out."""

    def error(self, message: str) -> NoReturn:
        raise DiagnosticError(f"--held-out: {message}")


def _launch(options: argparse.Namespace, kernel: str, seed: int = 0) -> Launch:
    from nvvm_xdsl.lab.launches import Launch

    arguments = in_order(options.arguments, options.parameters)
    return Launch(
        kernel,
        options.grid,
        options.block,
        tuple(parse_argument(text, i + seed) for i, text in enumerate(arguments)),
        shared_bytes=options.shared,
        cluster=options.cluster,
        tolerance=options.tolerance,
    )


def _held_out(options: argparse.Namespace, launch: Launch) -> list[tuple[str, Launch]]:
    """The launches that the search does not use, with their names."""
    from dataclasses import replace

    if options.held_out:
        return [(text, _stated(options, text, launch.kernel)) for text in options.held_out]
    other = launch
    what = ""
    if any(text.endswith("random") for text in options.arguments):
        other = _launch(options, launch.kernel, OTHER_SEED)
        what = "other numbers"
    found = [(what, other)] if what else []
    for name, dimensions in (("grid", options.grid), ("block", options.block)):
        half = max(dimensions[0] // 2, 1)
        if half < dimensions[0]:
            halved = (half, *dimensions[1:])
            called = f"{name} {','.join(map(str, halved))}"
            found.append((f"{called}, {what}".rstrip(", "), replace(other, **{name: halved})))
    return found


def _stated(options: argparse.Namespace, text: str, kernel: str) -> Launch:
    parser = _Launches(add_help=False)
    add_launch_arguments(parser)
    defaults: dict[str, object] = {**vars(options), "arguments": []}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise DiagnosticError(f"--held-out: {error}") from None
    stated = parser.parse_args(words, argparse.Namespace(**defaults))
    stated.arguments = stated.arguments or options.arguments
    return _launch(stated, kernel, OTHER_SEED)


def _run(options: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import write_output
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.driver.toolkit import find_ptxas
    from nvvm_xdsl.lab.compiler_comparison import source_program
    from nvvm_xdsl.lab.tuning.trial import OBJECTIVES, Problem, outcomes_of
    from nvvm_xdsl.pipeline.levels import TargetFacts
    from nvvm_xdsl.simulator import SimulationError
    from nvvm_xdsl.simulator.launch import parameter_names

    if options.objective not in OBJECTIVES:
        raise DiagnosticError(
            f"unknown objective '{options.objective}': expected one of {', '.join(OBJECTIVES)}"
        )
    if options.trials < 1:
        raise DiagnosticError(f"--trials: expected a positive number, got {options.trials}")
    if find_ptxas() is None:
        raise DiagnosticError(
            "ptxas, which is needed to measure the code, was not found: install nvvm-xdsl[cuda] or set CUDA_HOME"
        )
    try:
        from nvvm_xdsl.lab.tuning.search import Search
    except ModuleNotFoundError as error:
        raise DiagnosticError(
            f"{error.name} is not installed: pip install 'nvvm-xdsl[tune]'"
        ) from None
    from nvvm_xdsl.dialects.nvptx.target import Target
    from nvvm_xdsl.lab.tuning.space import space_of

    text = read_assembly(options)
    options.arch = tell_arch(parse(text, filename=options.file), options.arch)
    source = source_program(text)
    kernel, message = choose(options.kernel, list(source.kernels()))
    if kernel is None:
        raise DiagnosticError(message)
    options.parameters = parameter_names(source.infos[kernel].op)
    chosen = CompileOptions(arch=options.arch, opt_level=3, fmad=bool(options.fmad))
    launch = _launch(options, kernel)
    try:
        expected = outcomes_of(text, [launch])
    except SimulationError as error:
        raise DiagnosticError(f"the kernel fails on this launch: {error.message}") from None
    problem = Problem(text, chosen, (launch,), expected, options.objective, options.command)
    facts = TargetFacts(Target.parse(options.arch).sm, False, True, True)
    space = space_of(";".join(("O3", *facts.parameters())), 3)
    search = Search(problem, space, options.study, options.seed)
    _search(search, options)
    base = search.baseline()
    best = search.best()
    if base.figures is None or best is None:
        raise DiagnosticError(f"-O3 cannot be measured on @{kernel}: {base.why}")
    best = search.pruned(best)
    _report(search, options, base.figures, best, _held_out(options, launch))
    write_output(options.output, _options_of(search, best) + "\n")
    return 0


def _options_of(search: Search, best: Variation) -> str:
    """The `nvvm-cc` options of a variation."""
    found = search.space.pipelines(best.values, short=True)
    given = search.space.pipelines(search.space.defaults(), short=True)
    return " ".join(_words(found, given)) or "-O3"


def _words(pipelines: Pipelines, given: Pipelines | None = None) -> list[str]:
    """The `nvvm-cc` options of a pipeline that differ from the given ones."""
    words: list[str] = []
    for option, field in (("--passes", "ir"), ("--machine-passes", "machine")):
        text: str = getattr(pipelines, field)
        if given is None or text != getattr(given, field):
            words += [option, shlex.quote(text)]
    return words


def _search(search: Search, options: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())  # fmt: skip
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("searching", total=options.trials)

        def progress(done: int, best: Variation | None) -> None:
            said = "searching" if best is None else f"best {best.figures.value:,.4g}"
            bar.update(task, completed=done, description=said)

        search.run(options.trials, jobs=options.jobs, progress=progress)


def _report(
    search: Search,
    options: argparse.Namespace,
    base: Figures,
    best: Variation,
    held_out: Sequence[tuple[str, Launch]],
) -> None:
    """Prints the result and its speedup on standard error."""
    from rich.console import Console

    from nvvm_xdsl.lab.tuning.trial import OBJECTIVES

    console = Console(
        stderr=True, width=120, highlight=False, markup=False, soft_wrap=True, color_system=None
    )
    tally = search.tally()
    refused = f", {tally.refused} of them rejected" if tally.refused else ""
    (launch,) = search.problem.launches
    console.print(
        f"@{plain_name(launch.kernel)}, {options.arch}: {tally.trials} variations of -O3{refused}"
    )
    if tally.wrong:
        pipelines, what = tally.wrong[0]
        words = " ".join(_words(pipelines))
        console.print(
            f"warning: {len(tally.wrong)} of them change the results, a bug of the compiler; the first: {what}: "
            f"nvvm-cc {options.file} {words}"
        )
    changes = search.space.changes(best.values)
    if not changes:
        console.print("none is better than -O3")
        return
    console.print(options.command or OBJECTIVES[options.objective].title, end=":\n")
    console.print(_comparison(search, base, best, held_out))
    if not held_out:
        console.print("no launch for validation could be derived: give one with --held-out")
    for figure in ("registers", "instructions", "occupancy"):
        before, after = getattr(base, figure), getattr(best.figures, figure)
        if before != after:
            console.print(f"{figure}: {before:g} to {after:g}")
    console.print("differences from -O3:")
    defaults = search.space.defaults()
    for name, value in changes.items():
        console.print(f"  {_difference(name, value, defaults[name])}")


def _comparison(
    search: Search, base: Figures, best: Variation, held_out: Sequence[tuple[str, Launch]]
) -> Table:
    """The costs of -O3 and of the result, by launch."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for index, head in enumerate(("launch", "-O3", "found", "ratio")):
        table.add_column(head, justify="right" if index else "left")

    def add(called: str, before: Figures, after: Figures) -> None:
        ratio = f"{after.value / before.value:.3f}" if before.value else ""
        table.add_row(called, f"{before.value:,.4g}", f"{after.value:,.4g}", ratio)

    add("searched on", base, best.figures)
    for called, launch in held_out:
        verdicts = search.judged_on(launch, best)
        if isinstance(verdicts, str):
            table.add_row(f"{called}: left out, {verdicts}")
        else:
            add(called, *verdicts)
    return table


def _difference(name: str, value: str, default: str) -> str:
    """A relative change as text."""
    if value == "off":
        return f"{name} left out"
    if name.startswith("+"):
        return f"{name[1:]} added"
    return f"{name.partition('<')[0]}<{value}> for {default}"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
