"""Tokens of LLVM assembly text (LLVM Language Reference, "Identifiers").

A token is a plain string, which the reader accesses by index. One regular expression splits a chunk
of text at a time, so that the tokens of a long file or line are never all in memory. The position
of a token in the text is computed only for errors.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from nvvm_xdsl.frontend.errors import ParseError

LOOKAHEAD = 64
"""Number of tokens available after each `fill`. Longer constructs are read by loops that call
`fill`."""

CHUNK = 1 << 17
"""Number of characters that are tokenized at a time."""

_WINDOW_CHUNK = 512
"""The same for looking up a single definition elsewhere in the text."""

MAX_NESTING = 100
"""Maximum nesting depth of types, constants and metadata."""

EOF = ""

TOKEN = re.compile(
    r"""[ \t\r\n\f\v]*+(?:(?: ;[^\n]*\n | /\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/ )[ \t\r\n\f\v]*+)*
    (
      [%@$]?"[^"]*(?:":?)?              # quoted names, strings, quoted labels
    | c"[^"]*"?
    | [-+]s?nan\(0x[0-9a-fA-F]++\)
    | i[0-9]++(?=addrspace\()            # a pointee, its pointer's space right behind it
    | [-+\w$.]++:?                      # words, numbers, labels, comdats
    | [%@] [-$.\w]*+                    # values, types, globals
    | [,(){}\[\]<>=*|]
    | ! (?: [-$.\\\w]++ )?              # metadata; a string follows as a token of its own
    | [\#^] [-$.\w]*+
    | ;[^\n]*
    | /\*.*                             # a comment that does not end
    | .
    | \Z                                # lest white space alone is tried from each character
    )""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_GAP = re.compile(r"[\s,){}\[\]<>]")
"""Possible ends of a chunk: never within a token other than a string or a comment."""
_ESCAPE = re.compile(r"\\(\\|[0-9a-fA-F]{2})")
_INCOMPLETE = re.compile(r'(?:[%@$c]?"[^"]*|;[^\n]*|/\*.*)\Z', re.DOTALL)


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    return "\\" if code == "\\" else chr(int(code, 16))


def to_text(data: bytes) -> str:
    """Assembly text of a file's bytes; those that are not UTF-8 survive as surrogates."""
    return data.decode("utf-8", "surrogateescape")


def unquote(token: str) -> str:
    """The text between the first quote and the last, with escapes resolved, one character per
    byte."""
    body = token[token.index('"') + 1 :].rstrip(":")[:-1]
    if not body.isascii():
        body = body.encode("utf-8", "surrogateescape").decode("latin-1")
    if "\\" in body:
        body = _ESCAPE.sub(_escaped, body)
    return body


def unquote_text(token: str) -> str:
    """Like `unquote`, for readable text that MLIR keeps as a string: UTF-8 if valid."""
    body = unquote(token)
    if body.isascii():
        return body
    return body.encode("latin-1").decode("utf-8", "surrogateescape")


class Lexer:
    """The tokens of one text.

    Arguments:
        text: the assembly.
        filename: the file name in errors.
    """

    text: str
    filename: str
    tokens: list[str]
    """The current window of tokens; `fill` removes tokens at its start and appends tokens."""
    pos: int
    """Index of the next token in the window."""

    _chunks: list[tuple[int, int]]
    _dropped: int
    _scanned: int
    _ended: bool
    _chunk: int

    def __init__(self, text: str, filename: str) -> None:
        self.text = text
        self.filename = filename
        self.tokens = []
        self.pos = 0
        self._chunks = []
        self._dropped = 0
        self._scanned = 0
        self._ended = False
        self._chunk = CHUNK

    def open_window(self, offset: int) -> tuple[Any, ...]:
        """Continues reading at an offset of the text, until `close_window` is called with the
        result."""
        state = (
            self.tokens,
            self.pos,
            self._chunks,
            self._dropped,
            self._scanned,
            self._ended,
            self._chunk,
        )
        self.tokens, self.pos, self._chunks, self._dropped = [], 0, [], 0
        self._scanned, self._ended, self._chunk = offset, False, _WINDOW_CHUNK
        self.fill()
        return state

    def close_window(self, state: tuple[Any, ...]) -> None:
        """Restores the position before `open_window`."""
        self.tokens, self.pos, self._chunks, self._dropped = state[:4]
        self._scanned, self._ended, self._chunk = state[4:]

    def fill(self) -> None:
        """Ensures that LOOKAHEAD tokens follow, with `EOF` after the end of the text."""
        while len(self.tokens) - self.pos < LOOKAHEAD:
            if self._ended:
                self.tokens.extend([EOF] * LOOKAHEAD)
            else:
                self._scan(self._chunk)

    def release(self) -> None:
        """Drops the tokens before the current one, so that memory is bounded."""
        if self.pos > CHUNK:
            del self.tokens[: self.pos]
            self._dropped += self.pos
            self.pos = 0
            while len(self._chunks) > 1 and self._chunks[1][0] <= self._dropped:
                del self._chunks[0]

    def _scan(self, size: int) -> None:
        text = self.text
        start = self._scanned
        while True:
            gap = _GAP.search(text, start + size)
            end = len(text) if gap is None else gap.end()
            found = TOKEN.findall(text, start, end)
            while found and not found[-1]:
                found.pop()
            last = found[-1] if found else EOF
            if gap is None or _INCOMPLETE.match(last) is None:
                break
            # A string or comment at the end of a chunk is read again with the next chunk.
            if len(found) > 1:
                found.pop()
                end -= len(last)
                break
            size *= 2
        self._ended = end == len(text)
        if self._ended and found and found[-1].startswith(";"):
            found.pop()
        self._chunks.append((self._dropped + len(self.tokens), start))
        self.tokens += found
        self._scanned = end

    def offset_of(self, index: int) -> int:
        """The offset in the text of the token at this index of the window."""
        number = self._dropped + index
        base, start = self._chunks[0] if self._chunks else (0, 0)
        for first, offset in self._chunks:
            if first > number:
                break
            base, start = first, offset
        for count, match in enumerate(TOKEN.finditer(self.text, start), base):
            if count == number:
                return match.start(1)
        return len(self.text)

    def place(self, index: int | None = None) -> tuple[int, int]:
        """A mark of the token at `index`, or of the current one, for a later error."""
        number = self._dropped + (self.pos if index is None else index)
        for first, offset in reversed(self._chunks):
            if first <= number:
                return offset, number - first
        return 0, number

    def fail(self, message: str, index: int | None = None) -> NoReturn:
        """Raises the error `message` at the token at `index`, or at the current one."""
        offset = self.offset_of(self.pos if index is None else index)
        raise ParseError.at_offset(message, self.text, offset, self.filename)

    def fail_at(self, message: str, place: tuple[int, int]) -> NoReturn:
        """Raises the error `message` at a mark returned by `place`."""
        start, skip = place
        offset = len(self.text)
        for count, match in enumerate(TOKEN.finditer(self.text, start)):
            if count == skip:
                offset = match.start(1)
                break
        raise ParseError.at_offset(message, self.text, offset, self.filename)

    def fail_expected(self, what: str) -> NoReturn:
        """Raises "expected WHAT, found TOKEN" at the current token."""
        token = self.tokens[self.pos]
        self.fail(f"expected {what}, found {describe(token)}")

    def accept(self, token: str) -> bool:
        """Consumes the token if it is next; returns whether it was."""
        if self.tokens[self.pos] == token:
            self.pos += 1
            return True
        return False

    def expect(self, token: str) -> None:
        """Consumes the token, which must be next."""
        if self.tokens[self.pos] != token:
            self.fail_expected(f"'{token}'")
        self.pos += 1

    def next_token(self) -> str:
        """Consumes and returns the current token."""
        token = self.tokens[self.pos]
        self.pos += 1
        return token

    def string(self) -> str:
        """A quoted string's text."""
        token = self.tokens[self.pos]
        if len(token) < 2 or token[0] != '"' or token[-1] != '"':
            self.fail_expected("a string")
        self.pos += 1
        return unquote_text(token)

    def number(self) -> int:
        """A decimal integer, which may be negative."""
        token = self.tokens[self.pos]
        digits = token[1:] if token[:1] == "-" else token
        if not digits.isdecimal() or not digits.isascii():
            self.fail_expected("an integer")
        if len(digits) > 40:
            self.fail("integer is too large")
        self.pos += 1
        return int(token)


def describe(token: str) -> str:
    """The description of a token in errors."""
    if token == EOF:
        return "end of file"
    if len(token) > 60:
        token = token[:57] + "..."
    return f"'{token}'" if token.isprintable() else repr(token)
