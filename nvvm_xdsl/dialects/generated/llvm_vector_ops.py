"""Vector intrinsics of the llvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.dialects.llvm import FastMathAttr
from xdsl.irdl import (
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
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class GetActiveLaneMaskOp(OpRow, AssemblyOp, op="llvm.intr.get.active.lane.mask"):
    base = operand_def(SIGNLESS_INT)
    n = operand_def(SIGNLESS_INT)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)"
    traits = traits_def(Pure())


class MaskedCompressstoreOp(OpRow, op="llvm.intr.masked.compressstore"):
    value = operand_def(VECTOR)
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)


class MaskedExpandloadOp(OpRow, op="llvm.intr.masked.expandload"):
    ptr = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    passthru = operand_def(VECTOR)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)
    res = result_def(LLVM_TYPE)


class MaskedGatherOp(OpRow, AssemblyOp, op="llvm.intr.masked.gather"):
    ptrs = operand_def(vector_of(POINTER))
    mask = operand_def(vector_of(I1))
    pass_thru = var_operand_def(VECTOR)
    alignment = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "operands attr-dict `:` functional-type(operands, results)"


class MaskedLoadOp(OpRow, AssemblyOp, op="llvm.intr.masked.load"):
    data = operand_def(POINTER)
    mask = operand_def(vector_of(I1))
    pass_thru = opt_operand_def(VECTOR)
    alignment = prop_def(I32_ATTR)
    nontemporal = opt_prop_def(UnitAttr)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "operands attr-dict `:` functional-type(operands, results)"


class MaskedScatterOp(OpRow, AssemblyOp, op="llvm.intr.masked.scatter"):
    value = operand_def(VECTOR)
    ptrs = operand_def(vector_of(POINTER))
    mask = operand_def(vector_of(I1))
    alignment = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = (
        "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"
    )


class MatrixColumnMajorLoadOp(OpRow, AssemblyOp, op="llvm.intr.matrix.column.major.load"):
    data = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = (
        "$data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($res) `from` type($data) `stride` type($stride)"
    )


class MatrixColumnMajorStoreOp(OpRow, AssemblyOp, op="llvm.intr.matrix.column.major.store"):
    matrix = operand_def(VECTOR)
    data = operand_def(POINTER)
    stride = operand_def(SIGNLESS_INT)
    isVolatile = prop_def(I1_ATTR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = (
        "$matrix `,` $data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($matrix) `to` type($data) `stride` type($stride)"
    )


class MatrixMultiplyOp(OpRow, AssemblyOp, op="llvm.intr.matrix.multiply"):
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    lhs_rows = prop_def(I32_ATTR)
    lhs_columns = prop_def(I32_ATTR)
    rhs_columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = (
        "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"
    )


class MatrixTransposeOp(OpRow, AssemblyOp, op="llvm.intr.matrix.transpose"):
    matrix = operand_def(VECTOR)
    rows = prop_def(I32_ATTR)
    columns = prop_def(I32_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "$matrix attr-dict `:` type($matrix) `into` type($res)"


class StepVectorOp(OpRow, AssemblyOp, op="llvm.intr.stepvector"):
    res = result_def(vector_of(SIGNLESS_INT))
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


class VectorDeinterleave2Op(OpRow, op="llvm.intr.vector.deinterleave2"):
    vec = operand_def(VECTOR)
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class VectorExtractOp(OpRow, AssemblyOp, op="llvm.intr.vector.extract"):
    srcvec = operand_def(VECTOR)
    pos = prop_def(I64_ATTR)
    res = result_def(VECTOR)
    FORMAT: ClassVar[str] = "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)"
    traits = traits_def(Pure())


class VectorInsertOp(OpRow, AssemblyOp, op="llvm.intr.vector.insert"):
    dstvec = operand_def(variable("T", VECTOR))
    srcvec = operand_def(VECTOR)
    pos = prop_def(I64_ATTR)
    res = result_def(variable("T", VECTOR))
    FORMAT: ClassVar[str] = (
        "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)"
    )
    traits = traits_def(Pure())


class VectorInterleave2Op(OpRow, op="llvm.intr.vector.interleave2"):
    vec1 = operand_def(variable("T", VECTOR))
    vec2 = operand_def(variable("T", VECTOR))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class IntegerReduction(OpRow):
    """Reduction of a vector of integers."""

    in_ = operand_def(vector_of(SIGNLESS_INT))
    res = result_def(LLVM_TYPE)
    traits = traits_def(Pure())


class FloatReduction(OpRow, AssemblyOp):
    """Reduction of a vector of floats."""

    in_ = operand_def(vector_of(FLOAT))
    fastmathFlags = opt_prop_def(FastMathAttr, default_value=NO_FASTMATH)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = traits_def(Pure())


# fmt: off
class VectorReduceAddOp(IntegerReduction, op="llvm.intr.vector.reduce.add"): ...
class VectorReduceAndOp(IntegerReduction, op="llvm.intr.vector.reduce.and"): ...
class VectorReduceFmaxOp(FloatReduction, op="llvm.intr.vector.reduce.fmax"): ...
class VectorReduceFmaximumOp(FloatReduction, op="llvm.intr.vector.reduce.fmaximum"): ...
class VectorReduceFminOp(FloatReduction, op="llvm.intr.vector.reduce.fmin"): ...
class VectorReduceFminimumOp(FloatReduction, op="llvm.intr.vector.reduce.fminimum"): ...
class VectorReduceMulOp(IntegerReduction, op="llvm.intr.vector.reduce.mul"): ...
class VectorReduceOrOp(IntegerReduction, op="llvm.intr.vector.reduce.or"): ...
class VectorReduceSmaxOp(IntegerReduction, op="llvm.intr.vector.reduce.smax"): ...
class VectorReduceSminOp(IntegerReduction, op="llvm.intr.vector.reduce.smin"): ...
class VectorReduceUmaxOp(IntegerReduction, op="llvm.intr.vector.reduce.umax"): ...
class VectorReduceUminOp(IntegerReduction, op="llvm.intr.vector.reduce.umin"): ...
class VectorReduceXorOp(IntegerReduction, op="llvm.intr.vector.reduce.xor"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
