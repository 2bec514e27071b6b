"""The error of selection."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from nvvm_xdsl.ir.diagnostics import DiagnosticError


class SelectionError(DiagnosticError):
    """What the module asks for has no code for this target."""


def error_at(op: Operation | None, message: str) -> SelectionError:
    """The error for an op: names its function, and its place where the op knows it."""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    if op is not None:
        location = op.location
        if isinstance(location, FileLineColLoc):
            file = location.filename.data
            line = location.line.data
            column = location.column.data
        at: Operation | None = op
        while at is not None and at.name not in ("llvm.func", "llvm.mlir.global"):
            at = at.parent_op()
        if at is not None:
            symbol = getattr(at.properties.get("sym_name"), "data", "")
            message = f"in '{symbol}': {message}"
    return SelectionError(message, file=file, line=line, column=column)
