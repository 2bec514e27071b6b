"""A time limit on a part of a program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum
from pathlib import PurePath
from types import FrameType


class TimeLimitError(BaseException):
    """The time limit was exceeded. Not an Exception, so that no error handler catches it."""


def _on_alarm(_number: int, _frame: FrameType | None) -> None:
    raise TimeLimitError


class Clock(Enum):
    """The time that is limited."""

    ELAPSED = "REAL"
    PROCESSOR = "PROF"
    """Processor time of the process, including that of the operating system."""
    USER = "VIRTUAL"
    """Processor time of the process itself."""


_SIGNALS = {Clock.ELAPSED: "SIGALRM", Clock.PROCESSOR: "SIGPROF", Clock.USER: "SIGVTALRM"}


@contextmanager
def time_limit(seconds: float, clock: Clock = Clock.USER) -> Generator[None]:
    """Raises TimeLimitError inside after this many seconds.

    Does nothing outside of the main thread, where no signals arrive, on systems without timers, and
    with 0 seconds.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not seconds or not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    number: int = getattr(signal, _SIGNALS[clock])
    timer: int = getattr(signal, f"ITIMER_{clock.value}")
    before = signal.signal(number, _on_alarm)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


def innermost(error: BaseException, folder: str) -> str:
    """The innermost function, in a folder of the project, in which an error was raised; empty if
    there is none."""
    found = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        path = PurePath(code.co_filename)
        if folder in path.parts and code is not _on_alarm.__code__:
            found = f"{path.stem}.{code.co_name}"
        trace = trace.tb_next
    return found
