"""`nvvmd`: the resident process that compiles for `nvvm-cc --server`.

It imports the compiler once. Each request is compiled in a forked child, so that no state is kept and memory is returned.
The child has the arguments, working directory, environment and standard streams of the client. One child is forked before its
request and compiles a kernel, because the first writes to the pages that it shares with its parent take as long as a small kernel.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, NoReturn

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import server_client
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

DESCRIPTION = """\
The resident process of nvvm-cc --server. nvvm-cc starts it; it ends when it is idle.
Each user has one process for each version of the compiler. Only this user can connect to it."""

EPILOG = """\
examples:
  nvvmd --idle 3600 &              keep the compiler loaded for an hour after the last compilation
  nvvmd --stop                     end the process of this version
  NVVM_XDSL_SERVER=1 nvvm-cc k.ll -o k.ptx          compile in it, and start it if it does not run
  NVVMD_OPTIONS="--idle 60 --memory 4096" nvvm-cc --server k.ll -o k.ptx   options for the start
"""

IDLE_SECONDS: Final = 600.0
"""The default time without a compilation after which the process ends."""

REQUEST_SECONDS: Final = 2.0
"""Time limit in seconds for a client to send its request."""

KILL_SECONDS: Final = 2.0
"""The time between the signals that end a compilation, SIGTERM and SIGKILL."""

ARCHITECTURES: Final = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
"""Pipelines for these architectures are constructed before the first request."""

WARM_UP_ARCHITECTURE: Final = "sm_90"

_MOST_REQUEST_BYTES: Final = 16 << 20


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvmd`."""
    parser = make_tool_parser("nvvmd", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("--idle", type=_positive, default=IDLE_SECONDS, metavar="SECONDS", help=f"end after this time without a compilation, in seconds (default: {IDLE_SECONDS:g})")  # fmt: skip
    add("--memory", type=_positive, metavar="MIB", help="limit of the address space of a compilation in MiB (default: none)")  # fmt: skip
    add("--time-limit", type=_positive, metavar="SECONDS", help="time limit of a compilation in seconds (default: none)")  # fmt: skip
    add("--stop", action="store_true", help="end the running process and its compilations")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e9:
        raise ValueError(text)
    return value


class Limits(NamedTuple):
    """Limits of the server and of its compilations.

    Arguments:
        idle: seconds without a compilation after which the server ends.
        memory: MiB of address space of a compilation; None for no limit.
        time: seconds of a compilation; None for no limit.
    """

    idle: float = IDLE_SECONDS
    memory: float | None = None
    time: float | None = None


class _Job:
    """A compilation.

    Arguments:
        process: the child, which leads its process group.
        connection: to the client.
        deadline: the monotonic time at which the next signal ends the child; None for no limit.
    """

    def __init__(self, process: int, connection: socket.socket, deadline: float | None) -> None:
        self.process = process
        self.connection = connection
        self.descriptor = os.pidfd_open(process)
        self.deadline = deadline
        self.signal = signal.SIGTERM


class Server:
    """Accepts connections and passes each to a forked child.

    Arguments:
        listener: a listening socket.
        limits: limits of time and memory.
        sources: `source_state` before the import of the compiler.
        work: compiles the words of a command line and returns the status.
        warm_up: runs in a child before its request.
    """

    def __init__(
        self,
        listener: socket.socket,
        limits: Limits,
        sources: int,
        work: Callable[[list[str]], int],
        warm_up: Callable[[], object],
    ) -> None:
        self._listener = listener
        self._limits = limits
        self._work = work
        self._warm_up = warm_up
        self._sources = sources
        self._jobs: dict[int, _Job] = {}
        self._poll = select.poll()
        self._poll.register(listener, select.POLLIN)
        self._open = True
        self._fork_child()

    def serve(self) -> None:
        """Returns after the idle time, or after the last compilation if the compiler's files have changed."""
        idle_since = time.monotonic()
        while self._open or self._jobs:
            now = time.monotonic()
            if self._jobs:
                idle_since = now
            elif now - idle_since >= self._limits.idle:
                return
            for number, _ in self._poll.poll(self._milliseconds(idle_since)):
                if self._open and number == self._listener.fileno():
                    self._accept()
                elif number in self._jobs:
                    self._attend(number)
            self._enforce_deadlines()

    def _milliseconds(self, idle_since: float) -> float | None:
        """The time to the next deadline; None if there is none."""
        ends = [job.deadline for job in self._jobs.values() if job.deadline is not None]
        if not self._jobs:
            ends = [idle_since + self._limits.idle]
        return max(0.0, min(ends) - time.monotonic()) * 1000 + 1 if ends else None

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        if server_client.peer(connection)[1] != os.geteuid():
            connection.close()
            return
        if source_state() != self._sources:
            # The client compiles with the new files; the next one starts a new server.
            connection.close()
            self._poll.unregister(self._listener)
            self._listener.close()
            self._open = False
            return
        child, pipe = self._child, self._pipe
        try:
            socket.send_fds(pipe, [b"r"], [connection.fileno()])
        except OSError:
            os.waitpid(child, 0)
            connection.close()
        else:
            self._start_job(child, connection)
        pipe.close()
        self._fork_child()

    def _start_job(self, child: int, connection: socket.socket) -> None:
        deadline = None if self._limits.time is None else time.monotonic() + self._limits.time
        job = _Job(child, connection, deadline)
        for number, events in (
            (job.descriptor, select.POLLIN),
            (connection.fileno(), select.POLLRDHUP),
        ):
            self._jobs[number] = job
            self._poll.register(number, events)

    def _fork_child(self) -> None:
        """Forks the child that gets the next connection."""
        self._pipe, other = socket.socketpair()
        self._child = os.fork()
        if not self._child:
            self._run_child(other)
        other.close()
        with suppress(OSError):
            os.setpgid(self._child, self._child)

    def _attend(self, number: int) -> None:
        """Reports the end of a child, or ends the child of a client that is gone."""
        job = self._jobs[number]
        if number != job.descriptor:
            self._poll.unregister(job.connection)
            self._end(job)
            return
        _, waited = os.waitpid(job.process, 0)
        status = os.waitstatus_to_exitcode(waited)
        if status < 0:
            # The child reports every other end itself.
            with suppress(OSError):
                _send_number(job.connection, status)
        for other in (job.descriptor, job.connection.fileno()):
            with suppress(KeyError):
                self._poll.unregister(other)
            del self._jobs[other]
        os.close(job.descriptor)
        job.connection.close()

    def _end(self, job: _Job) -> None:
        """Sends the job's next signal to the process group."""
        with suppress(ProcessLookupError):
            os.killpg(job.process, job.signal)
        job.signal = signal.SIGKILL
        job.deadline = time.monotonic() + KILL_SECONDS

    def _enforce_deadlines(self) -> None:
        for job in self._jobs.values():
            if job.deadline is not None and job.deadline <= time.monotonic():
                self._end(job)

    def _run_child(self, pipe: socket.socket) -> NoReturn:
        """Waits for a connection and compiles its request. Ends without one if the server ends."""
        status = 1
        started = False
        connection: socket.socket | None = None
        try:
            with suppress(OSError):
                os.setpgid(0, 0)
            pipe = socket.socket(fileno=os.dup2(pipe.detach(), 3))
            os.closerange(4, os.sysconf("SC_OPEN_MAX"))
            if not select.select([pipe], [], [], 0)[0]:
                self._warm_up()
            _, descriptors, _, _ = socket.recv_fds(pipe, 1, 1)
            if not descriptors:
                os._exit(0)
            connection = socket.socket(fileno=descriptors[0])
            words = _adopt(connection)
            if words is None:
                os._exit(1)
            if self._limits.memory is not None:
                import resource

                most = int(self._limits.memory * (1 << 20))
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            _send_number(connection, os.getpid())
            if not connection.recv(1):
                # The client did not wait, and compiles in its own process.
                os._exit(1)
            connection.settimeout(None)
            started = True
            status = self._work(words)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
        except BaseException as error:
            sys.excepthook(type(error), error, error.__traceback__)
        finally:
            if connection is not None and started:
                with suppress(OSError):
                    _send_number(connection, status)
            os._exit(status)


def _send_number(connection: socket.socket, number: int) -> None:
    connection.sendall(number.to_bytes(4, "little", signed=True))


def source_state(folder: str = os.path.join(server_client.ROOT, "nvvm_xdsl")) -> int:
    """A number that changes if a file in the folder is changed, added or removed. It does not depend on the clock."""
    found: list[tuple[str, int, int]] = []
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    status = entry.stat()
                    found.append((entry.path, status.st_mtime_ns, status.st_size))
    return hash(tuple(sorted(found)))


def _adopt(connection: socket.socket) -> list[str] | None:
    """Reads a request and takes over its streams, directory and environment. Returns its command line.

    None if the request is incomplete, or of a client of another version.
    """
    connection.settimeout(REQUEST_SECONDS)
    data, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    size = int.from_bytes(data[:8], "little")
    if len(streams) != 3 or len(data) < 8 or size > _MOST_REQUEST_BYTES:
        return None
    while len(data) < size + 8:
        more = connection.recv(1 << 16)
        if not more:
            return None
        data += more
    identity, folder, mask, count, *rest = data[8:].decode("utf-8", "surrogateescape").split("\0")
    if identity != server_client.identity():
        return None
    os.chdir(folder)
    os.umask(int(mask))
    words, variables = rest[: int(count)], rest[int(count) :]
    os.environ.clear()
    for variable in variables:
        name, _, value = variable.partition("=")
        os.environ[name] = value
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    _reopen_streams()
    time.tzset()
    return words


def _reopen_streams() -> None:
    """Replaces the standard streams, whose buffering depends on the kind of file."""
    sys.stdin = open(0, encoding=sys.stdin.encoding, closefd=False)
    for name, errors in (("stdout", sys.stdout.errors), ("stderr", "backslashreplace")):
        number = 1 if name == "stdout" else 2
        made = open(number, "w", encoding=sys.stdout.encoding, errors=errors, closefd=False)
        made.reconfigure(line_buffering=number == 2 or os.isatty(number))
        setattr(sys, name, made)


def _preload() -> tuple[Callable[[list[str]], int], Callable[[], object]]:
    """Imports the compiler and compiles kernels. Returns the functions that run `nvvm-cc` and compile a kernel."""
    import gc

    from nvvm_xdsl.driver import cache, preloaded
    from nvvm_xdsl.driver.compile import compile
    from nvvm_xdsl.tools import cc_main

    for name in ARCHITECTURES:
        compile(preloaded.FIRST, arch=name)
    cc_main.make_parser()
    cache.compiler()
    gc.collect()
    gc.freeze()
    gc.disable()
    return cc_main.run, lambda: compile(preloaded.FIRST, arch=WARM_UP_ARCHITECTURE)


def _listen(path: str) -> socket.socket | None:
    """A listening socket that replaces that of a server that has ended; None if a server runs."""
    import fcntl

    lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    with suppress(FileNotFoundError):
        os.unlink(path)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(path)
    return made


def _run(arguments: argparse.Namespace) -> int:
    if not server_client.SUPPORTED:
        raise DiagnosticError("nvvmd needs Linux")
    path = server_client.socket_path()
    if arguments.stop:
        return _stop(path)
    listener = _listen(path)
    if listener is None:
        print("nvvmd: a process of this version runs already", file=sys.stderr)
        return 1
    sources = source_state()
    functions = _preload()
    # Clients are refused until now, and compile in their own processes.
    listener.listen(128)
    limits = Limits(arguments.idle, arguments.memory, arguments.time_limit)
    Server(listener, limits, sources, *functions).serve()
    return 0


def _stop(path: str) -> int:
    try:
        connection = server_client.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        print("nvvmd: no process of this version runs", file=sys.stderr)
        return 1
    os.kill(server_client.peer(connection)[0], signal.SIGTERM)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
