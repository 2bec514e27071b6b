"""Predicated vector intrinsics of the llvm dialect: MLIR's `llvm.intr.vp.*`.

Each row is an op; its base class defines operands and results. Lanes that `mask` disables, and
lanes from `evl` on, are inactive (LLVM's language reference, "Vector Predication Intrinsics").
Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from xdsl.irdl import operand_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.constraints import (
    FLOAT,
    I1,
    I32,
    LLVM_TYPE,
    POINTER,
    SIGNLESS_INT,
    VECTOR,
    vector_of,
)
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class Masked(OpRow):
    """Base of ops that compute lanes; their other operands come before these."""

    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class IntegerBinary(Masked):
    """Two vectors of integers."""

    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))


class FloatBinary(Masked):
    """Two vectors of floats."""

    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))


class FloatTernary(Masked):
    """Three vectors of floats."""

    op1 = operand_def(vector_of(FLOAT))
    op2 = operand_def(vector_of(FLOAT))
    op3 = operand_def(vector_of(FLOAT))


class FloatCast(Masked):
    """A conversion of floats."""

    src = operand_def(vector_of(FLOAT))


class IntegerCast(Masked):
    """A conversion of integers."""

    src = operand_def(vector_of(SIGNLESS_INT))


class Choice(OpRow):
    """A select between two vectors."""

    cond = operand_def(vector_of(I1))
    true_val = operand_def(VECTOR)
    false_val = operand_def(VECTOR)
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class IntegerReduction(Masked):
    """A reduction of integers to one."""

    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))


class FloatReduction(Masked):
    """A reduction of floats to one."""

    satrt_value = operand_def(FLOAT)
    val = operand_def(vector_of(FLOAT))


# fmt: off
class VPAddOp(IntegerBinary, op="llvm.intr.vp.add"): ...
class VPAndOp(IntegerBinary, op="llvm.intr.vp.and"): ...
class VPAShrOp(IntegerBinary, op="llvm.intr.vp.ashr"): ...
class VPFAddOp(FloatBinary, op="llvm.intr.vp.fadd"): ...
class VPFDivOp(FloatBinary, op="llvm.intr.vp.fdiv"): ...
class VPFmaOp(FloatTernary, op="llvm.intr.vp.fma"): ...
class VPFMulOp(FloatBinary, op="llvm.intr.vp.fmul"): ...
class VPFMulAddOp(FloatTernary, op="llvm.intr.vp.fmuladd"): ...
class VPFPExtOp(FloatCast, op="llvm.intr.vp.fpext"): ...
class VPFPToSIOp(FloatCast, op="llvm.intr.vp.fptosi"): ...
class VPFPToUIOp(FloatCast, op="llvm.intr.vp.fptoui"): ...
class VPFPTruncOp(FloatCast, op="llvm.intr.vp.fptrunc"): ...
class VPFRemOp(FloatBinary, op="llvm.intr.vp.frem"): ...
class VPFSubOp(FloatBinary, op="llvm.intr.vp.fsub"): ...
class VPIntToPtrOp(IntegerCast, op="llvm.intr.vp.inttoptr"): ...
class VPLShrOp(IntegerBinary, op="llvm.intr.vp.lshr"): ...
class VPMergeMinOp(Choice, op="llvm.intr.vp.merge"): ...
class VPMulOp(IntegerBinary, op="llvm.intr.vp.mul"): ...
class VPOrOp(IntegerBinary, op="llvm.intr.vp.or"): ...
class VPReduceAddOp(IntegerReduction, op="llvm.intr.vp.reduce.add"): ...
class VPReduceAndOp(IntegerReduction, op="llvm.intr.vp.reduce.and"): ...
class VPReduceFAddOp(FloatReduction, op="llvm.intr.vp.reduce.fadd"): ...
class VPReduceFMaxOp(FloatReduction, op="llvm.intr.vp.reduce.fmax"): ...
class VPReduceFMinOp(FloatReduction, op="llvm.intr.vp.reduce.fmin"): ...
class VPReduceFMulOp(FloatReduction, op="llvm.intr.vp.reduce.fmul"): ...
class VPReduceMulOp(IntegerReduction, op="llvm.intr.vp.reduce.mul"): ...
class VPReduceOrOp(IntegerReduction, op="llvm.intr.vp.reduce.or"): ...
class VPReduceSMaxOp(IntegerReduction, op="llvm.intr.vp.reduce.smax"): ...
class VPReduceSMinOp(IntegerReduction, op="llvm.intr.vp.reduce.smin"): ...
class VPReduceUMaxOp(IntegerReduction, op="llvm.intr.vp.reduce.umax"): ...
class VPReduceUMinOp(IntegerReduction, op="llvm.intr.vp.reduce.umin"): ...
class VPReduceXorOp(IntegerReduction, op="llvm.intr.vp.reduce.xor"): ...
class VPSDivOp(IntegerBinary, op="llvm.intr.vp.sdiv"): ...
class VPSelectMinOp(Choice, op="llvm.intr.vp.select"): ...
class VPSExtOp(IntegerCast, op="llvm.intr.vp.sext"): ...
class VPShlOp(IntegerBinary, op="llvm.intr.vp.shl"): ...
class VPSIToFPOp(IntegerCast, op="llvm.intr.vp.sitofp"): ...
class VPSMaxOp(IntegerBinary, op="llvm.intr.vp.smax"): ...
class VPSMinOp(IntegerBinary, op="llvm.intr.vp.smin"): ...
class VPSRemOp(IntegerBinary, op="llvm.intr.vp.srem"): ...
class VPSubOp(IntegerBinary, op="llvm.intr.vp.sub"): ...
class VPTruncOp(IntegerCast, op="llvm.intr.vp.trunc"): ...
class VPUDivOp(IntegerBinary, op="llvm.intr.vp.udiv"): ...
class VPUIToFPOp(IntegerCast, op="llvm.intr.vp.uitofp"): ...
class VPUMaxOp(IntegerBinary, op="llvm.intr.vp.umax"): ...
class VPUMinOp(IntegerBinary, op="llvm.intr.vp.umin"): ...
class VPURemOp(IntegerBinary, op="llvm.intr.vp.urem"): ...
class VPXorOp(IntegerBinary, op="llvm.intr.vp.xor"): ...
class VPZExtOp(IntegerCast, op="llvm.intr.vp.zext"): ...
# fmt: on


class VPStridedLoadOp(OpRow, op="llvm.intr.experimental.vp.strided.load"):
    """Loads lanes that are `stride` bytes apart."""

    ptr = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)


class VPStridedStoreOp(OpRow, op="llvm.intr.experimental.vp.strided.store"):
    """Stores lanes that are `stride` bytes apart."""

    val = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)


class VPFNegOp(Masked, op="llvm.intr.vp.fneg"):
    """Negates floats."""

    op = operand_def(vector_of(FLOAT))


class VPLoadOp(OpRow, op="llvm.intr.vp.load"):
    """Loads adjacent lanes."""

    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)


class VPPtrToIntOp(Masked, op="llvm.intr.vp.ptrtoint"):
    """Converts pointers to integers."""

    src = operand_def(vector_of(POINTER))


class VPStoreOp(OpRow, op="llvm.intr.vp.store"):
    """Stores adjacent lanes."""

    val = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)


OPS = defined_in(globals(), OpRow)
