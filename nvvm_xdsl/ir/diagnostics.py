"""Errors for the user: a message with its location in the input.

Every failure that input can cause is a `DiagnosticError`; the tools print `render()` and exit
with status 1.
"""

from __future__ import annotations

from typing import Self

EXCERPT_WIDTH = 120
"""The maximum number of characters of a source line in a rendered error."""

_ELLIPSIS = "..."


def clip_source_line(
    line: str, column: int | None, width: int = EXCERPT_WIDTH
) -> tuple[str, int | None]:
    """The part of `line` around `column` that fits into `width`, and the column in that part.

    Columns count from 1. Tabs and control characters become single spaces, so that a caret
    below the excerpt has the right column.
    """
    index = min(max((column or 1) - 1, 0), len(line))
    start = 0
    end = len(line)
    if end > width:
        start = max(0, min(index - width // 2, end - width))
        end = start + width
    # Only the excerpt is translated: a line may be 100 MB long.
    excerpt = "".join(c if c.isprintable() else " " for c in line[start:end])
    if start > 0:
        excerpt = _ELLIPSIS + excerpt[len(_ELLIPSIS) :]
    if end < len(line):
        excerpt = excerpt[: -len(_ELLIPSIS)] + _ELLIPSIS
    return excerpt, None if column is None else index - start + 1


class DiagnosticError(Exception):
    """An error in the user's input.

    Arguments:
        message: the error, in one sentence without a final period. file, line, column: the location
            as far as it is known; line and column count from 1.
        source_line: the text of that line, shown with a caret below the column.
    """

    message: str
    file: str | None
    line: int | None
    column: int | None
    source_line: str | None

    complete: bool = False
    """Whether `message` is a complete text of another program."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source_line: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.source_line = source_line

    @classmethod
    def at_offset(cls, message: str, text: str, offset: int, file: str | None = None) -> Self:
        """The error for a location in `text` that is given as a character offset."""
        offset = min(max(offset, 0), len(text))
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        return cls(
            message,
            file=file,
            line=text.count("\n", 0, start) + 1,
            column=offset - start + 1,
            source_line=text[start : end if end >= 0 else len(text)],
        )

    def __str__(self) -> str:
        return self.render()

    def parts(self) -> tuple[DiagnosticError, ...]:
        """The errors that are reported together: this one, unless a subclass has several."""
        return (self,)

    def render(self) -> str:
        """`file:line:column: error: message`, then the source line and a caret where known."""
        if self.complete:
            return self.message
        place = self.file or ""
        if self.line is not None:
            place = f"{place or '<unknown>'}:{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        head = f"{place}: error: {self.message}" if place else f"error: {self.message}"
        if self.source_line is None:
            return head
        excerpt, column = clip_source_line(self.source_line.rstrip("\r\n"), self.column)
        if column is None:
            return f"{head}\n{excerpt}"
        return f"{head}\n{excerpt}\n{' ' * (column - 1)}^"
