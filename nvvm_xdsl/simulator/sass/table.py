"""The supported instructions, by mnemonic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nvvm_xdsl.dialects.sass.operands import OperandError
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.sass import (
    barrier_objects,
    control_flow,
    float_instructions,
    halves,
    integer_instructions,
    matrices,
    memory_instructions,
    moves,
    warp,
)
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError

Row = Callable[[InstructionOp, Emitter], None]

INSTRUCTIONS: Final[dict[str, Row]] = {
    **integer_instructions.ROWS,
    **moves.ROWS,
    **float_instructions.ROWS,
    **halves.ROWS,
    **memory_instructions.ROWS,
    **warp.ROWS,
    **matrices.ROWS,
    **barrier_objects.ROWS,
}


def emit(op: InstructionOp, emitter: Emitter) -> None:
    """Emits an instruction that does not change the control flow.

    Raises UnknownInstructionError if the tables lack it, its modifiers, or the number of its operands.
    """
    row = INSTRUCTIONS.get(op.mnemonic)
    if row is None:
        raise UnknownInstructionError(op.opcode)
    try:
        row(op, emitter)
    except (ValueError, IndexError) as error:
        # A row unpacks its operands.
        raise UnknownInstructionError(op.opcode) from error


def understood(op: InstructionOp) -> bool:
    """Whether the tables have an instruction with its modifiers and operands."""
    if op.mnemonic in control_flow.FLOW and op.mnemonic not in INSTRUCTIONS:
        return True
    emitter = Emitter(lambda value: "K", "t")
    emitter.op = op
    try:
        guard = op.guard
        emitter.guard = None if guard is None else emitter.predicate(guard)
        emit(op, emitter)
    except (UnknownInstructionError, OperandError):
        return False
    return True
