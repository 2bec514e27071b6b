"""The supported instructions, by mnemonic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nvvm_xdsl.dialects.sass.operands import OperandError
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.sass import (
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
}


def understood(op: InstructionOp) -> bool:
    """Whether the tables have an instruction with its modifiers and operands."""
    if op.mnemonic in control_flow.FLOW:
        return True
    row = INSTRUCTIONS.get(op.mnemonic)
    if row is None:
        return False
    emitter = Emitter(lambda value: "K", "t")
    emitter.op = op
    try:
        guard = op.guard
        emitter.guard = None if guard is None else emitter.predicate(guard)
        row(op, emitter)
    except (UnknownInstructionError, OperandError):
        return False
    return True
