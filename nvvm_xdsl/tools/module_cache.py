"""One file with the compiled code of the modules that a tool imports.

`nvvm-cc` imports 500 modules of this project and of xDSL. Python searches, reads and decodes a file for each.
Decoding all of them at once takes half of the time, because most of their names are the same.

A module of the file is used if its source file has the stored size and time of modification. Other modules are
imported by Python, and added at exit.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final, TypeAlias

from nvvm_xdsl.ir.code_files import read_codes, write_codes

PACKAGES: Final = ("nvvm_xdsl.", "xdsl.")

MAX_MODULES: Final = 2_000
"""A file with more modules, which must be partly of other installations, starts again."""

_Entry: TypeAlias = tuple[str, str, int, int, bool, CodeType]
"""The source file, Python's file of its code, the size of the source and its time of modification in nanoseconds,
whether the module is a package, and the code. Entries of another layout need another file name."""


class _Loader(SourceFileLoader):
    """Runs code that is already decoded, and forgets it."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code: CodeType | None = code

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module."""
        code, self._code = self._code, None
        return super().get_code(fullname) if code is None else code


class _Finder:
    """Finds modules in the file.

    Arguments:
        entries: the modules of the file, by folder and name. Those that are found are removed, because their code
            is no longer needed once it has run.
    """

    def __init__(self, entries: dict[str, _Entry]) -> None:
        self.entries = entries
        self.others: dict[str, ModuleSpec] = {}
        """Modules that the file does not contain."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns the module with its code; None for a module of another package."""
        if path is None or len(path) != 1 or not name.startswith(PACKAGES):
            return None
        key = f"{path[0]}/{name.rpartition('.')[2]}"
        entry = self.entries.pop(key, None)
        if entry is not None:
            file, cached, size, modified, is_package, code = entry
            if _state_of(file) == (size, modified):
                spec = ModuleSpec(name, _Loader(name, file, code), origin=file)
                spec.has_location = True
                spec.cached = cached
                if is_package:
                    spec.submodule_search_locations = [os.path.dirname(file)]
                return spec
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            self.others[key] = spec
        return spec

    def add_others(self, entries: dict[str, _Entry]) -> None:
        """Adds the modules that the file does not contain."""
        for key, spec in self.others.items():
            loader, file = spec.loader, spec.origin
            if not isinstance(loader, SourceFileLoader) or not file or not spec.cached:
                continue
            # A change between the two steps leaves an entry that is not used.
            state = _state_of(file)
            try:
                code = loader.get_code(spec.name)
            except (OSError, SyntaxError, ValueError):
                # The source was removed or changed while the tool ran.
                continue
            if state is not None and code is not None:
                is_package = spec.submodule_search_locations is not None
                entries[key] = (file, spec.cached, *state, is_package, code)


def _state_of(file: str) -> tuple[int, int] | None:
    """The size and the time of modification of a file; None if it is missing."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def cache_modules(path: str) -> None:
    """Imports the modules of this project and of xDSL from a file, which is written at exit if another one was
    imported."""
    finder = _Finder(read_codes(path))
    sys.meta_path.insert(0, finder)

    def store() -> None:
        if finder.others:
            entries = read_codes(path)
            finder.add_others(entries)
            write_codes(path, {} if len(entries) > MAX_MODULES else entries)

    atexit.register(store)
