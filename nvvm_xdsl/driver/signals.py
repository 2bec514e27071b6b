"""Turns signals that end a process into exceptions."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

_cleanups: list[Callable[[], None]] = []


def before_termination(cleanup: Callable[[], None]) -> None:
    """Registers a function that runs before a signal ends the process: `atexit` functions do not run then."""
    _cleanups.append(cleanup)


class Terminated(BaseException):
    """A signal asked the process to end.

    Arguments:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def signals_deferred() -> Generator[None]:
    """Defers signals whose handlers raise until the end of the block.

    The signal mask is not changed: processes started inside would inherit blocked signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    handlers: dict[int, Any] = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM"):
        number = getattr(signal, name, None)
        if number is not None and callable(signal.getsignal(number)):
            handlers[number] = signal.signal(number, lambda number, _: arrived.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])


@contextmanager
def signals_raise() -> Generator[None]:
    """Raises Terminated on SIGTERM and SIGHUP, so that workers end and tokens are returned.

    Afterwards the functions of `before_termination` run, and the signal ends the process. Has no
    effect outside of the main thread, because only that receives signals, and if the program has
    its own handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    changed: list[int] = []

    def handle(number: int, _frame: object) -> None:
        for other in changed:
            signal.signal(other, signal.SIG_IGN)
        raise Terminated(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, handle)
            changed.append(number)
    try:
        yield
    except Terminated as error:
        if error.number in changed:
            for cleanup in _cleanups:
                cleanup()
            signal.signal(error.number, signal.SIG_DFL)
            os.kill(os.getpid(), error.number)
        raise
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
