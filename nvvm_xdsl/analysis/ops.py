"""Small questions about single ops and values that several analyses ask."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, StringAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    ConstantOp,
    LLVMPointerType,
    OverflowAttr,
    SelectOp,
    ZeroOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

NSW = 1
NUW = 2
EXACT = 4

DYNAMIC_INDEX = -(1 << 31)
"""What stands in `rawConstantIndices` of a GEP for an index that is an operand."""

_INTRINSIC = "llvm.call_intrinsic"
_REGISTER = "nvvm.read.ptx.sreg."


def integer_width(type_: Attribute) -> int:
    """The width of a scalar integer type; 0 for other types."""
    return cast(IntegerType, type_).width.data if type_.__class__ is IntegerType else 0


def constant_integer(value: SSAValue) -> int | None:
    """The number that a constant op gives the value, signed; pointers and zeros included."""
    if value.__class__ is not OpResult:
        return None
    op = cast(OpResult, value).op
    if op.__class__ is ConstantOp:
        attribute = op.properties.get("value")
        if attribute.__class__ is IntegerAttr:
            return cast("IntegerAttr[Any]", attribute).value.data
        return None
    if op.__class__ is ZeroOp:
        type_ = value.type
        if type_.__class__ in (IntegerType, LLVMPointerType):
            return 0
    return None


def wrap_flags(op: Operation) -> int:
    """`NSW` and `NUW` of an integer op, `EXACT` of a division or shift to the right."""
    properties = op.properties
    flags = 0
    overflow = properties.get("overflowFlags")
    if overflow.__class__ is OverflowAttr:
        flags = cast(OverflowAttr, overflow).to_int()
    elif overflow.__class__ is IntegerAttr:
        flags = cast("IntegerAttr[Any]", overflow).value.data
    if "isExact" in properties:
        flags |= EXACT
    return flags


def predicate_of(op: Operation) -> int:
    """The number of an `llvm.icmp`'s or `llvm.fcmp`'s predicate."""
    return integer_property(op, "predicate") or 0


def integer_property(op: Operation, name: str) -> int | None:
    """An integer property or attribute of the op."""
    attribute = op.properties.get(name) or op.attributes.get(name)
    if attribute.__class__ is IntegerAttr:
        return cast("IntegerAttr[Any]", attribute).value.data
    return None


def dense_numbers(attribute: Attribute | None) -> tuple[int, ...]:
    """The numbers of a dense array attribute."""
    if isinstance(attribute, DenseArrayBase):
        return tuple(cast("DenseArrayBase[Any]", attribute).get_values())
    return ()


def intrinsic_name(op: Operation) -> str | None:
    """The name of the intrinsic that an `llvm.call_intrinsic` calls."""
    if op.name != _INTRINSIC:
        return None
    name = op.properties.get("intrin")
    return name.data if isinstance(name, StringAttr) else None


def value_name(value: SSAValue) -> str:
    """How printers name a value: by its name, its constant, or what makes it.

    What a special register holds has PTX's name of the register: `%tid.x`.
    """
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    constant = constant_integer(value)
    if constant is not None:
        return str(constant)
    if isinstance(value, OpResult):
        if value.op.name.startswith(_REGISTER):
            return f"%{value.op.name[len(_REGISTER) :]}"
        if value.op.__class__ is AddressOfOp:
            return str(value.op.properties["global_name"])
        return f"%<{value.op.name}>"
    return f"%arg{getattr(value, 'index', '?')}"


def connected(op: Operation) -> tuple[bool, SSAValue, SSAValue] | None:
    """The two conditions of an `and` or `or` of them, which a `select` may be written for.

    The flag is true for `and`. Of a `select` the second condition does not count where the
    first decides. None for other ops.
    """
    if not op.results or integer_width(op.results[0].type) != 1:
        return None
    operands = op.operands
    if op.name in ("llvm.and", "llvm.or"):
        return op.name == "llvm.and", operands[0], operands[1]
    if op.__class__ is SelectOp:
        condition, yes, no = operands
        if constant_integer(no) == 0:
            return True, condition, yes
        if constant_integer(yes) in (1, -1):
            return False, condition, no
    return None
