"""Locations of tokens in the input text, for messages about ops."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects.builtin import FileLineColLoc

from nvvm_xdsl.frontend.lexer import TOKEN
from nvvm_xdsl.ir.locations import location_at


class Locator:
    """Converts the marks of `Lexer.place` to locations, fast for marks in ascending order.

    Arguments:
        text: the assembly.
        filename: the file name in locations.
    """

    _matches: Iterator[re.Match[str]]

    def __init__(self, text: str, filename: str) -> None:
        self._text = text
        self._filename = filename
        self._chunk = -1
        self._next = 0
        self._matches = iter(())
        self._line = 1
        self._line_start = 0

    def at(self, place: tuple[int, int]) -> FileLineColLoc:
        """The location of the token at a mark."""
        chunk, number = place
        if chunk != self._chunk or number < self._next:
            self._matches = TOKEN.finditer(self._text, chunk)
            self._chunk, self._next = chunk, 0
        offset = len(self._text)
        for match in self._matches:
            self._next += 1
            if self._next > number:
                offset = match.start(1)
                break
        return self._location(offset)

    def _location(self, offset: int) -> FileLineColLoc:
        if offset < self._line_start:
            self._line, self._line_start = 1, 0
        start = self._text.rfind("\n", 0, offset) + 1
        self._line += self._text.count("\n", self._line_start, start)
        self._line_start = start
        return location_at(self._filename, self._line, offset - start + 1)
