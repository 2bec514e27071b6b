"""Startup of command-line tools: cached dataclass methods and no garbage collection at exit.

Python writes each method of a dataclass as text and compiles the text when the class is created. For the
compiler's and xDSL's classes that takes a third of the startup of `nvvm-cc`. The compiled methods are kept in
`$XDG_CACHE_HOME/nvvm-xdsl`, else `~/.cache/nvvm-xdsl`.

Only entry points that own their process use this module: it changes names in the module `dataclasses`.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import sys
from binascii import crc32
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

ArgumentsT = TypeVar("ArgumentsT")
StatusT = TypeVar("StatusT")

CACHE_VARIABLE: Final = "XDG_CACHE_HOME"
FOLDER: Final = "nvvm-xdsl"

MAX_METHODS: Final = 20_000
"""A cache with more methods, which must be partly outdated, starts again."""


def owns_process(
    work: Callable[[ArgumentsT], StatusT], *, collect: bool = True
) -> Callable[[ArgumentsT], StatusT]:
    """Prepares the work of a tool that is the only purpose of its process.

    The process ends without a last garbage collection, because the system frees its memory.

    Arguments:
        work: takes the parsed arguments and returns the exit status.
        collect: whether cycles are collected while the tool runs.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        if not collect:
            gc.disable()
        atexit.register(gc.freeze)
        cache_dataclass_methods()
        return work(arguments)

    return prepared


def cache_path() -> str | None:
    """Returns the cache file for this version of Python, or None if nothing may be cached."""
    folder = os.environ.get(CACHE_VARIABLE, "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    if sys.dont_write_bytecode or not os.path.isabs(folder):
        return None
    tag = sys.implementation.cache_tag
    return tag and os.path.join(folder, FOLDER, f"dataclasses.{tag}-{sys.hexversion:x}.marshal")


class _Inspect:
    """The module `inspect` for `dataclasses`, without the signature in default docstrings.

    Computing the signature takes longer than the rest of the class.
    """

    def __init__(self) -> None:
        import inspect

        self._inspect = inspect

    def signature(self, cls: Any) -> str:
        """Returns an empty signature."""
        return ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inspect, name)


def cache_dataclass_methods() -> None:
    """Makes `dataclasses` use cached methods. New methods are written to the cache at exit."""
    path = cache_path()
    if path is None:
        return
    import dataclasses

    methods = _read(path)
    known = len(methods)

    def execute(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        if not text.startswith("def __create_fn__("):
            exec(compile(text, "<string>", "exec", dont_inherit=True), names, made)
            return
        code = methods.get(text)
        if code is None:
            constants = compile(text, "<string>", "exec", dont_inherit=True).co_consts
            code = next(constant for constant in constants if isinstance(constant, CodeType))
            methods[text] = code
        made["__create_fn__"] = FunctionType(code, names)

    def store() -> None:
        if len(methods) > known:
            _write(path, methods if len(methods) <= MAX_METHODS else {})

    module: Any = dataclasses
    module.exec = execute
    module.inspect = _Inspect()
    atexit.register(store)


def _read(path: str) -> dict[str, CodeType]:
    """Returns the methods in a cache file by their text; none if the file is missing or damaged."""
    try:
        with open(path, "rb", buffering=0) as stream:
            data = memoryview(stream.read())
    except OSError:
        return {}
    if len(data) < 4 or crc32(data[4:]) != int.from_bytes(data[:4], "little"):
        return {}
    return marshal.loads(data[4:])


def _write(path: str, methods: dict[str, CodeType]) -> None:
    """Replaces a cache file. A file that cannot be written is not cached."""
    data = marshal.dumps(methods)
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "xb") as stream:
            stream.write(crc32(data).to_bytes(4, "little") + data)
        os.replace(temporary, path)
    except OSError:
        pass
