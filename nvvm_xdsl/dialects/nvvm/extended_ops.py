"""Ops of MLIR 22 that MLIR's main branch extended by clauses, operands or types.

The reader creates these classes in place of those of the same name in `ops`. It then replaces them by calls of
intrinsics if an op uses an extension, and by the classes of MLIR 22 otherwise (`frontend.extended_ops`).

Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    ANY_TYPE,
    BF16,
    BOOL_ATTR,
    F16,
    F32,
    I1,
    I8,
    I16,
    I32,
    I32_ATTR,
    I64,
    POINTER,
    any_of,
    pointer_in,
    vector_of,
)
from nvvm_xdsl.dialects.llvm.types import I1 as I1_TYPE
from nvvm_xdsl.dialects.nvvm import ops, verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    AngledEnum,
    BarrierReductionAttr,
    CTAGroupKindAttr,
    FPRoundingModeAttr,
    MemScopeKindAttr,
    MMABlockScaleKindAttr,
    SaturationModeAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
    TMAReduxKindAttr,
)
from nvvm_xdsl.dialects.nvvm.main_tensor_ops import STORE_MODE, TENSOR_POINTER
from nvvm_xdsl.dialects.nvvm.verifiers.parts import space_of
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in
from nvvm_xdsl.ir.nvptx import SHARED_CLUSTER


class ProductKind(StrEnum):
    """Kinds of products in the order of their numbers."""

    F16 = "f16"
    TF32 = "tf32"
    F8F6F4 = "f8f6f4"
    I8 = "i8"
    TI16 = "ti16"


class ProductKindAttr(AngledEnum[ProductKind], mnemonic="nvvm.main_tcgen05_mma_kind"): ...


_KIND = BaseAttr(Tcgen05MMAKindAttr) | BaseAttr(ProductKindAttr)
PAIR_OF_BYTES: Final = any_of(I16, vector_of(I8, (2,)))


class Extended(OpRow, AssemblyOp):
    """Base of the ops of this module."""


class ExtendedBarrierOp(Extended, op="nvvm.barrier"):
    """A barrier of a block, which the threads of a warp need not execute together if `aligned` is false."""

    barrierId = opt_operand_def(I32)
    numberOfThreads = opt_operand_def(I32)
    reductionOp = opt_prop_def(BarrierReductionAttr)
    reductionPredicate = opt_operand_def(I32)
    aligned = opt_prop_def(BOOL_ATTR)
    res = opt_result_def(I32)
    FORMAT: ClassVar[str] = ops.BarrierOp.FORMAT
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.barrier(self)
        if self.reductionOp is not None and self.aligned is not None:
            raise VerifyException("a reduction with aligned requires nvvm.barrier.reduction")


class ExtendedBarrierArriveOp(Extended, op="nvvm.barrier.arrive"):
    """An arrival at a barrier of a block, with `aligned` as in `ExtendedBarrierOp`."""

    barrierId = opt_operand_def(I32)
    numberOfThreads = operand_def(I32)
    aligned = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.BarrierArriveOp.FORMAT


class ExtendedInlinePtxOp(Extended, op="nvvm.inline_ptx"):
    """Inline PTX, which accesses memory in any case."""

    readOnlyArgs = var_operand_def(ANY_TYPE)
    readWriteArgs = var_operand_def(ANY_TYPE)
    ptxCode = prop_def(StringAttr)
    predicate = opt_operand_def(I1)
    memoryClobber = opt_prop_def(BOOL_ATTR)
    writeOnlyArgs = var_result_def(ANY_TYPE)
    FORMAT: ClassVar[str] = ops.InlinePtxOp.FORMAT.replace(
        "(`,` `predicate`", "(`memory_clobber` `=` $memoryClobber^)? (`,` `predicate`"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


class ExtendedMBarrierInitOp(Extended, op="nvvm.mbarrier.init"):
    """An initialization of an mbarrier of one of two layouts."""

    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    predicate = opt_operand_def(I1)
    layout = opt_prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = ops.MBarrierInitOp.FORMAT.replace(
        "(`,` `predicate`", "(`layout` `=` $layout^)? (`,` `predicate`"
    )

    def verify_(self) -> None:
        layout = self.layout
        if isinstance(layout, IntegerAttr) and layout.value.data not in (0, 1):
            raise VerifyException("the layout must be 0 or 1")


_MULTICAST: Final = ("attr-dict", "(`multicast` `=` $multicast^)? attr-dict")


def _verify_multicast(op: Operation, mask: SSAValue | None) -> None:
    """A mask selects blocks, whose mbarriers at the same address are meant. Source: llvm/llvm-project#216753."""
    if mask is None:
        return
    verifiers.mbarrier(op)
    if op.results or space_of(op.operands[0]) != SHARED_CLUSTER:
        raise VerifyException("multicast requires a pointer to the cluster's shared memory")
    if op.operands[-2].type == I1_TYPE:
        raise VerifyException("multicast and predicate exclude each other")


class MulticastArrival(Extended):
    """An arrival."""

    addr = operand_def(pointer_in(0, 3, 7))
    count = opt_operand_def(I32)
    multicast = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr)
    relaxed = opt_prop_def(BOOL_ATTR)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = ops.MBarrierArriveOp.FORMAT.replace(*_MULTICAST)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        _verify_multicast(self, self.multicast)


class ExtendedArriveOp(MulticastArrival, op="nvvm.mbarrier.arrive"): ...


class ExtendedArriveDropOp(MulticastArrival, op="nvvm.mbarrier.arrive_drop"): ...


class ExtendedArriveExpectTxOp(Extended, op="nvvm.mbarrier.arrive.expect_tx"):
    """An arrival that announces bytes."""

    addr = operand_def(pointer_in(0, 3, 7))
    txcount = operand_def(I32)
    predicate = opt_operand_def(I1)
    multicast = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr)
    relaxed = opt_prop_def(BOOL_ATTR)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = ops.MBarrierArriveExpectTxOp.FORMAT.replace(*_MULTICAST).replace(
        "type(operands)",
        "custom<OperandTypes4>(type($addr), type($txcount), type($predicate), type($multicast))",
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        _verify_multicast(self, self.multicast)


class ExtendedArriveDropExpectTxOp(Extended, op="nvvm.mbarrier.arrive_drop.expect_tx"):
    """An arrival without later ones that announces bytes."""

    addr = operand_def(pointer_in(0, 3, 7))
    txcount = operand_def(I32)
    multicast = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr)
    relaxed = opt_prop_def(BOOL_ATTR)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = ops.MBarrierArriveDropExpectTxOp.FORMAT.replace(*_MULTICAST)

    def verify_(self) -> None:
        _verify_multicast(self, self.multicast)


class MulticastTransaction(Extended):
    """A change of the count of bytes."""

    addr = operand_def(pointer_in(3, 7))
    txcount = operand_def(I32)
    multicast = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr)
    FORMAT: ClassVar[str] = ops.MBarrierExpectTxOp.FORMAT.replace(*_MULTICAST)

    def verify_(self) -> None:
        _verify_multicast(self, self.multicast)


class ExtendedExpectTxOp(MulticastTransaction, op="nvvm.mbarrier.expect_tx"): ...


class ExtendedCompleteTxOp(MulticastTransaction, op="nvvm.mbarrier.complete_tx"): ...


class ExtendedAllocOp(Extended, op="nvvm.tcgen05.alloc"):
    """An allocation of tensor memory."""

    addr = operand_def(any_of(POINTER, pointer_in(3)))
    nCols = operand_def(I32)
    group = opt_prop_def(CTAGroupKindAttr)
    isExclusive = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.Tcgen05AllocOp.FORMAT


class ExtendedDeallocOp(Extended, op="nvvm.tcgen05.dealloc"):
    """A deallocation of tensor memory."""

    taddr = operand_def(TENSOR_POINTER)
    nCols = operand_def(I32)
    group = opt_prop_def(CTAGroupKindAttr)
    isExclusive = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.Tcgen05DeallocOp.FORMAT


class ExtendedCommitOp(Extended, op="nvvm.tcgen05.commit"):
    """A commit of asynchronous operations, or of reads of matrix A only, with a mask of 16 or 32 bits."""

    addr = operand_def(any_of(POINTER, pointer_in(3)))
    multicastMask = opt_operand_def(any_of(I16, I32))
    group = opt_prop_def(CTAGroupKindAttr)
    smem_a_read = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.Tcgen05CommitOp.FORMAT


class Product(Extended):
    """A product of matrices with collectors of A and B."""

    ctaGroup = prop_def(CTAGroupKindAttr)
    collectorOp = opt_prop_def(Tcgen05MMACollectorOpAttr)
    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)


class ExtendedProductOp(Product, op="nvvm.tcgen05.mma"):
    """A product of matrices."""

    kind = prop_def(_KIND)
    aShift = opt_prop_def(UnitAttr)
    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    scaleInputD = opt_operand_def(I64)
    disableOutputLane = opt_operand_def(vector_of(I32, (4, 8)))
    FORMAT: ClassVar[str] = ops.Tcgen05MMAOp.FORMAT
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class ExtendedSparseProductOp(Product, op="nvvm.tcgen05.mma.sp"):
    """A product with a sparse matrix A."""

    kind = prop_def(_KIND)
    aShift = opt_prop_def(UnitAttr)
    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    sparseMetadata = operand_def(TENSOR_POINTER)
    scaleInputD = opt_operand_def(I64)
    disableOutputLane = opt_operand_def(vector_of(I32, (4, 8)))
    FORMAT: ClassVar[str] = ops.Tcgen05MMASparseOp.FORMAT
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class ScaledProduct(Product):
    """A product of scaled blocks."""

    kind = prop_def(MMABlockScaleKindAttr)
    blockScale = opt_prop_def(Tcgen05MMABlockScaleAttr)

    def verify_(self) -> None:
        verifiers.scaled_product(self)


class ExtendedScaledProductOp(ScaledProduct, op="nvvm.tcgen05.mma.block_scale"):
    """A product of scaled blocks."""

    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    scaleA = operand_def(TENSOR_POINTER)
    scaleB = operand_def(TENSOR_POINTER)
    FORMAT: ClassVar[str] = ops.Tcgen05MMABlockScaleOp.FORMAT


class ExtendedSparseScaledProductOp(ScaledProduct, op="nvvm.tcgen05.mma.sp.block_scale"):
    """A product of scaled blocks with a sparse matrix A."""

    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    sparseMetadata = operand_def(TENSOR_POINTER)
    scaleA = operand_def(TENSOR_POINTER)
    scaleB = operand_def(TENSOR_POINTER)
    FORMAT: ClassVar[str] = ops.Tcgen05MMASparseBlockScaleOp.FORMAT


class ExtendedStoreOp(Extended, op="nvvm.cp.async.bulk.tensor.global.shared.cta"):
    """A store to a tensor, also in mode `im2col_w`."""

    tmaDescriptor = operand_def(pointer_in(0))
    srcMem = operand_def(pointer_in(3))
    coordinates = var_operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    mode = opt_prop_def(STORE_MODE)
    predicate = opt_operand_def(I1)
    FORMAT: ClassVar[str] = ops.CpAsyncBulkTensorSharedCTAToGlobalOp.FORMAT
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_store(self)


class ExtendedReduceOp(Extended, op="nvvm.cp.async.bulk.tensor.reduce"):
    """A reduction into a tensor, also in mode `im2col_w`."""

    tmaDescriptor = operand_def(POINTER)
    srcMem = operand_def(pointer_in(3))
    redKind = prop_def(TMAReduxKindAttr)
    mode = opt_prop_def(STORE_MODE)
    coordinates = var_operand_def(I32)
    l2CacheHint = opt_operand_def(I64)
    FORMAT: ClassVar[str] = ops.CpAsyncBulkTensorReduceOp.FORMAT
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.tensor_reduce(self)


class Narrowing(Extended):
    """A conversion to narrow floats, also with rounding toward zero and zeros of one sign (`pzo`)."""

    rnd = opt_prop_def(FPRoundingModeAttr)
    relu = opt_prop_def(BOOL_ATTR)
    pzo = opt_prop_def(BOOL_ATTR)
    dstTy = prop_def()

    def verify_(self) -> None:
        verifiers.extended_narrow(self)


class ExtendedF32ToF4Op(Narrowing, op="nvvm.convert.f32x2.to.f4x2"):
    """A conversion of two f32 to f4."""

    a = operand_def(F32)
    b = operand_def(F32)
    dst = result_def(I8)
    FORMAT: ClassVar[str] = ops.ConvertF32x2ToF4x2Op.FORMAT


class ExtendedF32ToF6Op(Narrowing, op="nvvm.convert.f32x2.to.f6x2"):
    """A conversion of two f32 to f6."""

    a = operand_def(F32)
    b = operand_def(F32)
    dst = result_def(PAIR_OF_BYTES)
    FORMAT: ClassVar[str] = ops.ConvertF32x2ToF6x2Op.FORMAT


class ExtendedF16ToF8Op(Narrowing, op="nvvm.convert.f16x2.to.f8x2"):
    """A conversion of two f16 to f8."""

    a = operand_def(vector_of(F16, (2,)))
    dst = result_def(PAIR_OF_BYTES)
    FORMAT: ClassVar[str] = ops.ConvertF16x2ToF8x2Op.FORMAT


class ExtendedF32ToF8Op(Narrowing, op="nvvm.convert.f32x2.to.f8x2"):
    """A conversion of two f32 to f8."""

    a = operand_def(F32)
    b = operand_def(F32)
    sat = opt_prop_def(SaturationModeAttr)
    dst = result_def(PAIR_OF_BYTES)
    FORMAT: ClassVar[str] = ops.ConvertF32x2ToF8x2Op.FORMAT


class ExtendedBF16ToF8Op(Narrowing, op="nvvm.convert.bf16x2.to.f8x2"):
    """A conversion of two bf16 to f8."""

    a = operand_def(vector_of(BF16, (2,)))
    sat = opt_prop_def(SaturationModeAttr)
    dst = result_def(PAIR_OF_BYTES)
    FORMAT: ClassVar[str] = ops.ConvertBF16x2ToF8x2Op.FORMAT


class ExtendedF8ToBF16Op(Extended, op="nvvm.convert.f8x2.to.bf16x2"):
    """A conversion of two f8 to bf16, which are multiplied by powers of two."""

    src = operand_def(vector_of(I8, (2,)))
    scale_factor = opt_operand_def(I16)
    sat = opt_prop_def(SaturationModeAttr)
    relu = opt_prop_def(BOOL_ATTR)
    srcType = prop_def()
    dst = result_def(vector_of(BF16, (2,)))
    FORMAT: ClassVar[str] = ops.ConvertF8x2ToBF16x2Op.FORMAT.replace(
        "$src attr-dict", "$src (`scale_factor` `=` $scale_factor^)? attr-dict"
    )

    def verify_(self) -> None:
        verifiers.extended_narrow(self)


EXTENDED_OPS: Final[dict[str, type[Operation]]] = {
    cls.name: cls for cls in defined_in(globals(), OpRow)
}
"""The extended classes by the names of ops."""
