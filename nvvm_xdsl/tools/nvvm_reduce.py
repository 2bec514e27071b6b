"""`nvvm-reduce`: makes a module small that a command fails on."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

DESCRIPTION = """\
Shrinks a failing module (functions, blocks, ops, operands, attributes) while a command that is run
on it still fails, that is, ends with a status other than 0."""

EPILOG = """\
{} in the command stands for the file; without it the file is added at the end.

examples:
  nvvm-reduce bad.mlir --test 'nvvm-cc {} -arch sm_90 -o /dev/null' -o small.mlir
  nvvm-reduce bad.ll --test './check.sh' --match 'assertion failed'
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-reduce`."""
    parser = make_tool_parser("nvvm-reduce", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add("--test", required=True, metavar="COMMAND", help="fails on the module")
    add("--match", metavar="REGEX", help="the command's output must match this too")
    add(
        "-o",
        dest="output",
        default="-",
        metavar="OUT",
        help="the small module; - is standard output, the default",
    )
    add(
        "--timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="of one run of the command (default 60)",
    )
    add(
        "--attempts",
        type=int,
        default=5000,
        metavar="N",
        help="candidates to try at most (default 5000)",
    )
    return parser


class _Command:
    """The test that a candidate must fail."""

    def __init__(self, text: str, match: str | None, timeout: float, directory: str) -> None:
        try:
            self.pattern = None if match is None else re.compile(match)
            self.words = shlex.split(text)
        except (re.error, ValueError) as error:
            raise DiagnosticError(str(error)) from None
        if not self.words:
            raise DiagnosticError("the command is empty")
        self.timeout = timeout
        self.path = Path(directory) / "candidate.mlir"

    def fails(self, module: ModuleOp) -> bool:
        """Whether the command fails on a module."""
        from nvvm_xdsl.pipeline.instrumentation import ir_text

        self.path.write_text(ir_text(module), encoding="utf-8")
        words = [w.replace("{}", str(self.path)) for w in self.words]
        if words == self.words:
            words.append(str(self.path))
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=self.timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        except OSError as error:
            raise DiagnosticError(f"cannot run {words[0]}: {error.strerror}") from None
        if done.returncode == 0:
            return False
        return self.pattern is None or self.pattern.search(done.stdout + done.stderr) is not None


def _run(options: argparse.Namespace) -> None:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input, write_output
    from nvvm_xdsl.pipeline.instrumentation import ir_text
    from nvvm_xdsl.testing.reducer import Reducer

    name = STDIN_NAME if options.file == "-" else options.file
    module = parse(read_input(options.file), filename=name)
    with tempfile.TemporaryDirectory() as directory:
        command = _Command(options.test, options.match, options.timeout, directory)
        reducer = Reducer(
            command.fails, lambda text: print(text, file=sys.stderr), options.attempts
        )
        try:
            small = reducer.reduce(module)
        except ValueError:
            raise DiagnosticError(f"the command does not fail on {name}") from None
    write_output(options.output, ir_text(small))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
