"""The one error of the front end."""

from __future__ import annotations

from nvvm_xdsl.ir.diagnostics import DiagnosticError


class ParseError(DiagnosticError):
    """Input that is not well-formed, with its location in the text."""
