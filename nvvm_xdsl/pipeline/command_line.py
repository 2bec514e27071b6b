"""The options of `nvvm-opt` and `nvvm-cc` that choose a pipeline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from nvvm_xdsl.pipeline.build import Node, build_pipeline
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.pipeline.levels import (
    TargetFacts,
    fast_compile_level,
    pipeline_text,
    select_pipeline,
)
from nvvm_xdsl.pipeline.options import PassOptions


def join_values(argv: Sequence[str]) -> list[str]:
    """The arguments with each `-opt VALUE` as `-opt=VALUE`: the value starts with a dash too."""
    joined: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "-opt":
            value = next(words, None)
            if value is not None:
                word = f"-opt={value}"
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
        help="compile fast: at max as fast as possible; -O1 to -O3 win over it",
    )
    parser.add_argument(
        "-opt",
        dest="pass_options",
        action="append",
        default=[],
        metavar="'-KEY[=VALUE] ...'",
        help="options of the optimizer and its passes, as '-do-licm=0 -remat-max-live-limit=50'",
    )


def add_level_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `-O0` to `-O3` without a default, `-Ofast-compile=` and `-opt`."""
    group = parser.add_mutually_exclusive_group()
    for level in range(4):
        group.add_argument(
            f"-O{level}", dest="opt_level", action="store_const", const=level,
            help="run the pipeline nvopt<O0> ... nvopt<O3>" if level == 0 else argparse.SUPPRESS,
        )  # fmt: skip
    add_fast_compile_arguments(parser)


@dataclass(frozen=True)
class Choice:
    """What the options say of the pipeline.

    Arguments:
        opt_level: the number of `-O`, None when not given.
        fast_compile: `max`, `mid`, `min` or empty.
        options: what `-opt` set.
    """

    opt_level: int | None
    fast_compile: str
    options: PassOptions


def chosen(arguments: argparse.Namespace) -> Choice:
    """Reads the options. Raises DiagnosticError for values that do not exist."""
    options = PassOptions()
    for text in arguments.pass_options:
        parse_opt(text, options)
    return Choice(arguments.opt_level, fast_compile_level(arguments.fast_compile), options)


def nodes_of(choice: Choice, passes: str | None, target: TargetFacts | None = None) -> list[Node]:
    """The pipeline that options and `--passes` ask for; empty when neither does.

    Raises DiagnosticError when both do, and PipelineError for text that cannot be parsed.
    """
    if passes is None and choice.opt_level is None and not choice.fast_compile:
        return []
    name = select_pipeline(choice.opt_level, choice.fast_compile, passes)

    def expand(parameter: str) -> str:
        return pipeline_text(parameter, target, choice.options)

    return build_pipeline(name, expand)
