"""`nvvm-reduce`: reduces a module on which a command fails."""

from __future__ import annotations

import argparse
import io
import linecache
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.time_limit import Clock, TimeLimitError, time_limit
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

DESCRIPTION = """\
Shrinks a failing module (functions, blocks, ops, operands, attributes) while a command that is run
on it still fails, that is, ends with a status other than 0."""

EPILOG = """\
{} in the command is replaced by the file; without it, the file is appended. Commands of this package,
such as nvvm-cc, run in the process of nvvm-reduce, which saves their startup time.

examples:
  nvvm-reduce bad.mlir --test 'nvvm-cc {} -arch sm_90 -o /dev/null' -o small.mlir
  nvvm-reduce bad.ll --test './check.sh' --match 'assertion failed'
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-reduce`."""
    parser = make_tool_parser("nvvm-reduce", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add("--test", required=True, metavar="COMMAND", help="the command; a status other than 0 means that the module is interesting (see --interesting)")  # fmt: skip
    add(
        "--interesting",
        choices=("failure", "success"),
        default="failure",
        help="status of the command for an interesting module: failure is any but 0 (default), success is 0, "
        "as for the tests of llvm-reduce",
    )
    add("--match", metavar="REGEX", help="the output of the command must match this expression")
    add(
        "-o",
        dest="output",
        default="-",
        metavar="OUT",
        help="output file for the reduced module; - is standard output (default)",
    )
    add(
        "--timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="time limit of one run of the command (default 60)",
    )
    add(
        "--attempts",
        type=int,
        default=5000,
        metavar="N",
        help="maximum number of candidates to test (default 5000)",
    )
    return parser


def own_tool(name: str) -> Callable[[Sequence[str]], int] | None:
    """The main function of one of this project's tools; None for any other command.

    If another program of the same name comes first on PATH, that program is run.
    """
    from importlib import import_module

    from nvvm_xdsl.tools.man_pages import TOOLS

    if name not in TOOLS:
        return None
    found = shutil.which(name)
    if found is not None and Path(found).parent != Path(sys.executable).parent:
        return None
    return import_module(TOOLS[name]).main


class _Command:
    """The interestingness test: the command must fail on the candidate."""

    def __init__(
        self, text: str, match: str | None, timeout: float, directory: str, success: bool = False
    ) -> None:
        try:
            self.pattern = None if match is None else re.compile(match)
            self.words = shlex.split(text)
        except (re.error, ValueError) as error:
            raise DiagnosticError(str(error)) from None
        if not self.words:
            raise DiagnosticError("the command is empty")
        self.timeout = timeout
        self.success = success
        self.path = Path(directory) / "candidate.mlir"
        self.tool = own_tool(self.words[0])

    def fails(self, module: ModuleOp) -> bool:
        """Returns True if the command fails on a module, or succeeds where `success` is interesting."""
        from nvvm_xdsl.pipeline.instrumentation import ir_text

        self.path.write_text(ir_text(module), encoding="utf-8")
        words = [w.replace("{}", str(self.path)) for w in self.words]
        if words == self.words:
            words.append(str(self.path))
        run = self._process if self.tool is None else self._in_process
        try:
            status, said = run(words)
        except (subprocess.TimeoutExpired, TimeLimitError):
            return False
        return (status == 0) is self.success and (
            self.pattern is None or self.pattern.search(said) is not None
        )

    def _process(self, words: Sequence[str]) -> tuple[int, str]:
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=self.timeout, check=False
            )
        except OSError as error:
            raise DiagnosticError(f"cannot run {words[0]}: {error.strerror}") from None
        return done.returncode, done.stdout + done.stderr

    def _in_process(self, words: Sequence[str]) -> tuple[int, str]:
        """One of this project's tools, whose modules are already imported."""
        assert self.tool is not None
        # Messages contain lines of the candidate, whose text changes each time.
        linecache.clearcache()
        text = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with redirect_stdout(text), redirect_stderr(text), time_limit(self.timeout, Clock.ELAPSED):
            status = self.tool(words[1:])
        text.seek(0)
        return status, text.read()


def _run(options: argparse.Namespace) -> None:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input, write_output
    from nvvm_xdsl.lab.reducer import Reducer
    from nvvm_xdsl.pipeline.instrumentation import ir_text

    name = STDIN_NAME if options.file == "-" else options.file
    module = parse(read_input(options.file), filename=name)
    with tempfile.TemporaryDirectory() as directory:
        success = options.interesting == "success"
        command = _Command(options.test, options.match, options.timeout, directory, success)
        reducer = Reducer(
            command.fails, lambda text: print(text, file=sys.stderr), options.attempts
        )
        try:
            small = reducer.reduce(module)
        except ValueError:
            does = "does not succeed" if success else "does not fail"
            raise DiagnosticError(f"the command {does} on {name}") from None
    write_output(options.output, ir_text(small))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
