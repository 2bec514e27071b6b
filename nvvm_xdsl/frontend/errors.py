"""The one error of the front end."""

from __future__ import annotations

from nvvm_xdsl.ir.diagnostics import DiagnosticError


class ParseError(DiagnosticError):
    """Input that is not well-formed, with its location in the text."""


def parse_error_at(message: str, text: str, offset: int, file: str) -> ParseError:
    """The error for a character offset of `text`."""
    offset = min(max(offset, 0), len(text))
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return ParseError(
        message,
        file=file,
        line=text.count("\n", 0, start) + 1,
        column=offset - start + 1,
        source_line=text[start : end if end >= 0 else len(text)],
    )
