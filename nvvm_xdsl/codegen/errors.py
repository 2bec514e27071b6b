"""The error of selection."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.verify.verifier import function_name


class SelectionError(DiagnosticError):
    """The module requires a feature that the target lacks.

    `op` is the op that requires it, if known.
    """

    op: Operation | None = None


def error_at(op: Operation | None, message: str) -> SelectionError:
    """The error for an op, with its function and its location if known."""
    file, line, column = place_of(op)
    name = function_name(op)
    if name is not None:
        message = f"in @{name}: {message}"
    error = SelectionError(message, file=file, line=line, column=column)
    error.op = op
    return error
