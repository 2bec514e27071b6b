"""Runs tasks in parallel. Each task has a result or is reported as lost, even if workers are
killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TypeVar

from nvvm_xdsl.driver import workers
from nvvm_xdsl.driver.workers import Limit, WorkerPool

KeyT = TypeVar("KeyT")
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

WINDOW = 256
"""The maximum number of unfinished tasks in an executor."""

KILLED = "a worker process was killed or has crashed"


@dataclass(frozen=True)
class Lost:
    """The result of a task that could not be finished, with the reason."""

    why: str


def run_elsewhere(
    function: Callable[[TaskT], ResultT], tasks: Iterator[tuple[KeyT, TaskT]], executor: Executor
) -> Iterator[tuple[KeyT, ResultT | Lost]]:
    """Runs the function for each task in an executor of the caller; yields results as they arrive.

    Arguments:
        function: any process must be able to import it.
        tasks: each with the key of its result; read as workers become free.
    """
    running: dict[Future[ResultT], KeyT] = {}
    left = True
    try:
        while left or running:
            while left and len(running) < WINDOW:
                found = next(tasks, None)
                if found is None:
                    left = False
                else:
                    running[executor.submit(function, found[1])] = found[0]
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                key = running.pop(future)
                try:
                    result: ResultT | Lost = future.result()
                except Exception as error:
                    result = Lost(f"the executor failed: {error or type(error).__name__}")
                yield key, result
    finally:
        for future in running:
            future.cancel()


def run_here(
    function: Callable[[TaskT], ResultT],
    tasks: Iterator[tuple[KeyT, TaskT]],
    wanted: int,
    limit: Limit | None = None,
) -> Iterator[tuple[KeyT, ResultT | Lost]]:
    """Runs the function for each task in worker processes of this process.

    If a worker dies, the tasks that ran at that time run again, one at a time, to identify the
    failing one. Workers end when the iterator is closed early.

    Arguments:
        limit: limits the number of running tasks.
    """
    pool = workers.shared_pool(wanted)
    running: dict[Future[ResultT], tuple[KeyT, TaskT]] = {}
    left = True
    try:
        while left or running:
            allowed = wanted if limit is None else limit.request(wanted if left else len(running))
            # One additional task per pool, so that a worker that finishes has a next task in the
            # queue.
            while left and len(running) < allowed + (limit is None):
                found = next(tasks, None)
                if found is None:
                    left = False
                    break
                try:
                    future = pool.submit(function, found[1])
                except BrokenProcessPool:
                    # The worker ended while it was idle.
                    pool = _new_pool(pool, wanted)
                    future = pool.submit(function, found[1])
                running[future] = found
            poll = workers.TOKEN_POLL_SECONDS if left and allowed < wanted else None
            for future in wait(running, poll, return_when=FIRST_COMPLETED).done:
                try:
                    result = future.result()
                except BrokenProcessPool:
                    pool = _new_pool(pool, wanted)
                    for key, task in running.values():
                        pool, alone = _run_one(pool, wanted, function, task)
                        yield key, alone
                    running.clear()
                    break
                yield running.pop(future)[0], result
    except BaseException:
        pool.end()
        raise


def _new_pool(pool: WorkerPool, wanted: int) -> WorkerPool:
    pool.end()
    return workers.shared_pool(wanted)


def _run_one(
    pool: WorkerPool, wanted: int, function: Callable[[TaskT], ResultT], task: TaskT
) -> tuple[WorkerPool, ResultT | Lost]:
    try:
        return pool, pool.submit(function, task).result()
    except BrokenProcessPool:
        return _new_pool(pool, wanted), Lost(KILLED)
