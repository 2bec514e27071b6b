"""Errors of kernels at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, symbol_name
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of


def describe(op: Operation) -> str:
    """The description of an op in errors: name, function, and location if present."""
    found = place_of(op)
    return _describe(op) if found.file is None else f"{_describe(op)} at {found}"


def _describe(op: Operation) -> str:
    function = op
    while function.parent_op() is not None and "sym_name" not in function.properties:
        parent = function.parent_op()
        assert parent is not None
        function = parent
    symbol = symbol_name(function)
    where = f" in @{symbol}" if symbol is not None else ""
    results = ", ".join(f"%{r.name_hint}" for r in op.results if r.name_hint)
    intrinsic = intrinsic_name(op)
    named = f" {intrinsic}" if intrinsic else ""
    return f"{results + ' = ' if results else ''}{op.name}{named}{where}"


class SimulationError(DiagnosticError):
    """A kernel performed an invalid operation.

    Arguments:
        kind: `memory`, `race`, `sync`, `init`, `poison`, `limit`, `trap`, `assert` or
            `unsupported`.
        message: what happened.
        op: the op that caused the error.
        title: the message in compute-sanitizer's wording, without thread and location; by default
            `message`.
        notes: additional lines of the report.
        cause: distinguishes errors with the same title at the same op.
        actor: the thread and block that caused it.
        count: number of threads that caused it at the same time.
    """

    kind: str
    op: Operation | None

    def __init__(
        self,
        kind: str,
        message: str,
        op: Operation | None = None,
        *,
        title: str | None = None,
        notes: Sequence[str] = (),
        cause: str = "",
        actor: str | None = None,
        count: int = 1,
    ) -> None:
        file, line, column = place_of(op)
        super().__init__(
            message if op is None else f"{message}: {_describe(op)}",
            file=file,
            line=line,
            column=column,
        )
        self.kind = kind
        self.op = op
        self.title = title or message
        self.notes = tuple(notes)
        self.cause = cause
        self.actor = actor
        self.count = count
        self.thread: tuple[tuple[int, int, int], int] | None = None
        """The block, and the index of the thread in it, if known."""
        self.output = ""
        """The output of the kernel so far."""


def fail(error: SimulationError) -> NoReturn:
    """Without a collector, an error ends the launch."""
    raise error
