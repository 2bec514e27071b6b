"""Work in a forked process, whose failure does not affect this process."""

from __future__ import annotations

import os
from collections.abc import Callable


def run_forked(work: Callable[[int], None]) -> tuple[bytes, int]:
    """Calls `work` in a forked process with the file descriptor of a pipe.

    Returns the output written to the pipe and the exit status, negative for a signal. The status is
    1 if `work` raises an exception.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            work(writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    return data, os.waitstatus_to_exitcode(status)
