"""Locations of source variables in a function's machine code.

Debug records do not affect selection: no value is computed for them, so that folded and unused
values get no registers. Each becomes an `nvptx.debug_value` after the instructions of the op that
it followed.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.codegen.rules.abi import parameter_name
from nvvm_xdsl.codegen.selector import Address, Selector
from nvvm_xdsl.dialects.generated.llvm_tooling_ops import DbgDeclareOp, DbgLabelOp
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr, DIExpressionElemAttr, opcodes
from nvvm_xdsl.dialects.llvm.debug_fields import (
    constant_bits,
    described_variable,
    location_expression,
)
from nvvm_xdsl.dialects.llvm.debug_placement import CONSTANTS, DebugRecords, Record
from nvvm_xdsl.dialects.llvm.debug_salvage import salvage
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp, debug_value
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import STATE_SPACES


class DebugValues:
    """The debug values of one function during selection.

    Arguments:
        func: the `llvm.func`; the debug records are removed from it.
        name: the prefix of its parameters' names.
        kernel: whether it is a kernel, whose parameters stay in memory.
    """

    def __init__(self, func: Operation, name: str, *, kernel: bool) -> None:
        self._name = name
        self._kernel = kernel
        self._entry = func.regions[0].first_block
        self._places: list[tuple[list[Any], Record]] = []
        self._behind: dict[Operation | Block, list[Record]] = {}
        for record in DebugRecords.take(fast.blocks_of(func.regions[0])).records:
            # Constants used only by debug values were erased with them.
            before = [op for op in record.order[: record.index] if op.parent is not None]
            self._behind.setdefault(before[-1] if before else record.block, []).append(record)

    def select(self, sel: Selector, passed: Operation | Block) -> None:
        """Reserves a position after an op, or at the start of a block."""
        for record in self._behind.get(passed, ()):
            place: list[Any] = []
            sel.append_place(place)
            self._places.append((place, record))

    def finish(self, sel: Selector) -> None:
        """Fills the reserved positions after selection."""
        for place, record in self._places:
            if type(record.op) is DbgLabelOp:
                continue
            made = self._described(sel, record)
            made.location = record.op.location
            place.append(made)

    def _described(self, sel: Selector, record: Record) -> DebugValueOp:
        variable = described_variable(record.op)
        expression = location_expression(record.op)
        if record.constant is not None:
            number = constant_bits(record.constant)
            return debug_value(variable, expression, constant=number)
        value = record.value
        if value is None:
            return debug_value(variable, expression)
        if type(record.op) is DbgDeclareOp:
            return self._in_memory(sel, value, variable, expression)
        argument = self._parameter(value)
        if argument and not opcodes(expression):
            return debug_value(variable, expression, symbol=argument, space="param")
        return self._computed(sel, value, record.op)

    @staticmethod
    def _computed(sel: Selector, value: SSAValue, described: Operation) -> DebugValueOp:
        """A debug value by the register of a value, or of an operand of a folded value."""
        while True:
            variable = described_variable(described)
            expression = location_expression(described)
            owner = value.owner
            register = sel.register_of(value)
            if register is not None or isinstance(owner, Block):
                return debug_value(variable, expression, register)
            if type(owner) in CONSTANTS:
                return debug_value(variable, expression, constant=constant_bits(owner))
            found = salvage(owner, described)
            if found is None:
                return debug_value(variable, expression)
            value, described = found

    def _in_memory(
        self, sel: Selector, pointer: SSAValue, variable: Attribute, expression: Attribute | None
    ) -> DebugValueOp:
        address = sel.address_of(pointer)
        if address is None:
            register = sel.register_of(pointer)
            return debug_value(variable, expression, register, address=register is not None)
        if address.symbol:
            return debug_value(
                variable,
                _with_offset(address, expression),
                symbol=address.symbol,
                space=STATE_SPACES[address.space],
            )
        if address.base is None or address.offset:
            return debug_value(variable, expression)
        return debug_value(variable, expression, address.base, address=True)

    def _parameter(self, value: SSAValue) -> str:
        """The name of the kernel parameter that a value equals; parameters do not change."""
        if self._kernel and isinstance(value, BlockArgument) and value.block is self._entry:
            return parameter_name(self._name, value.index)
        return ""


def _with_offset(address: Address, expression: Attribute | None) -> Attribute | None:
    if not address.offset:
        return expression
    steps = expression.operations.data if isinstance(expression, DIExpressionAttr) else ()
    first = DIExpressionElemAttr(
        StringAttr("DW_OP_plus_uconst"), ArrayAttr([IntAttr(address.offset)])
    )
    return DIExpressionAttr(ArrayAttr([first, *steps]))
