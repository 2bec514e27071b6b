"""Intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr
from xdsl.irdl import operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    ANY_TYPE,
    F64_ATTR,
    FLOAT,
    FLOAT_LIKE,
    I1,
    I1_ATTR,
    I8,
    I32_ATTR,
    I64_ATTR,
    INT_ATTR,
    INT_LIKE,
    LLVM_TYPE,
    POINTER,
    POINTER_LIKE,
    SIGNLESS_INT,
    Derived,
    pointer_in,
    value_and_flag,
    variable,
)
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class AbsOp(OpRow, op="llvm.intr.abs"):
    in_ = operand_def(INT_LIKE)
    is_int_min_poison = prop_def(I1_ATTR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class IntegerFunction(OpRow, AssemblyOp):
    """Function of an integer."""

    in_ = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class CountZeros(OpRow):
    """Count of zeros at one end of an integer."""

    in_ = operand_def(variable("T", INT_LIKE))
    is_zero_poison = prop_def(I1_ATTR)
    res = result_def(variable("T", LLVM_TYPE))
    traits = traits_def(Pure())


class PlainOp(OpRow, AssemblyOp):
    """Op without operands and results."""

    FORMAT: ClassVar[str] = "attr-dict"


class ExpectOp(OpRow, AssemblyOp, op="llvm.intr.expect"):
    val = operand_def(variable("T", SIGNLESS_INT))
    expected = operand_def(variable("T", SIGNLESS_INT))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val `,` $expected attr-dict `:` type($val)"
    traits = traits_def(Pure())


class ExpectWithProbabilityOp(OpRow, AssemblyOp, op="llvm.intr.expect.with.probability"):
    val = operand_def(variable("T", SIGNLESS_INT))
    expected = operand_def(variable("T", SIGNLESS_INT))
    prob = prop_def(F64_ATTR)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val `,` $expected `,` $prob attr-dict `:` type($val)"
    traits = traits_def(Pure())


class FunnelShift(OpRow, AssemblyOp):
    """Shift of two concatenated integers."""

    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    c = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class InvariantEndOp(OpRow, AssemblyOp, op="llvm.intr.invariant.end"):
    start = operand_def(pointer_in(0))
    size = prop_def(I64_ATTR)
    ptr = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$start `,` $size `,` $ptr attr-dict `:` type($ptr)"


class InvariantStartOp(OpRow, AssemblyOp, op="llvm.intr.invariant.start"):
    size = prop_def(I64_ATTR)
    ptr = operand_def(POINTER)
    res = result_def(pointer_in(0))
    FORMAT: ClassVar[str] = "$size `,` $ptr attr-dict `:` type($ptr)"


class IsConstantOp(OpRow, op="llvm.intr.is.constant"):
    val = operand_def(LLVM_TYPE)
    res = result_def(I1)
    traits = traits_def(Pure())


class IsFPClassOp(OpRow, op="llvm.intr.is.fpclass"):
    in_ = operand_def(FLOAT_LIKE)
    bit = prop_def(I32_ATTR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class InvariantGroup(OpRow, AssemblyOp):
    """Pointer with another invariant group."""

    ptr = operand_def(variable("T", POINTER))
    res = result_def(variable("T", POINTER))
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


class LifetimeMarker(OpRow, AssemblyOp):
    """Marker of a variable's lifetime."""

    ptr = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


class FloatToRoundedInteger(OpRow, AssemblyOp):
    """Float rounded to an integer."""

    val = operand_def(FLOAT_LIKE)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class LlroundOp(OpRow, AssemblyOp, op="llvm.intr.llround"):
    val = operand_def(FLOAT)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class MemoryCopy(OpRow):
    """Copy of a range of bytes."""

    dst = operand_def(POINTER)
    src = operand_def(POINTER)
    len = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


class MemcpyInlineOp(OpRow, op="llvm.intr.memcpy.inline"):
    dst = operand_def(POINTER)
    src = operand_def(POINTER)
    len = prop_def(INT_ATTR)
    isVolatile = prop_def(I1_ATTR)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


class MemsetOp(OpRow, op="llvm.intr.memset"):
    dst = operand_def(POINTER)
    val = operand_def(I8)
    len = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


class MemsetInlineOp(OpRow, op="llvm.intr.memset.inline"):
    dst = operand_def(POINTER)
    val = operand_def(I8)
    len = prop_def(INT_ATTR)
    isVolatile = prop_def(I1_ATTR)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


class PrefetchOp(OpRow, op="llvm.intr.prefetch"):
    addr = operand_def(POINTER)
    rw = prop_def(I32_ATTR)
    hint = prop_def(I32_ATTR)
    cache = prop_def(I32_ATTR)


class PtrMaskOp(OpRow, AssemblyOp, op="llvm.intr.ptrmask"):
    ptr = operand_def(variable("T", POINTER_LIKE))
    mask = operand_def(INT_LIKE)
    res = result_def(variable("T", POINTER_LIKE))
    FORMAT: ClassVar[str] = "$ptr `,` $mask attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class BinaryIntegerFunction(OpRow, AssemblyOp):
    """Function of two integers of one type."""

    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class OverflowArithmetic(OpRow):
    """Integer arithmetic with an overflow flag."""

    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


class ThreeWayComparison(OpRow, AssemblyOp):
    """Comparison with the result -1, 0 or 1."""

    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


class SSACopyOp(OpRow, AssemblyOp, op="llvm.intr.ssa.copy"):
    operand = operand_def(variable("T", ANY_TYPE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$operand attr-dict `:` type($operand)"
    traits = traits_def(Pure())


class ThreadlocalAddressOp(OpRow, op="llvm.intr.threadlocal.address"):
    global_ = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class VaCopyOp(OpRow, AssemblyOp, op="llvm.intr.vacopy"):
    dest_list = operand_def(POINTER)
    src_list = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$src_list `to` $dest_list attr-dict `:` type(operands)"


class VariadicArguments(OpRow, AssemblyOp):
    """Start or end of reading variadic arguments."""

    arg_list = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$arg_list attr-dict `:` type($arg_list)"


class VscaleOp(OpRow, op="llvm.intr.vscale"):
    res = result_def(LLVM_TYPE)


# fmt: off
class BitReverseOp(IntegerFunction, op="llvm.intr.bitreverse"): ...
class ByteSwapOp(IntegerFunction, op="llvm.intr.bswap"): ...
class CountLeadingZerosOp(CountZeros, op="llvm.intr.ctlz"): ...
class CtPopOp(IntegerFunction, op="llvm.intr.ctpop"): ...
class CountTrailingZerosOp(CountZeros, op="llvm.intr.cttz"): ...
class DebugTrapOp(PlainOp, op="llvm.intr.debugtrap"): ...
class FshlOp(FunnelShift, op="llvm.intr.fshl"): ...
class FshrOp(FunnelShift, op="llvm.intr.fshr"): ...
class LaunderInvariantGroupOp(InvariantGroup, op="llvm.intr.launder.invariant.group"): ...
class LifetimeEndOp(LifetimeMarker, op="llvm.intr.lifetime.end"): ...
class LifetimeStartOp(LifetimeMarker, op="llvm.intr.lifetime.start"): ...
class LlrintOp(FloatToRoundedInteger, op="llvm.intr.llrint"): ...
class LrintOp(FloatToRoundedInteger, op="llvm.intr.lrint"): ...
class LroundOp(FloatToRoundedInteger, op="llvm.intr.lround"): ...
class MemcpyOp(MemoryCopy, op="llvm.intr.memcpy"): ...
class MemmoveOp(MemoryCopy, op="llvm.intr.memmove"): ...
class SAddSatOp(BinaryIntegerFunction, op="llvm.intr.sadd.sat"): ...
class SAddWithOverflowOp(OverflowArithmetic, op="llvm.intr.sadd.with.overflow"): ...
class SCmpOp(ThreeWayComparison, op="llvm.intr.scmp"): ...
class SMaxOp(BinaryIntegerFunction, op="llvm.intr.smax"): ...
class SMinOp(BinaryIntegerFunction, op="llvm.intr.smin"): ...
class SMulWithOverflowOp(OverflowArithmetic, op="llvm.intr.smul.with.overflow"): ...
class SSHLSatOp(BinaryIntegerFunction, op="llvm.intr.sshl.sat"): ...
class SSubSatOp(BinaryIntegerFunction, op="llvm.intr.ssub.sat"): ...
class SSubWithOverflowOp(OverflowArithmetic, op="llvm.intr.ssub.with.overflow"): ...
class StripInvariantGroupOp(InvariantGroup, op="llvm.intr.strip.invariant.group"): ...
class TrapOp(PlainOp, op="llvm.intr.trap"): ...
class UAddSatOp(BinaryIntegerFunction, op="llvm.intr.uadd.sat"): ...
class UAddWithOverflowOp(OverflowArithmetic, op="llvm.intr.uadd.with.overflow"): ...
class UCmpOp(ThreeWayComparison, op="llvm.intr.ucmp"): ...
class UMaxOp(BinaryIntegerFunction, op="llvm.intr.umax"): ...
class UMinOp(BinaryIntegerFunction, op="llvm.intr.umin"): ...
class UMulWithOverflowOp(OverflowArithmetic, op="llvm.intr.umul.with.overflow"): ...
class USHLSatOp(BinaryIntegerFunction, op="llvm.intr.ushl.sat"): ...
class USubSatOp(BinaryIntegerFunction, op="llvm.intr.usub.sat"): ...
class USubWithOverflowOp(OverflowArithmetic, op="llvm.intr.usub.with.overflow"): ...
class VaEndOp(VariadicArguments, op="llvm.intr.vaend"): ...
class VaStartOp(VariadicArguments, op="llvm.intr.vastart"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
