"""A call of an intrinsic that becomes other ops when a module is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import ConstantOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.llvm.constants import vector_constant
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.frontend.builders import (
    arithmetic_properties,
    element_type,
    scalar_width,
    vector_length,
)
from nvvm_xdsl.ir import fast

Insert = Callable[[Operation], SSAValue]
"""Inserts an op before the call and returns its result."""


class ExpansionError(ValueError):
    """A call whose arguments do not fit its intrinsic."""


class ExpandedCall:
    """A call of an intrinsic during its expansion."""

    def __init__(
        self, name: str, arguments: Sequence[SSAValue], output: Attribute, insert: Insert
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.output = output
        self.insert = insert

    def check(self, holds: bool) -> None:
        """Raises ExpansionError unless the types of the call fit."""
        if not holds:
            raise ExpansionError(f"the types of the call do not fit {self.name}")

    def op(self, opcode: str, *operands: SSAValue, type_: Attribute | None = None) -> SSAValue:
        """The result of `llvm.<opcode>`, by default of the first operand's type."""
        properties = arithmetic_properties(opcode, ())
        result = operands[0].type if type_ is None else type_
        made = fast.create(op_class(f"llvm.{opcode}"), operands, (result,), properties)
        return self.insert(made)

    def constant(self, value: int, type_: Attribute) -> SSAValue:
        """An integer, or a vector with this value in each element."""
        count, element = vector_length(type_), cast(IntegerType, element_type(type_))
        attr: Attribute = int_attr(value, element)
        if count is not None:
            attr = vector_constant([value] * count, cast("VectorType[Attribute]", type_))
        return self.insert(fast.create(ConstantOp, (), (type_,), {"value": attr}))

    def invert(self, value: SSAValue) -> SSAValue:
        """The complement."""
        ones = (1 << scalar_width(element_type(value.type))) - 1
        return self.op("xor", value, self.constant(ones, value.type))

    def shift(self, opcode: str, value: SSAValue, count: int) -> SSAValue:
        """A shift by a constant."""
        return self.op(opcode, value, self.constant(count, value.type))
