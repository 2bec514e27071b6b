"""Ops that MLIR's main branch added to the NVVM dialect since MLIR 22.

The reader replaces them by calls of intrinsics (`frontend.main_ops`), so that passes and code generation see ops
of MLIR 22 only. They are not a part of the dialect's list of ops.

Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    BF16,
    BOOL_ATTR,
    F16,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I32_ATTR,
    any_of,
    pointer_in,
    variable,
    vector_of,
)
from nvvm_xdsl.dialects.generated.nvvm_enums import FPRoundingMode, LdStMatrixEltType, MMALayout
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    AngledEnum,
    BarrierReductionAttr,
    FPRoundingModeAttr,
    LdStMatrixEltTypeAttr,
    MemScopeKindAttr,
    MMALayoutAttr,
)
from nvvm_xdsl.dialects.nvvm.main_signatures import ROUNDINGS
from nvvm_xdsl.dialects.nvvm.struct_attributes import LdStMatrixShapeAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class Saturation(StrEnum):
    """Saturation of main, which adds the interval from 0 to 1."""

    NONE = "none"
    SATFINITE = "satfinite"
    SAT = "sat"


class SaturationAttr(AngledEnum[Saturation], mnemonic="nvvm.saturation"): ...


def _check_saturation(stated: Attribute | None, supported: Saturation) -> None:
    if isinstance(stated, SaturationAttr) and stated.data not in (Saturation.NONE, supported):
        raise VerifyException(f"saturation {stated.data} is not supported, only {supported}")


def _is_on(flag: Attribute | None) -> bool:
    return isinstance(flag, IntegerAttr) and flag.value.data != 0


FLOATS = any_of(F16, BF16, F32, F64, *(vector_of(e, (2,)) for e in (F16, BF16, F32)))
PAIR = any_of(I8, I16, vector_of(I8, (2,)))
"""Two narrow floats."""


class UnaryOp(OpRow, AssemblyOp):
    """An approximate function."""

    src = operand_def(variable("T", FLOATS))
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", FLOATS))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"


# fmt: off
class SinOp(UnaryOp, op="nvvm.sin"): ...
class CosOp(UnaryOp, op="nvvm.cos"): ...
class Ex2Op(UnaryOp, op="nvvm.ex2"): ...
class Log2Op(UnaryOp, op="nvvm.log2"): ...
class RsqrtOp(UnaryOp, op="nvvm.rsqrt"): ...
class SqrtApproxOp(UnaryOp, op="nvvm.sqrt.approx"): ...
# fmt: on


class SqrtOp(UnaryOp, op="nvvm.sqrt"):
    """A square root."""

    rnd = prop_def(FPRoundingModeAttr)


class BinaryOp(OpRow, AssemblyOp):
    """Arithmetic with a rounding mode."""

    lhs = operand_def(variable("T", FLOATS))
    rhs = operand_def(variable("T", FLOATS))
    rnd = opt_prop_def(FPRoundingModeAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", FLOATS))
    FORMAT: ClassVar[str] = "$lhs `,` $rhs attr-dict `:` type($res)"


class SumOp(BinaryOp):
    """A sum or a difference."""

    sat = opt_prop_def(SaturationAttr)

    def verify_(self) -> None:
        mode = self.rnd
        if isinstance(mode, FPRoundingModeAttr) and mode.data not in _SUM_ROUNDINGS:
            raise VerifyException(f"there is no sum with rounding mode {mode.data}")
        _check_saturation(self.sat, Saturation.SAT)


_SUM_ROUNDINGS = frozenset(FPRoundingMode(word) for word in ("none", *ROUNDINGS))


class AddFOp(SumOp, op="nvvm.addf"): ...


class SubFOp(SumOp, op="nvvm.subf"): ...


class DivFOp(BinaryOp, op="nvvm.divf"):
    """A quotient; `approx` and `full` select a PTX approximation."""

    approx = opt_prop_def(BOOL_ATTR)
    full = opt_prop_def(BOOL_ATTR)


class FmaOp(OpRow, AssemblyOp, op="nvvm.fma"):
    """A fused product and sum, rounded once."""

    a = operand_def(variable("T", FLOATS))
    b = operand_def(variable("T", FLOATS))
    c = operand_def(variable("T", FLOATS))
    rnd = prop_def(FPRoundingModeAttr)
    sat = opt_prop_def(SaturationAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    relu = opt_prop_def(BOOL_ATTR)
    oob = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", FLOATS))
    FORMAT: ClassVar[str] = "$a `,` $b `,` $c attr-dict `:` type($a)"

    def verify_(self) -> None:
        _check_saturation(self.sat, Saturation.SAT)
        saturates = isinstance(self.sat, SaturationAttr) and self.sat.data is not Saturation.NONE
        nearest = self.rnd == FPRoundingModeAttr(FPRoundingMode("rn"))
        if _is_on(self.oob) and (_is_on(self.ftz) or saturates or not nearest):
            raise VerifyException("oob requires rounding mode rn, without ftz and sat")


NARROW: Final = {"f4E2M1FN": "e2m1x2", "f6E2M3FN": "e2m3x2", "f6E3M2FN": "e3m2x2"}
"""Narrow types and their names in PTX."""


def _check_narrow(type_: Attribute) -> None:
    if str(type_) not in NARROW:
        raise VerifyException(f"{type_} is not one of {', '.join(NARROW)}")


class NarrowOp(OpRow, AssemblyOp):
    """A conversion of two floats of 16 bits to `dstTy`."""

    src = operand_def(any_of(vector_of(F16, (2,)), vector_of(BF16, (2,))))
    rnd = opt_prop_def(FPRoundingModeAttr)
    relu = opt_prop_def(BOOL_ATTR)
    pzo = opt_prop_def(BOOL_ATTR)
    dstTy = prop_def()
    dst = result_def(PAIR)
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        _check_narrow(self.dstTy)


class ConvertBF16x2ToF4x2Op(NarrowOp, op="nvvm.convert.bf16x2.to.f4x2"): ...


class ConvertBF16x2ToF6x2Op(NarrowOp, op="nvvm.convert.bf16x2.to.f6x2"): ...


class ConvertF16x2ToF4x2Op(NarrowOp, op="nvvm.convert.f16x2.to.f4x2"): ...


class ConvertF16x2ToF6x2Op(NarrowOp, op="nvvm.convert.f16x2.to.f6x2"): ...


class WidenOp(OpRow, AssemblyOp):
    """A conversion of two floats of `srcType` to bf16, which are multiplied by powers of two."""

    src = operand_def(PAIR)
    scale_factor = opt_operand_def(I16)
    sat = opt_prop_def(SaturationAttr)
    relu = opt_prop_def(BOOL_ATTR)
    srcType = prop_def()
    dst = result_def(vector_of(BF16, (2,)))
    FORMAT: ClassVar[str] = (
        "$src (`scale_factor` `=` $scale_factor^)? attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)"
    )

    def verify_(self) -> None:
        _check_narrow(self.srcType)
        _check_saturation(self.sat, Saturation.SATFINITE)


class ConvertF4x2ToBF16x2Op(WidenOp, op="nvvm.convert.f4x2.to.bf16x2"): ...


class ConvertF6x2ToBF16x2Op(WidenOp, op="nvvm.convert.f6x2.to.bf16x2"): ...


class ConvertS2F6x2ToBF16x2Op(OpRow, AssemblyOp, op="nvvm.convert.s2f6x2.to.bf16x2"):
    """A conversion of two fixed-point numbers s2f6 to bf16."""

    src = operand_def(PAIR)
    scale_factor = opt_operand_def(I16)
    sat = opt_prop_def(SaturationAttr)
    relu = opt_prop_def(BOOL_ATTR)
    dst = result_def(vector_of(BF16, (2,)))
    FORMAT: ClassVar[str] = (
        "$src (`scale_factor` `=` $scale_factor^)? attr-dict `:` type($src) `->` type($dst)"
    )

    def verify_(self) -> None:
        _check_saturation(self.sat, Saturation.SATFINITE)


class ConvertBF16x2ToS2F6x2Op(OpRow, AssemblyOp, op="nvvm.convert.bf16x2.to.s2f6x2"):
    """A conversion of two bf16 to fixed-point numbers s2f6."""

    src = operand_def(vector_of(BF16, (2,)))
    scale_factor = opt_operand_def(I16)
    relu = opt_prop_def(BOOL_ATTR)
    dst = result_def(PAIR)
    FORMAT: ClassVar[str] = (
        "$src (`scale_factor` `=` $scale_factor^)? attr-dict `:` type($src) `->` type($dst)"
    )


class ConvertF32x2ToS2F6x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.s2f6x2"):
    """A conversion of two f32 to fixed-point numbers s2f6."""

    a = operand_def(F32)
    b = operand_def(F32)
    scale_factor = opt_operand_def(I16)
    relu = opt_prop_def(BOOL_ATTR)
    dst = result_def(PAIR)
    FORMAT: ClassVar[str] = (
        "$a `,` $b (`scale_factor` `=` $scale_factor^)? attr-dict `:` type($dst)"
    )


class MovMatrixOp(OpRow, AssemblyOp, op="nvvm.movmatrix"):
    """A transposition of a matrix held by a warp."""

    src = operand_def(I32)
    shape = prop_def(LdStMatrixShapeAttr)
    eltType = prop_def(LdStMatrixEltTypeAttr)
    layout = opt_prop_def(MMALayoutAttr)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"

    def verify_(self) -> None:
        if (
            str(self.shape) != _ONE_MATRIX
            or self.eltType != _HALVES
            or self.layout not in (None, _COLUMNS)
        ):
            raise VerifyException("movmatrix transposes 8 x 8 elements of b16: layout = <col>")


_ONE_MATRIX = "#nvvm.ld_st_matrix_shape<m = 8, n = 8>"
_HALVES = LdStMatrixEltTypeAttr(LdStMatrixEltType.B16)
_COLUMNS = MMALayoutAttr(MMALayout.COL)


class MBarrierCheckLayoutOp(OpRow, AssemblyOp, op="nvvm.mbarrier.check_layout"):
    """A test of the layout of an mbarrier."""

    addr = operand_def(pointer_in(0, 3))
    layout = opt_prop_def(I32_ATTR)
    res = result_def(I1)
    FORMAT: ClassVar[str] = "$addr attr-dict `:` type($addr) `->` type($res)"


class StoreAsyncSharedOp(OpRow, AssemblyOp, op="nvvm.store.async.shared"):
    """An asynchronous store to the shared memory of a cluster."""

    addr = operand_def(pointer_in(7))
    value = operand_def()
    mbarrier = operand_def(pointer_in(7))
    FORMAT: ClassVar[str] = (
        "$addr `,` $value `,` `mbarrier` `=` $mbarrier attr-dict"
        " `:` type($addr) `,` type($value) `,` type($mbarrier)"
    )


class StoreAsyncGlobalOp(OpRow, AssemblyOp, op="nvvm.store.async.global"):
    """An asynchronous store to global memory."""

    addr = operand_def(pointer_in(1))
    value = operand_def()
    scope = prop_def(MemScopeKindAttr)
    multimem = opt_prop_def(BOOL_ATTR)
    mmio = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = "$addr `,` $value attr-dict `:` type($addr) `,` type($value)"


class BarrierReductionOp(OpRow, AssemblyOp, op="nvvm.barrier.reduction"):
    """A barrier that also reduces a predicate over its threads."""

    reductionOp = prop_def(BarrierReductionAttr)
    reductionPredicate = operand_def(I32)
    barrierId = opt_operand_def(I32)
    aligned = opt_prop_def(BOOL_ATTR)
    res = result_def(I32)
    FORMAT: ClassVar[str] = (
        "qualified($reductionOp) $reductionPredicate (`id` `=` $barrierId^)? `->` type($res) attr-dict"
    )


OPS = defined_in(globals(), OpRow)
