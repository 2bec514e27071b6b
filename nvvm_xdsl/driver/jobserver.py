"""Client of GNU make's jobserver, which limits the processes of a compiler under `make -jN`.

Make keeps a pipe with one byte for each further job that may run. A process that make starts may run
one job, its implicit token. For each further job it reads a byte, and it writes the same byte back
when the job has ended. `MAKEFLAGS` names the pipe (GNU make manual, "Sharing Job Slots with GNU
make"): `--jobserver-auth=R,W` or, before make 4.2, `--jobserver-fds=R,W`, two inherited file
descriptors; `--jobserver-auth=fifo:PATH` since make 4.4.

The messages are those of 000 LLVM Optimizer ("GNU Jobserver Integration"). Problems of the pipe,
its codes 5 and 6, are not errors.
"""

from __future__ import annotations

import os
import re
import signal
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from nvvm_xdsl.ir.diagnostics import DiagnosticError

PIPE_WARNING = "jobserver pipe problem"
FATAL = "GNU Jobserver support requested, but an error occurred"

_OPTION = re.compile(r"--jobserver-(?:auth|fds)=(\S+)")
_DESCRIPTORS = re.compile(r"(-?\d+),(-?\d+)")
_FIFO = "fifo:"


class PipeProblem(Exception):
    """There is no usable pipe of a jobserver; the compiler works without one."""


def find(environment: Mapping[str, str] | None = None) -> Jobserver:
    """The jobserver that `MAKEFLAGS` names.

    Raises PipeProblem if it names none, or one that is closed in this process: make passes its pipe
    only to recipes that are marked with `+` or contain `$(MAKE)`. Raises DiagnosticError for an
    option that cannot be parsed.
    """
    flags = (os.environ if environment is None else environment).get("MAKEFLAGS", "")
    # Variables follow ` -- `. The last of several options is that of the innermost make.
    found = _OPTION.findall(flags.partition(" -- ")[0])
    if not found:
        raise PipeProblem
    where = found[-1]
    try:
        if where.startswith(_FIFO):
            return Jobserver(*_open_fifo(where.removeprefix(_FIFO)))
        numbers = _DESCRIPTORS.fullmatch(where)
        if numbers is None:
            raise DiagnosticError(f"{FATAL}: '{where}'")
        return Jobserver(*_open_pipe(int(numbers[1]), int(numbers[2])))
    except OSError:
        raise PipeProblem from None


def _open_fifo(path: str) -> tuple[int, int]:
    # Opened for reading and writing, so that opening does not wait for the other end.
    descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    return _checked(descriptor), os.dup(descriptor)


def _open_pipe(read: int, write: int) -> tuple[int, int]:
    """The pipe as open files of this process.

    Reading must not block. The flag for that belongs to the open file, which make and all of its
    children share, so that the pipe is opened again.

    Raises OSError for descriptors that are closed or were not inherited. A descriptor that make passes on
    has no close-on-exec flag; one that this process opened, such as the worker pool's pipes, has it.
    """
    if read < 0 or write < 0:
        raise OSError("make has no jobserver for this process")
    for descriptor in (read, write):
        if not os.get_inheritable(descriptor):
            raise OSError("not inherited from make")
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            raise OSError("not a pipe")
    reading = os.open(f"/proc/self/fd/{read}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    return _checked(reading), os.dup(write)


def _checked(descriptor: int) -> int:
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("not a pipe")
    return descriptor


@contextmanager
def _undisturbed() -> Generator[None]:
    """Defers signals: an exception between taking a token and recording it would lose the token."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


class Jobserver:
    """Takes tokens and returns them; `close` returns the tokens that are still held.

    Arguments:
        read, write: non-blocking descriptors of the pipe, which this object then owns.
    """

    def __init__(self, read: int, write: int) -> None:
        self._read = read
        self._write = write
        self._held = bytearray()
        self._open = True

    @property
    def jobs(self) -> int:
        """The number of jobs that may run now: one more than the number of tokens held."""
        return 1 + len(self._held)

    def request(self, jobs: int) -> int:
        """Takes available tokens until this number of jobs may run, or returns surplus tokens;
        returns the number of `jobs` that may run."""
        with _undisturbed():
            while self._open and len(self._held) < jobs - 1:
                try:
                    taken = os.read(self._read, 1)
                except OSError:
                    break
                if not taken:
                    # Make has gone.
                    break
                self._held += taken
            self._give_back(max(jobs - 1, 0))
        return self.jobs

    def _give_back(self, keep: int = 0) -> None:
        """Returns all tokens but this number; they are lost if make has exited."""
        while len(self._held) > keep:
            try:
                os.write(self._write, self._held[-1:])
            except OSError:
                pass
            del self._held[-1:]

    def close(self) -> None:
        """Returns all tokens and closes the pipe."""
        with _undisturbed():
            if self._open:
                self._give_back()
                self._open = False
                os.close(self._read)
                os.close(self._write)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
