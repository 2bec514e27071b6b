"""Compiled rules by table and shape, which tools keep between processes.

Parsing and compiling the rules that a small module needs takes a tenth of a process of `nvvm-cc`.
"""

from __future__ import annotations

import atexit
import marshal
import os
from binascii import crc32
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import CodeType
from typing import TypeAlias, cast

from nvvm_xdsl.ir.code_files import read_codes, write_codes

Compiled: TypeAlias = list[tuple[str, CodeType]]
"""The names and functions of rules, in order."""

CompiledShape: TypeAlias = tuple[list[int], dict[tuple[int, ...], Compiled]]
"""The places of comparisons whose predicates rules state, and the rules by these predicates."""

MAX_SHAPES = 10_000
"""A file with more shapes starts again."""


class CompiledTable:
    """The compiled rules of a table by the names of the classes of the op and its operands' owners.

    A kept shape is decoded when an op with it first occurs: most modules have few of them.

    Arguments:
        kept: encoded shapes from an earlier process.
    """

    def __init__(self, kept: dict[str, bytes]) -> None:
        self._kept = kept
        self._used: dict[str, CompiledShape] = {}
        self._known = 0

    def kept(self, name: str) -> CompiledShape | None:
        """The rules of a shape that occurred in this or an earlier process, else None."""
        shape = self._used.get(name)
        encoded = self._kept.get(name)
        if shape is not None or encoded is None:
            return shape
        shape = cast(CompiledShape, marshal.loads(encoded))
        self._known += _size(shape)
        return shape

    def add(self, name: str, shape: CompiledShape) -> None:
        """Adds a shape that occurred. Its rules may be completed later."""
        self._used[name] = shape

    def is_new(self) -> bool:
        """Returns whether rules were compiled that are not kept yet."""
        return sum(map(_size, self._used.values())) > self._known

    def encoded(self) -> dict[str, bytes]:
        """All shapes, encoded."""
        return {**self._kept, **{name: marshal.dumps(shape) for name, shape in self._used.items()}}


def _size(shape: CompiledShape) -> int:
    """The number of lists of rules of a shape, and of the shape itself."""
    return 1 + len(shape[1])


_path: list[str] = []
"""The file of compiled rules; empty if none are kept."""


def keep_compiled_rules(path: str) -> None:
    """Reads compiled rules from a file when they are first needed, and writes new ones at exit."""
    _path[:] = [path]


def compiled_table(rows: Sequence[str], names: Iterable[str]) -> CompiledTable:
    """The compiled rules of a table. The caller adds those that are missing.

    Arguments:
        rows: the texts of the table.
        names: the names of functions and classes that compiled rules may use.
    """
    if not _path:
        return CompiledTable({})
    return _opened(_path[0], crc32(" ".join(sorted(names)).encode()))(rows)


@cache
def _opened(path: str, names: int) -> Callable[[Sequence[str]], CompiledTable]:
    """Returns a function from a table to its compiled rules in a file, which are empty for a file of
    another version."""
    version = _version(names)
    kept: dict[int, dict[str, bytes]] = read_codes(path).get(version, {})
    tables: dict[int, CompiledTable] = {}

    def table_of(rows: Sequence[str]) -> CompiledTable:
        key = crc32("\n".join(rows).encode())
        if key not in tables:
            tables[key] = CompiledTable(kept.get(key, {}))
        return tables[key]

    def store() -> None:
        if any(table.is_new() for table in tables.values()):
            found = {**kept, **{key: table.encoded() for key, table in tables.items()}}
            full = sum(map(len, found.values())) > MAX_SHAPES
            write_codes(path, {version: {} if full else found})

    atexit.register(store)
    return table_of


def _version(names: int) -> int:
    """A number that identifies the compiler of rules: the files of this package and the names."""
    found = [(names, 0)]
    with os.scandir(os.path.dirname(__file__)) as files:
        for file in files:
            if file.name.endswith(".py"):
                status = file.stat()
                found.append((status.st_mtime_ns, status.st_size))
    return hash(tuple(sorted(found)))
