"""Names that PTX accepts.

A PTX identifier starts with a letter, or with `_`, `$` or `%` and at least one more character;
letters, digits, `_` and `$` follow (PTX ISA 9.1, section 4.4). Other characters of an LLVM name
become `_$_`, as in LLVM's `nvptx-assign-valid-global-names`; clashing names get a number.
"""

from __future__ import annotations

import re
from typing import Final

_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9_$]")
_LEGAL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+\Z")

RESERVED: Final = frozenset({"WARP_SZ"})
"""Identifiers that are constants of PTX; names of instructions and types may be symbols."""


def is_legal(name: str) -> bool:
    """Returns True if a name is valid in PTX."""
    return _LEGAL.fullmatch(name) is not None and name not in RESERVED


class SymbolNames:
    """Legal, distinct PTX names for the symbols of a module."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()

    def reserve(self, name: str) -> None:
        """Reserves a name if it is legal. Externally visible symbols must be reserved first."""
        if is_legal(name) and name not in self._taken:
            self._names[name] = name
            self._taken.add(name)

    def of(self, name: str) -> str:
        """The PTX name of a symbol."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = self._make(name)
        return found

    def fresh(self, stem: str) -> str:
        """A name that is not used by a symbol."""
        return self._make(stem)

    def _make(self, name: str) -> str:
        legal = _ILLEGAL.sub("_$_", name)
        if not is_legal(legal):
            legal = f"$_{legal}"
        candidate = legal
        number = 0
        while candidate in self._taken:
            number += 1
            candidate = f"{legal}_${number}"
        self._taken.add(candidate)
        return candidate
