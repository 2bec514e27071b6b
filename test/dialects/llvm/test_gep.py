"""Offsets of getelementptr: the rules of LLVM's language reference for its indices."""

from __future__ import annotations

import pytest
from helpers.modules import op_named, parse_module
from xdsl.dialects.llvm import GEPOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from nvvm_xdsl.dialects.llvm.data_layout import NVPTX64_LAYOUT, DataLayout
from nvvm_xdsl.dialects.llvm.gep import (
    DYNAMIC_INDEX,
    byte_offset,
    constant_indices,
    constant_offset,
    gep_offset,
    indices_of,
    is_raw_index,
    is_start,
)
from nvvm_xdsl.ir import fast

LAYOUT = DataLayout(NVPTX64_LAYOUT)
PAIR = "!llvm.struct<(i32, array<3 x i64>)>"


def gep(indices: str, types: str, element: str, raw: str, before: str = "") -> Operation:
    """Returns a getelementptr in MLIR's generic form, which the verifier has not checked."""
    operands = f", {indices}" if indices else ""
    types = f", {types}" if types else ""
    return op_named(
        parse_module(f"""
llvm.func @f(%p: !llvm.ptr, %i: i64, %n: i32, %b: i1) {{
  {before}
  %q = "llvm.getelementptr"(%p{operands}) <{{elem_type = {element}, noWrapFlags = 0 : i32,
    rawConstantIndices = array<i32: {raw}>}}> : (!llvm.ptr{types}) -> !llvm.ptr
  llvm.return
}}"""),
        "llvm.getelementptr",
    )


@pytest.mark.parametrize(
    ("element", "raw", "offset"),
    [
        ("i8", "-5", -5),
        ("i64", "3", 24),
        (PAIR, "1", 32),
        (PAIR, "1, 1, 2", 32 + 8 + 16),
        ("!llvm.array<4 x i16>", "0, 3", 6),
        ("vector<4xi32>", "0, 2", 8),
        ("vector<3xf32>", "1, 2", 16 + 8),
        ("!llvm.struct<packed (i8, i32)>", "1, 1", 5 + 1),
    ],
)
def test_constant_indices(element: str, raw: str, offset: int):
    op = gep("", "", element, raw)
    assert gep_offset(op, LAYOUT) == (offset, [])
    assert constant_offset(op, LAYOUT) == offset
    assert constant_indices(op) == [int(n) for n in raw.split(",")]


def test_variable_indices_are_terms():
    op = gep("%i, %n", "i64, i32", PAIR, f"{DYNAMIC_INDEX}, 1, {DYNAMIC_INDEX}")
    _, i, n = fast.operands_of(op)
    assert gep_offset(op, LAYOUT) == (8, [(i, 32), (n, 8)])
    assert list(indices_of(op)) == [i, 1, n]
    assert constant_offset(op, LAYOUT) is None
    assert constant_indices(op) is None


@pytest.mark.parametrize(
    ("constant", "type_", "number"),
    [
        ("llvm.mlir.constant(-2147483648 : i64) : i64", "i64", -(1 << 31)),
        ("llvm.mlir.constant(4294967296 : i64) : i64", "i64", 1 << 32),
        ("llvm.mlir.constant(3 : i128) : i128", "i128", 3),
        ("llvm.mlir.constant(true) : i1", "i1", -1),
        ("llvm.mlir.zero : i64", "i64", 0),
    ],
)
def test_an_operand_may_be_a_constant(constant: str, type_: str, number: int):
    """An index may equal the mark of a dynamic index; `true` is sign-extended to -1."""
    before = f"%c = {constant}"
    op = gep("%c, %i", f"{type_}, i64", "!llvm.array<2 x i16>", "-2147483648, -2147483648", before)
    assert gep_offset(op, LAYOUT) == (4 * number, [(fast.operands_of(op)[2], 2)])
    single = gep("%c", type_, "i16", str(DYNAMIC_INDEX), before)
    assert constant_offset(single, LAYOUT) == 2 * number
    assert is_start(single) is (number == 0)


def test_a_struct_field_may_be_a_constant_operand():
    constant = "%c = llvm.mlir.constant(1 : i32) : i32"
    op = gep("%c", "i32", PAIR, f"0, {DYNAMIC_INDEX}", constant)
    assert gep_offset(op, LAYOUT) == (8, [])


@pytest.mark.parametrize(
    ("indices", "types", "element", "raw"),
    [
        ("%n", "i32", PAIR, f"0, {DYNAMIC_INDEX}"),
        ("", "", PAIR, "0, 2"),
        ("", "", PAIR, "0, -1"),
        ("", "", "i32", "0, 0"),
        ("", "", "!llvm.ptr", "0, 0"),
    ],
)
def test_invalid_indices(indices: str, types: str, element: str, raw: str):
    assert gep_offset(gep(indices, types, element, raw), LAYOUT) is None


@pytest.mark.parametrize("index", [DYNAMIC_INDEX, 2**31, 2**32, -(2**40)])
def test_a_constant_equal_to_the_operand_mark_is_an_error(index: int):
    """MLIR has no text for it; the error is at the index."""
    text = f"""
llvm.func @f(%p: !llvm.ptr, %i: i64) {{
  %q = llvm.getelementptr %p[%i, {index}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<9 x i8>
  llvm.return
}}"""
    with pytest.raises(ParseError, match=f"the index {index} does not fit") as caught:
        parse_module(text)
    assert caught.value.span.text == str(index)


@pytest.mark.parametrize("offset", [1, -7, 2**31 - 1, 1 - 2**31, 2**31, -(2**31), 2**40])
def test_byte_offset_is_read_back(offset: int):
    op = gep("", "", "i8", "0")
    pointer = byte_offset(fast.operands_of(op)[0], offset, op)
    assert isinstance(pointer.owner, GEPOp)
    pointer.owner.verify()
    assert constant_offset(pointer.owner, LAYOUT) == offset
    assert is_raw_index(offset) is (len(pointer.owner.operands) == 1)


def test_a_zero_offset_creates_no_op():
    op = gep("", "", "i8", "0")
    base = fast.operands_of(op)[0]
    assert byte_offset(base, 0, op) is base
