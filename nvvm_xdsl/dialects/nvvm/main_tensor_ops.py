"""Ops for tensor memory, tensor maps and sparse data that MLIR's main branch added since MLIR 22.

The reader replaces them by calls of intrinsics (`frontend.main_tensor_ops`), as those of `main_ops`.

Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple, Self, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr, VectorType, i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
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
from nvvm_xdsl.dialects.generated.nvvm_enums import CTAGroupKind, Tcgen05LdStShape
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    AngledEnum,
    CTAGroupKindAttr,
    Tcgen05LdStShapeAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorOpAttr,
    TMAReduxKindAttr,
    TMAStoreModeAttr,
)
from nvvm_xdsl.dialects.nvvm.properties import keyword_of
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in

TENSOR_POINTER: Final = pointer_in(6)
LANES: Final = (2, 4, 8, 16, 32, 64, 128)
"""Registers of a load of tensor memory that is reduced."""


class ReductionKind(StrEnum):
    """The reduction of a load, in the order of its numbers."""

    MIN = "min"
    MAX = "max"


class ReductionKindAttr(AngledEnum[ReductionKind], mnemonic="nvvm.reduction_kind"): ...


class Tcgen05LdRedOp(OpRow, AssemblyOp, op="nvvm.tcgen05.ld.red"):
    """A load of tensor memory, and the minimum or maximum of the loaded values."""

    kind = prop_def(ReductionKindAttr, prop_name="op")
    shape = prop_def(Tcgen05LdStShapeAttr)
    abs = opt_prop_def(UnitAttr)
    nan = opt_prop_def(UnitAttr)
    addr = operand_def(TENSOR_POINTER)
    offset = opt_operand_def(I64)
    data = result_def(any_of(vector_of(I32, LANES), vector_of(F32, LANES)))
    redVal = result_def(any_of(I32, F32))
    FORMAT: ClassVar[str] = "$op $addr (`,` $offset^)? attr-dict `:` type($data) `,` type($redVal)"

    def verify_(self) -> None:
        loaded = cast("VectorType[Attribute]", self.data.type)
        if loaded.element_type != self.redVal.type:
            raise VerifyException("the types of the data and of the reduced value differ")
        if self.redVal.type == i32 and (self.abs is not None or self.nan is not None):
            raise VerifyException("abs and nan require data of f32")
        split = self.shape.data is Tcgen05LdStShape.SHAPE_16X32BX2
        if not split and self.shape.data is not Tcgen05LdStShape.SHAPE_32X32B:
            raise VerifyException("the shape must be shape_32x32b or shape_16x32bx2")
        if split is (self.offset is None):
            raise VerifyException("only shape_16x32bx2 has an offset, which it requires")


class Tcgen05MMADecompressBOp(OpRow, AssemblyOp, op="nvvm.tcgen05.mma.decompress_b"):
    """A product of kind f8f6f4 of which B is compressed."""

    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    decompressBMetadata = operand_def(TENSOR_POINTER)
    disableOutputLane = opt_operand_def(vector_of(I32, (4, 8)))
    ctaGroup = prop_def(CTAGroupKindAttr)
    collectorOpA = opt_prop_def(Tcgen05MMACollectorOpAttr)
    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $decompressBMetadata"
        " (`,` `mask` `=` $disableOutputLane^)? attr-dict `:` `(` custom<OperandTypes7>(type($matrixD), type($matrixA),"
        " type($matrixB), type($idesc), type($enableInputD), type($decompressBMetadata), type($disableOutputLane)) `)`"
    )

    def verify_(self) -> None:
        if self.disableOutputLane is None:
            return
        mask = self.disableOutputLane.type
        assert isinstance(mask, VectorType)
        lanes = 4 if self.ctaGroup.data is CTAGroupKind.CTA_1 else 8
        if mask.get_shape() != (lanes,):
            raise VerifyException(f"the mask of {self.ctaGroup.data} has {lanes} words")


class Tcgen05MMABlockScaleDecompressBOp(
    OpRow, AssemblyOp, op="nvvm.tcgen05.mma.block_scale.decompress_b"
):
    """A product of kind mxf8f6f4 with scaled blocks, of which B is compressed."""

    matrixD = operand_def(TENSOR_POINTER)
    matrixA = operand_def(any_of(TENSOR_POINTER, I64))
    matrixB = operand_def(I64)
    idesc = operand_def(I32)
    enableInputD = operand_def(I1)
    scaleA = operand_def(TENSOR_POINTER)
    scaleB = operand_def(TENSOR_POINTER)
    decompressBMetadata = operand_def(TENSOR_POINTER)
    ctaGroup = prop_def(CTAGroupKindAttr)
    collectorOpA = opt_prop_def(Tcgen05MMACollectorOpAttr)
    collectorOpB = opt_prop_def(Tcgen05MMACollectorOpAttr)
    blockScale = opt_prop_def(Tcgen05MMABlockScaleAttr)
    FORMAT: ClassVar[str] = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $scaleA `,` $scaleB `,` $decompressBMetadata"
        " attr-dict `:` `(` custom<OperandTypes8>(type($matrixD), type($matrixA), type($matrixB), type($idesc),"
        " type($enableInputD), type($scaleA), type($scaleB), type($decompressBMetadata)) `)`"
    )

    def verify_(self) -> None:
        if keyword_of(self, "blockScale") == "block16":
            raise VerifyException("compressed matrices have no blocks of 16")


class StoreMode(StrEnum):
    """Modes of stores to tensors."""

    TILE = "tile"
    IM2COL = "im2col"
    TILE_SCATTER4 = "tile_scatter4"
    IM2COL_W = "im2col_w"


class StoreModeAttr(AngledEnum[StoreMode], mnemonic="nvvm.main_tma_store_mode"): ...


STORE_MODE: Final = BaseAttr(TMAStoreModeAttr) | BaseAttr(StoreModeAttr)


_MOST_DIMENSIONS: Final = 5


class OverriddenTensor(OpRow, AssemblyOp):
    """A copy to a tensor, some fields of whose map are overridden."""

    tmaDescriptor = operand_def(POINTER)
    srcMem = operand_def(pointer_in(3))
    overrideAddr = operand_def(pointer_in(1))
    coordinates = var_operand_def(I32)
    tensorSize = var_operand_def(I16)
    lowerStride = var_operand_def(I32)
    upperStride = opt_operand_def(I16)
    l2CacheHint = opt_operand_def(I64)
    mode = opt_prop_def(STORE_MODE)
    FORMAT: ClassVar[str] = (
        "$tmaDescriptor `,` $srcMem `,` $overrideAddr `,` `box` `[` $coordinates `]`"
        " (`tensor_size` `[` $tensorSize^ `]`)? (`lower_stride` `[` $lowerStride^ `]`)?"
        " (`upper_stride` `[` $upperStride^ `]`)? (`l2_cache_hint` `=` $l2CacheHint^)? attr-dict `:`"
        " custom<StrippedPointer>(type($tmaDescriptor)) `,` custom<StrippedPointer>(type($srcMem)) `,`"
        " custom<StrippedPointer>(type($overrideAddr))"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        mode = keyword_of(self, "mode", "tile")
        count = len(self.coordinates)
        smallest = {"tile": 1, "tile_scatter4": _MOST_DIMENSIONS}.get(mode, 3)
        if not smallest <= count <= _MOST_DIMENSIONS:
            raise VerifyException(f"mode {mode} cannot have {count} coordinates")
        sizes, lower, upper = len(self.tensorSize), len(self.lowerStride), self.upperStride
        if not (sizes or lower or upper):
            return
        if mode != "tile":
            raise VerifyException("only mode tile has sizes and strides")
        if sizes == count == 1 and not lower and upper is None:
            return
        if (sizes, lower, upper is None) != (count, count - 1, False) or count == 1:
            raise VerifyException(
                f"{count} coordinates require {count} sizes, {count - 1} lower strides and the upper stride"
                if count > 1
                else "one coordinate requires one size without strides"
            )


class StoreOverrideOp(OverriddenTensor, op="nvvm.cp.async.bulk.tensor.global.shared.cta.override"):
    """A store to a tensor."""


class ReduceOverrideOp(OverriddenTensor, op="nvvm.cp.async.bulk.tensor.reduce.override"):
    """A reduction into a tensor."""

    redKind = prop_def(TMAReduxKindAttr)

    def verify_(self) -> None:
        if keyword_of(self, "mode") == "tile_scatter4":
            raise VerifyException("a reduction has no mode tile_scatter4")
        super().verify_()


class TensormapElemtype(StrEnum):
    """Types of elements, in the order of their numbers."""

    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    S32 = "s32"
    U64 = "u64"
    S64 = "s64"
    F16 = "f16"
    F32 = "f32"
    F32_FTZ = "f32.ftz"
    F64 = "f64"
    BF16 = "bf16"
    TF32 = "tf32"
    TF32_FTZ = "tf32.ftz"
    B4X16 = "b4x16"
    B4X16_P64 = "b4x16_p64"
    B6X16_P32 = "b6x16_p32"


class TensormapInterleaveLayout(StrEnum):
    """Interleaved layouts, in the order of their numbers."""

    NO_INTERLEAVE = "no_interleave"
    B16 = "b16"
    B32 = "b32"


class TensormapSwizzleMode(StrEnum):
    """Swizzling patterns, in the order of their numbers."""

    NO_SWIZZLING = "no_swizzling"
    B32 = "b32"
    B64 = "b64"
    B128 = "b128"
    B96 = "b96"


class TensormapSwizzleAtomicity(StrEnum):
    """Units of swizzling, in the order of their numbers."""

    B16 = "b16"
    B32 = "b32"
    B32_FLIP_B8 = "b32_flip_b8"
    B64 = "b64"


class TensormapFillMode(StrEnum):
    """Values of elements out of bounds, in the order of their numbers."""

    ZERO = "zero"
    OOB_NAN = "oob_nan"


# fmt: off
class TensormapElemtypeAttr(AngledEnum[TensormapElemtype], mnemonic="nvvm.tensormap_elemtype"): ...
class TensormapInterleaveLayoutAttr(AngledEnum[TensormapInterleaveLayout], mnemonic="nvvm.tensormap_interleave_layout"): ...
class TensormapSwizzleModeAttr(AngledEnum[TensormapSwizzleMode], mnemonic="nvvm.tensormap_swizzle_mode"): ...
class TensormapSwizzleAtomicityAttr(AngledEnum[TensormapSwizzleAtomicity], mnemonic="nvvm.tensormap_swizzle_atomicity"): ...
class TensormapFillModeAttr(AngledEnum[TensormapFillMode], mnemonic="nvvm.tensormap_fill_mode"): ...
# fmt: on


class TensormapField(StrEnum):
    """Fields of a tensor map."""

    GLOBAL_ADDRESS = "global_address"
    RANK = "rank"
    BOX_DIM = "box_dim"
    GLOBAL_DIM = "global_dim"
    GLOBAL_STRIDE = "global_stride"
    ELEMENT_STRIDE = "element_stride"
    ELEMTYPE = "elemtype"
    INTERLEAVE_LAYOUT = "interleave_layout"
    SWIZZLE_MODE = "swizzle_mode"
    SWIZZLE_ATOMICITY = "swizzle_atomicity"
    FILL_MODE = "fill_mode"


class TensormapFieldAttr(AngledEnum[TensormapField], mnemonic="nvvm.tensormap_field"): ...


class FieldRow(NamedTuple):
    """The value of a field: a type or an enumeration, and whether a dimension is selected."""

    value: IntegerType | type[Attribute]
    has_ordinal: bool = False


FIELDS: Final[dict[TensormapField, FieldRow]] = {
    TensormapField.GLOBAL_ADDRESS: FieldRow(i64),
    TensormapField.RANK: FieldRow(i32),
    TensormapField.BOX_DIM: FieldRow(i32, has_ordinal=True),
    TensormapField.GLOBAL_DIM: FieldRow(i32, has_ordinal=True),
    TensormapField.GLOBAL_STRIDE: FieldRow(i64, has_ordinal=True),
    TensormapField.ELEMENT_STRIDE: FieldRow(i32, has_ordinal=True),
    TensormapField.ELEMTYPE: FieldRow(TensormapElemtypeAttr),
    TensormapField.INTERLEAVE_LAYOUT: FieldRow(TensormapInterleaveLayoutAttr),
    TensormapField.SWIZZLE_MODE: FieldRow(TensormapSwizzleModeAttr),
    TensormapField.SWIZZLE_ATOMICITY: FieldRow(TensormapSwizzleAtomicityAttr),
    TensormapField.FILL_MODE: FieldRow(TensormapFillModeAttr),
}


class TensormapReplaceOp(OpRow, AssemblyOp, op="nvvm.tensormap.replace"):
    """A change of a field of a tensor map in memory."""

    field = prop_def(TensormapFieldAttr)
    ord = opt_prop_def(I32_ATTR)
    new_value_attr = opt_prop_def()
    addr = operand_def(pointer_in(1, 3))
    new_value = opt_operand_def(any_of(I32, I64))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`field = name[0], new_value = %value in %address : types`."""
        parser.parse_keyword("field")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {
            "field": TensormapFieldAttr(parser.parse_str_enum(TensormapField))
        }
        if parser.parse_optional_punctuation("[") is not None:
            properties["ord"] = IntegerAttr(parser.parse_integer(), i32)
            parser.parse_punctuation("]")
        parser.parse_punctuation(",")
        parser.parse_keyword("new_value")
        parser.parse_punctuation("=")
        stated = parser.parse_optional_attribute()
        unresolved: list[UnresolvedOperand] = []
        if stated is None:
            unresolved.append(parser.parse_unresolved_operand())
        else:
            properties["new_value_attr"] = stated
        parser.parse_keyword("in")
        unresolved.insert(0, parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        place = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands = parser.resolve_operands(unresolved, types, place)
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def verify_(self) -> None:
        field, row = self.field.data, FIELDS[self.field.data]
        if row.has_ordinal is (self.ord is None):
            raise VerifyException(
                f"{field} {'requires' if row.has_ordinal else 'has no'} dimension"
            )
        ordinal = cast("IntegerAttr[IntegerType] | None", self.ord)
        if ordinal is not None and ordinal.value.data not in range(_MOST_DIMENSIONS):
            raise VerifyException("the dimension must be from 0 to 4")
        if isinstance(row.value, IntegerType):
            if self.new_value is None or self.new_value.type != row.value:
                raise VerifyException(f"{field} requires a value of type {row.value}")
        elif not isinstance(self.new_value_attr, row.value):
            raise VerifyException(f"{field} requires a value #{row.value.name}")


ELEMENTS: Final = any_of(vector_of(I8), vector_of(I16))
METADATA: Final = any_of(I32, vector_of(I32, (1, 2, 4, 8, 16, 32)))


class SparseCompressOp(OpRow, AssemblyOp, op="nvvm.sparse.compress"):
    """Two of four elements, and their indices."""

    spDesc = operand_def(I32)
    vector = operand_def(ELEMENTS)
    idxSize = prop_def(I32_ATTR)
    metadata = result_def(METADATA)
    compressed_data = result_def(ELEMENTS)
    FORMAT: ClassVar[str] = (
        "$spDesc `,` $vector attr-dict `:` type($spDesc) `,` type($vector) `->` type($metadata) `,` type($compressed_data)"
    )


class SparseDecompressOp(OpRow, AssemblyOp, op="nvvm.sparse.decompress"):
    """Elements at the places that indices state, and zeros."""

    metadata = operand_def(METADATA)
    compressed_data = operand_def(ELEMENTS)
    idxSize = prop_def(I32_ATTR)
    numTgt = prop_def(I32_ATTR)
    vector = result_def(ELEMENTS)
    FORMAT: ClassVar[str] = (
        "$metadata `,` $compressed_data attr-dict `:` type($metadata) `,` type($compressed_data) `->` type($vector)"
    )


OPS = defined_in(globals(), OpRow)
ATTRIBUTES = defined_in(globals(), EnumAttribute)
