"""Imports of this package's modules and xDSL's that ask the system for little.

Python looks into a folder's listing for seven spellings of a module's name, asks for three states of files, and
has all of it in Python: 70 us a module, of which a compilation takes 500. Here a folder is listed once, and
bytecode that Python would take is taken; for whatever else it might be Python's own finder and loader are asked.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from types import CodeType, ModuleType

HEADER = 16
"""Bytes before the code in a file of bytecode: magic number, flags, time and size of the source."""

_LOW_BITS = 0xFFFFFFFF


class _Loader(SourceFileLoader):
    """Takes bytecode that is of its source as it is; has Python's loader do the rest."""

    def __init__(self, name: str, path: str, bytecode: str) -> None:
        super().__init__(name, path)
        self._bytecode = bytecode

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            source = os.stat(self.path)
            with open(self._bytecode, "rb") as stream:
                data = stream.read()
        except OSError:
            return super().get_code(fullname)
        time, size = int(source.st_mtime) & _LOW_BITS, source.st_size & _LOW_BITS
        expected = (
            MAGIC_NUMBER + b"\0\0\0\0" + time.to_bytes(4, "little") + size.to_bytes(4, "little")
        )
        if data[:HEADER] == expected:
            code: CodeType = marshal.loads(memoryview(data)[HEADER:])
            if code.co_filename == self.path:
                return code
        return super().get_code(fullname)


class QuickFinder:
    """Finds modules of some packages in their folders.

    Arguments:
        modules: how the names of the modules begin.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules
        self._listings: dict[str, frozenset[str]] = {}

    def invalidate_caches(self) -> None:
        """Forgets what is in the folders."""
        self._listings.clear()

    def find_spec(
        self, name: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is that is a source file alone; None for others."""
        if not name.startswith(self._modules) or path is None or len(path) != 1:
            return None
        folder = path[0]
        last = name.rpartition(".")[2]
        there = self._listing(folder)
        if last in there:
            inside = f"{folder}/{last}"
            if "__init__.py" in self._listing(inside):
                return self._spec(name, inside, "__init__", [inside])
            return None
        if f"{last}.py" not in there or any(
            last + suffix in there for suffix in EXTENSION_SUFFIXES
        ):
            return None
        return self._spec(name, folder, last, None)

    def _listing(self, folder: str) -> frozenset[str]:
        found = self._listings.get(folder)
        if found is None:
            try:
                found = frozenset(os.listdir(folder))
            except OSError:
                found = frozenset[str]()
            self._listings[folder] = found
        return found

    def _spec(self, name: str, folder: str, stem: str, inside: list[str] | None) -> ModuleSpec:
        path = f"{folder}/{stem}.py"
        bytecode = f"{folder}/__pycache__/{stem}.{sys.implementation.cache_tag}.pyc"
        spec = ModuleSpec(name, _Loader(name, path, bytecode), origin=path)
        spec.submodule_search_locations = inside
        spec.cached = bytecode
        spec.has_location = True
        return spec


def quick_imports(modules: tuple[str, ...]) -> None:
    """Has modules found quickly from now on, where Python keeps bytecode in the usual way.

    Other hooks of imports that were there before come first.
    """
    finders = sys.meta_path
    usual = sys.pycache_prefix is None and not sys.flags.optimize and os.sep == "/"
    if usual and sys.implementation.cache_tag and PathFinder in finders:
        finders.insert(finders.index(PathFinder), QuickFinder(modules))
