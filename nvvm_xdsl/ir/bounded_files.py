"""Reads files up to a size limit, because devices such as /dev/zero are endless."""

from __future__ import annotations

import errno
import linecache
import os
from typing import BinaryIO

MOST_BYTES = 1 << 28
"""The maximum size of an input, 256 MiB."""


def read_stream(stream: BinaryIO) -> bytes:
    """The rest of a stream. Raises OSError, also if it exceeds `MOST_BYTES`."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MOST_BYTES >> 20} MiB, the limit of an input")
    return data


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError, also if it exceeds `MOST_BYTES`."""
    with open(path, "rb") as stream:
        return read_stream(stream)


def source_lines(path: str) -> list[str]:
    """The lines of the source file of a location; empty if the file cannot be read."""
    return linecache.getlines(path) if _is_source(path) else []


def source_text(path: str | os.PathLike[str]) -> str | None:
    """The text of the source file of a location; None if the file cannot be read."""
    if not _is_source(path):
        return None
    try:
        return read_file(path).decode("utf-8", "replace")
    except OSError:
        return None


def _is_source(path: str | os.PathLike[str]) -> bool:
    return os.path.isfile(path) and os.path.getsize(path) <= MOST_BYTES
