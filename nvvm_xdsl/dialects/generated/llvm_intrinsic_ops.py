"""Intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, operand_def, opt_prop_def, prop_def, result_def, traits_def
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
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class AbsOp(IRDLOperation):
    """MLIR's `llvm.intr.abs`."""

    name = "llvm.intr.abs"
    in_ = operand_def(INT_LIKE)
    is_int_min_poison = prop_def(I1_ATTR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class BitReverseOp(AssemblyOp):
    """MLIR's `llvm.intr.bitreverse`."""

    name = "llvm.intr.bitreverse"
    in_ = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class ByteSwapOp(AssemblyOp):
    """MLIR's `llvm.intr.bswap`."""

    name = "llvm.intr.bswap"
    in_ = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class CountLeadingZerosOp(IRDLOperation):
    """MLIR's `llvm.intr.ctlz`."""

    name = "llvm.intr.ctlz"
    in_ = operand_def(variable("T", INT_LIKE))
    is_zero_poison = prop_def(I1_ATTR)
    res = result_def(variable("T", LLVM_TYPE))
    traits = traits_def(Pure())


@irdl_op_definition
class CtPopOp(AssemblyOp):
    """MLIR's `llvm.intr.ctpop`."""

    name = "llvm.intr.ctpop"
    in_ = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class CountTrailingZerosOp(IRDLOperation):
    """MLIR's `llvm.intr.cttz`."""

    name = "llvm.intr.cttz"
    in_ = operand_def(variable("T", INT_LIKE))
    is_zero_poison = prop_def(I1_ATTR)
    res = result_def(variable("T", LLVM_TYPE))
    traits = traits_def(Pure())


@irdl_op_definition
class DebugTrapOp(AssemblyOp):
    """MLIR's `llvm.intr.debugtrap`."""

    name = "llvm.intr.debugtrap"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class ExpectOp(AssemblyOp):
    """MLIR's `llvm.intr.expect`."""

    name = "llvm.intr.expect"
    val = operand_def(variable("T", SIGNLESS_INT))
    expected = operand_def(variable("T", SIGNLESS_INT))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val `,` $expected attr-dict `:` type($val)"
    traits = traits_def(Pure())


@irdl_op_definition
class ExpectWithProbabilityOp(AssemblyOp):
    """MLIR's `llvm.intr.expect.with.probability`."""

    name = "llvm.intr.expect.with.probability"
    val = operand_def(variable("T", SIGNLESS_INT))
    expected = operand_def(variable("T", SIGNLESS_INT))
    prob = prop_def(F64_ATTR)
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val `,` $expected `,` $prob attr-dict `:` type($val)"
    traits = traits_def(Pure())


@irdl_op_definition
class FshlOp(AssemblyOp):
    """MLIR's `llvm.intr.fshl`."""

    name = "llvm.intr.fshl"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    c = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class FshrOp(AssemblyOp):
    """MLIR's `llvm.intr.fshr`."""

    name = "llvm.intr.fshr"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    c = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class InvariantEndOp(AssemblyOp):
    """MLIR's `llvm.intr.invariant.end`."""

    name = "llvm.intr.invariant.end"
    start = operand_def(pointer_in(0))
    size = prop_def(I64_ATTR)
    ptr = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$start `,` $size `,` $ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class InvariantStartOp(AssemblyOp):
    """MLIR's `llvm.intr.invariant.start`."""

    name = "llvm.intr.invariant.start"
    size = prop_def(I64_ATTR)
    ptr = operand_def(POINTER)
    res = result_def(pointer_in(0))
    FORMAT: ClassVar[str] = "$size `,` $ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class IsConstantOp(IRDLOperation):
    """MLIR's `llvm.intr.is.constant`."""

    name = "llvm.intr.is.constant"
    val = operand_def(LLVM_TYPE)
    res = result_def(I1)
    traits = traits_def(Pure())


@irdl_op_definition
class IsFPClassOp(IRDLOperation):
    """MLIR's `llvm.intr.is.fpclass`."""

    name = "llvm.intr.is.fpclass"
    in_ = operand_def(FLOAT_LIKE)
    bit = prop_def(I32_ATTR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class LaunderInvariantGroupOp(AssemblyOp):
    """MLIR's `llvm.intr.launder.invariant.group`."""

    name = "llvm.intr.launder.invariant.group"
    ptr = operand_def(variable("T", POINTER))
    res = result_def(variable("T", POINTER))
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class LifetimeEndOp(AssemblyOp):
    """MLIR's `llvm.intr.lifetime.end`."""

    name = "llvm.intr.lifetime.end"
    ptr = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class LifetimeStartOp(AssemblyOp):
    """MLIR's `llvm.intr.lifetime.start`."""

    name = "llvm.intr.lifetime.start"
    ptr = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class LlrintOp(AssemblyOp):
    """MLIR's `llvm.intr.llrint`."""

    name = "llvm.intr.llrint"
    val = operand_def(FLOAT_LIKE)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class LlroundOp(AssemblyOp):
    """MLIR's `llvm.intr.llround`."""

    name = "llvm.intr.llround"
    val = operand_def(FLOAT)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class LrintOp(AssemblyOp):
    """MLIR's `llvm.intr.lrint`."""

    name = "llvm.intr.lrint"
    val = operand_def(FLOAT_LIKE)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class LroundOp(AssemblyOp):
    """MLIR's `llvm.intr.lround`."""

    name = "llvm.intr.lround"
    val = operand_def(FLOAT_LIKE)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class MemcpyOp(IRDLOperation):
    """MLIR's `llvm.intr.memcpy`."""

    name = "llvm.intr.memcpy"
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


@irdl_op_definition
class MemcpyInlineOp(IRDLOperation):
    """MLIR's `llvm.intr.memcpy.inline`."""

    name = "llvm.intr.memcpy.inline"
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


@irdl_op_definition
class MemmoveOp(IRDLOperation):
    """MLIR's `llvm.intr.memmove`."""

    name = "llvm.intr.memmove"
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


@irdl_op_definition
class MemsetOp(IRDLOperation):
    """MLIR's `llvm.intr.memset`."""

    name = "llvm.intr.memset"
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


@irdl_op_definition
class MemsetInlineOp(IRDLOperation):
    """MLIR's `llvm.intr.memset.inline`."""

    name = "llvm.intr.memset.inline"
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


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """MLIR's `llvm.intr.prefetch`."""

    name = "llvm.intr.prefetch"
    addr = operand_def(POINTER)
    rw = prop_def(I32_ATTR)
    hint = prop_def(I32_ATTR)
    cache = prop_def(I32_ATTR)


@irdl_op_definition
class PtrMaskOp(AssemblyOp):
    """MLIR's `llvm.intr.ptrmask`."""

    name = "llvm.intr.ptrmask"
    ptr = operand_def(variable("T", POINTER_LIKE))
    mask = operand_def(INT_LIKE)
    res = result_def(variable("T", POINTER_LIKE))
    FORMAT: ClassVar[str] = "$ptr `,` $mask attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SAddSatOp(AssemblyOp):
    """MLIR's `llvm.intr.sadd.sat`."""

    name = "llvm.intr.sadd.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SAddWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.sadd.with.overflow`."""

    name = "llvm.intr.sadd.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class SCmpOp(AssemblyOp):
    """MLIR's `llvm.intr.scmp`."""

    name = "llvm.intr.scmp"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SMaxOp(AssemblyOp):
    """MLIR's `llvm.intr.smax`."""

    name = "llvm.intr.smax"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SMinOp(AssemblyOp):
    """MLIR's `llvm.intr.smin`."""

    name = "llvm.intr.smin"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SMulWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.smul.with.overflow`."""

    name = "llvm.intr.smul.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class SSACopyOp(AssemblyOp):
    """MLIR's `llvm.intr.ssa.copy`."""

    name = "llvm.intr.ssa.copy"
    operand = operand_def(variable("T", ANY_TYPE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$operand attr-dict `:` type($operand)"
    traits = traits_def(Pure())


@irdl_op_definition
class SSHLSatOp(AssemblyOp):
    """MLIR's `llvm.intr.sshl.sat`."""

    name = "llvm.intr.sshl.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SSubSatOp(AssemblyOp):
    """MLIR's `llvm.intr.ssub.sat`."""

    name = "llvm.intr.ssub.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class SSubWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.ssub.with.overflow`."""

    name = "llvm.intr.ssub.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class StripInvariantGroupOp(AssemblyOp):
    """MLIR's `llvm.intr.strip.invariant.group`."""

    name = "llvm.intr.strip.invariant.group"
    ptr = operand_def(variable("T", POINTER))
    res = result_def(variable("T", POINTER))
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` type($ptr)"


@irdl_op_definition
class ThreadlocalAddressOp(IRDLOperation):
    """MLIR's `llvm.intr.threadlocal.address`."""

    name = "llvm.intr.threadlocal.address"
    global_ = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class TrapOp(AssemblyOp):
    """MLIR's `llvm.intr.trap`."""

    name = "llvm.intr.trap"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class UAddSatOp(AssemblyOp):
    """MLIR's `llvm.intr.uadd.sat`."""

    name = "llvm.intr.uadd.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class UAddWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.uadd.with.overflow`."""

    name = "llvm.intr.uadd.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class UCmpOp(AssemblyOp):
    """MLIR's `llvm.intr.ucmp`."""

    name = "llvm.intr.ucmp"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class UMaxOp(AssemblyOp):
    """MLIR's `llvm.intr.umax`."""

    name = "llvm.intr.umax"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class UMinOp(AssemblyOp):
    """MLIR's `llvm.intr.umin`."""

    name = "llvm.intr.umin"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class UMulWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.umul.with.overflow`."""

    name = "llvm.intr.umul.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class USHLSatOp(AssemblyOp):
    """MLIR's `llvm.intr.ushl.sat`."""

    name = "llvm.intr.ushl.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class USubSatOp(AssemblyOp):
    """MLIR's `llvm.intr.usub.sat`."""

    name = "llvm.intr.usub.sat"
    a = operand_def(variable("T", INT_LIKE))
    b = operand_def(variable("T", INT_LIKE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class USubWithOverflowOp(IRDLOperation):
    """MLIR's `llvm.intr.usub.with.overflow`."""

    name = "llvm.intr.usub.with.overflow"
    lhs = operand_def(variable("T", INT_LIKE))
    rhs = operand_def(variable("T", INT_LIKE))
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    traits = traits_def(Pure())


@irdl_op_definition
class VaCopyOp(AssemblyOp):
    """MLIR's `llvm.intr.vacopy`."""

    name = "llvm.intr.vacopy"
    dest_list = operand_def(POINTER)
    src_list = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$src_list `to` $dest_list attr-dict `:` type(operands)"


@irdl_op_definition
class VaEndOp(AssemblyOp):
    """MLIR's `llvm.intr.vaend`."""

    name = "llvm.intr.vaend"
    arg_list = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$arg_list attr-dict `:` type($arg_list)"


@irdl_op_definition
class VaStartOp(AssemblyOp):
    """MLIR's `llvm.intr.vastart`."""

    name = "llvm.intr.vastart"
    arg_list = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$arg_list attr-dict `:` type($arg_list)"


@irdl_op_definition
class VscaleOp(IRDLOperation):
    """MLIR's `llvm.intr.vscale`."""

    name = "llvm.intr.vscale"
    res = result_def(LLVM_TYPE)


OPS: tuple[type[Operation], ...] = (
    AbsOp,
    BitReverseOp,
    ByteSwapOp,
    CountLeadingZerosOp,
    CtPopOp,
    CountTrailingZerosOp,
    DebugTrapOp,
    ExpectOp,
    ExpectWithProbabilityOp,
    FshlOp,
    FshrOp,
    InvariantEndOp,
    InvariantStartOp,
    IsConstantOp,
    IsFPClassOp,
    LaunderInvariantGroupOp,
    LifetimeEndOp,
    LifetimeStartOp,
    LlrintOp,
    LlroundOp,
    LrintOp,
    LroundOp,
    MemcpyOp,
    MemcpyInlineOp,
    MemmoveOp,
    MemsetOp,
    MemsetInlineOp,
    PrefetchOp,
    PtrMaskOp,
    SAddSatOp,
    SAddWithOverflowOp,
    SCmpOp,
    SMaxOp,
    SMinOp,
    SMulWithOverflowOp,
    SSACopyOp,
    SSHLSatOp,
    SSubSatOp,
    SSubWithOverflowOp,
    StripInvariantGroupOp,
    ThreadlocalAddressOp,
    TrapOp,
    UAddSatOp,
    UAddWithOverflowOp,
    UCmpOp,
    UMaxOp,
    UMinOp,
    UMulWithOverflowOp,
    USHLSatOp,
    USubSatOp,
    USubWithOverflowOp,
    VaCopyOp,
    VaEndOp,
    VaStartOp,
    VscaleOp,
)
