"""Ops of MLIR 22 that MLIR's main branch extended by clauses, operands or types.

The reader creates these classes in place of those of the same name in `ops`. It then replaces them by calls of
intrinsics if an op uses an extension, and by the classes of MLIR 22 otherwise (`frontend.extended_ops`).

Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import BaseAttr, IRDLOperation, operand_def, opt_operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from nvvm_xdsl.dialects.constraints import (
    BOOL_ATTR,
    I8,
    I16,
    I32,
    I32_ATTR,
    POINTER,
    any_of,
    pointer_in,
    vector_of,
)
from nvvm_xdsl.dialects.nvvm import ops, verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    AngledEnum,
    FPRoundingModeAttr,
    SaturationModeAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
)
from nvvm_xdsl.dialects.nvvm.main_tensor_ops import STORE_MODE
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.op_rows import defined_in


class ProductKind(StrEnum):
    """Kinds of products in the order of their numbers."""

    F16 = "f16"
    TF32 = "tf32"
    F8F6F4 = "f8f6f4"
    I8 = "i8"
    TI16 = "ti16"


class ProductKindAttr(AngledEnum[ProductKind], mnemonic="nvvm.main_tcgen05_mma_kind"): ...


_KIND = BaseAttr(Tcgen05MMAKindAttr) | BaseAttr(ProductKindAttr)


class Extended(IRDLOperation):
    """Marks the ops of this module, and replaces the verifier of MLIR 22's op."""

    def verify_(self) -> None:
        """There is no check beyond the definition."""


class ExtendedBarrierOp(Extended, ops.BarrierOp, op="nvvm.barrier"):
    """A barrier of a block, which the threads of a warp need not execute together if `aligned` is false."""

    aligned = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        verifiers.barrier(self)
        if self.reductionOp is not None and self.aligned is not None:
            raise VerifyException("a reduction with aligned requires nvvm.barrier.reduction")


class ExtendedBarrierArriveOp(Extended, ops.BarrierArriveOp, op="nvvm.barrier.arrive"):
    """An arrival at a barrier of a block, with `aligned` as in `ExtendedBarrierOp`."""

    aligned = opt_prop_def(BOOL_ATTR)


class ExtendedInlinePtxOp(Extended, ops.InlinePtxOp, op="nvvm.inline_ptx"):
    """Inline PTX, which accesses memory in any case."""

    memoryClobber = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.InlinePtxOp.FORMAT.replace(
        "(`,` `predicate`",
        "(`memory_clobber` `=` $memoryClobber^)? (`,` `predicate`",
    )


class ExtendedMBarrierInitOp(Extended, ops.MBarrierInitOp, op="nvvm.mbarrier.init"):
    """An initialization of an mbarrier of one of two layouts."""

    layout = opt_prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = ops.MBarrierInitOp.FORMAT.replace(
        "(`,` `predicate`", "(`layout` `=` $layout^)? (`,` `predicate`"
    )

    def verify_(self) -> None:
        layout = self.layout
        if isinstance(layout, IntegerAttr) and layout.value.data not in (0, 1):
            raise VerifyException("the layout must be 0 or 1")


class ExtendedAllocOp(Extended, ops.Tcgen05AllocOp, op="nvvm.tcgen05.alloc"):
    """An allocation of tensor memory."""

    isExclusive = opt_prop_def(BOOL_ATTR)


class ExtendedDeallocOp(Extended, ops.Tcgen05DeallocOp, op="nvvm.tcgen05.dealloc"):
    """A deallocation of tensor memory."""

    isExclusive = opt_prop_def(BOOL_ATTR)


class ExtendedCommitOp(Extended, ops.Tcgen05CommitOp, op="nvvm.tcgen05.commit"):
    """A commit of asynchronous operations, or of reads of matrix A only, with a mask of 16 or 32 bits."""

    addr = operand_def(any_of(POINTER, pointer_in(3)))
    multicastMask = opt_operand_def(any_of(I16, I32))
    smem_a_read = opt_prop_def(BOOL_ATTR)


class ExtendedProductOp(Extended, ops.Tcgen05MMAOp, op="nvvm.tcgen05.mma"):
    """A product of matrices with a collector of B."""

    kind = prop_def(_KIND)
    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class ExtendedSparseProductOp(Extended, ops.Tcgen05MMASparseOp, op="nvvm.tcgen05.mma.sp"):
    """A product with a sparse matrix A and a collector of B."""

    kind = prop_def(_KIND)
    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)

    def verify_(self) -> None:
        verifiers.tensor_product(self)


class ExtendedScaledProductOp(
    Extended, ops.Tcgen05MMABlockScaleOp, op="nvvm.tcgen05.mma.block_scale"
):
    """A product of scaled blocks with a collector of B."""

    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)

    def verify_(self) -> None:
        verifiers.scaled_product(self)


class ExtendedSparseScaledProductOp(
    Extended, ops.Tcgen05MMASparseBlockScaleOp, op="nvvm.tcgen05.mma.sp.block_scale"
):
    """A product of scaled blocks with a sparse matrix A and a collector of B."""

    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)

    def verify_(self) -> None:
        verifiers.scaled_product(self)


class ExtendedStoreOp(
    Extended,
    ops.CpAsyncBulkTensorSharedCTAToGlobalOp,
    op="nvvm.cp.async.bulk.tensor.global.shared.cta",
):
    """A store to a tensor, also in mode `im2col_w`."""

    mode = opt_prop_def(STORE_MODE)

    def verify_(self) -> None:
        verifiers.tensor_store(self)


class ExtendedReduceOp(
    Extended, ops.CpAsyncBulkTensorReduceOp, op="nvvm.cp.async.bulk.tensor.reduce"
):
    """A reduction into a tensor, also in mode `im2col_w`."""

    mode = opt_prop_def(STORE_MODE)

    def verify_(self) -> None:
        verifiers.tensor_reduce(self)


_SCALE: Final = "f8E8M0FNU"


def _check_type(op: Operation, name: str, *allowed: str) -> str:
    """The narrow type that property `name` states, if it is allowed."""
    type_ = str(op.properties[name])
    if type_ not in allowed:
        raise VerifyException(f"{type_} is not one of {', '.join(allowed)}")
    return type_


def _check_rounding(op: Operation, *allowed: str, default: str) -> None:
    rounding = keyword_of(op, "rnd") or default
    if rounding not in allowed:
        raise VerifyException(f"the rounding mode must be {' or '.join(allowed)}, not {rounding}")


class ExtendedF32ToF4Op(Extended, ops.ConvertF32x2ToF4x2Op, op="nvvm.convert.f32x2.to.f4x2"):
    """A conversion of two f32 to f4."""

    rnd = opt_prop_def(FPRoundingModeAttr)
    pzo = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        verifiers.narrow(self)
        _check_rounding(self, "rn", "rz", default="rn")


class ExtendedF32ToF6Op(Extended, ops.ConvertF32x2ToF6x2Op, op="nvvm.convert.f32x2.to.f6x2"):
    """A conversion of two f32 to f6."""

    rnd = opt_prop_def(FPRoundingModeAttr)
    pzo = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        verifiers.narrow(self)
        _check_rounding(self, "rn", "rz", default="rn")


class ExtendedF16ToF8Op(Extended, ops.ConvertF16x2ToF8x2Op, op="nvvm.convert.f16x2.to.f8x2"):
    """A conversion of two f16 to f8."""

    rnd = opt_prop_def(FPRoundingModeAttr)
    pzo = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        verifiers.narrow(self)
        _check_rounding(self, "rn", "rz", default="rn")


def _check_bytes(op: Operation) -> None:
    """Conversions to f8, with rounding toward zero, and to scales."""
    if _check_type(op, "dstTy", "f8E4M3FN", "f8E5M2", _SCALE) == _SCALE:
        _check_rounding(op, "rz", "rp", default="none")
        if flag_of(op, "relu") or flag_of(op, "pzo"):
            raise VerifyException(f"a conversion to {_SCALE} has neither relu nor pzo")
        return
    _check_rounding(op, "rn", "rz", default="none")
    if keyword_of(op, "sat") != "satfinite":
        raise VerifyException("a conversion to f8 requires sat = satfinite")


class ExtendedF32ToF8Op(Extended, ops.ConvertF32x2ToF8x2Op, op="nvvm.convert.f32x2.to.f8x2"):
    """A conversion of two f32 to f8."""

    pzo = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        _check_bytes(self)


class ExtendedBF16ToF8Op(Extended, ops.ConvertBF16x2ToF8x2Op, op="nvvm.convert.bf16x2.to.f8x2"):
    """A conversion of two bf16 to f8."""

    relu = opt_prop_def(BOOL_ATTR)
    pzo = opt_prop_def(BOOL_ATTR)

    def verify_(self) -> None:
        _check_bytes(self)


class ExtendedF8ToBF16Op(Extended, ops.ConvertF8x2ToBF16x2Op, op="nvvm.convert.f8x2.to.bf16x2"):
    """A conversion of two f8 to bf16, which are multiplied by powers of two."""

    src = operand_def(vector_of(I8, (2,)))
    scale_factor = opt_operand_def(I16)
    sat = opt_prop_def(SaturationModeAttr)
    relu = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = ops.ConvertF8x2ToBF16x2Op.FORMAT.replace(
        "$src attr-dict", "$src (`scale_factor` `=` $scale_factor^)? attr-dict"
    )

    def verify_(self) -> None:
        if _check_type(self, "srcType", "f8E4M3FN", "f8E5M2", _SCALE) != _SCALE:
            return
        saturates = keyword_of(self, "sat") not in ("", "none")
        if self.scale_factor is not None or saturates or flag_of(self, "relu"):
            raise VerifyException(
                f"a conversion from {_SCALE} has no scale_factor, no sat and no relu"
            )


EXTENDED_OPS: Final[dict[str, type[Operation]]] = {
    cls.name: cls for cls in defined_in(globals(), Operation)
}
"""The extended classes by the names of ops."""
