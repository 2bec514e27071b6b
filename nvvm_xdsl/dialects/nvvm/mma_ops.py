"""The warp-level mma ops, whose assembly MLIR writes in C++.

    %d = nvvm.mma.sync A[%a0, %a1] B[%b0] C[%c0, %c1] {layoutA = #nvvm.mma_layout<row>, ...}
      : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(...)>

The types in parentheses are the element types of A, B and C. The ops are created by
`ir.fast.create`; each needs `operandSegmentSizes`, one size per operand group: A, B, C, and for the
sparse and scaled ops 1 for each following scalar.
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.clauses import parse_clauses
from nvvm_xdsl.dialects.constraints import I16, I32, LLVM_TYPE, STRUCT
from nvvm_xdsl.dialects.generated.nvvm_enums import MMATypes
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import segment_sizes
from nvvm_xdsl.dialects.llvm.assembly_helpers import print_attr_dict, take_properties
from nvvm_xdsl.dialects.llvm.types import dense_i32
from nvvm_xdsl.dialects.nvvm import verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    BlockScaleFormatAttr,
    MMAB1OpAttr,
    MMABlockScaleKindAttr,
    MMAIntOverflowAttr,
    MMAKindAttr,
    MMALayoutAttr,
    MMATypesAttr,
    ScaleVecSizeAttr,
)
from nvvm_xdsl.dialects.nvvm.struct_attributes import MMAShapeAttr
from nvvm_xdsl.xdsl_patches.definitions import irdl_op_definition


class _MmaBase(IRDLOperation):
    """Assembly and checks that the mma ops share."""

    SCALARS: ClassVar[tuple[tuple[str, tuple[Attribute, ...]], ...]] = ()
    """Keyword and operand types of each group of scalars after A, B and C."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def groups(self) -> list[tuple[SSAValue, ...]]:
        """The operands of each group: A, B, C and the scalars."""
        operands = tuple(self.operands)
        found: list[tuple[SSAValue, ...]] = []
        start = 0
        for size in segment_sizes(self):
            found.append(operands[start : start + size])
            start += size
        return found

    def verify_(self) -> None:
        for letter, group in zip("ABC", self.groups()):
            if not group:
                raise VerifyException(f"matrix {letter} has no operands")
            if any(value.type != group[0].type for value in group):
                raise VerifyException(f"the operands of matrix {letter} differ in type")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        matrices: list[list[UnresolvedOperand]] = []
        for letter in "ABC":
            parser.parse_keyword(letter)
            matrices.append(
                parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_unresolved_operand
                )
            )
        scalars: list[SSAValue] = []
        for keyword, operand_types in cls.SCALARS:
            parser.parse_keyword(keyword)
            given = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_unresolved_operand
            )
            scalars += parser.resolve_operands(given, operand_types, position)
        clauses = parse_clauses(parser, cls)
        attributes = clauses | parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        properties = take_properties(cls, attributes)
        if "orderedMetadata" in cls.get_irdl_definition().properties and len(cls.SCALARS) > 2:
            properties.setdefault("orderedMetadata", UnitAttr())
        inputs = signature.inputs.data
        if len(inputs) != 3:
            parser.raise_error("expected the types of A, B and C", position)
        for name, type_ in zip(_PTX_TYPES, inputs):
            if name not in properties and type_ in _INFERRED:
                properties[name] = _INFERRED[type_]
        operands: list[SSAValue] = []
        for matrix, type_ in zip(matrices, inputs):
            operands += [parser.resolve_operand(operand, type_) for operand in matrix]
        sizes = [len(m) for m in matrices] + [1] * len(scalars)
        properties["operandSegmentSizes"] = dense_i32(sizes)
        return cls.create(
            operands=[*operands, *scalars],
            result_types=signature.outputs.data,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        groups = self.groups()
        for letter, group in zip("ABC", groups):
            printer.print_string(f" {letter}[")
            printer.print_list(group, printer.print_ssa_value)
            printer.print_string("]")
        scalars = [value for group in groups[3:] for value in group]
        for keyword, operand_types in self.SCALARS:
            printer.print_string(f" {keyword}[")
            printer.print_list(scalars[: len(operand_types)], printer.print_ssa_value)
            printer.print_string("]")
            scalars = scalars[len(operand_types) :]
        inferred: dict[str, Attribute] = {}
        for name, group in zip(_PTX_TYPES, groups):
            if (known := _INFERRED.get(group[0].type)) is not None:
                inferred[name] = known
        print_attr_dict(printer, self, frozenset({"operandSegmentSizes"}), inferred)
        printer.print_string(" : ")
        printer.print_function_type([g[0].type for g in groups[:3]], [self.results[0].type])


_PTX_TYPES = ("multiplicandAPtxType", "multiplicandBPtxType")

_INFERRED: dict[Attribute, Attribute] = {
    types.F16: MMATypesAttr(MMATypes.F16),
    types.vector(2, types.F16): MMATypesAttr(MMATypes.F16),
    types.F64: MMATypesAttr(MMATypes.F64),
}
"""The PTX type of a matrix that its operands determine: the assembly omits it."""

_SPARSE = (("sparseMetadata", (types.I32,)), ("selector", (types.I32,)))
_SCALE_TYPES = (types.I32, types.I16, types.I16)
_SCALES = (("scaleA", _SCALE_TYPES), ("scaleB", _SCALE_TYPES))


class _Matrices(_MmaBase):
    """The operands A, B and C, and their properties."""

    shape = prop_def(MMAShapeAttr)
    multiplicandAPtxType = opt_prop_def(MMATypesAttr)
    multiplicandBPtxType = opt_prop_def(MMATypesAttr)
    operandA = var_operand_def(LLVM_TYPE)
    operandB = var_operand_def(LLVM_TYPE)
    operandC = var_operand_def(LLVM_TYPE)
    res = result_def(STRUCT)


class _SparseOperands(_MmaBase):
    """The positions of the elements of a sparse A."""

    orderedMetadata = opt_prop_def(UnitAttr)
    sparseMetadata = operand_def(I32)
    sparsitySelector = operand_def(I32)


class _ScaleOperands(_MmaBase):
    """The scales of the elements of A and B."""

    scaleVecSize = prop_def(ScaleVecSizeAttr)
    blockScaleFormat = prop_def(BlockScaleFormatAttr)
    kind = prop_def(MMABlockScaleKindAttr)
    scaleAData = operand_def(I32)
    byteIdA = operand_def(I16)
    threadIdA = operand_def(I16)
    scaleBData = operand_def(I32)
    byteIdB = operand_def(I16)
    threadIdB = operand_def(I16)


@irdl_op_definition
class MmaOp(_Matrices):
    """`nvvm.mma.sync`: matrix multiply-accumulate by a warp."""

    name = "nvvm.mma.sync"
    b1Op = opt_prop_def(MMAB1OpAttr)
    intOverflowBehavior = opt_prop_def(MMAIntOverflowAttr)
    layoutA = prop_def(MMALayoutAttr)
    layoutB = prop_def(MMALayoutAttr)

    def verify_(self) -> None:
        super().verify_()
        verifiers.mma(self)


@irdl_op_definition
class MmaSpOp(_Matrices, _SparseOperands):
    """`nvvm.mma.sp.sync`: the same with a sparse A."""

    name = "nvvm.mma.sp.sync"
    SCALARS: ClassVar[tuple[tuple[str, tuple[Attribute, ...]], ...]] = _SPARSE
    intOverflowBehavior = opt_prop_def(MMAIntOverflowAttr)
    kind = opt_prop_def(MMAKindAttr)


@irdl_op_definition
class MmaBlockScaleOp(_Matrices, _ScaleOperands):
    """`nvvm.mma.block_scale`: the same with scaled A and B."""

    name = "nvvm.mma.block_scale"
    SCALARS: ClassVar[tuple[tuple[str, tuple[Attribute, ...]], ...]] = _SCALES


@irdl_op_definition
class MmaSpBlockScaleOp(_Matrices, _SparseOperands, _ScaleOperands):
    """`nvvm.mma.sp.block_scale`: a sparse A, and scales."""

    name = "nvvm.mma.sp.block_scale"
    SCALARS: ClassVar[tuple[tuple[str, tuple[Attribute, ...]], ...]] = (*_SPARSE, *_SCALES)


OPS: tuple[type[Operation], ...] = (MmaOp, MmaSpOp, MmaBlockScaleOp, MmaSpBlockScaleOp)
