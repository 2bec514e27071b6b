"""Reads files up to a limit: devices such as /dev/zero have no end."""

from __future__ import annotations

import errno
import linecache
import os
from typing import BinaryIO

MOST_BYTES = 1 << 28
"""The most bytes of an input, 256 MiB."""


def read_stream(stream: BinaryIO) -> bytes:
    """The rest of a stream. Raises OSError, also for more than `MOST_BYTES`."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MOST_BYTES >> 20} MiB, the limit of an input")
    return data


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError, also for more than `MOST_BYTES`."""
    with open(path, "rb") as stream:
        return read_stream(stream)


def source_lines(path: str) -> list[str]:
    """The lines of a source file that a location names; none if there is no such file to show."""
    return linecache.getlines(path) if _is_source(path) else []


def source_text(path: str | os.PathLike[str]) -> str | None:
    """The text of a source file that a location names; None if there is no such file to show."""
    if not _is_source(path):
        return None
    try:
        return read_file(path).decode("utf-8", "replace")
    except OSError:
        return None


def _is_source(path: str | os.PathLike[str]) -> bool:
    return os.path.isfile(path) and os.path.getsize(path) <= MOST_BYTES
