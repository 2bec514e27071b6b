"""The options of `nvvm-opt` and `nvvm-cc` that select and observe a pipeline."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nvvm_xdsl.pipeline.option_flags import LEVEL_HELP

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline.build import Node
    from nvvm_xdsl.pipeline.instrumentation import Instruments
    from nvvm_xdsl.pipeline.options import PassOptions

_SWITCHES = {
    "--time-passes": "print a table of the time that each pass took",
    "--stats": "print the passes' counters",
    "--verify-each": "verify the changed functions after every pass",
    "--verify-each-by-proof": "also spelled --verify-each=proof: prove with an SMT solver that every change of a pass is right, as nvvm-tv does",
    "--print-before-all": "print IR before every pass",
    "--print-after-all": "print IR after every pass",
    "--debug-pass-manager": "print each pass and analysis that runs, and its function",
}
_VALUES = {
    "--print-before": ("PASS,...", "print IR before these passes"),
    "--print-after": ("PASS,...", "print IR after these passes"),
    "--filter-print-funcs": ("NAME,...", "print only these functions"),
    "--stop-before": ("PASS[,N]", "end the pipeline before the N-th run of this pass"),
    "--stop-after": ("PASS[,N]", "end the pipeline after the N-th run of this pass"),
}
_FILES = {
    "--remarks": "write the remarks of passes to FILE, as YAML",
    "--crash-reproducer": "write the module and the pipeline to FILE when a pass fails",
}

_PATTERNS = {
    "--pass-remarks": "Passed",
    "--pass-remarks-missed": "Missed",
    "--pass-remarks-analysis": "Analysis",
}
"""LLVM's options that print remarks of passes whose names match, by the kind of remark."""

_LLVM_NAMES = {"--remarks": ("--pass-remarks-output",)}
"""Names of the same options in LLVM's tools."""


_SPELLINGS = {f"-opt={level}": f"-O{level}" for level in range(4)} | {
    f"{dashes}verify-each=proof": "--verify-each-by-proof" for dashes in ("-", "--")
}
"""Other spellings of options: libNVVM's levels, and a value of an option that usually has none."""


def join_values(argv: Sequence[str]) -> list[str]:
    """The arguments with each `-opt VALUE` joined to `-opt=VALUE`, because the value starts with a
    dash.

    libNVVM's `-opt=3` becomes `-O3`.
    """
    joined: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "-opt":
            value = next(words, None)
            if value is not None:
                word = f"-opt={value}"
        word = _SPELLINGS.get(word, word)
        joined.append(word)
    return joined


def add_fast_compile_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `-Ofast-compile=`, also spelled `-Ofc=`, and `-opt`."""
    parser.add_argument(
        "-Ofast-compile",
        "-Ofc",
        dest="fast_compile",
        default="0",
        metavar="0|min|mid|max",
        help="reduce compile time: max is fastest and optimizes least, 0 is off (default); -O1 to -O3 override this option",
    )
    add_opt_argument(parser)


def add_opt_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `-opt`, whose texts are stored as the list `pass_options`."""
    parser.add_argument(
        "-opt",
        dest="pass_options",
        action="append",
        default=[],
        metavar="'-KEY[=VALUE] ...'",
        help="options of the optimizer and its passes, for example '-do-licm=0 -remat-max-live-limit=50'",
    )


def add_level_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `-O0` to `-O3` without a default, `-Ofast-compile=` and `-opt`."""
    group = parser.add_mutually_exclusive_group()
    for level in range(4):
        group.add_argument(
            f"-O{level}", dest="opt_level", action="store_const", const=level,
            help=LEVEL_HELP[level],
        )  # fmt: skip
    add_fast_compile_arguments(parser)


def add_instrument_arguments(
    parser: argparse.ArgumentParser, *, known: Collection[str] = ()
) -> None:
    """Adds the options that observe or control the passes, except those that the parser already
    has."""
    add = parser.add_argument
    for name, text in _SWITCHES.items():
        if name not in known:
            add(name, action="store_true", help=text)
    for name, (metavar, text) in _VALUES.items():
        add(name, metavar=metavar, default="", help=text)
    add(
        "--print-changed",
        nargs="?",
        const="full",
        default="",
        choices=["full", "diff"],
        help="print the IR after every pass that changed it",
    )
    add("--opt-bisect-limit", type=int, metavar="N", help="run only the first N passes")
    for name, text in _FILES.items():
        add(name, *_LLVM_NAMES.get(name, ()), metavar="FILE", help=text)
    for name, kind in _PATTERNS.items():
        topic = {"Passed": "changes", "Missed": "missed optimizations"}.get(kind, "facts")
        add(
            name,
            metavar="REGEX",
            type=_pattern,
            help=f"print the remarks on {topic} of passes whose names match",
        )


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as e:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {e}") from None


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def instruments_of(arguments: argparse.Namespace) -> Instruments:
    """The instrumentation of the passes. Raises DiagnosticError for unknown passes."""
    from nvvm_xdsl.pipeline.instrumentation import Instruments

    for option in ("print_before", "print_after", "stop_before", "stop_after"):
        _check_pass_names(option, getattr(arguments, option))
    return Instruments(
        time_passes=arguments.time_passes,
        stats=arguments.stats,
        verify_each=arguments.verify_each or arguments.verify_each_by_proof,
        print_before=_names(arguments.print_before),
        print_after=_names(arguments.print_after),
        print_before_all=arguments.print_before_all,
        print_after_all=arguments.print_after_all,
        print_changed=arguments.print_changed,
        filter_print_funcs=_names(arguments.filter_print_funcs),
        opt_bisect_limit=arguments.opt_bisect_limit,
        stop_before=arguments.stop_before,
        stop_after=arguments.stop_after,
        debug_pass_manager=arguments.debug_pass_manager,
        remarks=arguments.remarks,
        shown_remarks={
            kind: pattern
            for option, kind in _PATTERNS.items()
            if (pattern := getattr(arguments, option[2:].replace("-", "_"))) is not None
        },
        crash_reproducer=arguments.crash_reproducer,
    )


def _check_pass_names(option: str, text: str) -> None:
    names = _names(text)
    if not names:
        return
    from nvvm_xdsl.ir.diagnostics import DiagnosticError
    from nvvm_xdsl.ir.suggestions import did_you_mean
    from nvvm_xdsl.passes import PASSES
    from nvvm_xdsl.pipeline.build import is_pass_name

    spelled = "--" + option.replace("_", "-")
    if option.startswith("stop_"):
        number = names[1] if len(names) > 1 else "1"
        if len(names) > 2 or not number.isdecimal() or number == "0":
            raise DiagnosticError(f"{spelled}: expected a pass and a number from 1, not '{text}'")
        names = names[:1]
    for name in names:
        if not is_pass_name(name):
            raise DiagnosticError(f"{spelled}: unknown pass '{name}'" + did_you_mean(name, PASSES))


def unread_notes(options: PassOptions) -> list[str]:
    """Warnings about documented options that have no effect here."""
    from nvvm_xdsl.pipeline.binding import unread_knobs

    return [
        f"-opt: '-{name}' has no effect: no pass implements it" for name in unread_knobs(options)
    ]


class Choice(NamedTuple):
    """The pipeline that the options select.

    Arguments:
        opt_level: the number of `-O`, None if not given.
        fast_compile: `max`, `mid`, `min` or empty.
        options: the options set by `-opt`.
    """

    opt_level: int | None
    fast_compile: str
    options: PassOptions


def chosen(arguments: argparse.Namespace) -> Choice:
    """Reads the options. Raises DiagnosticError for invalid values."""
    from nvvm_xdsl.pipeline.knobs import parse_opt
    from nvvm_xdsl.pipeline.levels import fast_compile_level
    from nvvm_xdsl.pipeline.options import PassOptions

    options = PassOptions()
    for text in arguments.pass_options:
        parse_opt(text, options)
    return Choice(arguments.opt_level, fast_compile_level(arguments.fast_compile), options)


def nodes_of(choice: Choice, passes: str | None) -> list[Node]:
    """The pipeline that the options and `--passes` select; empty if neither is given.

    Raises DiagnosticError if both are given, and PipelineError for text that cannot be parsed.
    """
    if passes is None and choice.opt_level is None and not choice.fast_compile:
        return []
    from nvvm_xdsl.pipeline.build import build_pipeline
    from nvvm_xdsl.pipeline.levels import select_pipeline, shortened

    name = select_pipeline(choice.opt_level, choice.fast_compile, passes)
    if passes is None:
        name = shortened(name)
    return build_pipeline(name, options=choice.options)
