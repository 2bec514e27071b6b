"""Descriptions of erased values by their operands: LLVM's `salvageDebugInfo`, for
`llvm.intr.dbg.value`.

Values on DWARF's stack have 64 bits, and a variable is the low bits. Therefore only ops whose low
result bits depend on low operand bits are salvaged, and extensions, which are expressed by masks:
no bits of a wider value become visible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, IntAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    GEPOp,
    LLVMPointerType,
    MulOp,
    OrOp,
    SExtOp,
    ShlOp,
    SubOp,
    TruncOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.generated.llvm_core_ops import AddrSpaceCastOp, FreezeOp
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr, DIExpressionElemAttr, opcodes
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.debug_fields import location_expression
from nvvm_xdsl.dialects.llvm.debug_placement import Salvaged
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL

STACK_BITS: Final = 64
"""The width of a value on DWARF's stack."""

MAX_STEPS: Final = 32
"""The maximum number of operations of an expression; longer ones have no value (LLVM: 128)."""

STACK_VALUE: Final = "DW_OP_stack_value"

_SAME_SPACE: Final = frozenset({GENERIC, GLOBAL})
"""Address spaces whose pointers have the same bits: generic and global."""

_Steps: TypeAlias = "tuple[Attribute, ...]"


def step(opcode: str, *arguments: int) -> DIExpressionElemAttr:
    """An operation of an expression."""
    numbers = [IntAttr(number & (1 << STACK_BITS) - 1) for number in arguments]
    return DIExpressionElemAttr(StringAttr(opcode), ArrayAttr(numbers))


_BINARY: Final[dict[type[Operation], str]] = {
    AndOp: "DW_OP_and",
    MulOp: "DW_OP_mul",
    OrOp: "DW_OP_or",
    ShlOp: "DW_OP_shl",
    SubOp: "DW_OP_minus",
    XOrOp: "DW_OP_xor",
}
"""Ops with one operand besides a constant, whose low result bits depend on low operand bits."""


def _binary(op: Operation) -> _Steps | None:
    left, right = fast.operands_of(op)
    number = constant_integer(right)
    if number is None or not 0 < integer_width(left.type) <= STACK_BITS:
        return None
    if type(op) is AddOp:
        if number >= 0:
            return (step("DW_OP_plus_uconst", number),)
        return step("DW_OP_constu", -number), step("DW_OP_minus")
    return step("DW_OP_constu", number), step(_BINARY[type(op)])


def _zext(op: Operation) -> _Steps | None:
    width = integer_width(fast.operands_of(op)[0].type)
    if not 0 < width < STACK_BITS:
        return None
    return step("DW_OP_constu", (1 << width) - 1), step("DW_OP_and")


def _sext(op: Operation) -> _Steps | None:
    low = _zext(op)
    if low is None:
        return None
    sign = 1 << integer_width(fast.operands_of(op)[0].type) - 1
    flip = step("DW_OP_constu", sign), step("DW_OP_xor")
    return *low, *flip, step("DW_OP_constu", sign), step("DW_OP_minus")


def _trunc(op: Operation) -> _Steps | None:
    return () if 0 < integer_width(fast.operands_of(op)[0].type) <= STACK_BITS else None


def _space_cast(op: Operation) -> _Steps | None:
    types = (op.results[0].type, fast.operands_of(op)[0].type)
    spaces = {address_space_of(t) for t in types if isinstance(t, LLVMPointerType)}
    return () if spaces <= _SAME_SPACE else None


def _gep(op: Operation) -> _Steps | None:
    module = op.parent_op()
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    if module is None or not isinstance(fast.operands_of(op)[0].type, LLVMPointerType):
        return None
    offset = constant_offset(op, DataLayout.of(module))
    if offset is None:
        return None
    if offset >= 0:
        return (step("DW_OP_plus_uconst", offset),) if offset else ()
    return step("DW_OP_constu", -offset), step("DW_OP_minus")


SALVAGES: Final[dict[type[Operation], Callable[[Operation], _Steps | None]]] = {
    AddOp: _binary,
    **dict.fromkeys(_BINARY, _binary),
    AddrSpaceCastOp: _space_cast,
    FreezeOp: lambda _: (),
    GEPOp: _gep,
    SExtOp: _sext,
    TruncOp: _trunc,
    ZExtOp: _zext,
}
"""By class of op: the operation that computes its result from its first operand."""


def salvage(op: Operation, described: Operation) -> Salvaged | None:
    """Describes the result of an op by its first operand.

    Arguments:
        op: the op, which may have lost its operands.
        described: the `llvm.intr.dbg.value` of its result.

    Returns the operand and its description, or None if there is none.
    """
    if not fast.operands_of(op):
        return None
    rule = SALVAGES.get(type(op))
    steps = None if rule is None else rule(op)
    if steps is None:
        return None
    made = fast.clone(described)
    if steps:
        expression = prefixed(location_expression(described), steps)
        if expression is None:
            return None
        made.properties["locationExpr"] = expression
    return fast.operands_of(op)[0], made


def prefixed(expression: Attribute | None, steps: Sequence[Attribute]) -> DIExpressionAttr | None:
    """The expression of a value computed by these steps; None for a part of a variable, or one that
    is too long."""
    known = opcodes(expression)
    names = [element.opcode.data for element in known]
    if "DW_OP_LLVM_fragment" in names or len(known) + len(steps) > MAX_STEPS:
        return None
    end = () if STACK_VALUE in names else (step(STACK_VALUE),)
    return DIExpressionAttr(ArrayAttr([*steps, *known, *end]))
