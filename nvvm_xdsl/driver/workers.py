"""Worker processes that are started once, stay warm, and end with their work or their parent.

Python threads do not compute in parallel, so workers are processes. They are forked from a fork
server, a process that only imports the compiler: forking it is fast, safe whatever threads the
parent has, and shares the imported modules. On systems without fork each worker starts from scratch
(`spawn`). A worker imports the parent's main module, as with all of `multiprocessing`: a script
that compiles in workers needs `if __name__ == "__main__":`.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import util
from multiprocessing.connection import wait as wait_for
from typing import Any, Final, Protocol, TypeVar

from nvvm_xdsl.driver.signals import before_termination, signals_deferred
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ResultT = TypeVar("ResultT")

TOKEN_POLL_SECONDS = 0.05
"""Seconds between requests for a token while work is waiting for one."""

MANAGER_SECONDS = 1.0
"""The longest time to wait for the thread of an executor whose workers were killed."""

PRELOADED = "nvvm_xdsl.driver.preloaded"
"""The module that the fork server imports."""

_in_worker = False


class Limit(Protocol):
    """Limits the number of jobs that run; `Jobserver` is one."""

    def request(self, jobs: int) -> int:
        """Requests this number of jobs; returns the number that may run."""
        ...


class WorkerLost(DiagnosticError):
    """A worker process ended during its work."""


# Counting


def processors() -> int:
    """The processors that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def worker_count(asked: int, tasks: int) -> int:
    """The number of workers: at most the requested number, the processors and the tasks; 0 requests
    all processors."""
    if _in_worker:
        return 1
    return max(1, min(asked or processors(), processors(), tasks))


# In the worker


def _start() -> None:
    """Initialization of a worker."""
    global _in_worker
    _in_worker = True
    # An interrupt at the terminal reaches all processes; the parent decides on its effect.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def _be_there() -> None:
    """An empty task: a worker that has run it is warm."""


# In the parent


class WorkerPool:
    """A pool of workers that are started on demand."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.pid = os.getpid()
        self._executor = ProcessPoolExecutor(count, _context(), _start)

    def warm(self) -> None:
        """Starts the workers without waiting for them."""
        for _ in range(self.count):
            self.submit(_be_there)

    def submit(self, function: Callable[..., ResultT], *arguments: Any) -> Future[ResultT]:
        """As `Executor.submit`. Raises BrokenProcessPool if a worker has ended."""
        # This may start a worker. If an exception interrupts its start, `end` cannot end it.
        with signals_deferred():
            return self._executor.submit(function, *arguments)

    def run(
        self,
        function: Callable[..., ResultT],
        tasks: Sequence[tuple[Any, ...]],
        workers: int,
        limit: Limit | None = None,
    ) -> list[ResultT]:
        """The results of the function for each task, in the order of the tasks. Tasks also start in
        this order.

        Arguments:
            workers: the maximum number of tasks that run at the same time.
            limit: limits the number of running tasks.
        Raises the exception of the first task that fails, and WorkerLost if a worker ended. No task
        is running after the return or an exception.
        """
        results: dict[int, ResultT] = {}
        waiting = deque(range(len(tasks)))
        running: dict[Future[ResultT], int] = {}
        try:
            while waiting or running:
                wanted = min(workers, len(waiting) + len(running))
                allowed = wanted if limit is None else limit.request(wanted)
                while waiting and len(running) < allowed:
                    number = waiting.popleft()
                    running[self.submit(function, *tasks[number])] = number
                short = bool(waiting) and allowed < wanted
                done, _ = wait(
                    running, TOKEN_POLL_SECONDS if short else None, return_when=FIRST_COMPLETED
                )
                for future in done:
                    results[running.pop(future)] = future.result()
        except BrokenProcessPool:
            self.end()
            raise WorkerLost("a worker process was killed or has crashed") from None
        except BaseException:
            self.end()
            raise
        return [results[number] for number in range(len(tasks))]

    @property
    def processes(self) -> list[Any]:
        """The workers that have been started."""
        found: dict[int, Any] | None = getattr(self._executor, "_processes", None)
        return list((found or {}).values())

    def end(self) -> None:
        """Kills the workers, and waits until the executor has released its queues."""
        global _pool
        if _pool is self:
            _pool = None
        processes = self.processes
        manager: threading.Thread | None = getattr(self._executor, "_executor_manager_thread", None)
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        if manager is not None:
            # The thread unregisters the semaphores. It blocks forever if no worker reads a task already sent.
            manager.join(MANAGER_SECONDS)


_pool: WorkerPool | None = None
_started_in: int | None = None
"""The process that created the pools; None before the first."""

_lock = threading.Lock()


def shared_pool(count: int) -> WorkerPool:
    """The pool of the process, with at least this number of workers."""
    global _pool, _started_in
    with _lock:
        if _pool is not None and (_pool.count < count or _pool.pid != os.getpid()):
            if _pool.pid == os.getpid():
                _pool.end()
            _pool = None
        if _pool is None:
            _started_in = os.getpid()
            _pool = WorkerPool(count)
        return _pool


@atexit.register
def end_shared_pool() -> None:
    """Ends the pool of the process, if there is one; the next use creates another."""
    if _pool is not None and _pool.pid == os.getpid():
        _pool.end()


def _remove_traces() -> None:
    """Ends the pool, and removes the semaphores and the directory of the fork server's socket.

    `multiprocessing` does so by an `atexit` function, which does not run when a signal ends the process. Its
    resource tracker would then warn of leaked objects.
    """
    if _started_in == os.getpid():
        end_shared_pool()
        util._run_finalizers()  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue, reportUnknownMemberType]


before_termination(_remove_traces)


_SOCKET_PATH_LIMIT: Final = 103
"""The longest path of a socket in bytes: the size of `sun_path` on macOS; Linux has four more."""


def _has_fork_server() -> bool:
    """Returns True if the system has a fork server, and the path of its socket is short enough.

    `multiprocessing` creates the socket in a directory of its own below the temporary directory.
    """
    socket = os.path.join(tempfile.gettempdir(), "pymp-xxxxxxxx", "listener-xxxxxxxx")
    methods = multiprocessing.get_all_start_methods()
    return "forkserver" in methods and len(os.fsencode(socket)) <= _SOCKET_PATH_LIMIT


def _context() -> Any:
    """The start method of workers; starts a fork server if the system supports one."""
    method = "forkserver" if _has_fork_server() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        from multiprocessing import forkserver, resource_tracker

        # It unblocks interrupts at its start, which the fork server would otherwise cause below.
        resource_tracker.ensure_running()
        context.set_forkserver_preload([PRELOADED])
        # The fork server inherits the mask: an interrupt at the terminal also reaches it, while it
        # is still importing.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return context
