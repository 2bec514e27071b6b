"""Matrix and bulk copy ops of the nvvm dialect, written by `dev.generate_ops` from MLIR's
definitions.

Constructed at speed by `ir.fast.create`; these need `operandSegmentSizes` among their
properties: `nvvm.cp.async.bulk.global.shared.cta`, `nvvm.cp.async.bulk.shared.cluster.global`,
`nvvm.cp.async.bulk.tensor.global.shared.cta`, `nvvm.cp.async.bulk.tensor.prefetch`,
`nvvm.cp.async.bulk.tensor.reduce`, `nvvm.cp.async.bulk.tensor.shared.cluster.global`.
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
    var_operand_def,
)

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    ANY_TYPE,
    BOOL_ATTR,
    F64,
    I1,
    I16,
    I32,
    I32_ATTR,
    I64,
    I64_ATTR,
    LLVM_TYPE,
    POINTER,
    STRUCT,
    any_of,
    pointer_in,
)
from nvvm_xdsl.dialects.defaults import FALSE
from nvvm_xdsl.dialects.generated.nvvm_enums import TMALoadMode, TMAStoreMode
from nvvm_xdsl.dialects.nvvm import verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    CTAGroupKindAttr,
    LdStMatrixEltTypeAttr,
    MMAFragAttr,
    MMAIntOverflowAttr,
    MMALayoutAttr,
    MMATypesAttr,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreModeAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
    WGMMATypesAttr,
)
from nvvm_xdsl.dialects.nvvm.struct_attributes import LdStMatrixShapeAttr, MMAShapeAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class PlainOp(OpRow, AssemblyOp):
    """Op without operands and results."""

    FORMAT: ClassVar[str] = "attr-dict"


class CpAsyncBulkSharedCTAToGlobalOp(OpRow, AssemblyOp, op="nvvm.cp.async.bulk.global.shared.cta"):
    dstMem = operand_def(pointer_in(1))
    srcMem = operand_def(pointer_in(3))
    size = operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    byteMask = opt_operand_def(I16)
    FORMAT: ClassVar[str] = (
        "$dstMem `,` $srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? (`byte_mask` `=` $byteMask^ )? attr-dict `:` custom<StrippedPointer>(type($dstMem)) `,` custom<StrippedPointer>(type($srcMem))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


class CpAsyncBulkPrefetchOp(OpRow, AssemblyOp, op="nvvm.cp.async.bulk.prefetch"):
    srcMem = operand_def(pointer_in(1))
    size = operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` custom<StrippedPointer>(type($srcMem))"
    )


class CpAsyncBulkGlobalToSharedClusterOp(
    OpRow, AssemblyOp, op="nvvm.cp.async.bulk.shared.cluster.global"
):
    dstMem = operand_def(pointer_in(3, 7))
    srcMem = operand_def(pointer_in(1))
    mbar = operand_def(pointer_in(3))
    size = operand_def(I32)
    multicastMask = opt_operand_def(I16)
    l2CacheHint = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$dstMem `,` $srcMem `,` $mbar `,` $size (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($dstMem) `,` custom<StrippedPointer>(type($srcMem))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.bulk_load(self)


class CpAsyncBulkSharedCTAToSharedClusterOp(
    OpRow, AssemblyOp, op="nvvm.cp.async.bulk.shared.cluster.shared.cta"
):
    dstMem = operand_def(pointer_in(7))
    srcMem = operand_def(pointer_in(3))
    mbar = operand_def(pointer_in(3))
    size = operand_def(I32)
    FORMAT: ClassVar[str] = (
        "$dstMem `,` $srcMem `,` $mbar `,` $size attr-dict `:` custom<StrippedPointer>(type($dstMem)) `,` custom<StrippedPointer>(type($srcMem))"
    )


class CpAsyncBulkTensorSharedCTAToGlobalOp(
    OpRow, AssemblyOp, op="nvvm.cp.async.bulk.tensor.global.shared.cta"
):
    tmaDescriptor = operand_def(pointer_in(0))
    srcMem = operand_def(pointer_in(3))
    coordinates = var_operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    mode = opt_prop_def(TMAStoreModeAttr, default_value=TMAStoreModeAttr(TMAStoreMode.TILE))
    predicate = opt_operand_def(I1)
    FORMAT: ClassVar[str] = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ )? (`,` `predicate` `=` $predicate^)? attr-dict `:` custom<StrippedPointer>(type($tmaDescriptor)) `,` custom<StrippedPointer>(type($srcMem))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_store(self)


class CpAsyncBulkTensorPrefetchOp(OpRow, AssemblyOp, op="nvvm.cp.async.bulk.tensor.prefetch"):
    tmaDescriptor = operand_def(pointer_in(0))
    coordinates = var_operand_def(I32)
    im2colOffsets = var_operand_def(I16)
    mode = opt_prop_def(TMALoadModeAttr, default_value=TMALoadModeAttr(TMALoadMode.TILE))
    l2CacheHint = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$tmaDescriptor `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` custom<StrippedPointer>(type($tmaDescriptor))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_prefetch(self)


class CpAsyncBulkTensorReduceOp(OpRow, AssemblyOp, op="nvvm.cp.async.bulk.tensor.reduce"):
    tmaDescriptor = operand_def(POINTER)
    srcMem = operand_def(pointer_in(3))
    redKind = prop_def(TMAReduxKindAttr)
    mode = opt_prop_def(TMAStoreModeAttr, default_value=TMAStoreModeAttr(TMAStoreMode.TILE))
    coordinates = var_operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    FORMAT: ClassVar[str] = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` custom<StrippedPointer>(type($tmaDescriptor)) `,` custom<StrippedPointer>(type($srcMem))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_reduce(self)


class CpAsyncBulkTensorGlobalToSharedClusterOp(
    OpRow, AssemblyOp, op="nvvm.cp.async.bulk.tensor.shared.cluster.global"
):
    dstMem = operand_def(pointer_in(3, 7))
    tmaDescriptor = operand_def(pointer_in(0))
    coordinates = var_operand_def(I32)
    mbar = operand_def(pointer_in(3))
    im2colOffsets = var_operand_def(I16)
    multicastMask = opt_operand_def(I16)
    l2CacheHint = opt_operand_def(I64)
    mode = opt_prop_def(TMALoadModeAttr, default_value=TMALoadModeAttr(TMALoadMode.TILE))
    isCTAOnly = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    group = opt_prop_def(CTAGroupKindAttr)
    predicate = opt_operand_def(I1)
    FORMAT: ClassVar[str] = (
        "$dstMem `,` $tmaDescriptor `,` $mbar `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` $l2CacheHint^ )? (`predicate` `=` $predicate^)? attr-dict `:` type($dstMem) `,` custom<StrippedPointer>(type($tmaDescriptor))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_load(self)


class CpAsyncBulkWaitGroupOp(OpRow, AssemblyOp, op="nvvm.cp.async.bulk.wait_group"):
    group = prop_def(I32_ATTR)
    read = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = "$group attr-dict"


class LdMatrixOp(OpRow, AssemblyOp, op="nvvm.ldmatrix"):
    ptr = operand_def(pointer_in(3))
    num = prop_def(I32_ATTR)
    layout = prop_def(MMALayoutAttr)
    shape = prop_def(LdStMatrixShapeAttr)
    eltType = prop_def(LdStMatrixEltTypeAttr)
    res = result_def(ANY_TYPE)
    FORMAT: ClassVar[str] = "$ptr attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        verifiers.load_matrix(self)


class StMatrixOp(OpRow, AssemblyOp, op="nvvm.stmatrix"):
    ptr = operand_def(pointer_in(3))
    sources = var_operand_def(I32)
    layout = prop_def(MMALayoutAttr)
    shape = prop_def(LdStMatrixShapeAttr)
    eltType = prop_def(LdStMatrixEltTypeAttr)
    FORMAT: ClassVar[str] = "$ptr `,` $sources attr-dict `:` type(operands)"

    def verify_(self) -> None:
        verifiers.store_matrix(self)


class WgmmaMmaAsyncOp(OpRow, AssemblyOp, op="nvvm.wgmma.mma_async"):
    inouts = operand_def(STRUCT)
    descriptorA = operand_def(I64)
    descriptorB = operand_def(I64)
    shape = prop_def(MMAShapeAttr)
    typeA = prop_def(WGMMATypesAttr)
    typeB = prop_def(WGMMATypesAttr)
    typeD = prop_def(WGMMATypesAttr)
    scaleD = prop_def(WGMMAScaleOutAttr)
    scaleA = prop_def(WGMMAScaleInAttr)
    scaleB = prop_def(WGMMAScaleInAttr)
    layoutA = prop_def(MMALayoutAttr)
    layoutB = prop_def(MMALayoutAttr)
    satfinite = opt_prop_def(MMAIntOverflowAttr)
    results_ = result_def(STRUCT)
    FORMAT: ClassVar[str] = (
        "$descriptorA `,` $descriptorB `,` $inouts `,` $shape `,` `D` `[` $typeD `,` $scaleD (`,` $satfinite^)? `]` `,` `A` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` `B` `[` $typeB `,` $scaleB `,` $layoutB `]` attr-dict `:` type($inouts) `->` type($results_)"
    )


class WgmmaWaitGroupSyncOp(OpRow, AssemblyOp, op="nvvm.wgmma.wait.group.sync.aligned"):
    group = prop_def(I64_ATTR)
    FORMAT: ClassVar[str] = "attr-dict $group"


class WMMALoadOp(OpRow, AssemblyOp, op="nvvm.wmma.load"):
    ptr = operand_def(POINTER)
    stride = operand_def(I32)
    m = prop_def(I32_ATTR)
    n = prop_def(I32_ATTR)
    k = prop_def(I32_ATTR)
    layout = prop_def(MMALayoutAttr)
    eltype = prop_def(MMATypesAttr)
    frag = prop_def(MMAFragAttr)
    res = result_def(any_of(STRUCT, F64))
    FORMAT: ClassVar[str] = "$ptr `,` $stride attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        verifiers.wmma_load(self)


class WMMAMmaOp(OpRow, AssemblyOp, op="nvvm.wmma.mma"):
    m = prop_def(I32_ATTR)
    n = prop_def(I32_ATTR)
    k = prop_def(I32_ATTR)
    layoutA = prop_def(MMALayoutAttr)
    layoutB = prop_def(MMALayoutAttr)
    eltypeA = prop_def(MMATypesAttr)
    eltypeB = prop_def(MMATypesAttr)
    args = var_operand_def(LLVM_TYPE)
    res = result_def(STRUCT)
    FORMAT: ClassVar[str] = "$args attr-dict `:` functional-type($args, $res)"


class WMMAStoreOp(OpRow, AssemblyOp, op="nvvm.wmma.store"):
    ptr = operand_def(POINTER)
    m = prop_def(I32_ATTR)
    n = prop_def(I32_ATTR)
    k = prop_def(I32_ATTR)
    layout = prop_def(MMALayoutAttr)
    eltype = prop_def(MMATypesAttr)
    args = var_operand_def(LLVM_TYPE)
    stride = operand_def(I32)
    FORMAT: ClassVar[str] = "$ptr `,` $stride `,` $args attr-dict `:` type($ptr) `,` type($args)"


# fmt: off
class CpAsyncBulkCommitGroupOp(PlainOp, op="nvvm.cp.async.bulk.commit.group"): ...
class WgmmaGroupSyncAlignedOp(PlainOp, op="nvvm.wgmma.commit.group.sync.aligned"): ...
class WgmmaFenceAlignedOp(PlainOp, op="nvvm.wgmma.fence.aligned"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
