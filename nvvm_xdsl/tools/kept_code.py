"""Code that is compiled once for all processes, in a file.

The file holds a table for each module that asked for code, by what the code was made of. A process takes
what its modules need: the file begins with where each table is.
"""

from __future__ import annotations

import marshal
import os
from binascii import crc32
from typing import Any

Table = dict[Any, Any]
"""By what was compiled, what `marshal` can write."""

FORMAT = 2
"""Of the file: part of its name."""

HEAD = 8
"""Bytes at the start of the file: a CRC-32 of the index that follows, and the index's length.

As files of bytecode the tables have none: they are put in place whole.
"""

Places = dict[str, tuple[int, int]]
"""Where the table of each module begins and ends."""

MOST_BYTES = 16_000_000
"""A file of more, some of which must be old, is made anew."""


class KeptCode:
    """What is in a file, and what a process adds to it.

    A file that cannot be read or written is as good as none.

    Arguments:
        path: the file.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._places, self._data = _contents(path)
        self._tables: dict[str, Table] = {}
        self._changed: set[str] = set()

    def table(self, module: str) -> Table:
        """What is kept for a module; not to be changed but by `keep`."""
        found = self._tables.get(module)
        if found is None:
            found = self._tables[module] = self._loaded(module)
        return found

    def keep(self, module: str, key: Any, value: Any) -> None:
        """Adds to a module's table."""
        self.table(module)[key] = value
        self._changed.add(module)

    def store(self) -> None:
        """Writes the file if there is something new: whole, and put in its place by renaming."""
        if not self._changed:
            return
        written: dict[str, bytes | memoryview] = {
            module: marshal.dumps(self._tables[module]) for module in self._changed
        }
        if len(self._data) < MOST_BYTES:
            for module in self._places.keys() - written.keys():
                written[module] = self._chunk(module)
        places: Places = {}
        end = 0
        for module, chunk in written.items():
            places[module] = end, end + len(chunk)
            end += len(chunk)
        index = marshal.dumps(places)
        head = crc32(index).to_bytes(4, "little") + len(index).to_bytes(4, "little")
        _write(self._path, b"".join((head, index, *written.values())))

    def _loaded(self, module: str) -> Table:
        if module not in self._places:
            return {}
        try:
            return marshal.loads(self._chunk(module))
        except (EOFError, TypeError, ValueError):
            return {}

    def _chunk(self, module: str) -> memoryview:
        start, end = self._places[module]
        return self._data[start:end]


def _contents(path: str) -> tuple[Places, memoryview]:
    """Where the tables are, and the tables."""
    try:
        with open(path, "rb", buffering=0) as stream:
            data = memoryview(stream.read())
    except OSError:
        return {}, memoryview(b"")
    tables = HEAD + int.from_bytes(data[4:HEAD], "little")
    if len(data) < tables or crc32(data[HEAD:tables]) != int.from_bytes(data[:4], "little"):
        return {}, memoryview(b"")
    places: Places = marshal.loads(data[HEAD:tables])
    held = data[tables:]
    return (places, held) if len(held) == sum(e - s for s, e in places.values()) else ({}, held[:0])


def _write(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "xb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except OSError:
        pass
