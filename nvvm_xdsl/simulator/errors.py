"""What goes wrong when a kernel runs."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.ir.attributes import intrinsic_name
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of


def describe(op: Operation) -> str:
    """An op as an error names it: its name, the function it is in, its location if it has one."""
    found = place_of(op)
    return _describe(op) if found.file is None else f"{_describe(op)} at {found}"


def _describe(op: Operation) -> str:
    function = op
    while function.parent_op() is not None and "sym_name" not in function.properties:
        parent = function.parent_op()
        assert parent is not None
        function = parent
    symbol = function.properties.get("sym_name")
    where = f" in @{getattr(symbol, 'data', '?')}" if symbol is not None else ""
    results = ", ".join(f"%{r.name_hint}" for r in op.results if r.name_hint)
    intrinsic = intrinsic_name(op)
    named = f" {intrinsic}" if intrinsic else ""
    return f"{results + ' = ' if results else ''}{op.name}{named}{where}"


class SimulationError(DiagnosticError):
    """A kernel did what it must not do.

    Arguments:
        kind: `memory`, `race`, `sync`, `init`, `poison`, `limit`, `trap`, `assert` or
            `unsupported`.
        message: what happened.
        op: the op that did it.
    """

    kind: str
    op: Operation | None

    def __init__(self, kind: str, message: str, op: Operation | None = None) -> None:
        file, line, column = place_of(op)
        super().__init__(
            message if op is None else f"{message}: {_describe(op)}",
            file=file,
            line=line,
            column=column,
        )
        self.kind = kind
        self.op = op
