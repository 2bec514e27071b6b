"""A limit of processor time on a part of a program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import PurePath
from types import FrameType


class TimeLimitError(BaseException):
    """The time limit was exceeded. Not an Exception, so that no error handler catches it."""


def _on_alarm(_number: int, _frame: FrameType | None) -> None:
    raise TimeLimitError


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Raises TimeLimitError inside once the process has used this many seconds of processor time.

    Does nothing outside of the main thread, where no signals arrive, and with 0 seconds.
    """
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _on_alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


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
