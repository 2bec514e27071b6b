"""Fields of `#llvm.di_*` attributes, and the constants that debug records refer to."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, StringAttr
from xdsl.dialects.llvm import ConstantOp, ZeroOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.attributes import StructAttr
from nvvm_xdsl.dialects.llvm.accessors import initial_value_of, integer_of
from nvvm_xdsl.dialects.llvm.constants import float_bits
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DIBasicTypeAttr,
    DICompositeTypeAttr,
    DIDerivedTypeAttr,
)
from nvvm_xdsl.dialects.llvm.types import I1


def described_variable(record: Operation) -> Attribute:
    """The variable that an `llvm.intr.dbg.value` or `dbg.declare` describes."""
    return record.properties["varInfo"]


def location_expression(record: Operation) -> Attribute | None:
    """The operations on the value of a debug intrinsic (`locationExpr`); None if there are none."""
    return record.properties.get("locationExpr")


def text_of(attribute: StructAttr, name: str) -> str:
    """A string field; empty if it is absent."""
    found = attribute.field(name)
    return found.data if isinstance(found, StringAttr) else ""


def number_in(attribute: StructAttr, name: str) -> int:
    """An integer field; 0 if it is absent."""
    return integer_in(attribute.field(name))


def integer_in(attribute: Attribute | None) -> int:
    """The value of an integer attribute with or without a type; 0 for other attributes."""
    if isinstance(attribute, IntAttr):
        return cast("IntAttr[int]", attribute).data
    return integer_of(attribute) or 0


def size_in_bits(type_: Attribute | None) -> int:
    """The size of a type, through qualifiers and typedefs; 0 if it is unknown."""
    while isinstance(type_, DIDerivedTypeAttr) and not number_in(type_, "sizeInBits"):
        type_ = type_.field("baseType")
    if isinstance(type_, DIBasicTypeAttr | DIDerivedTypeAttr | DICompositeTypeAttr):
        return number_in(type_, "sizeInBits")
    return 0


def constant_bits(constant: Operation) -> int | None:
    """The value of a scalar constant, a float as its bits; None for other ops."""
    if type(constant) is ZeroOp:
        return 0
    value = initial_value_of(constant) if type(constant) is ConstantOp else None
    if isinstance(value, IntegerAttr):
        # The variable is wider than its value: a `bool` that is true is 1.
        return value.value.data & 1 if constant.results[0].type == I1 else value.value.data
    return float_bits(cast(Any, value)) if isinstance(value, FloatAttr) else None
