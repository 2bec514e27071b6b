"""Fifth-generation tensor core ops of the nvvm dialect, written by `dev.generate_ops` from
MLIR's definitions.

Constructed at speed by `ir.fast.create`; these need `operandSegmentSizes` among their
properties: `nvvm.tcgen05.mma`, `nvvm.tcgen05.mma.sp`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    I1,
    I8,
    I16,
    I32,
    I64,
    POINTER,
    any_of,
    pointer_in,
    vector_of,
)
from nvvm_xdsl.dialects.generated.nvvm_enums import (
    CTAGroupKind,
    Tcgen05CpMulticast,
    Tcgen05MMABlockScale,
    Tcgen05MMACollectorBBuffer,
    Tcgen05MMACollectorOp,
)
from nvvm_xdsl.dialects.nvvm import verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    CTAGroupKindAttr,
    MMABlockScaleKindAttr,
    Tcgen05CpMulticastAttr,
    Tcgen05CpShapeAttr,
    Tcgen05CpSrcFormatAttr,
    Tcgen05FenceKindAttr,
    Tcgen05LdStShapeAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorBBufferAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
    Tcgen05WaitKindAttr,
)
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class Tcgen05AllocOp(OpRow, AssemblyOp, op="nvvm.tcgen05.alloc"):
    addr = operand_def(any_of(POINTER, pointer_in(3)))
    nCols = operand_def(I32)
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    FORMAT: ClassVar[str] = "$addr `,` $nCols attr-dict `:` type(operands)"


class Tcgen05CommitOp(OpRow, AssemblyOp, op="nvvm.tcgen05.commit"):
    addr = operand_def(any_of(POINTER, pointer_in(3)))
    multicastMask = opt_operand_def(I16)
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    FORMAT: ClassVar[str] = (
        "$addr (`,` `multicast_mask` `=` $multicastMask^)? attr-dict `:` type(operands)"
    )


class Tcgen05CpOp(OpRow, AssemblyOp, op="nvvm.tcgen05.cp"):
    shape = prop_def(Tcgen05CpShapeAttr)
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    multicast = opt_prop_def(
        Tcgen05CpMulticastAttr, default_value=Tcgen05CpMulticastAttr(Tcgen05CpMulticast.NONE)
    )
    srcFormat = opt_prop_def(Tcgen05CpSrcFormatAttr)
    taddr = operand_def(pointer_in(6))
    smem_desc = operand_def(I64)
    FORMAT: ClassVar[str] = "$taddr`,` $smem_desc attr-dict"

    def verify_(self) -> None:
        verifiers.tensor_copy(self)


class Tcgen05DeallocOp(OpRow, AssemblyOp, op="nvvm.tcgen05.dealloc"):
    taddr = operand_def(pointer_in(6))
    nCols = operand_def(I32)
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    FORMAT: ClassVar[str] = "$taddr `,` $nCols attr-dict `:` type(operands)"


class Tcgen05FenceOp(OpRow, AssemblyOp, op="nvvm.tcgen05.fence"):
    kind = prop_def(Tcgen05FenceKindAttr)
    FORMAT: ClassVar[str] = "$kind attr-dict"


class Tcgen05LdOp(OpRow, AssemblyOp, op="nvvm.tcgen05.ld"):
    pack = opt_prop_def(UnitAttr)
    shape = prop_def(Tcgen05LdStShapeAttr)
    tmemAddr = operand_def(pointer_in(6))
    offset = opt_operand_def(I64)
    res = result_def(any_of(I32, vector_of(I32, (2, 4, 8, 16, 32, 64, 128))))
    FORMAT: ClassVar[str] = "$tmemAddr (`,` $offset^)? (`pack` $pack^)? attr-dict `:` type($res)"

    def verify_(self) -> None:
        verifiers.tensor_memory_load(self)


class Tcgen05MMAOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma"):
    kind = prop_def(Tcgen05MMAKindAttr)
    ctaGroup = prop_def(CTAGroupKindAttr)
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    aShift = opt_prop_def(UnitAttr)
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    scaleInputD = opt_operand_def(I64)
    disableOutputLane = opt_operand_def(vector_of(I32, (4, 8)))
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`scale` `=` $scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` custom<OperandTypes7>(type($matrixD), type($matrixA), type($matrixB), type($idesc), type($enableInputD), type($scaleInputD), type($disableOutputLane)) `)`"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class Tcgen05MMABlockScaleOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.block_scale"):
    kind = prop_def(MMABlockScaleKindAttr)
    ctaGroup = prop_def(CTAGroupKindAttr)
    blockScale = opt_prop_def(
        Tcgen05MMABlockScaleAttr,
        default_value=Tcgen05MMABlockScaleAttr(Tcgen05MMABlockScale.DEFAULT),
    )
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    scaleA = operand_def(pointer_in(6))
    scaleB = operand_def(pointer_in(6))
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $scaleA `,` $scaleB attr-dict `:` `(` type(operands) `)`"
    )

    def verify_(self) -> None:
        verifiers.scaled_product(self)


class Tcgen05MMASparseOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.sp"):
    kind = prop_def(Tcgen05MMAKindAttr)
    ctaGroup = prop_def(CTAGroupKindAttr)
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    aShift = opt_prop_def(UnitAttr)
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    sparseMetadata = operand_def(pointer_in(6))
    scaleInputD = opt_operand_def(I64)
    disableOutputLane = opt_operand_def(vector_of(I32, (4, 8)))
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata (`scale` `=` $scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` custom<OperandTypes8>(type($matrixD), type($matrixA), type($matrixB), type($idesc), type($enableInputD), type($sparseMetadata), type($scaleInputD), type($disableOutputLane)) `)`"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class Tcgen05MMASparseBlockScaleOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.sp.block_scale"):
    kind = prop_def(MMABlockScaleKindAttr)
    ctaGroup = prop_def(CTAGroupKindAttr)
    blockScale = opt_prop_def(
        Tcgen05MMABlockScaleAttr,
        default_value=Tcgen05MMABlockScaleAttr(Tcgen05MMABlockScale.DEFAULT),
    )
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    sparseMetadata = operand_def(pointer_in(6))
    scaleA = operand_def(pointer_in(6))
    scaleB = operand_def(pointer_in(6))
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata `,` $scaleA `,` $scaleB attr-dict `:` `(` type(operands) `)`"
    )

    def verify_(self) -> None:
        verifiers.scaled_product(self)


class Tcgen05MMAWsOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.ws"):
    kind = prop_def(Tcgen05MMAKindAttr)
    collectorBBuffer = opt_prop_def(
        Tcgen05MMACollectorBBufferAttr,
        default_value=Tcgen05MMACollectorBBufferAttr(Tcgen05MMACollectorBBuffer.B0),
    )
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    zeroColMask = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`,` $zeroColMask^)? attr-dict `:` `(` type(operands) `)`"
    )


class Tcgen05MMAWsSparseOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.ws.sp"):
    kind = prop_def(Tcgen05MMAKindAttr)
    collectorBBuffer = opt_prop_def(
        Tcgen05MMACollectorBBufferAttr,
        default_value=Tcgen05MMACollectorBBufferAttr(Tcgen05MMACollectorBBuffer.B0),
    )
    collectorOp = opt_prop_def(
        Tcgen05MMACollectorOpAttr,
        default_value=Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD),
    )
    matrixD = operand_def(pointer_in(6))
    matrixA = operand_def(any_of(pointer_in(6), I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    sparseMetadata = operand_def(pointer_in(6))
    zeroColMask = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata (`,` $zeroColMask^)? attr-dict `:` `(` type(operands) `)`"
    )


class Tcgen05MmaSmemDescOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma_smem_desc"):
    startAddr = operand_def(I32)
    leadingDimOffset = operand_def(I32)
    strideDimOffset = operand_def(I32)
    baseOffset = operand_def(I8)
    leadingDimMode = operand_def(I1)
    swizzleMode = operand_def(I8)
    res = result_def(I64)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` `(` type(operands) `)` `->` type($res)"


class Tcgen05RelinquishAllocPermitOp(OpRow, AssemblyOp, op="nvvm.tcgen05.relinquish_alloc_permit"):
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    FORMAT: ClassVar[str] = "attr-dict"


class Tcgen05ShiftOp(OpRow, AssemblyOp, op="nvvm.tcgen05.shift"):
    taddr = operand_def(pointer_in(6))
    group = opt_prop_def(CTAGroupKindAttr, default_value=CTAGroupKindAttr(CTAGroupKind.CTA_1))
    FORMAT: ClassVar[str] = "$taddr attr-dict `:` type(operands)"


class Tcgen05StOp(OpRow, AssemblyOp, op="nvvm.tcgen05.st"):
    unpack = opt_prop_def(UnitAttr)
    shape = prop_def(Tcgen05LdStShapeAttr)
    tmemAddr = operand_def(pointer_in(6))
    val = operand_def(any_of(I32, vector_of(I32, (2, 4, 8, 16, 32, 64, 128))))
    offset = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$tmemAddr `,` $val (`,` $offset^)? (`unpack` $unpack^)? attr-dict `:` type($val)"
    )

    def verify_(self) -> None:
        verifiers.tensor_memory_load(self)


class Tcgen05WaitOp(OpRow, AssemblyOp, op="nvvm.tcgen05.wait"):
    kind = prop_def(Tcgen05WaitKindAttr)
    FORMAT: ClassVar[str] = "$kind attr-dict"


OPS = defined_in(globals(), OpRow)
