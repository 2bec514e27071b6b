"""What the writer of LLVM IR says of an op that it has no spelling for."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of


class WriteError(DiagnosticError):
    """An op that LLVM IR has no form of."""


def write_error(op: Operation, reason: str) -> WriteError:
    """The error for an op, at the place that it comes from."""
    place = place_of(op)
    return WriteError(
        f"{op.name} cannot be written as LLVM IR: {reason}",
        file=place.file,
        line=place.line,
        column=place.column,
    )
