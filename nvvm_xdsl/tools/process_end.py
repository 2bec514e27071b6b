"""The end of a tool that is the only purpose of its process."""

from __future__ import annotations

import atexit
import os
import sys


def end_process(status: int) -> int:
    """Ends the process without clearing its modules one by one, which takes a twentieth of a start.

    Returns the status if Python has to end the process: other threads run, a profiler is on, or output cannot be
    written.
    """
    # Nothing is imported here: the client of `nvvmd` has no threads.
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return status
    if sys.getprofile() or sys.gettrace():
        return status
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]
    try:
        # A closed stream may be None.
        for stream in (sys.stdout, sys.stderr):
            print(end="", file=stream, flush=True)
    except (OSError, ValueError):
        return status
    os._exit(status)
