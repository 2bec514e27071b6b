"""A time limit for compilations."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

from nvvm_xdsl.driver.errors import TimeLimitExceeded

_limited = False


@contextmanager
def time_limit(seconds: float | None) -> Generator[None]:
    """Raises TimeLimitExceeded inside the block if it takes longer; None is no limit.

    It works in the main thread of a process, workers included; an outer limit takes precedence.
    """
    global _limited
    if seconds is None or _limited or threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: object) -> None:
        raise TimeLimitExceeded(f"the compilation took longer than its limit of {seconds:g} s")

    before = signal.signal(signal.SIGALRM, handle)
    _limited = True
    # The timer repeats, in case code in between handled the first exception as an error of its own.
    signal.setitimer(signal.ITIMER_REAL, seconds, max(seconds, 1.0))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _limited = False
