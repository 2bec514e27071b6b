"""Common code of patterns over machine instructions in SSA form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeGuard

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from nvvm_xdsl.dialects.nvptx.instruction_classes import ATOM, LD, RED, ST
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, InstructionOp, build, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import (
    ADDRESS_KIND,
    IMMEDIATE_KIND,
    REG,
    REGISTER_KIND,
    Slot,
    layout,
    slot_number,
)
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast

_ACCESSES: Final = frozenset({ATOM, LD, RED, ST})

Operand: TypeAlias = SSAValue | Slot
"""A register, or the slot of an operand without a register: an immediate or symbol."""


def is_plain(op: Operation) -> bool:
    """Returns True if an op is an unguarded instruction that accesses only SSA registers."""
    return (
        isinstance(op, InstructionOp)
        and GUARD not in op.properties
        and not op.tied
        and all(_is_unshared(value) for value in fast.operands_of(op))
        and all(_is_unshared(value) for value in op.results)
    )


def _is_unshared(value: SSAValue) -> bool:
    return register_class(value).number is None


def definition(operand: Operand, cls: type[InstructionOp]) -> InstructionOp | None:
    """The plain instruction of a class with one result that defines an operand."""
    if isinstance(operand, OpResult) and type(operand.op) is cls:
        op = operand.op
        if len(op.results) == 1 and is_plain(op):
            return op
    return None


def operands_of(op: InstructionOp) -> list[Operand] | None:
    """The operands of an instruction; None if one of them is an address or a vector in braces."""
    found: list[Operand] = []
    for slot, values in operand_groups(op):
        if slot[0] == REGISTER_KIND:
            found.append(values[0])
        elif values:
            return None
        else:
            found.append(slot)
    return found


def address_slot(op: Operation, value: SSAValue) -> int | None:
    """The slot of the only use of a value as `[value + n]` in an instruction."""
    if not isinstance(op, InstructionOp) or fast.operands_of(op).count(value) != 1:
        return None
    for index, (slot, values) in enumerate(operand_groups(op)):
        if slot[0] == ADDRESS_KIND and values[0] is value:
            return index
    return None


def is_shared_access(op: Operation) -> TypeGuard[InstructionOp]:
    """Returns True for a load, store or atomic operation that states the shared space."""
    return (
        type(op) in _ACCESSES and isinstance(op, InstructionOp) and "shared" in op.mods.split(".")
    )


def immediate(operand: Operand) -> int | None:
    """The value of an integer immediate."""
    if isinstance(operand, SSAValue) or operand[0] != IMMEDIATE_KIND:
        return None
    return slot_number(operand)


def has_one_use(op: Operation) -> bool:
    """Returns True if the op's only result has a single use."""
    return fast.single_use(op.results[0]) is not None


def erase_if_unused(op: Operation, rewriter: PatternRewriter) -> None:
    """Erases a pure op whose last use a pattern has just removed."""
    if all(result.first_use is None for result in op.results):
        rewriter.erase(op)


def instruction(
    cls: type[InstructionOp], mods: str, operands: Sequence[Operand], type_: Any, location: Any
) -> InstructionOp:
    """A new, detached instruction with one result."""
    slots = [REG if isinstance(operand, SSAValue) else operand for operand in operands]
    plain = all(slot is REG for slot in slots)
    return build(
        cls,
        mods,
        [operand for operand in operands if isinstance(operand, SSAValue)],
        (type_,),
        None if plain else layout(*slots),
        location,
    )
