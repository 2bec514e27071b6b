"""Errors of the writer of LLVM IR."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of


class WriteError(DiagnosticError):
    """An op that cannot be expressed in LLVM IR."""


def write_error(op: Operation, reason: str) -> WriteError:
    """The error for an op, at its source location."""
    place = place_of(op)
    return WriteError(
        f"{op.name} cannot be written as LLVM IR: {reason}",
        file=place.file,
        line=place.line,
        column=place.column,
    )
