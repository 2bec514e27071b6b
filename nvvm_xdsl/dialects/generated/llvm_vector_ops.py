"""Vector intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Operation
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    FLOAT,
    I1,
    I1_ATTR,
    I32_ATTR,
    I64_ATTR,
    LLVM_TYPE,
    POINTER,
    SIGNLESS_INT,
    VECTOR,
    variable,
    vector_of,
)
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class GetActiveLaneMaskOp(AssemblyOp):
    """MLIR's `llvm.intr.get.active.lane.mask`."""

    name = "llvm.intr.get.active.lane.mask"
    base = operand_def(SIGNLESS_INT)
    n = operand_def(SIGNLESS_INT)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class MaskedCompressstoreOp(IRDLOperation):
    """MLIR's `llvm.intr.masked.compressstore`."""

    name = "llvm.intr.masked.compressstore"
    value = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


@irdl_op_definition
class MaskedExpandloadOp(IRDLOperation):
    """MLIR's `llvm.intr.masked.expandload`."""

    name = "llvm.intr.masked.expandload"
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    passthru = operand_def(VECTOR)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)
    res = result_def(LLVM_TYPE)


@irdl_op_definition
class MaskedGatherOp(AssemblyOp):
    """MLIR's `llvm.intr.masked.gather`."""

    name = "llvm.intr.masked.gather"
    ptrs = operand_def(vector_of(POINTER))
    mask = operand_def(vector_of(I1))
    pass_thru = var_operand_def(VECTOR)
    alignment = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "operands attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class MaskedLoadOp(AssemblyOp):
    """MLIR's `llvm.intr.masked.load`."""

    name = "llvm.intr.masked.load"
    data = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    pass_thru = opt_operand_def(VECTOR)
    alignment = prop_def(I32_ATTR)
    nontemporal = opt_prop_def(UnitAttr)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "operands attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class MaskedScatterOp(AssemblyOp):
    """MLIR's `llvm.intr.masked.scatter`."""

    name = "llvm.intr.masked.scatter"
    value = operand_def(VECTOR)
    ptrs = operand_def(vector_of(POINTER))
    mask = operand_def(vector_of(I1))
    alignment = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = (
        "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"
    )


@irdl_op_definition
class MatrixColumnMajorLoadOp(AssemblyOp):
    """MLIR's `llvm.intr.matrix.column.major.load`."""

    name = "llvm.intr.matrix.column.major.load"
    data = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = (
        "$data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($res) `from` type($data) `stride` type($stride)"
    )


@irdl_op_definition
class MatrixColumnMajorStoreOp(AssemblyOp):
    """MLIR's `llvm.intr.matrix.column.major.store`."""

    name = "llvm.intr.matrix.column.major.store"
    matrix = operand_def(VECTOR)
    data = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = (
        "$matrix `,` $data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($matrix) `to` type($data) `stride` type($stride)"
    )


@irdl_op_definition
class MatrixMultiplyOp(AssemblyOp):
    """MLIR's `llvm.intr.matrix.multiply`."""

    name = "llvm.intr.matrix.multiply"
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    lhs_rows = prop_def(I32_ATTR)
    lhs_columns = prop_def(I32_ATTR)
    rhs_columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = (
        "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"
    )


@irdl_op_definition
class MatrixTransposeOp(AssemblyOp):
    """MLIR's `llvm.intr.matrix.transpose`."""

    name = "llvm.intr.matrix.transpose"
    matrix = operand_def(VECTOR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "$matrix attr-dict `:` type($matrix) `into` type($res)"


@irdl_op_definition
class StepVectorOp(AssemblyOp):
    """MLIR's `llvm.intr.stepvector`."""

    name = "llvm.intr.stepvector"
    res = result_def(vector_of(SIGNLESS_INT))
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorDeinterleave2Op(IRDLOperation):
    """MLIR's `llvm.intr.vector.deinterleave2`."""

    name = "llvm.intr.vector.deinterleave2"
    vec = operand_def(VECTOR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorExtractOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.extract`."""

    name = "llvm.intr.vector.extract"
    srcvec = operand_def(VECTOR)
    pos = prop_def(I64_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorInsertOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.insert`."""

    name = "llvm.intr.vector.insert"
    dstvec = operand_def(variable("T", VECTOR))
    srcvec = operand_def(VECTOR)
    pos = prop_def(I64_ATTR)
    res = result_def(variable("T", VECTOR))
    FORMAT: ClassVar[str] = (
        "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class VectorInterleave2Op(IRDLOperation):
    """MLIR's `llvm.intr.vector.interleave2`."""

    name = "llvm.intr.vector.interleave2"
    vec1 = operand_def(variable("T", VECTOR))
    vec2 = operand_def(variable("T", VECTOR))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceAddOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.add`."""

    name = "llvm.intr.vector.reduce.add"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceAndOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.and`."""

    name = "llvm.intr.vector.reduce.and"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceFmaxOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.reduce.fmax`."""

    name = "llvm.intr.vector.reduce.fmax"
    in_ = operand_def(vector_of(FLOAT))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceFmaximumOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.reduce.fmaximum`."""

    name = "llvm.intr.vector.reduce.fmaximum"
    in_ = operand_def(vector_of(FLOAT))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceFminOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.reduce.fmin`."""

    name = "llvm.intr.vector.reduce.fmin"
    in_ = operand_def(vector_of(FLOAT))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceFminimumOp(AssemblyOp):
    """MLIR's `llvm.intr.vector.reduce.fminimum`."""

    name = "llvm.intr.vector.reduce.fminimum"
    in_ = operand_def(vector_of(FLOAT))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceMulOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.mul`."""

    name = "llvm.intr.vector.reduce.mul"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceOrOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.or`."""

    name = "llvm.intr.vector.reduce.or"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceSmaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.smax`."""

    name = "llvm.intr.vector.reduce.smax"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceSminOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.smin`."""

    name = "llvm.intr.vector.reduce.smin"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceUmaxOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.umax`."""

    name = "llvm.intr.vector.reduce.umax"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceUminOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.umin`."""

    name = "llvm.intr.vector.reduce.umin"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorReduceXorOp(IRDLOperation):
    """MLIR's `llvm.intr.vector.reduce.xor`."""

    name = "llvm.intr.vector.reduce.xor"
    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


OPS: tuple[type[Operation], ...] = (
    GetActiveLaneMaskOp,
    MaskedCompressstoreOp,
    MaskedExpandloadOp,
    MaskedGatherOp,
    MaskedLoadOp,
    MaskedScatterOp,
    MatrixColumnMajorLoadOp,
    MatrixColumnMajorStoreOp,
    MatrixMultiplyOp,
    MatrixTransposeOp,
    StepVectorOp,
    VectorDeinterleave2Op,
    VectorExtractOp,
    VectorInsertOp,
    VectorInterleave2Op,
    VectorReduceAddOp,
    VectorReduceAndOp,
    VectorReduceFmaxOp,
    VectorReduceFmaximumOp,
    VectorReduceFminOp,
    VectorReduceFminimumOp,
    VectorReduceMulOp,
    VectorReduceOrOp,
    VectorReduceSmaxOp,
    VectorReduceSminOp,
    VectorReduceUmaxOp,
    VectorReduceUminOp,
    VectorReduceXorOp,
)
