"""What makes a process that runs one tool, or a script that compiles, start and end sooner.

Dataclasses are a quarter of the time of importing the compiler: Python writes their methods as
text and compiles it whenever a class is made. `remember_dataclasses` keeps what it compiled, by
its text, in the user's cache folder. `leave_the_rest` spares the
collector its last walk over IR that dies with the process. In somebody else's process `importing`
does what can be done without touching what is theirs.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import sys
from binascii import crc32
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import CodeType
from typing import Any, TypeVar

ArgumentsT = TypeVar("ArgumentsT")
StatusT = TypeVar("StatusT")

CACHE_VARIABLE = "XDG_CACHE_HOME"
FOLDER = "nvvm-xdsl"

CHECKSUM = 4
"""Bytes at the start of the file, a CRC-32 of what follows."""

OURS = ("nvvm_xdsl.", "xdsl.")
"""How the names of modules begin whose classes a script makes by importing the compiler."""

FEW_OBJECTS = 100_000
"""So many containers at most are exempt from collections for good because the compiler was imported."""

MOST_TEXTS = 5000
"""With more, some of which must be old, the file is made anew."""


def once(work: Callable[[ArgumentsT], StatusT]) -> Callable[[ArgumentsT], StatusT]:
    """The work of a tool that makes one thing of what it reads, in a process of its own.

    It has no garbage that is worth a search.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        gc.disable()
        leave_the_rest()
        remember_dataclasses()
        return work(arguments)

    return prepared


def leave_the_rest() -> None:
    """Ends the process without looking for garbage that the system takes anyway."""
    atexit.register(gc.freeze)


def cache_path() -> str | None:
    """The file of compiled dataclass methods, of this version of Python; None where none is kept."""
    folder = os.environ.get(CACHE_VARIABLE, "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    if sys.dont_write_bytecode or not os.path.isabs(folder):
        return None
    tag = sys.implementation.cache_tag
    return tag and os.path.join(folder, FOLDER, f"dataclasses.{tag}-{sys.hexversion:x}.marshal")


@contextmanager
def importing() -> Generator[None]:
    """Imports inside are quick, and no later collection looks at what they made.

    Nothing is garbage while modules are imported, and classes and tables live as long as the process: they are
    half of what its last collection would look at. Where the process has many objects of its own already, the collector is
    left as it is.
    """
    remember_dataclasses(OURS)
    few = len(gc.get_objects()) < FEW_OBJECTS
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if few:
            gc.freeze()
        if collecting:
            gc.enable()


_remembered = False


def remember_dataclasses(modules: tuple[str, ...] = ("",)) -> None:
    """Has methods of dataclasses compiled once and not by every process.

    The file is read at once, and written at the end when something was missing in it: whole, and
    put in its place by renaming. One that cannot be read or written is as good as none.

    Arguments:
        modules: how the names of the modules begin whose classes are meant.
    """
    global _remembered
    path = cache_path()
    if path is None or _remembered:
        return
    _remembered = True
    known = _read(path)
    stored = len(known)

    def execute(text: str, *names: dict[str, Any]) -> None:
        if not str(names[0].get("__name__", "") if names else "").startswith(modules):
            exec(text, *names)
            return
        code = known.get(text)
        if code is None:
            code = known[text] = compile(text, "<string>", "exec")
        exec(code, *names)

    def store() -> None:
        if len(known) != stored:
            _write(path, known if len(known) < MOST_TEXTS else {})

    import dataclasses

    # `exec` as the module sees it: the text that it runs is all there is to a method.
    changed: Any = dataclasses
    changed.exec = execute
    atexit.register(store)


def _read(path: str) -> dict[str, CodeType]:
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return {}
    if len(data) < CHECKSUM or data[:CHECKSUM] != _checksum(data[CHECKSUM:]):
        return {}
    return marshal.loads(data[CHECKSUM:])


def _checksum(data: bytes) -> bytes:
    return crc32(data).to_bytes(CHECKSUM, "little")


def _write(path: str, known: dict[str, CodeType]) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "xb") as stream:
            data = marshal.dumps(known)
            stream.write(_checksum(data) + data)
        os.replace(temporary, path)
    except OSError:
        pass
