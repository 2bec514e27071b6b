"""`nvvm-cc --watch`: compiles again whenever an input or a file that it includes changes.

The process loads the compiler once. Each compilation runs in a forked child, so that it starts without imports and a
crash or a large module leaves nothing behind.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NoReturn

from nvvm_xdsl.driver.cuda import clang_command, cuda_options
from nvvm_xdsl.driver.files import CUDA_SUFFIXES
from nvvm_xdsl.ir.demangle import readable
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import run_guarded

if TYPE_CHECKING:
    from nvvm_xdsl.driver.options import CompileOptions

POLL_SECONDS: Final = 0.1
"""Polling interval of the files in seconds, and the time without changes that is required before a
compilation."""

MAX_KERNELS: Final = 5
"""Maximum number of kernels listed in a line; others are counted."""

_ENTRY = re.compile(r"^\s*(?:\.\w+\s+)*\.entry\s+([\w$%]+)", re.MULTILINE)

_WORD = re.compile(r"(?:\\.|[^\s\\])+")

Stamp = tuple[int, int, int] | None
"""The time of the last change in nanoseconds, the size in bytes and the inode of a file; None for no file."""


@dataclass(frozen=True)
class Outcome:
    """One compilation.

    Arguments:
        status: the exit status of the child.
        text: everything that the child printed to standard error.
        kernels: the names of the kernels, if the compilation succeeded.
        seconds: how long it took.
    """

    status: int
    text: str
    kernels: tuple[str, ...]
    seconds: float


def watch(files: Sequence[str], options: CompileOptions, compile: Callable[[], str]) -> NoReturn:
    """Compiles and prints a line to standard output, now and after every change, until an interrupt.

    Arguments:
        files: the inputs. Files that CUDA C++ includes are watched too.
        compile: compiles the inputs, writes the output, and returns PTX or LLVM assembly.
    Raises DiagnosticError if standard input is an input.
    """
    if "-" in files:
        raise DiagnosticError("--watch needs files: standard input does not change")
    import nvvm_xdsl.driver.preloaded  # noqa: F401  # pyright: ignore[reportUnusedImport]

    watched = set(files)
    while True:
        seen = stamps(watched)
        _print(compiled_in_child(compile), files)
        # A file that is included for the first time has no earlier stamp to compare with.
        watched = set(files).union(*(included(name, options) for name in files))
        seen = stamps(watched) | seen
        _wait_for_change(seen, watched)


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """The stamp of each file."""
    found: dict[str, Stamp] = {}
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            found[path] = None
        else:
            found[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def _wait_for_change(seen: dict[str, Stamp], watched: set[str]) -> None:
    """Returns when a file differs from its stamp and has stopped changing."""
    before = {path: seen[path] for path in watched}
    while (now := stamps(watched)) == before:
        time.sleep(POLL_SECONDS)
    while True:
        time.sleep(POLL_SECONDS)
        before, now = now, stamps(watched)
        if before == now:
            return


def included(name: str, options: CompileOptions) -> list[str]:
    """The files that a file of CUDA C++ includes; none for other inputs.

    Missing files are expected in the working directory and in the folder of the source.
    """
    if not name.endswith(CUDA_SUFFIXES):
        return []
    chosen = cuda_options(options)
    try:
        command = clang_command(name, replace(chosen, flags=(*chosen.flags, "-M", "-MG")))
    except DiagnosticError:
        return []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    _, _, names = done.stdout.replace("\\\n", " ").partition(": ")
    found = [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in _WORD.findall(names)]
    folder = os.path.dirname(name)
    return found + [os.path.join(folder, path) for path in found if not os.path.exists(path)]


def compiled_in_child(compile: Callable[[], str]) -> Outcome:
    """Runs a compilation in a forked process and waits for its end.

    Arguments:
        compile: see `watch`.
    """
    start = time.perf_counter()
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as names:
        child = os.fork()
        if not child:
            _run_child(compile, said.fileno(), names.fileno())
        try:
            _, waited = os.waitpid(child, 0)
        except BaseException:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            raise
        seconds = time.perf_counter() - start
        said.seek(0)
        names.seek(0)
        return Outcome(
            os.waitstatus_to_exitcode(waited),
            said.read().decode("utf-8", "replace"),
            tuple(names.read().decode().split()),
            seconds,
        )


def _run_child(compile: Callable[[], str], said: int, names: int) -> NoReturn:
    """The child: standard error goes to `said`, and the kernels' names to `names`."""
    status = 1
    try:
        os.dup2(said, 2)
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)

        def work() -> None:
            os.write(names, "\n".join(_ENTRY.findall(compile())).encode())

        status = run_guarded(work)
        sys.stderr.flush()
    finally:
        os._exit(status)


def _print(outcome: Outcome, files: Sequence[str]) -> None:
    """One line: the time, and the kernels or the error. A terminal gets the other lines of messages too."""
    shown = outcome.text
    if outcome.status == 0:
        line = f"{' '.join(files)}: {_kernels(outcome.kernels)} in {outcome.seconds:.2f} s"
    elif outcome.status < 0:
        line = f"{' '.join(files)}: error: signal {-outcome.status} ended the compilation"
    else:
        lines = outcome.text.splitlines(keepends=True)
        first = next((n for n, text in enumerate(lines) if "error: " in text), 0)
        line = lines.pop(first).rstrip() if lines else f"{' '.join(files)}: error"
        shown = "".join(lines)
    print(time.strftime("%H:%M:%S"), line, flush=True)
    if sys.stdout.isatty():
        print(shown, end="", flush=True)


def _kernels(names: Sequence[str]) -> str:
    if not names:
        return "no kernels"
    more = f" and {len(names) - MAX_KERNELS} more" if len(names) > MAX_KERNELS else ""
    return ", ".join(readable(name) for name in names[:MAX_KERNELS]) + more
