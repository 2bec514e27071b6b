"""What makes a process that runs one tool, or a script that compiles, start and end sooner.

Dataclasses and regular expressions are a third of the time of importing the compiler: Python writes the
methods of the one as text and compiles it whenever a class is made, and has a compiler in Python for the other.
`remember` keeps what these compiled, by its text, in the user's cache folder. `alone` also spares the
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
from typing import Any, TypeVar

ArgumentsT = TypeVar("ArgumentsT")
StatusT = TypeVar("StatusT")

_Known = dict[Any, bytes]
"""Code by the text of methods, what a pattern is made of by its text and flags: as `marshal` writes it, since
of what is kept a process needs a part."""

CACHE_VARIABLE = "XDG_CACHE_HOME"
FOLDER = "nvvm-xdsl"

CHECKSUM = 4
"""Bytes at the start of the file, a CRC-32 of what follows."""

OURS = ("nvvm_xdsl.", "xdsl.")
"""How the names of modules begin whose classes and patterns a script makes by importing the compiler."""

FEW_OBJECTS = 100_000
"""So many containers at most, but for those of modules, are exempt from collections for good because something
was imported."""

MOST_TEXTS = 5000
"""With more, some of which must be old, the file is made anew."""


def once(work: Callable[[ArgumentsT], StatusT]) -> Callable[[ArgumentsT], StatusT]:
    """The work of a tool that makes one thing of what it reads, in a process of its own.

    It has no garbage that is worth a search.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        gc.disable()
        return alone(work)(arguments)

    return prepared


def alone(work: Callable[[ArgumentsT], StatusT]) -> Callable[[ArgumentsT], StatusT]:
    """The work of a tool in a process of its own.

    The process ends without looking for garbage that the system takes anyway.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        atexit.register(gc.freeze)
        remember()
        return work(arguments)

    return prepared


def cache_path() -> str | None:
    """The file of what is kept, of this version of Python; None where nothing is."""
    folder = os.environ.get(CACHE_VARIABLE, "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    if sys.dont_write_bytecode or not os.path.isabs(folder):
        return None
    tag = sys.implementation.cache_tag
    return tag and os.path.join(folder, FOLDER, f"start.{tag}-{sys.hexversion:x}.marshal")


@contextmanager
def importing() -> Generator[None]:
    """Imports inside are quick, and no later collection looks at what they made.

    Nothing is garbage while modules are imported, and classes and tables live as long as the process: they are
    half of what its last collection would look at. Where the process has many objects of its own already, the collector is
    left as it is.
    """
    remember(OURS)
    few = len(gc.get_objects()) + gc.get_freeze_count() < FEW_OBJECTS
    modules = len(sys.modules)
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if few and len(sys.modules) > modules:
            gc.freeze()
        if collecting:
            gc.enable()


_remembered = False


def remember(modules: tuple[str, ...] = ("",)) -> None:
    """Has methods of dataclasses and regular expressions compiled once and not by every process.

    The file is read at once, and written at the end when something was missing in it: whole, and
    put in its place by renaming. One that cannot be read or written is as good as none.

    Arguments:
        modules: how the names of the modules begin whose classes and expressions are meant.
    """
    global _remembered
    path = cache_path()
    if path is None or _remembered:
        return
    _remembered = True
    known = _read(path)
    stored = len(known)
    _remember_dataclasses(known, modules)
    _remember_patterns(known, modules)

    def store() -> None:
        if len(known) != stored:
            _write(path, known if len(known) < MOST_TEXTS else {})

    atexit.register(store)


class _Inspect:
    """`inspect` as dataclasses see it: the docstring that a class without one gets is its name alone.

    Finding the signature, which Python puts there, takes longer than all else of the class.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        import inspect

        self._inspect = inspect
        self._modules = modules

    def signature(self, cls: Any) -> Any:
        return "" if cls.__module__.startswith(self._modules) else self._inspect.signature(cls)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inspect, name)


def _remember_dataclasses(known: _Known, modules: tuple[str, ...]) -> None:
    import dataclasses

    def execute(text: str, *names: dict[str, Any]) -> None:
        ours = str(names[0].get("__name__", "") if names else "").startswith(modules)
        kept = known.get(text) if ours else None
        # What this module takes from `__future__` is not what the class's does.
        code = marshal.loads(kept) if kept else compile(text, "<string>", "exec", dont_inherit=True)
        if ours and kept is None:
            known[text] = marshal.dumps(code)
        exec(code, *names)

    # `exec` as the module sees it: the text that it runs is all there is to a method.
    changed: Any = dataclasses
    changed.exec = execute
    changed.inspect = _Inspect(modules)


def _remember_patterns(known: _Known, modules: tuple[str, ...]) -> None:
    import re

    compiler: Any = vars(re).get("_compiler")
    if not all(hasattr(compiler, name) for name in ("compile", "_code", "_parser", "_sre")):
        return
    stock = compiler.compile
    never = int(re.DEBUG | re.LOCALE)

    def pattern(text: Any, flags: int = 0) -> re.Pattern[Any]:
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        # The module that asks `re` for it.
        while frame.f_back is not None and frame.f_globals.get("__package__") == "re":
            frame = frame.f_back
        ours = str(frame.f_globals.get("__name__", "")).startswith(modules)
        if not ours or flags & never or not isinstance(text, str):
            return stock(text, flags)
        key = (text, int(flags))
        kept = known.get(key)
        if kept is not None:
            return compiler._sre.compile(text, *marshal.loads(kept))
        found = stock(text, flags)
        code = [int(word) for word in compiler._code(compiler._parser.parse(text, flags), flags)]
        names = {number: name for name, number in found.groupindex.items()}
        groups = tuple(names.get(number) for number in range(found.groups + 1))
        made = found.flags, code, found.groups, dict(found.groupindex), groups
        known[key] = marshal.dumps(made)
        return found

    compiler.compile = pattern


def _read(path: str) -> _Known:
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


def _write(path: str, known: _Known) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "xb") as stream:
            data = marshal.dumps(known)
            stream.write(_checksum(data) + data)
        os.replace(temporary, path)
    except OSError:
        pass
