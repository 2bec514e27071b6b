"""Op classes that are rows of a table: classes that differ from their base only in their name.

    class Counter(OpRow, AssemblyOp):
        res = result_def(LLVM_TYPE)
        FORMAT: ClassVar[str] = "attr-dict `:` type($res)"

    class ClockOp(Counter, op="nvvm.read.ptx.sreg.clock"): ...
    class Clock64Op(Counter, op="nvvm.read.ptx.sreg.clock64"): ...

    OPS = defined_in(globals(), OpRow)

For type checkers, `isinstance` and text search they are ordinary classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from xdsl.irdl import IRDLOperation

from nvvm_xdsl.xdsl_patches.definitions import irdl_op_definition

Base = TypeVar("Base")


class OpRow(IRDLOperation):
    """Base of ops with the same definition.

    A subclass with `op` is the op of that name. A subclass without `op` is a base, which defines
    the operands, results and properties of its subclasses.
    """

    def __init_subclass__(cls, *, op: str | None = None) -> None:
        super().__init_subclass__()
        if op is not None:
            cls.name = op
            if cls.__doc__ is None:
                cls.__doc__ = f"MLIR's `{op}`."
            irdl_op_definition(cls)


def defined_in(namespace: Mapping[str, object], base: type[Base]) -> tuple[type[Base], ...]:
    """The ops or attributes below `base` that the module with these globals defines, in order.

    Classes without an op's or attribute's name are bases and are omitted.
    """
    return tuple(
        value
        for value in namespace.values()
        if isinstance(value, type)
        and base in value.__mro__
        and value.__module__ == namespace["__name__"]
        and "name" in vars(value)
    )
