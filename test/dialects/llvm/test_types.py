"""Interned types: one object each, regardless of the first user."""

from __future__ import annotations

import subprocess
import sys

from xdsl.dialects.builtin import ArrayAttr, IntegerType, StringAttr, VectorType
from xdsl.dialects.llvm import LLVMFunctionType, LLVMPointerType, LLVMStructType

from nvvm_xdsl.dialects.llvm import types


def test_foreign_component_types_are_replaced():
    # Widths that no other code uses: the foreign object is created before ours.
    struct = types.struct([IntegerType(1), IntegerType(4001)])
    assert struct.types.data[0] is types.I1
    assert struct.types.data[1] is types.integer(4001)
    assert types.vector(2, IntegerType(4002)).element_type is types.integer(4002)
    assert types.array(2, LLVMPointerType()).type is types.PTR


def test_nested_foreign_component_types_are_replaced():
    inner = LLVMStructType(StringAttr(""), ArrayAttr([IntegerType(1), IntegerType(4003)]))
    outer = types.array(3, inner)
    assert outer.type is types.struct([types.I1, types.integer(4003)])
    assert outer.type.types.data[0] is types.I1
    function = types.function([LLVMFunctionType([IntegerType(4004)])])
    assert function.inputs.data[0] is types.function([types.integer(4004)])


def test_interned_returns_the_one_object():
    assert types.interned(IntegerType(32)) is types.I32
    assert types.interned(VectorType(IntegerType(8), [4])) is types.vector(4, types.I8)
    packed = LLVMStructType(StringAttr(types.PACKED_PREFIX), ArrayAttr([IntegerType(8)]))
    assert types.interned(packed) is types.struct([types.I8], packed=True)


def test_types_are_interned_for_every_order_of_imports():
    script = (
        "from nvvm_xdsl.dialects.llvm.types import I32, interned\n"
        "import nvvm_xdsl.ir.fast\n"
        "from xdsl.dialects.builtin import IntegerType\n"
        "assert interned(IntegerType(32)) is I32\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
