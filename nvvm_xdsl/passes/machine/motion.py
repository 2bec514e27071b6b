"""Legality of moving machine instructions."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.machine.memory_accesses import access_of
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
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, GlobalOp, LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, MachineOp, flags_of
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

    A load may fault, unless its bytes are in a parameter or variable; inline assembly must not be
    speculated.
    """
    if isinstance(op, InlineAsmOp):
        return False
    flags = flags_of(op)
    if flags & PURE:
        return True
    if flags & INVARIANT_LOAD != INVARIANT_LOAD:
        return False
    access = access_of(op)
    if access is None or not isinstance(access.base, str) or access.offset < 0:
        return False
    return access.offset + access.size <= _size_of_symbol(op, access.base)


def _size_of_symbol(op: Operation, name: str) -> int:
    """The size in bytes of a parameter or variable that an op of a function accesses; 0 if it is
    unknown."""
    func = op.parent_op()
    if not isinstance(func, FuncOp):
        return 0
    for number, param in enumerate(func.params):
        if name == (param.param_name or f"{func.symbol}_param_{number}"):
            return param.size
    module = func.parent_op()
    if isinstance(module, ModuleOp):
        for variable in fast.ops_of(module.body.block):
            if isinstance(variable, GlobalOp) and variable.symbol == name:
                return variable.size
    return 0


def blocks_loads(op: Operation) -> bool:
    """Returns True if loads from writable memory must not be moved across the instruction."""
    if isinstance(op, (TerminatorOp, PragmaOp, LocalOp)):
        return False
    return not isinstance(op, MachineOp) or bool(op.flags_here() & MEMORY_BARRIER)
