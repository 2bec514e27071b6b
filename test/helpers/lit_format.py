"""Runs RUN lines in this process: the tools are imported once and a test takes milliseconds.

`lit` uses it through `InProcessFormat` (lit.cfg.py), pytest through conftest.py. A test is a `.mlir`, `.ll`
or `.ptx` file with RUN lines in lit's syntax:

    // RUN: nvvm-opt %s -p 'dce' | filecheck %s
    // RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s --check-prefix=ERROR
    // REQUIRES: ptxas

Commands of `TOOLS` are called as functions; every other command is a process. Lines that begin with
`RUN-CLI:` run the project's tools as processes too. `%s` is the test, `%S` its folder, `%t` a temporary file,
`%root` the repository. A tool that ends in a traceback or an internal error fails its test, under `not` as
well.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import lit.formats
import lit.Test
from lit.ShCommands import Command, GlobItem, Pipeline, Seq
from lit.ShUtil import ShParser

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".mlir", ".ll", ".ptx")
TIMEOUT_SECONDS = 120
CRASHED = 134
"""Status of a tool that ended in an exception: that of a process that aborts."""

NOT_FOUND = 127
"""Status of a missing command, as in a shell."""

_INTERNAL_ERROR = b"error: internal error"
_TRACEBACK = b"Traceback (most recent call last)"

_DIRECTIVE = re.compile(rb"(?:^|[^\w-])(RUN|RUN-CLI|REQUIRES|XFAIL):[ \t]*(.*?)[ \t\r]*$", re.M)


@dataclass
class Script:
    """The directives of one test file."""

    in_process: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)
    requires: list[str] = field(default_factory=list)


@dataclass
class Outcome:
    """The result of a test: "pass", "fail" or "skip", and the reason."""

    status: str
    message: str = ""


def _nvvm_opt(args: list[str]) -> int | None:
    from nvvm_xdsl.tools import nvvm_opt

    return nvvm_opt.main(args)


def _nvvm_cc(args: list[str]) -> int | None:
    from nvvm_xdsl.tools import nvvm_cc

    return nvvm_cc.main(args)


def _nvvm_view(args: list[str]) -> int | None:
    from nvvm_xdsl.tools import nvvm_view

    return nvvm_view.main(args)


def _xdsl_opt(args: list[str]) -> int | None:
    from xdsl.xdsl_opt_main import xDSLOptMain

    xDSLOptMain(args=args).run()
    return 0


def _filecheck(args: list[str]) -> int | None:
    from filecheck.matcher import Matcher
    from filecheck.options import parse_argv_options

    return Matcher.from_opts(parse_argv_options(["filecheck", *args])).run()


def _cat(args: list[str]) -> int | None:
    if not args:
        sys.stdout.write(sys.stdin.read())
    for name in args:
        sys.stdout.write(Path(name).read_text())
    return 0


def _echo(args: list[str]) -> int | None:
    print(" ".join(args))
    return 0


TOOLS: dict[str, Callable[[list[str]], int | None]] = {
    "nvvm-opt": _nvvm_opt,
    "nvvm-cc": _nvvm_cc,
    "nvvm-view": _nvvm_view,
    "xdsl-opt": _xdsl_opt,
    "filecheck": _filecheck,
    "cat": _cat,
    "echo": _echo,
}

EXTERNAL = ("mlir-opt", "mlir-translate", "opt", "llc", "llvm-as")
"""LLVM's and MLIR's own tools, optional: a test that runs one has `REQUIRES: mlir-opt`."""


@cache
def find_program(name: str) -> str | None:
    """Returns the path of a command: beside this Python, in the `cuda` extra, or on PATH."""
    if name == "ptxas":
        from nvvm_xdsl.driver.toolkit import find_ptxas

        found = find_ptxas()
        return None if found is None else str(found)
    beside = Path(sys.executable).parent / name
    if beside.exists():
        return str(beside)
    if name in EXTERNAL:
        # The dialects follow MLIR 22; an older one prints other assembly.
        return shutil.which(f"{name}-22")
    return shutil.which(name)


@cache
def has_feature(name: str) -> bool:
    """Returns whether the condition of a `REQUIRES:` line holds."""
    if name == "libdevice":
        from nvvm_xdsl.driver.toolkit import find_libdevice

        return find_libdevice() is not None
    return find_program(name) is not None


def read_script(path: Path) -> Script | None:
    """Returns the RUN and REQUIRES lines of a file; None without a RUN line, since it is then not a test."""
    script = Script()
    pending: tuple[str, str] | None = None
    for match in _DIRECTIVE.finditer(path.read_bytes()):
        keyword = match.group(1).decode()
        text = match.group(2).decode("utf-8", "replace")
        if keyword == "REQUIRES":
            script.requires += [word for word in re.split(r"[,\s]+|&&", text) if word]
            continue
        if keyword == "XFAIL":
            raise ValueError(f"{path.name}: XFAIL is not supported")
        if pending is not None and pending[0] == keyword:
            text = f"{pending[1]} {text}"
            pending = None
        if text.endswith("\\"):
            pending = (keyword, text[:-1].rstrip())
        elif keyword == "RUN":
            script.in_process.append(text)
        else:
            script.processes.append(text)
    if pending is not None:
        raise ValueError(f"{path.name}: the last {pending[0]} line is continued by none")
    return script if script.in_process or script.processes else None


def substitute(line: str, path: Path, temporary: Path) -> str:
    """Returns the line with lit's `%` words replaced."""
    values = {
        "%%": "%",
        "%s": str(path),
        "%S": str(path.parent),
        "%t": str(temporary / path.name) + ".tmp",
        "%T": str(temporary),
        "%root": str(ROOT),
    }
    return re.sub(r"%root\b|%[sSt](?![A-Za-z0-9_])|%T\b|%%", lambda m: values[m.group()], line)


class _Capture(io.BytesIO):
    """A stream that survives the text stream around it, which a tool may close."""

    def close(self) -> None:
        pass


@contextmanager
def _streams(stdin: bytes, merge: bool) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    saved = sys.stdin, sys.stdout, sys.stderr
    out = _Capture()
    err = out if merge else _Capture()
    wrapped_out = io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True)
    wrapped_err = (
        wrapped_out
        if merge
        else io.TextIOWrapper(err, "utf-8", errors="backslashreplace", write_through=True)
    )
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    sys.stdout, sys.stderr = wrapped_out, wrapped_err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved


@contextmanager
def _unchanged_globals() -> Iterator[None]:
    """Undoes the changes of `--disable-verify` and `--syntax-highlight` to global state of xDSL."""
    from xdsl.ir import Attribute
    from xdsl.utils.diagnostic import Diagnostic

    post_init = Attribute.__post_init__
    colored = Diagnostic.colored
    try:
        yield
    finally:
        Attribute.__post_init__ = post_init
        Diagnostic.colored = colored


def call_tool(
    name: str, args: list[str], stdin: bytes = b"", *, merge: bool = False
) -> tuple[int, bytes, bytes]:
    """Runs one of `TOOLS` here; returns status, standard output and standard error.

    A tool that ends in an exception, or reports an internal error, has status `CRASHED`.
    """
    with _streams(stdin, merge) as (out, err), _unchanged_globals():
        try:
            status = TOOLS[name](args) or 0
        except SystemExit as exit_:
            code = exit_.code
            if code is None or isinstance(code, int):
                status = code or 0
            else:
                print(code, file=sys.stderr)
                status = 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            traceback.print_exc(limit=-8)
            status = CRASHED
    if status != 0 and _INTERNAL_ERROR in (out.getvalue() if merge else err.getvalue()):
        status = CRASHED
    return status, out.getvalue(), b"" if merge else err.getvalue()


def _run_process(
    args: list[str], stdin: bytes, *, merge: bool, cwd: Path
) -> tuple[int, bytes, bytes]:
    program = find_program(args[0])
    if program is None:
        return NOT_FOUND, b"", f"{args[0]}: command not found\n".encode()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [program, *args[1:]],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge else subprocess.PIPE,
        timeout=TIMEOUT_SECONDS,
        cwd=cwd,
        env=environment,
        check=False,
    )
    status, err = done.returncode, done.stderr or b""
    reported = done.stdout if merge else err
    if status != 0 and (_TRACEBACK in reported or _INTERNAL_ERROR in reported):
        status = CRASHED
    return status, done.stdout, err


class Runner:
    """Executes command lines; `output` holds their output, `log` the errors."""

    def __init__(self, temporary: Path, in_process: bool) -> None:
        self.temporary = temporary
        self.in_process = in_process
        self.log: list[str] = []
        self.output = ""

    def run(self, node: Command | Pipeline | Seq) -> int:
        if isinstance(node, Seq):
            status = self.run(node.lhs)
            if (node.op == "&&" and status != 0) or (node.op == "||" and status == 0):
                return status
            return self.run(node.rhs)
        assert isinstance(node, Pipeline)
        stdin = b""
        failed = 0
        for command in node.commands:
            status, stdin, err = self._command(command, stdin)
            if err:
                self.log.append(err.decode("utf-8", "replace").rstrip())
            if status != 0 and failed == 0:
                failed = status
                self.log.append(f"{command.args[0]}: exit status {status}")
        reported = stdin.decode("utf-8", "replace")
        self.output += reported
        if failed and reported:
            self.log.append(reported.rstrip()[:4000])
        return failed

    def _command(self, command: Command, stdin: bytes) -> tuple[int, bytes, bytes]:
        args: list[str] = []
        for arg in command.args:
            if isinstance(arg, GlobItem):
                args += [str(found) for found in arg.resolve(str(self.temporary))]
            else:
                args.append(arg)
        negate = False
        while args and args[0] == "not":
            negate = not negate
            args = args[1:]
        if not args:
            return 2, b"", b"not: a command is missing\n"

        merge = False
        out_file: tuple[str, str] | None = None
        err_file: str | None = None
        for (operator, *descriptor), target in command.redirects:
            match operator, descriptor:
                case ">&", [2] if target == "1":
                    merge = True
                case ((">" | ">>"), []) if not merge:
                    out_file = (target, "wb" if operator == ">" else "ab")
                case ">", [2]:
                    err_file = target
                case "&>", []:
                    out_file = (target, "wb")
                    merge = True
                case "<", []:
                    stdin = Path(target).read_bytes()
                case _:
                    return 2, b"", f"redirection {operator} is not supported\n".encode()

        if self.in_process and args[0] in TOOLS:
            status, out, err = call_tool(args[0], args[1:], stdin, merge=merge)
        elif args[0] in ("cat", "echo"):
            status, out, err = call_tool(args[0], args[1:], stdin, merge=merge)
        else:
            status, out, err = _run_process(args, stdin, merge=merge, cwd=self.temporary)
        if out_file is not None:
            with open(out_file[0], out_file[1]) as stream:
                stream.write(out)
            out = b""
        if err_file is not None:
            Path(err_file).write_bytes(err)
            err = b""
        if negate and status not in (CRASHED, NOT_FOUND) and status >= 0:
            status = 0 if status != 0 else 1
        return status, out, err


def run_test(path: Path) -> Outcome:
    """Runs every RUN line of a test."""
    script = read_script(path)
    if script is None:
        return Outcome("fail", "no RUN line")
    for feature in script.requires:
        if not has_feature(feature):
            return Outcome("skip", f"{feature} is not on this machine")
    with tempfile.TemporaryDirectory(prefix="nvvm-lit-") as folder:
        temporary = Path(folder)
        for in_process, lines in ((True, script.in_process), (False, script.processes)):
            for line in lines:
                runner = Runner(temporary, in_process)
                try:
                    tree = ShParser(substitute(line, path, temporary), pipefail=True).parse()
                    status = runner.run(tree)
                except subprocess.TimeoutExpired as error:
                    return Outcome("fail", f"RUN: {line}\n{error}")
                if status != 0:
                    details = "\n".join(runner.log)
                    return Outcome("fail", f"RUN: {line}\n{details}")
    return Outcome("pass")


class InProcessFormat(lit.formats.FileBasedTest):
    """The test format for lit."""

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig):
            if read_script(Path(test.getSourcePath())) is not None:
                yield test

    def execute(self, test, litConfig):
        outcome = run_test(Path(test.getSourcePath()))
        code = {"pass": lit.Test.PASS, "fail": lit.Test.FAIL, "skip": lit.Test.UNSUPPORTED}
        return code[outcome.status], outcome.message
