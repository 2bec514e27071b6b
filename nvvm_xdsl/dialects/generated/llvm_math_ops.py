"""Floating-point intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's
definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.llvm import FastMathAttr
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import FLOAT_LIKE, LLVM_TYPE, SIGNLESS_INT, variable
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class FloatFunction(OpRow, AssemblyOp):
    """Function of a float."""

    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class BinaryFloatFunction(OpRow, AssemblyOp):
    """Function of two floats of one type."""

    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class FMulAddOp(OpRow, AssemblyOp, op="llvm.intr.fmuladd"):
    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    c = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class FloatPairFunction(OpRow, AssemblyOp):
    """Function of a float with two results in a struct."""

    val = operand_def(FLOAT_LIKE)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class FloatAndInteger(OpRow, AssemblyOp):
    """Function of a float and an integer."""

    val = operand_def(FLOAT_LIKE)
    power = operand_def(SIGNLESS_INT)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


# fmt: off
class ACosOp(FloatFunction, op="llvm.intr.acos"): ...
class ASinOp(FloatFunction, op="llvm.intr.asin"): ...
class ATanOp(FloatFunction, op="llvm.intr.atan"): ...
class ATan2Op(BinaryFloatFunction, op="llvm.intr.atan2"): ...
class CoshOp(FloatFunction, op="llvm.intr.cosh"): ...
class Exp10Op(FloatFunction, op="llvm.intr.exp10"): ...
class FractionExpOp(FloatPairFunction, op="llvm.intr.frexp"): ...
class LoadExpOp(FloatAndInteger, op="llvm.intr.ldexp"): ...
class Log10Op(FloatFunction, op="llvm.intr.log10"): ...
class MaximumOp(BinaryFloatFunction, op="llvm.intr.maximum"): ...
class MinimumOp(BinaryFloatFunction, op="llvm.intr.minimum"): ...
class NearbyintOp(FloatFunction, op="llvm.intr.nearbyint"): ...
class PowIOp(FloatAndInteger, op="llvm.intr.powi"): ...
class RintOp(FloatFunction, op="llvm.intr.rint"): ...
class RoundOp(FloatFunction, op="llvm.intr.round"): ...
class RoundEvenOp(FloatFunction, op="llvm.intr.roundeven"): ...
class SincosOp(FloatPairFunction, op="llvm.intr.sincos"): ...
class SinhOp(FloatFunction, op="llvm.intr.sinh"): ...
class TanOp(FloatFunction, op="llvm.intr.tan"): ...
class TanhOp(FloatFunction, op="llvm.intr.tanh"): ...
class FTruncOp(FloatFunction, op="llvm.intr.trunc"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
