"""Integers of a fixed width, and the constants that they are in the IR.

The IR keeps the constants of an integer type as signed numbers (`true` is -1, as LLVM extends
it); who wants the bits asks for `unsigned`.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.llvm import ConstantOp, LLVMPointerType, ZeroOp
from xdsl.ir import Operation, SSAValue


def signed(value: int, width: int) -> int:
    """The number modulo 2^width, read as two's complement."""
    half = 1 << (width - 1)
    return ((value + half) & (2 * half - 1)) - half


def unsigned(value: int, width: int) -> int:
    """The number modulo 2^width."""
    return value & ((1 << width) - 1)


def constant_integer(value: SSAValue) -> int | None:
    """The number, signed, that a constant of scalar integer type is; None for other values."""
    owner = value.owner
    cls = owner.__class__
    if cls is ConstantOp:
        attribute = cast(Operation, owner).properties.get("value")
        if attribute.__class__ is IntegerAttr:
            return cast("IntegerAttr[Any]", attribute).value.data
    elif cls is ZeroOp and value.type.__class__ is IntegerType:
        return 0
    return None


def constant_number(value: SSAValue) -> int | None:
    """As `constant_integer`, and 0 for a null pointer."""
    if value.type.__class__ is LLVMPointerType:
        return 0 if value.owner.__class__ is ZeroOp else None
    return constant_integer(value)
