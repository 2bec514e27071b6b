"""Signals that end a process, as exceptions."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager


class Terminated(BaseException):
    """The process was told to end by a signal.

    Arguments:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def signals_raise() -> Generator[None]:
    """Makes of SIGTERM and SIGHUP an exception, so that workers end and tokens are given back.

    The signal ends the process once that is done. Outside of the main thread, where no signals
    arrive, and where the program has handlers of its own nothing is changed.
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
            signal.signal(error.number, signal.SIG_DFL)
            os.kill(os.getpid(), error.number)
        raise
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
