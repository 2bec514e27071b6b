"""Legality of moving machine instructions."""

from __future__ import annotations

from typing import Final

from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import PragmaOp, TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import (
    CARRY,
    CONVERGENT,
    INVARIANT,
    PURE,
    READS,
    SIDE_EFFECTS,
    TERMINATOR,
    WRITES,
)
from nvvm_xdsl.dialects.nvptx.functions import LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, MachineOp, flags_of, stated_slots
from nvvm_xdsl.dialects.nvptx.operands import ADDRESS_KIND
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast

_FIXED: Final = WRITES | SIDE_EFFECTS | CONVERGENT | CARRY | TERMINATOR

MEMORY_BARRIER: Final = WRITES | SIDE_EFFECTS | CONVERGENT
"""Instructions that a load from writable memory is not moved past."""

INVARIANT_LOAD: Final = READS | INVARIANT


def is_movable(op: Operation) -> bool:
    """Returns True if an instruction only computes values from its operands and memory.

    False for guarded instructions, for instructions that access registers with several writers, and
    for convergent instructions.
    """
    if not isinstance(op, MachineOp) or not op.results:
        return False
    flags = op.flags_here()
    if flags & _FIXED or not flags & (PURE | READS) or GUARD in op.properties:
        return False
    return not any(
        register_class(value).number is not None for value in (*op.results, *fast.operands_of(op))
    )


def reads_changing_memory(op: Operation) -> bool:
    """Returns whether a movable instruction loads memory that may be written."""
    flags = flags_of(op)
    return not flags & PURE and flags & INVARIANT_LOAD != INVARIANT_LOAD


def is_speculatable(op: Operation) -> bool:
    """Returns True if a movable instruction may be speculated.

    A load may fault, unless its address is a parameter or variable; inline assembly must not be
    speculated.
    """
    if isinstance(op, InlineAsmOp):
        return False
    flags = flags_of(op)
    if flags & PURE:
        return True
    if flags & INVARIANT_LOAD != INVARIANT_LOAD:
        return False
    slots = stated_slots(op)
    return bool(slots) and slots[0][0] != ADDRESS_KIND


def blocks_loads(op: Operation) -> bool:
    """Returns True if loads from writable memory must not be moved across the instruction."""
    if isinstance(op, (TerminatorOp, PragmaOp, LocalOp)):
        return False
    return not isinstance(op, MachineOp) or bool(op.flags_here() & MEMORY_BARRIER)
