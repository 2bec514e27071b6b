"""Results of compilations on disk, keyed by their inputs.

A key is a hash of the inputs' bytes, the options, the compiler and libdevice. Entries are rows of
an SQLite database that many processes can read and write; a killed writer leaves it in the old or
the new state. An entry with a wrong hash is ignored, an unreadable database is replaced, and a full
or read-only disk disables the cache. Failures of the cache never fail a compilation.

    python -m nvvm_xdsl.driver.cache DIRECTORY [--clear]

prints the number and size of the entries, and the numbers of hits and misses.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from nvvm_xdsl.driver.errors import PACKAGE
from nvvm_xdsl.driver.files import CACHE_VARIABLE, cache_directory, format_of
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.ir.bounded_files import read_file

SIZE_VARIABLE = "NVVM_XDSL_CACHE_SIZE"

DEFAULT_SIZE = 1 << 30
"""The maximum size of all entries together in bytes."""

WAIT_SECONDS = 5.0
"""Seconds that a process waits for another process to finish writing."""

_FILE = "nvvm-xdsl-1.sqlite"
_SCHEMA = """\
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, digest BLOB NOT NULL, data BLOB NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON entries (used);
CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""
_COUNTS = ("hits", "misses", "stored", "broken", "evicted")

_OF_NO_CONSEQUENCE = frozenset({"libdevice", "split_compile", "jobserver", "time_limit"})
"""Options that are not part of the key; the contents of libdevice are part of it."""


@dataclass(frozen=True)
class Entry:
    """A cached compilation: the PTX and its messages."""

    ptx: str
    remarks: tuple[str, ...] = ()


# Keys


def key_of(inputs: Sequence[tuple[str, bytes]], options: CompileOptions) -> str:
    """The key of a compilation of these inputs, names and bytes. Names only determine the
    format."""
    found = hashlib.sha256(compiler().encode())
    stated = {f.name: getattr(options, f.name) for f in fields(options)}
    for name in _OF_NO_CONSEQUENCE:
        del stated[name]
    found.update(json.dumps(stated, sort_keys=True).encode())
    found.update(_contents(options.libdevice or find_libdevice()).encode())
    for name, data in inputs:
        found.update(f"{format_of(data, name)} {len(data)} ".encode())
        found.update(data)
    return found.hexdigest()


@cache
def compiler() -> str:
    """Identifies this compiler: versions, and a hash of the files of the package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        xdsl = version("xdsl")
    except PackageNotFoundError:
        xdsl = ""
    found = hashlib.sha256(xdsl.encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".mlir", ".json"):
            stat = path.stat()
            name = path.relative_to(PACKAGE)
            found.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return found.hexdigest()


@cache
def _contents(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return hashlib.sha256(read_file(path)).hexdigest()
    except OSError:
        return str(path)


# The store


def cache_from(directory: str | os.PathLike[str] | None = None) -> Cache | None:
    """The cache in a directory, by default that of the environment variable; None if neither is
    given."""
    place = cache_directory(directory)
    if not place:
        return None
    try:
        size = int(os.environ.get(SIZE_VARIABLE, DEFAULT_SIZE))
    except ValueError:
        size = DEFAULT_SIZE
    return Cache(place, size)


class Cache:
    """Entries by key.

    Arguments:
        directory: is created when the first entry is stored.
        size: maximum size of all entries in bytes; the least recently used entries are evicted.
    """

    def __init__(self, directory: str | os.PathLike[str], size: int = DEFAULT_SIZE) -> None:
        self.path = Path(directory) / _FILE
        self.size = size

    def get(self, key: str) -> Entry | None:
        """The undamaged entry of a key, or None."""
        return self.get_all([key]).get(key)

    def get_all(self, keys: Sequence[str]) -> dict[str, Entry]:
        """The undamaged entries of some keys."""
        found: dict[str, Entry] = {}
        if not self.path.exists():
            return found
        with self._guarded(), self._open() as base:
            broken: list[tuple[str]] = []
            for key in keys:
                row = base.execute(
                    "SELECT digest, data FROM entries WHERE key = ?", (key,)
                ).fetchone()
                entry = None if row is None else _undamaged_entry(row[0], row[1])
                if entry is not None:
                    found[key] = entry
                elif row is not None:
                    broken.append((key,))
            with contextlib.suppress(sqlite3.OperationalError), base:
                # A read-only cache is still read.
                now = _time_of_use(base)
                base.executemany(
                    "UPDATE entries SET used = ? WHERE key = ?", [(now, key) for key in found]
                )
                base.executemany("DELETE FROM entries WHERE key = ?", broken)
                _count(base, "broken", len(broken))
                _count(base, "hits", len(found))
                _count(base, "misses", len(keys) - len(found))
        return found

    def put(self, key: str, entry: Entry) -> None:
        """Stores an entry if the cache is writable."""
        self.put_all({key: entry})

    def put_all(self, entries: Mapping[str, Entry]) -> None:
        """Stores entries if the cache is writable, except those that are larger than the cache."""
        rows: list[tuple[str, bytes, bytes]] = []
        for key, entry in entries.items():
            data = json.dumps([entry.ptx, list(entry.remarks)]).encode("utf-8", "surrogatepass")
            if len(data) <= self.size:
                rows.append((key, hashlib.sha256(data).digest(), data))
        if not rows:
            return
        with self._guarded():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as base, base:
                now = _time_of_use(base)
                base.executemany(
                    "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)",
                    [(*row, now) for row in rows],
                )
                _count(base, "stored", len(rows))
                self._make_room(base)

    def _make_room(self, base: sqlite3.Connection) -> None:
        over = _bytes_in(base) - self.size
        if over <= 0:
            return
        gone: list[tuple[str]] = []
        for key, length in base.execute("SELECT key, length(data) FROM entries ORDER BY used"):
            gone.append((key,))
            over -= length
            if over <= 0:
                break
        base.executemany("DELETE FROM entries WHERE key = ?", gone)
        _count(base, "evicted", len(gone))

    def statistics(self) -> Mapping[str, int]:
        """Number of entries, bytes, hits, misses, stored, damaged and evicted entries."""
        found: dict[str, int] = {name: 0 for name in ("entries", "bytes", *_COUNTS)}
        if self.path.exists():
            with self._guarded(), self._open() as base:
                found["entries"] = base.execute("SELECT count(*) FROM entries").fetchone()[0]
                found["bytes"] = _bytes_in(base)
                found |= dict(base.execute("SELECT name, value FROM counts"))
        return found

    def clear(self) -> None:
        """Drops all entries and counts."""
        with self._guarded():
            self._remove()

    # Opening and its errors

    @contextlib.contextmanager
    def _open(self):
        writable = os.access(self.path.parent, os.W_OK)
        mode = "rwc" if writable else "ro"
        base = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}", timeout=WAIT_SECONDS, uri=True
        )
        try:
            if writable:
                base.execute("PRAGMA synchronous = OFF")
                base.executescript(_SCHEMA)
            yield base
        finally:
            base.close()

    @contextlib.contextmanager
    def _guarded(self):
        try:
            yield
        except sqlite3.OperationalError:
            # A locked, full or read-only database is treated as if there were no cache.
            pass
        except sqlite3.DatabaseError:
            with contextlib.suppress(OSError):
                self._remove()
        except OSError:
            pass

    def _remove(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)


def _undamaged_entry(digest: object, data: object) -> Entry | None:
    """The stored entry if it is undamaged."""
    if not isinstance(data, bytes) or hashlib.sha256(data).digest() != digest:
        return None
    ptx, remarks = json.loads(data)
    return Entry(ptx, tuple(remarks))


def _time_of_use(base: sqlite3.Connection) -> float:
    """The time of the clock, or a later one if an entry has been used later: the clock may have
    been set back, and a new entry must not be the first to be evicted."""
    latest = base.execute("SELECT coalesce(max(used), 0) FROM entries").fetchone()[0]
    return max(time.time(), latest + 0.001)


def _count(base: sqlite3.Connection, name: str, by: int) -> None:
    if not by:
        return
    base.execute(
        "INSERT INTO counts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + ?",
        (name, by, by),
    )


def _bytes_in(base: sqlite3.Connection) -> int:
    return base.execute("SELECT coalesce(sum(length(data)), 0) FROM entries").fetchone()[0]


def main(arguments: Sequence[str]) -> int:
    """Prints the statistics of a cache, or clears it."""
    words = [word for word in arguments if word != "--clear"]
    found = cache_from(words[0] if words else None)
    if found is None or len(words) > 1:
        print(
            f"expected one directory, or set the environment variable {CACHE_VARIABLE}",
            file=sys.stderr,
        )
        return 1
    if "--clear" in arguments:
        found.clear()
    for name, value in found.statistics().items():
        print(f"{name:8} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
