"""Errors at an op of the ptx dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from nvvm_xdsl.ir.diagnostics import DiagnosticError


def error_at(op: Operation, message: str) -> DiagnosticError:
    """The error at the location of an op, if known."""
    location = op.location
    if isinstance(location, FileLineColLoc):
        return DiagnosticError(
            message,
            file=location.filename.data,
            line=location.line.data,
            column=location.column.data,
        )
    return DiagnosticError(message)
