"""Floating-point intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's
definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Operation
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import FLOAT_LIKE, LLVM_TYPE, SIGNLESS_INT, variable
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class ACosOp(AssemblyOp):
    """MLIR's `llvm.intr.acos`."""

    name = "llvm.intr.acos"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class ASinOp(AssemblyOp):
    """MLIR's `llvm.intr.asin`."""

    name = "llvm.intr.asin"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class ATanOp(AssemblyOp):
    """MLIR's `llvm.intr.atan`."""

    name = "llvm.intr.atan"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class ATan2Op(AssemblyOp):
    """MLIR's `llvm.intr.atan2`."""

    name = "llvm.intr.atan2"
    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class CoshOp(AssemblyOp):
    """MLIR's `llvm.intr.cosh`."""

    name = "llvm.intr.cosh"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class Exp10Op(AssemblyOp):
    """MLIR's `llvm.intr.exp10`."""

    name = "llvm.intr.exp10"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class FMulAddOp(AssemblyOp):
    """MLIR's `llvm.intr.fmuladd`."""

    name = "llvm.intr.fmuladd"
    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    c = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class FractionExpOp(AssemblyOp):
    """MLIR's `llvm.intr.frexp`."""

    name = "llvm.intr.frexp"
    val = operand_def(FLOAT_LIKE)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class LoadExpOp(AssemblyOp):
    """MLIR's `llvm.intr.ldexp`."""

    name = "llvm.intr.ldexp"
    val = operand_def(FLOAT_LIKE)
    power = operand_def(SIGNLESS_INT)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class Log10Op(AssemblyOp):
    """MLIR's `llvm.intr.log10`."""

    name = "llvm.intr.log10"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class MaximumOp(AssemblyOp):
    """MLIR's `llvm.intr.maximum`."""

    name = "llvm.intr.maximum"
    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class MinimumOp(AssemblyOp):
    """MLIR's `llvm.intr.minimum`."""

    name = "llvm.intr.minimum"
    a = operand_def(variable("T", FLOAT_LIKE))
    b = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class NearbyintOp(AssemblyOp):
    """MLIR's `llvm.intr.nearbyint`."""

    name = "llvm.intr.nearbyint"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class PowIOp(AssemblyOp):
    """MLIR's `llvm.intr.powi`."""

    name = "llvm.intr.powi"
    val = operand_def(FLOAT_LIKE)
    power = operand_def(SIGNLESS_INT)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class RintOp(AssemblyOp):
    """MLIR's `llvm.intr.rint`."""

    name = "llvm.intr.rint"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class RoundOp(AssemblyOp):
    """MLIR's `llvm.intr.round`."""

    name = "llvm.intr.round"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class RoundEvenOp(AssemblyOp):
    """MLIR's `llvm.intr.roundeven`."""

    name = "llvm.intr.roundeven"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SincosOp(AssemblyOp):
    """MLIR's `llvm.intr.sincos`."""

    name = "llvm.intr.sincos"
    val = operand_def(FLOAT_LIKE)
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SinhOp(AssemblyOp):
    """MLIR's `llvm.intr.sinh`."""

    name = "llvm.intr.sinh"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class TanOp(AssemblyOp):
    """MLIR's `llvm.intr.tan`."""

    name = "llvm.intr.tan"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class TanhOp(AssemblyOp):
    """MLIR's `llvm.intr.tanh`."""

    name = "llvm.intr.tanh"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class FTruncOp(AssemblyOp):
    """MLIR's `llvm.intr.trunc`."""

    name = "llvm.intr.trunc"
    in_ = operand_def(variable("T", FLOAT_LIKE))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


OPS: tuple[type[Operation], ...] = (
    ACosOp,
    ASinOp,
    ATanOp,
    ATan2Op,
    CoshOp,
    Exp10Op,
    FMulAddOp,
    FractionExpOp,
    LoadExpOp,
    Log10Op,
    MaximumOp,
    MinimumOp,
    NearbyintOp,
    PowIOp,
    RintOp,
    RoundOp,
    RoundEvenOp,
    SincosOp,
    SinhOp,
    TanOp,
    TanhOp,
    FTruncOp,
)
