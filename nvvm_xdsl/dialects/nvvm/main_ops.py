"""Ops that MLIR's main branch added to the NVVM dialect since MLIR 22.

The reader replaces them by calls of intrinsics (`frontend.main_ops`), so that passes and code generation see ops
of MLIR 22 only. They are not a part of the dialect's list of ops.

Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation
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
    I64,
    I128,
    any_of,
    pointer_in,
    variable,
    vector_of,
)
from nvvm_xdsl.dialects.generated.nvvm_enums import LdStMatrixEltType, MMALayout
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import scalar_type
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    AngledEnum,
    BarrierReductionAttr,
    FPRoundingModeAttr,
    LdStMatrixEltTypeAttr,
    MemScopeKindAttr,
    MMALayoutAttr,
)
from nvvm_xdsl.dialects.nvvm.main_signatures import ROUNDINGS
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.nvvm.struct_attributes import LdStMatrixShapeAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class Saturation(StrEnum):
    """Saturation of main, which adds the interval from 0 to 1."""

    NONE = "none"
    SATFINITE = "satfinite"
    SAT = "sat"


class SaturationAttr(AngledEnum[Saturation], mnemonic="nvvm.saturation"): ...


def _check_saturation(op: Operation, supported: Saturation) -> None:
    stated = keyword_of(op, "sat", "none")
    if stated not in ("none", supported.value):
        raise VerifyException(f"saturation {stated} is not supported, only {supported}")


PAIR = any_of(I8, I16, vector_of(I8, (2,)))
"""Two narrow floats."""

SINGLE_OR_DOUBLE: Final = any_of(F32, F64)
ADDENDS: Final = any_of(F16, BF16, F32, F64, *(vector_of(e, (2,)) for e in (F16, BF16, F32, F64)))
"""Types of sums, differences and fused products."""

POWERS: Final = any_of(F32, vector_of(F32, (1,)), F16, *(vector_of(e, (2,)) for e in (F16, BF16)))
"""Types of powers of two."""


def _check_rounding(op: Operation, *, required: bool) -> None:
    """The four directed modes; none is the default of an op that does not require one."""
    stated = keyword_of(op, "rnd", "none")
    if stated == "none" and required:
        raise VerifyException("a rounding mode is required")
    if stated != "none" and stated not in ROUNDINGS:
        raise VerifyException(f"rounding mode {stated} is not one of {', '.join(ROUNDINGS)}")


def _check_element(op: Operation) -> None:
    """Halves are rounded to nearest only; f64 and bf16 have neither ftz nor sat."""
    type_ = op.operands[0].type
    element = scalar_type(type_)
    if element in (types.F16, types.BF16) and keyword_of(op, "rnd", "rn") not in ("rn", "none"):
        raise VerifyException(f"{type_} has rounding mode rn only")
    limited = flag_of(op, "ftz") or keyword_of(op, "sat", "none") != "none"
    if element in (types.F64, types.BF16) and limited:
        raise VerifyException(f"{type_} has neither ftz nor sat")


class UnaryOp(OpRow, AssemblyOp):
    """An approximate function of f32."""

    src = operand_def(F32)
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(F32)
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"


# fmt: off
class SinOp(UnaryOp, op="nvvm.sin"): ...
class CosOp(UnaryOp, op="nvvm.cos"): ...
class Log2Op(UnaryOp, op="nvvm.log2"): ...
class SqrtApproxOp(UnaryOp, op="nvvm.sqrt.approx"): ...
# fmt: on


class Ex2Op(OpRow, AssemblyOp, op="nvvm.ex2"):
    """An approximate power of two; `ftz` is required for bf16, and f16 lacks it."""

    src = operand_def(variable("T", POWERS))
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", POWERS))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"

    def verify_(self) -> None:
        element = scalar_type(self.src.type)
        if element == types.F16 and flag_of(self, "ftz"):
            raise VerifyException("f16 has no ftz")
        if element == types.BF16 and not flag_of(self, "ftz"):
            raise VerifyException("bf16 requires ftz")


class RsqrtOp(OpRow, AssemblyOp, op="nvvm.rsqrt"):
    """An approximate reciprocal square root."""

    src = operand_def(variable("T", SINGLE_OR_DOUBLE))
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", SINGLE_OR_DOUBLE))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"


class SqrtOp(OpRow, AssemblyOp, op="nvvm.sqrt"):
    """A square root."""

    src = operand_def(variable("T", SINGLE_OR_DOUBLE))
    rnd = prop_def(FPRoundingModeAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", SINGLE_OR_DOUBLE))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src)"

    def verify_(self) -> None:
        _check_rounding(self, required=True)
        _check_element(self)


class SumOp(OpRow, AssemblyOp):
    """A sum or a difference."""

    lhs = operand_def(variable("T", ADDENDS))
    rhs = operand_def(variable("T", ADDENDS))
    rnd = opt_prop_def(FPRoundingModeAttr)
    sat = opt_prop_def(SaturationAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", ADDENDS))
    FORMAT: ClassVar[str] = "$lhs `,` $rhs attr-dict `:` type($res)"

    def verify_(self) -> None:
        _check_rounding(self, required=False)
        _check_saturation(self, Saturation.SAT)
        _check_element(self)


class AddFOp(SumOp, op="nvvm.addf"): ...


class SubFOp(SumOp, op="nvvm.subf"): ...


class DivFOp(OpRow, AssemblyOp, op="nvvm.divf"):
    """A quotient; `approx` and `full` select a PTX approximation."""

    lhs = operand_def(variable("T", SINGLE_OR_DOUBLE))
    rhs = operand_def(variable("T", SINGLE_OR_DOUBLE))
    rnd = opt_prop_def(FPRoundingModeAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    approx = opt_prop_def(BOOL_ATTR)
    full = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", SINGLE_OR_DOUBLE))
    FORMAT: ClassVar[str] = "$lhs `,` $rhs attr-dict `:` type($res)"

    def verify_(self) -> None:
        approximate = flag_of(self, "approx") or flag_of(self, "full")
        _check_rounding(self, required=not approximate)
        _check_element(self)
        if not approximate:
            return
        if flag_of(self, "approx") and flag_of(self, "full"):
            raise VerifyException("approx and full exclude each other")
        if keyword_of(self, "rnd", "none") != "none" or self.lhs.type == types.F64:
            raise VerifyException("approx and full require f32 without a rounding mode")


class FmaOp(OpRow, AssemblyOp, op="nvvm.fma"):
    """A fused product and sum, rounded once."""

    a = operand_def(variable("T", ADDENDS))
    b = operand_def(variable("T", ADDENDS))
    c = operand_def(variable("T", ADDENDS))
    rnd = prop_def(FPRoundingModeAttr)
    sat = opt_prop_def(SaturationAttr)
    ftz = opt_prop_def(BOOL_ATTR)
    relu = opt_prop_def(BOOL_ATTR)
    oob = opt_prop_def(BOOL_ATTR)
    res = result_def(variable("T", ADDENDS))
    FORMAT: ClassVar[str] = "$a `,` $b `,` $c attr-dict `:` type($a)"

    def verify_(self) -> None:
        _check_rounding(self, required=True)
        _check_saturation(self, Saturation.SAT)
        _check_element(self)
        saturates = keyword_of(self, "sat", "none") != "none"
        relu, oob = flag_of(self, "relu"), flag_of(self, "oob")
        if (relu or oob) and scalar_type(self.a.type) not in (types.F16, types.BF16):
            raise VerifyException("relu and oob require f16 or bf16")
        if relu and saturates:
            raise VerifyException("relu and sat exclude each other")
        if oob and (flag_of(self, "ftz") or saturates):
            raise VerifyException("oob excludes ftz and sat")


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
        if keyword_of(self, "rnd", "rn") not in ("rn", "rz"):
            raise VerifyException("the rounding mode must be rn or rz")


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
        _check_saturation(self, Saturation.SATFINITE)


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
        _check_saturation(self, Saturation.SATFINITE)


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
    FORMAT: ClassVar[str] = "$addr (`,` $layout^)? attr-dict `:` type($addr) `->` type($res)"

    def verify_(self) -> None:
        layout = self.layout
        if isinstance(layout, IntegerAttr) and layout.value.data not in (0, 1):
            raise VerifyException("the layout must be 0 or 1")


class StoreAsyncSharedOp(OpRow, AssemblyOp, op="nvvm.store.async.shared"):
    """An asynchronous store to the shared memory of a cluster."""

    addr = operand_def(pointer_in(7))
    value = operand_def(any_of(I32, I64, I128))
    mbarrier = operand_def(pointer_in(7))
    FORMAT: ClassVar[str] = (
        "$addr `,` $value `,` `mbarrier` `=` $mbarrier attr-dict"
        " `:` type($addr) `,` type($value) `,` type($mbarrier)"
    )


class StoreAsyncGlobalOp(OpRow, AssemblyOp, op="nvvm.store.async.global"):
    """An asynchronous store to global memory."""

    addr = operand_def(pointer_in(1))
    value = operand_def(any_of(I8, I16, I32, I64))
    scope = prop_def(MemScopeKindAttr)
    multimem = opt_prop_def(BOOL_ATTR)
    mmio = opt_prop_def(BOOL_ATTR)
    FORMAT: ClassVar[str] = "$addr `,` $value attr-dict `:` type($addr) `,` type($value)"

    def verify_(self) -> None:
        scope = keyword_of(self, "scope")
        if scope not in ("gpu", "sys"):
            raise VerifyException(f"the scope must be gpu or sys, not {scope}")
        if flag_of(self, "mmio") and (scope == "gpu" or flag_of(self, "multimem")):
            raise VerifyException("mmio requires scope sys without multimem")


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
