"""Splits PTX text into comments, statements and operands.

PTX ISA 9.1, chapter 4. Used by the front end and the analysis of inline assembly. Independent of
the set of instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_NO_NEWLINE: Final = re.compile(r"[^\n]")


def _blank(match: re.Match[str]) -> str:
    text = match[0]
    if text[0] == '"':
        return text
    if text[1] == "/":
        return " " * len(text)
    return _NO_NEWLINE.sub(" ", text)


def without_comments(text: str) -> str:
    """The text with comments replaced by spaces, which preserves offsets."""
    return _COMMENT.sub(_blank, text) if "//" in text or "/*" in text else text


IDENTIFIER: Final = r"(?:[A-Za-z]|[_$%](?=[\w$]))[\w$]*"
"""PTX ISA 9.1, section 4.4, for use in patterns."""


class Kind(IntEnum):
    """The kind of a statement."""

    INSTRUCTION = 0
    LABEL = 1
    OPEN = 2
    CLOSE = 3
    DIRECTIVE = 4


class Statement(NamedTuple):
    """A statement of a function's body.

    Arguments:
        start, end: its offsets in the text.
        guard: `@%p`, `@!%p` or nothing.
        head: the opcode, the label, or the directive's name without its dot.
        rest: the operands of an instruction, or the whole text of a directive including its
            semicolon.
        rest_start: the offset of `rest`.
    """

    kind: Kind
    start: int
    end: int
    guard: str
    head: str
    rest: str
    rest_start: int


_STATEMENT: Final = re.compile(
    rf"""\s*(?:
        (@\s*!?\s*{IDENTIFIER}\s*)?(?>([a-z]\w*(?:\.\w+|::(?:\d:)?\w+)*+))(?!\s*:)\s*([^;]*);
      | ({IDENTIFIER})\s*:(?!:)
      | ([{{}}])
      | \.(\w+)
    )""",
    re.VERBOSE | re.ASCII,
)
_DIRECTIVE_END: Final = re.compile(r'(?:[^;"]|"(?:[^"\\\n]|\\.)*")*;')
_LOC: Final = re.compile(
    r"\.loc\s+\d+\s+\d+(?:\s+\d+)?"
    r"(?:\s*,\s*function_name\s+[\w$.]+(?:\s*\+\s*\d+)?\s*(?:,\s*inlined_at\s+\d+\s+\d+\s+\d+)?)?"
)
_FILE: Final = re.compile(r'\.file\s+\d+\s+"(?:[^"\\\n]|\\.)*"(?:\s*,\s*\d+\s*,\s*\d+)?')
_SECTION: Final = re.compile(r"\.section\s+[\w.$]+\s*\{[^}]*\}")
_OWN_ENDS: Final = {"loc": _LOC, "file": _FILE, "section": _SECTION}
_SPACE: Final = re.compile(r"\s*")


class StatementError(ValueError):
    """Text that is not a statement.

    Arguments:
        offset: its position.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def directive_end(text: str, at: int, name: str) -> int:
    """The end offset of the directive `name` that begins at `at`. Raises StatementError.

    `.loc`, `.file` and `.section` end without a semicolon.
    """
    match = _OWN_ENDS.get(name, _DIRECTIVE_END).match(text, at)
    if match is None:
        raise StatementError(
            f".{name} is not as PTX has it" if name in _OWN_ENDS else f"no ';' after .{name}", at
        )
    return match.end()


def statements(text: str, at: int = 0) -> Iterator[Statement]:
    """The statements from `at` on in text without comments. Raises StatementError.

    Braces that open and close scopes are statements, too; the caller decides where to stop.
    """
    match_at = _STATEMENT.match
    size = len(text)
    while True:
        match = match_at(text, at)
        if match is None:
            space = _SPACE.match(text, at)
            at = space.end() if space is not None else at
            if at < size:
                raise StatementError("expected a statement", at)
            return
        at = match.end()
        which = match.lastindex
        if which == 3:
            guard, opcode, rest = match.group(1, 2, 3)
            start = match.start(2)
            if guard:
                start = match.start(1)
                guard = "".join(guard.split())
            yield Statement(Kind.INSTRUCTION, start, at, guard or "", opcode, rest, match.start(3))
        elif which == 4:
            yield Statement(Kind.LABEL, match.start(4), at, "", match[4], "", at)
        elif which == 5:
            kind = Kind.OPEN if match[5] == "{" else Kind.CLOSE
            yield Statement(kind, match.start(5), at, "", match[5], "", at)
        else:
            start = match.start(6) - 1
            name = match[6]
            at = directive_end(text, start, name)
            yield Statement(Kind.DIRECTIVE, start, at, "", name, text[start:at], start)


def split_operands(text: str) -> list[str]:
    """Splits at commas outside of brackets; surrounding spaces are removed."""
    out: list[str] = []
    depth = 0
    start = 0
    for at, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == "," and depth == 0:
            out.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    if last or out:
        out.append(last)
    return out


_TOUCHING: Final = re.compile(r"[\w$%.]\s+[\w$%.]", re.ASCII)


def normalized_operands(text: str) -> str:
    """Operands with a space after each comma and no other spaces.

    Raises StatementError, with the offset in `text`, for adjacent words without a separator.
    """
    words = text.split()
    if len(words) == 1:
        joined = words[0]
        return joined.replace(",", ", ") if "," in joined else joined
    for word in words[:-1]:
        if word[-1] != ",":
            break
    else:
        joined = " ".join(words)
        if joined.count(",") == len(words) - 1:
            return joined
    touching = _TOUCHING.search(text)
    if touching is not None:
        raise StatementError("expected ',' or ';'", touching.end() - 1)
    return "".join(words).replace(",", ", ")
