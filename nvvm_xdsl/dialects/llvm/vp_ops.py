"""Predicated vector intrinsics of the llvm dialect, written by `nvvm_xdsl.dialects.generate`
from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
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


@irdl_op_definition
class VPStridedLoadOp(IRDLOperation):
    """MLIR's `llvm.intr.experimental.vp.strided.load`."""

    name = "llvm.intr.experimental.vp.strided.load"
    ptr = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)


@irdl_op_definition
class VPStridedStoreOp(IRDLOperation):
    """MLIR's `llvm.intr.experimental.vp.strided.store`."""

    name = "llvm.intr.experimental.vp.strided.store"
    val = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)


@irdl_op_definition
class VPAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.add`."""

    name = "llvm.intr.vp.add"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPAndOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.and`."""

    name = "llvm.intr.vp.and"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPAShrOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.ashr`."""

    name = "llvm.intr.vp.ashr"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fadd`."""

    name = "llvm.intr.vp.fadd"
    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFDivOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fdiv`."""

    name = "llvm.intr.vp.fdiv"
    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFmaOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fma`."""

    name = "llvm.intr.vp.fma"
    op1 = operand_def(vector_of(FLOAT))
    op2 = operand_def(vector_of(FLOAT))
    op3 = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFMulOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fmul`."""

    name = "llvm.intr.vp.fmul"
    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFMulAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fmuladd`."""

    name = "llvm.intr.vp.fmuladd"
    op1 = operand_def(vector_of(FLOAT))
    op2 = operand_def(vector_of(FLOAT))
    op3 = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFNegOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fneg`."""

    name = "llvm.intr.vp.fneg"
    op = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFPExtOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fpext`."""

    name = "llvm.intr.vp.fpext"
    src = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFPToSIOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fptosi`."""

    name = "llvm.intr.vp.fptosi"
    src = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFPToUIOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fptoui`."""

    name = "llvm.intr.vp.fptoui"
    src = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFPTruncOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fptrunc`."""

    name = "llvm.intr.vp.fptrunc"
    src = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFRemOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.frem`."""

    name = "llvm.intr.vp.frem"
    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPFSubOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.fsub`."""

    name = "llvm.intr.vp.fsub"
    lhs = operand_def(vector_of(FLOAT))
    rhs = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPIntToPtrOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.inttoptr`."""

    name = "llvm.intr.vp.inttoptr"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPLoadOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.load`."""

    name = "llvm.intr.vp.load"
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)


@irdl_op_definition
class VPLShrOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.lshr`."""

    name = "llvm.intr.vp.lshr"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPMergeMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.merge`."""

    name = "llvm.intr.vp.merge"
    cond = operand_def(vector_of(I1))
    true_val = operand_def(VECTOR)
    false_val = operand_def(VECTOR)
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPMulOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.mul`."""

    name = "llvm.intr.vp.mul"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPOrOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.or`."""

    name = "llvm.intr.vp.or"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPPtrToIntOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.ptrtoint`."""

    name = "llvm.intr.vp.ptrtoint"
    src = operand_def(vector_of(POINTER))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.add`."""

    name = "llvm.intr.vp.reduce.add"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceAndOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.and`."""

    name = "llvm.intr.vp.reduce.and"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceFAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.fadd`."""

    name = "llvm.intr.vp.reduce.fadd"
    satrt_value = operand_def(FLOAT)
    val = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceFMaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.fmax`."""

    name = "llvm.intr.vp.reduce.fmax"
    satrt_value = operand_def(FLOAT)
    val = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceFMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.fmin`."""

    name = "llvm.intr.vp.reduce.fmin"
    satrt_value = operand_def(FLOAT)
    val = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceFMulOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.fmul`."""

    name = "llvm.intr.vp.reduce.fmul"
    satrt_value = operand_def(FLOAT)
    val = operand_def(vector_of(FLOAT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceMulOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.mul`."""

    name = "llvm.intr.vp.reduce.mul"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceOrOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.or`."""

    name = "llvm.intr.vp.reduce.or"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceSMaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.smax`."""

    name = "llvm.intr.vp.reduce.smax"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceSMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.smin`."""

    name = "llvm.intr.vp.reduce.smin"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceUMaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.umax`."""

    name = "llvm.intr.vp.reduce.umax"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceUMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.umin`."""

    name = "llvm.intr.vp.reduce.umin"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPReduceXorOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.reduce.xor`."""

    name = "llvm.intr.vp.reduce.xor"
    satrt_value = operand_def(SIGNLESS_INT)
    val = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSDivOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.sdiv`."""

    name = "llvm.intr.vp.sdiv"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSelectMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.select`."""

    name = "llvm.intr.vp.select"
    cond = operand_def(vector_of(I1))
    true_val = operand_def(VECTOR)
    false_val = operand_def(VECTOR)
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSExtOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.sext`."""

    name = "llvm.intr.vp.sext"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPShlOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.shl`."""

    name = "llvm.intr.vp.shl"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSIToFPOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.sitofp`."""

    name = "llvm.intr.vp.sitofp"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSMaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.smax`."""

    name = "llvm.intr.vp.smax"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.smin`."""

    name = "llvm.intr.vp.smin"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPSRemOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.srem`."""

    name = "llvm.intr.vp.srem"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPStoreOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.store`."""

    name = "llvm.intr.vp.store"
    val = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)


@irdl_op_definition
class VPSubOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.sub`."""

    name = "llvm.intr.vp.sub"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPTruncOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.trunc`."""

    name = "llvm.intr.vp.trunc"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPUDivOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.udiv`."""

    name = "llvm.intr.vp.udiv"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPUIToFPOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.uitofp`."""

    name = "llvm.intr.vp.uitofp"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPUMaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.umax`."""

    name = "llvm.intr.vp.umax"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPUMinOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.umin`."""

    name = "llvm.intr.vp.umin"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPURemOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.urem`."""

    name = "llvm.intr.vp.urem"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPXorOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.xor`."""

    name = "llvm.intr.vp.xor"
    lhs = operand_def(vector_of(SIGNLESS_INT))
    rhs = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VPZExtOp(IRDLOperation):
    """MLIR's `llvm.intr.vp.zext`."""

    name = "llvm.intr.vp.zext"
    src = operand_def(vector_of(SIGNLESS_INT))
    mask = operand_def(vector_of(I1))
    evl = operand_def(I32)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


OPS: tuple[type[Operation], ...] = (
    VPStridedLoadOp,
    VPStridedStoreOp,
    VPAddOp,
    VPAndOp,
    VPAShrOp,
    VPFAddOp,
    VPFDivOp,
    VPFmaOp,
    VPFMulOp,
    VPFMulAddOp,
    VPFNegOp,
    VPFPExtOp,
    VPFPToSIOp,
    VPFPToUIOp,
    VPFPTruncOp,
    VPFRemOp,
    VPFSubOp,
    VPIntToPtrOp,
    VPLoadOp,
    VPLShrOp,
    VPMergeMinOp,
    VPMulOp,
    VPOrOp,
    VPPtrToIntOp,
    VPReduceAddOp,
    VPReduceAndOp,
    VPReduceFAddOp,
    VPReduceFMaxOp,
    VPReduceFMinOp,
    VPReduceFMulOp,
    VPReduceMulOp,
    VPReduceOrOp,
    VPReduceSMaxOp,
    VPReduceSMinOp,
    VPReduceUMaxOp,
    VPReduceUMinOp,
    VPReduceXorOp,
    VPSDivOp,
    VPSelectMinOp,
    VPSExtOp,
    VPShlOp,
    VPSIToFPOp,
    VPSMaxOp,
    VPSMinOp,
    VPSRemOp,
    VPStoreOp,
    VPSubOp,
    VPTruncOp,
    VPUDivOp,
    VPUIToFPOp,
    VPUMaxOp,
    VPUMinOp,
    VPURemOp,
    VPXorOp,
    VPZExtOp,
)
