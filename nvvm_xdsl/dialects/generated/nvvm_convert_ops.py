"""Conversions of the nvvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    BF16,
    BOOL_ATTR,
    F16,
    F32,
    I8,
    I16,
    I32,
    any_of,
    vector_of,
)
from nvvm_xdsl.dialects.defaults import FALSE
from nvvm_xdsl.dialects.generated.nvvm_enums import FPRoundingMode, SaturationMode
from nvvm_xdsl.dialects.nvvm import verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import FPRoundingModeAttr, SaturationModeAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class ConvertBF16x2ToF8x2Op(OpRow, AssemblyOp, op="nvvm.convert.bf16x2.to.f8x2"):
    a = operand_def(vector_of(BF16, (2,)))
    rnd = opt_prop_def(FPRoundingModeAttr, default_value=FPRoundingModeAttr(FPRoundingMode.NONE))
    sat = opt_prop_def(SaturationModeAttr, default_value=SaturationModeAttr(SaturationMode.NONE))
    dstTy = prop_def()
    dst = result_def(any_of(I16, vector_of(I8, (2,))))
    FORMAT: ClassVar[str] = "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF16x2ToF8x2Op(OpRow, AssemblyOp, op="nvvm.convert.f16x2.to.f8x2"):
    a = operand_def(vector_of(F16, (2,)))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(any_of(I16, vector_of(I8, (2,))))
    FORMAT: ClassVar[str] = "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF32x2ToBF16x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.bf16x2"):
    src_hi = operand_def(F32)
    src_lo = operand_def(F32)
    random_bits = opt_operand_def(I32)
    rnd = opt_prop_def(FPRoundingModeAttr, default_value=FPRoundingModeAttr(FPRoundingMode.NONE))
    sat = opt_prop_def(SaturationModeAttr, default_value=SaturationModeAttr(SaturationMode.NONE))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dst = result_def(vector_of(BF16, (2,)))
    FORMAT: ClassVar[str] = "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.halves(self)


class ConvertF32x2ToF16x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.f16x2"):
    src_hi = operand_def(F32)
    src_lo = operand_def(F32)
    random_bits = opt_operand_def(I32)
    rnd = opt_prop_def(FPRoundingModeAttr, default_value=FPRoundingModeAttr(FPRoundingMode.NONE))
    sat = opt_prop_def(SaturationModeAttr, default_value=SaturationModeAttr(SaturationMode.NONE))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dst = result_def(vector_of(F16, (2,)))
    FORMAT: ClassVar[str] = "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.halves(self)


class ConvertF32x2ToF4x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.f4x2"):
    a = operand_def(F32)
    b = operand_def(F32)
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(I8)
    FORMAT: ClassVar[str] = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF32x2ToF6x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.f6x2"):
    a = operand_def(F32)
    b = operand_def(F32)
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(any_of(I16, vector_of(I8, (2,))))
    FORMAT: ClassVar[str] = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF32x2ToF8x2Op(OpRow, AssemblyOp, op="nvvm.convert.f32x2.to.f8x2"):
    a = operand_def(F32)
    b = operand_def(F32)
    rnd = opt_prop_def(FPRoundingModeAttr, default_value=FPRoundingModeAttr(FPRoundingMode.NONE))
    sat = opt_prop_def(SaturationModeAttr, default_value=SaturationModeAttr(SaturationMode.NONE))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(any_of(I16, vector_of(I8, (2,))))
    FORMAT: ClassVar[str] = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF32x4ToF4x4Op(OpRow, AssemblyOp, op="nvvm.convert.f32x4.to.f4x4"):
    src = operand_def(vector_of(F32, (4,)))
    rbits = operand_def(I32)
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(I16)
    FORMAT: ClassVar[str] = (
        "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`"
    )
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.narrow(self)


class StochasticConversion(OpRow, AssemblyOp):
    """Conversion of four floats by random bits."""

    src = operand_def(vector_of(F32, (4,)))
    rbits = operand_def(I32)
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    dstTy = prop_def()
    dst = result_def(vector_of(I8, (4,)))
    FORMAT: ClassVar[str] = (
        "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`"
    )
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF4x2ToF16x2Op(OpRow, AssemblyOp, op="nvvm.convert.f4x2.to.f16x2"):
    src = operand_def(I8)
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    srcType = prop_def()
    dst = result_def(vector_of(F16, (2,)))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)"

    def verify_(self) -> None:
        verifiers.narrow(self)


class WideningConversion(OpRow, AssemblyOp):
    """Conversion of two narrow floats."""

    src = operand_def(vector_of(I8, (2,)))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    srcType = prop_def()
    dst = result_def(vector_of(F16, (2,)))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertF8x2ToBF16x2Op(OpRow, AssemblyOp, op="nvvm.convert.f8x2.to.bf16x2"):
    src = operand_def(vector_of(I8, (2,)))
    srcType = prop_def()
    dst = result_def(vector_of(BF16, (2,)))
    FORMAT: ClassVar[str] = "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)"

    def verify_(self) -> None:
        verifiers.narrow(self)


class ConvertFloatToTF32Op(OpRow, AssemblyOp, op="nvvm.convert.float.to.tf32"):
    src = operand_def(F32)
    rnd = opt_prop_def(FPRoundingModeAttr, default_value=FPRoundingModeAttr(FPRoundingMode.NONE))
    sat = opt_prop_def(SaturationModeAttr, default_value=SaturationModeAttr(SaturationMode.NONE))
    relu = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$src attr-dict"

    def verify_(self) -> None:
        verifiers.tf32(self)


# fmt: off
class ConvertF32x4ToF6x4Op(StochasticConversion, op="nvvm.convert.f32x4.to.f6x4"): ...
class ConvertF32x4ToF8x4Op(StochasticConversion, op="nvvm.convert.f32x4.to.f8x4"): ...
class ConvertF6x2ToF16x2Op(WideningConversion, op="nvvm.convert.f6x2.to.f16x2"): ...
class ConvertF8x2ToF16x2Op(WideningConversion, op="nvvm.convert.f8x2.to.f16x2"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
