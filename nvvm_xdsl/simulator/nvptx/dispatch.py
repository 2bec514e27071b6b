"""Semantics of the nvptx dialect's ops, by class and name."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx import CallOp, InlineAsmOp, InstructionOp
from nvvm_xdsl.simulator.compiler import FunctionCompiler
from nvvm_xdsl.simulator.nvptx.control import EMIT
from nvvm_xdsl.simulator.nvptx.parameter_locations import opcode_of
from nvvm_xdsl.simulator.nvptx.semantics import MachineSemantics
from nvvm_xdsl.simulator.ptx import asm_text, effects


class MachineDispatch(MachineSemantics):
    """The semantics of machine code: instructions by opcode, other ops by a function per op
    name."""

    def waits(self, op: Operation) -> bool:
        if isinstance(op, InstructionOp):
            return effects.waits(opcode_of(op))
        if isinstance(op, CallOp):
            return self.program.call_waits(op)
        return isinstance(op, InlineAsmOp) and asm_text.cuts(op.template) > 0

    def cuts(self, op: Operation) -> int:
        return asm_text.cuts(op.template) if isinstance(op, InlineAsmOp) else int(self.waits(op))

    def emit(self, op: Operation, to: FunctionCompiler) -> None:
        if isinstance(op, InstructionOp):
            self.instruction(op, to)
            return
        emit = EMIT.get(op.name)
        if emit is None:
            raise to.unsupported(op)
        emit(self, op, to)
