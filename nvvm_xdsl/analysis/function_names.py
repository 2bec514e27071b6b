"""Names of a function's values as its assembly shows them, for printed analyses."""

from __future__ import annotations

import io

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.printer import Printer

from nvvm_xdsl.analysis.ops import value_name


class FunctionNames:
    """Unique names of values, also for values with the same hint or without one.

    Arguments:
        func: the function, which must not change while the names are in use.
    """

    def __init__(self, func: Operation) -> None:
        self._printer = Printer(io.StringIO(), print_debuginfo=False)
        self._printer.print_op(func)

    def of(self, value: SSAValue) -> str:
        """The name in the assembly; constants and special registers as in `value_name`."""
        if value.name_hint is None and isinstance(value, OpResult):
            text = value_name(value)
            if not text.startswith("%<"):
                return text
        return self._printed(value)

    def _printed(self, value: SSAValue) -> str:
        self._printer.stream = io.StringIO()
        self._printer.print_ssa_value(value)
        return self._printer.stream.getvalue()

    def op_text(self, op: Operation) -> str:
        """The first line of the op's assembly."""
        self._printer.stream = io.StringIO()
        self._printer.print_op(op)
        return self._printer.stream.getvalue().strip().partition("\n")[0]
