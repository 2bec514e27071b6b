"""The treatment of `llvm.intr.dbg.*` while passes run; see `dialects/llvm/debug_placement.py`."""

from __future__ import annotations

from xdsl.dialects.llvm import ConstantOp, UndefOp, ZeroOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.debug_placement import CONSTANTS, DEBUG_OPS, DebugOpClass
from nvvm_xdsl.dialects.llvm.debug_salvage import salvage
from nvvm_xdsl.ir import fast


def register(
    declare: type[Operation],
    value: type[Operation],
    label: type[Operation],
    poison: type[Operation],
) -> None:
    """Registers the ops, given their classes."""

    def valued(op: Operation) -> Operation:
        return fast.create(value, (), (), dict(op.properties), (), None, op.location)

    def unknown_value(op: Operation, type_: Attribute) -> list[Operation]:
        made = fast.create(poison, (), (type_,))
        fast.set_operands(op, (made.results[0],))
        return [made, op]

    def unknown_address(op: Operation, type_: Attribute) -> list[Operation]:
        return unknown_value(valued(op), type_)

    DEBUG_OPS[declare] = DebugOpClass(unknown_address, valued)
    DEBUG_OPS[value] = DebugOpClass(unknown_value, salvage=salvage)
    DEBUG_OPS[label] = DebugOpClass()
    CONSTANTS.update((ConstantOp, UndefOp, ZeroOp, poison))
