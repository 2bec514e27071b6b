"""Faults of workers. Workers import this module; functions in a test's own file are not importable."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, Future
from typing import Any

from nvvm_xdsl.driver.many import Compilation, compile_one
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.fuzz import Finding, Options


def die(*_: Any) -> Any:
    """Ends the worker as the system does if memory is exhausted."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(*_: Any) -> bytes:
    """Raises an internal error of the compiler."""
    raise KeyError("no such thing")


def refuse(*_: Any) -> bytes:
    """Reports an error in the input, which no other check finds."""
    raise DiagnosticError("this will not do")


def deadly(task: Any, options: CompileOptions) -> Compilation:
    """Compiles, unless the source requests the worker's death."""
    if b"deadly" in task.data:
        die()
    return compile_one(task, options)


def dies_once(task: Any, options: CompileOptions) -> Compilation:
    """Compiles, but the first worker that gets a source with a request to die does so."""
    if b"deadly" in task.data:
        try:
            open(os.environ["DIES_ONCE"], "x").close()
        except FileExistsError:
            pass
        else:
            die()
    return compile_one(task, options)


class Broken(Executor):
    """Fails for every second task."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.count += 1
        if self.count % 2:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(RuntimeError("the machine has gone"))
        return future


def odd_seeds(seed: int, options: Options) -> list[Finding]:
    """Reports a finding for every second seed."""
    return [Finding(seed, options.pipelines[0], "difference", "odd", "")] if seed % 2 else []


def one_seed_dies(seed: int, options: Options) -> list[Finding]:
    """The same, but the worker dies at seed 4."""
    return odd_seeds(seed, options) if seed != 4 else [die()]
