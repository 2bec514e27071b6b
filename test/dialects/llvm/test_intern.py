from __future__ import annotations

import math

from xdsl.dialects import builtin, test
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Block, Region

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.intern import Interner, intern_types


def test_equal_types_become_the_interned_one():
    get = Interner().get
    assert get(IntegerType(32)) is types.I32
    assert get(IntegerType(24)) is types.integer(24)
    assert get(builtin.Float32Type()) is types.F32
    assert get(LLVMPointerType(builtin.IntAttr(3))) is types.pointer(3)
    assert get(LLVMPointerType()) is types.PTR
    assert get(builtin.VectorType(builtin.f16, [2])) is types.vector(2, types.F16)
    struct = LLVMStructType.from_type_list([IntegerType(8), LLVMPointerType()])
    assert get(struct) is types.struct([types.I8, types.PTR])
    packed = types.struct([types.I8], packed=True, name="s")
    copy = LLVMStructType(builtin.StringAttr("packed:s"), ArrayAttr([IntegerType(8)]))
    assert get(copy) is packed
    assert get(DenseArrayBase.from_list(builtin.i32, [1, 0])) is types.dense_i32([1, 0])


def test_constants():
    get = Interner().get
    assert get(IntegerAttr(5, 32)) is types.int_attr(5, types.I32)
    assert get(IntegerAttr(-1, 8)) is types.int_attr(255, types.I8)
    zero, negative = get(FloatAttr(0.0, 32)), get(FloatAttr(-0.0, 32))
    assert zero is types.float_attr(0.0, types.F32)
    assert zero is not negative
    nan = FloatAttr(math.nan, 32)
    assert get(nan) is nan


def test_foreign_types_are_unchanged():
    get = Interner().get
    for attr in (
        IntegerType(32, builtin.Signedness.SIGNED),
        IntegerAttr(1, builtin.IndexType()),
        builtin.VectorType(builtin.f32, [2, 2]),
        ArrayAttr([FloatAttr(-0.0, 32)]),
    ):
        assert get(attr) is attr


def test_all_types_of_a_module():
    block = Block(arg_types=[IntegerType(64)])
    inner = test.TestOp(
        operands=[block.args[0]],
        result_types=[IntegerType(64)],
        properties={"value": IntegerAttr(7, 64)},
        attributes={"align": IntegerAttr(4, 64)},
    )
    block.add_op(inner)
    module = builtin.ModuleOp([test.TestOp(regions=[Region(block)])])
    intern_types(module)
    assert block.args[0].type is types.I64
    assert inner.results[0].type is types.I64
    assert inner.properties["value"] is types.int_attr(7, types.I64)
    assert inner.attributes["align"] is types.int_attr(4, types.I64)
