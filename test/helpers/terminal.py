"""A tool in a pseudo-terminal, with its screen drawn by a terminal emulator."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyte

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = 40, 120


class Terminal:
    """The screen and the keyboard of a running tool."""

    def __init__(self, child: int, file: int) -> None:
        self._child = child
        self._file = file
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def press(self, keys: bytes) -> None:
        """Sends keys as a terminal does."""
        os.write(self._file, keys)

    def until(self, *texts: str, seconds: float = 60) -> str:
        """Waits until the screen shows all texts, and returns it with normalized blanks; fails after the
        time.
        """
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if select.select([self._file], [], [], 0.2)[0]:
                try:
                    self._stream.feed(os.read(self._file, 1 << 16))
                except OSError:
                    break
            shown = "\n".join(" ".join(line.split()) for line in self._screen.display)
            if all(text in shown for text in texts):
                return shown
        raise AssertionError("\n".join(self._screen.display))

    def status(self, seconds: float = 30) -> int:
        """Returns the tool's exit status; fails if it does not end in time."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            # Otherwise the tool would block on its last output, which no process reads.
            if select.select([self._file], [], [], 0.1)[0]:
                with suppress(OSError):
                    os.read(self._file, 1 << 16)
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("\n".join(self._screen.display))


@contextmanager
def in_terminal(tool: str, *words: str) -> Generator[Terminal]:
    """A tool, by its module's name, started in the project's folder."""
    with running([sys.executable, "-m", f"nvvm_xdsl.tools.{tool}", *words]) as terminal:
        yield terminal


@contextmanager
def running(command: list[str]) -> Generator[Terminal]:
    """A program, by its path, started in the project's folder."""
    child, file = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(ROOT)
        os.environ.update(
            TERM="xterm-256color", PYTHONPATH=str(ROOT), COLUMNS=str(COLUMNS), LINES=str(ROWS)
        )
        os.execv(command[0], command)
    try:
        yield Terminal(child, file)
    finally:
        os.close(file)
