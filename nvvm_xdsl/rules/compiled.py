"""Compiled rules by table and shape, which tools keep between processes.

Parsing and compiling the rules that a small module needs takes a tenth of a process of `nvvm-cc`.
"""

from __future__ import annotations

import atexit
import os
from binascii import crc32
from collections.abc import Iterable, Sequence
from functools import cache
from types import CodeType
from typing import TypeAlias

from nvvm_xdsl.ir.code_files import read_codes, write_codes

Compiled: TypeAlias = list[tuple[str, CodeType]]
"""The names and functions of rules, in order."""

CompiledShape: TypeAlias = tuple[list[int], dict[tuple[int, ...], Compiled]]
"""The places of comparisons whose predicates rules state, and the rules by these predicates."""

CompiledTable: TypeAlias = dict[tuple[str, ...], CompiledShape]
"""The compiled rules of a table by the names of the classes of the op and its operands' owners."""

MAX_RULES = 20_000
"""A file with more rules starts again."""

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
        return {}
    tables = _opened(_path[0], crc32(" ".join(sorted(names)).encode()))
    return tables.setdefault(crc32("\n".join(rows).encode()), {})


@cache
def _opened(path: str, names: int) -> dict[int, CompiledTable]:
    """The tables in a file, by checksum; empty for a file of another version."""
    version = _version(names)
    tables: dict[int, CompiledTable] = read_codes(path).get(version, {})
    known = _count(tables)

    def store() -> None:
        count = _count(tables)
        if count > known:
            write_codes(path, {version: tables if count <= MAX_RULES else {}})

    atexit.register(store)
    return tables


def _count(tables: dict[int, CompiledTable]) -> int:
    """The number of lists of rules, and of rules in them."""
    return sum(
        1 + len(rules)
        for table in tables.values()
        for _, compiled in table.values()
        for rules in compiled.values()
    )


def _version(names: int) -> int:
    """A number that identifies the compiler of rules: the files of this package and the names."""
    found = [(names, 0)]
    with os.scandir(os.path.dirname(__file__)) as files:
        for file in files:
            if file.name.endswith(".py"):
                status = file.stat()
                found.append((status.st_mtime_ns, status.st_size))
    return hash(tuple(sorted(found)))
