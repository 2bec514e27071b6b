"""Ray as an executor: `compile_many` and campaigns on a Ray cluster.

    from nvvm_xdsl.integrations.ray import RayExecutor

    with RayExecutor() as executor:
        results = nvvm_xdsl.compile_many(sources, executor=executor)

Ray itself has no executor of `concurrent.futures`. Each call is a Ray task, which Ray restarts on
another worker if its worker dies.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")

MAX_RETRIES = 3
"""Number of restarts of a call whose worker dies: Ray's own default."""


class RayExecutor(Executor):
    """Runs calls as tasks of the cluster that this process is connected to, or of a local one.

    Arguments:
        max_retries: number of restarts of a call whose worker dies.
        options: arguments of `ray.init`, used if the process is not connected to a cluster yet.
    Raises ImportError without Ray.
    """

    def __init__(self, max_retries: int = MAX_RETRIES, **options: Any) -> None:
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise ImportError(f"Ray is not installed (pip install ray): {error}") from error
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            self._ray.init(**options)
        self._call: Any = self._ray.remote(_call).options(max_retries=max_retries)
        self._pending: dict[Future[Any], Any] = {}

    def submit(self, fn: Callable[..., ResultT], /, *args: Any, **kwargs: Any) -> Future[ResultT]:
        """Starts a call on the cluster."""
        task = self._call.remote(fn, args, kwargs)
        future: Future[ResultT] = task.future()
        self._pending[future] = task
        future.add_done_callback(lambda done: self._pending.pop(done, None))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shuts the cluster down if it was started here."""
        if cancel_futures:
            for task in list(self._pending.values()):
                self._ray.cancel(task)
        if wait and self._pending:
            tasks = list(self._pending.values())
            self._ray.wait(tasks, num_returns=len(tasks))
        if self._is_ours:
            self._ray.shutdown()
            self._is_ours = False


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
