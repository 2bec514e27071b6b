"""Ops that MLIR's main branch added to the llvm dialect.

The reader replaces them by intrinsics and other ops (`frontend.main_ops`).

Source: LLVMIntrinsicOps.td and LLVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final

from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Operation
from xdsl.irdl import operand_def, opt_prop_def, result_def, var_operand_def

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import ANY_TYPE, INT_LIKE, POINTER_LIKE
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class MainIntrinsic(OpRow, AssemblyOp):
    """A function of values; the intrinsic's types are verified where it is replaced."""

    arguments = var_operand_def(ANY_TYPE)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(ANY_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"


class ArithmeticFenceOp(MainIntrinsic, op="llvm.intr.arithmetic.fence"): ...


class MaximumNumOp(MainIntrinsic, op="llvm.intr.maximumnum"): ...


class MinimumNumOp(MainIntrinsic, op="llvm.intr.minimumnum"): ...


class ModfOp(MainIntrinsic, op="llvm.intr.modf"): ...


class PDepOp(MainIntrinsic, op="llvm.intr.pdep"): ...


class PExtOp(MainIntrinsic, op="llvm.intr.pext"): ...


class SMulHOp(MainIntrinsic, op="llvm.intr.smulh"): ...


class UMulHOp(MainIntrinsic, op="llvm.intr.umulh"): ...


class ReduceFMaximumNumOp(MainIntrinsic, op="llvm.intr.vector.reduce.fmaximumnum"): ...


class ReduceFMinimumNumOp(MainIntrinsic, op="llvm.intr.vector.reduce.fminimumnum"): ...


class FakeUseOp(OpRow, AssemblyOp, op="llvm.intr.fake.use"):
    """A use that only keeps a value for debuggers."""

    arguments = var_operand_def(ANY_TYPE)
    FORMAT: ClassVar[str] = "operands attr-dict `:` type(operands)"


class PtrToAddrOp(OpRow, AssemblyOp, op="llvm.ptrtoaddr"):
    """The address of a pointer."""

    arg = operand_def(POINTER_LIKE)
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"


OPS: Final[tuple[type[Operation], ...]] = defined_in(globals(), OpRow)
