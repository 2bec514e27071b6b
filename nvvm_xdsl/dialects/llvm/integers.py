"""Integers of a fixed width, and integer constants of the IR.

Integer constants are kept as signed numbers: `true` is -1. `constant_integer` returns that number.
`constant_unsigned` returns the unsigned number with the same bits, for operands that LLVM reads as
unsigned: positions in a vector, sizes in memory, funnel shift amounts.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.llvm import ConstantOp, LLVMPointerType, ZeroOp
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_of, integer_width
from nvvm_xdsl.ir import fast


def signed(value: int, width: int) -> int:
    """The number modulo 2^width, read as two's complement."""
    half = 1 << (width - 1)
    return ((value + half) & (2 * half - 1)) - half


def unsigned(value: int, width: int) -> int:
    """The number modulo 2^width."""
    return value & ((1 << width) - 1)


def number_and_width(attribute: Attribute) -> tuple[int, int] | None:
    """The unsigned number and the width of an integer attribute; None for other attributes."""
    if type(attribute) is not IntegerAttr:
        return None
    width = integer_width(attribute.type)
    return unsigned(attribute.value.data, width), width


def constant_integer(value: SSAValue) -> int | None:
    """The value of a constant of scalar integer type as a signed number; None for other values."""
    owner = value.owner
    cls = type(owner)
    if cls is ConstantOp:
        attribute = fast.producer_of(value).properties.get("value")
        return integer_of(attribute)
    elif cls is ZeroOp and type(value.type) is IntegerType:
        return 0
    return None


def constant_unsigned(value: SSAValue) -> int | None:
    """The value of a constant of scalar integer type as an unsigned number; None for other values."""
    number = constant_integer(value)
    return None if number is None else unsigned(number, integer_width(value.type))


def constant_number(value: SSAValue) -> int | None:
    """As `constant_integer`, and 0 for a null pointer."""
    if type(value.type) is LLVMPointerType:
        return 0 if type(value.owner) is ZeroOp else None
    return constant_integer(value)
