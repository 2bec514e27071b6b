"""Semantics of the llvm dialect's ops (LLVM Language Reference, MLIR's LLVM dialect), by name."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.simulator.compiler import FunctionCompiler
from nvvm_xdsl.simulator.llvm import nvvm_intrinsics, nvvm_ops, tcgen05_calls, varargs
from nvvm_xdsl.simulator.llvm.arithmetic import ARITHMETIC
from nvvm_xdsl.simulator.llvm.memory_access import MEMORY
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.llvm.values import VALUES
from nvvm_xdsl.simulator.numerics.scalar_types import UnsupportedTypeError
from nvvm_xdsl.simulator.ptx import inline_asm

EMIT: dict[str, Emit] = {**ARITHMETIC, **VALUES, **MEMORY, **varargs.OPS}


class LLVMDispatch(LLVMSemantics):
    """The semantics of the IR: a function for each op."""

    def waits(self, op: Operation) -> bool:
        name = op.name
        if name == "llvm.call":
            return self.program.call_waits(op)
        if tcgen05_calls.is_tcgen05(op):
            return tcgen05_calls.waits(op)
        if name == "llvm.call_intrinsic":
            return nvvm_intrinsics.waits(intrinsic_name(op))
        if name == "llvm.inline_asm":
            return inline_asm.cuts(op) > 0
        return name in nvvm_ops.WAITING_OPS

    def cuts(self, op: Operation) -> int:
        return inline_asm.cuts(op) if op.name == "llvm.inline_asm" else int(self.waits(op))

    def emit(self, op: Operation, to: FunctionCompiler) -> None:
        emit = EMIT.get(op.name)
        try:
            if emit is not None:
                emit(self, op, to)
            elif not nvvm_ops.emit_op(self, op, to):
                raise to.unsupported(op)
        except UnsupportedTypeError as error:
            raise to.unsupported(op, str(error)) from error
