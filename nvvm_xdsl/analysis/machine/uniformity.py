"""Uniformity of registers of machine code in SSA form.

The rules are those of `analysis.uniformity`, with the sources of divergence defined by instruction.
Loads from local memory and through generic addresses may read different memory in each thread. A
register that several instructions write is divergent. (PTX ISA, "State Spaces", "Special
Registers".)
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import access_of
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.special_registers import PER_THREAD, VOLATILE
from nvvm_xdsl.dialects.llvm.branches import Edge
from nvvm_xdsl.dialects.nvptx.calls import CallOp, InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, flags_of
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp, RegisterOp

_PRIVATE_SPACES = frozenset({"", "local"})

_WARP_WIDE = ("vote", "redux", "activemask", "elect")
"""Instructions that return the same value to every participating thread."""


class MachineUniformity(Uniformity):
    """The divergent registers and branches of a function of the nvptx dialect."""

    def _edges_of(self, terminator: Operation) -> list[Edge]:
        return terminator.edges if isinstance(terminator, TerminatorOp) else []

    def _takes_uniform_arguments(self) -> bool:
        return isinstance(self.func, FuncOp) and self.func.is_kernel

    def _is_source(self, op: Operation) -> bool:
        if isinstance(op, MovSregOp):
            name = op.sreg.replace("lanemask_", "lanemask.")
            return name in PER_THREAD or name in VOLATILE
        if isinstance(op, (CallOp, InlineAsmOp, RegisterOp)):
            return True
        access = access_of(op)
        if access is not None:
            if access.space == "param":
                return not self._takes_uniform_arguments()
            return access.space in _PRIVATE_SPACES
        if isinstance(op, InstructionOp) and op.mnemonic.startswith(_WARP_WIDE):
            return False
        return flags_of(op) & (WRITES | CONVERGENT | SIDE_EFFECTS) != 0

    def _hides(self, op: Operation, value: SSAValue) -> bool:
        return isinstance(op, InstructionOp) and op.mnemonic.startswith(_WARP_WIDE)
