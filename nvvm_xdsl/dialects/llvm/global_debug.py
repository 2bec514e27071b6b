"""Descriptions (`dbg_exprs`) of module variables whose memory was split or shrunk.

The descriptions of a variable's parts contain the source variable and a fragment of it, as in LLVM:

    expr = <[DW_OP_LLVM_fragment(32, 32)]>              bits 32 to 63 of the source variable
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr, DIExpressionElemAttr, opcodes
from nvvm_xdsl.dialects.llvm.debug_salvage import STACK_VALUE, step
from nvvm_xdsl.dialects.llvm.struct_attributes import DIGlobalVariableExpressionAttr
from nvvm_xdsl.ir.arrays import items_of

FRAGMENT: Final = "DW_OP_LLVM_fragment"

_CLASS_NAMING: Final = ("DW_OP_constu", "DW_OP_swap", "DW_OP_xderef")


def split_fragment(
    expression: Attribute | None,
) -> tuple[list[DIExpressionElemAttr], tuple[int, int] | None]:
    """The operations before the fragment, and its offset and size in bits; None for the whole variable."""
    steps = opcodes(expression)
    if not steps or steps[-1].opcode.data != FRAGMENT:
        return steps, None
    offset, size = cast("tuple[IntAttr, IntAttr]", steps[-1].arguments.data)
    return steps[:-1], (offset.data, size.data)


def without_address_class(steps: Sequence[DIExpressionElemAttr]) -> Sequence[DIExpressionElemAttr]:
    """The operations without the last three by which clang names CUDA's address class.

    The state space of the memory contains the same information.
    """
    names = tuple(element.opcode.data for element in steps[-3:])
    return steps[:-3] if names == _CLASS_NAMING else steps


def debug_expressions(variable: Operation) -> Attribute | None:
    """The source variables that a global holds, with expressions (`dbg_exprs`); None without any."""
    return variable.properties.get("dbg_exprs")


def describe_part(described: Attribute | None, offset: int, size: int) -> ArrayAttr[Attribute]:
    """The descriptions of a part of a variable's memory, given those of the variable.

    Arguments:
        offset, size: of the part, in bits.
    A description that computes an address or value from the memory has none for a part.
    """

    def steps_of(fragment: tuple[int, int] | None) -> list[Attribute]:
        return [step(FRAGMENT, offset if fragment is None else fragment[0] + offset, size)]

    return _described(described, steps_of)


def describe_flag(described: Attribute | None, first: int, other: int) -> ArrayAttr[Attribute]:
    """The descriptions of an integer variable that became an `i1`, given those of the variable.

    Arguments:
        first, other: the values that 0 and 1 represent.
    """
    value = [
        step("DW_OP_deref_size", 1),
        step("DW_OP_constu", other - first),
        step("DW_OP_mul"),
        step("DW_OP_constu", first),
        step("DW_OP_plus"),
        step(STACK_VALUE),
    ]

    def steps_of(fragment: tuple[int, int] | None) -> list[Attribute]:
        return [*value, *([] if fragment is None else [step(FRAGMENT, *fragment)])]

    return _described(described, steps_of)


def _described(
    described: Attribute | None,
    steps_of: Callable[[tuple[int, int] | None], Sequence[Attribute]],
) -> ArrayAttr[Attribute]:
    """The descriptions whose expressions only name a fragment, with new expressions.

    Arguments:
        steps_of: the steps of the new expression for offset and size of the old one's fragment.
    """
    found: list[Attribute] = []
    for one in items_of(described):
        if not isinstance(one, DIGlobalVariableExpressionAttr):
            continue
        steps, fragment = split_fragment(one.field("expr"))
        if not without_address_class(steps):
            new = DIExpressionAttr(ArrayAttr(steps_of(fragment)))
            found.append(DIGlobalVariableExpressionAttr(one.var, new))
    return ArrayAttr(found)
