"""shape_of: every property that distinguishes two ops, and those that do not."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, UnitAttr
from xdsl.ir import Operation

from nvvm_xdsl.ir.equality import shape_of

TEXT = """
llvm.func @f(%a: i8, %b: i16, %h: f16, %g: f32, %p: !llvm.ptr, %q: !llvm.ptr<3>, %c: i1, %n: i32, %m: i32,
    %v: vector<2xf32>) {{
  {}
  llvm.unreachable
^x:
  llvm.unreachable
^y(%0: i32):
  llvm.unreachable
}}
"""


def first_op(text: str) -> Operation:
    module = parse_module(TEXT.format(text))
    (func,) = module.body.block.ops
    op = func.regions[0].blocks[0].first_op
    assert op is not None
    return op


DIFFERENT = {
    "class": ("llvm.sext %a : i8 to i32", "llvm.zext %a : i8 to i32"),
    "operand type of a cast": ("llvm.sext %a : i8 to i32", "llvm.sext %b : i16 to i32"),
    "operand type of a float cast": ("llvm.fpext %h : f16 to f64", "llvm.fpext %g : f32 to f64"),
    "type of a stored value": (
        "llvm.store %a, %p {alignment = 1 : i64} : i8, !llvm.ptr",
        "llvm.store %b, %p {alignment = 1 : i64} : i16, !llvm.ptr",
    ),
    "address space": (
        "llvm.load %p : !llvm.ptr -> i32",
        "llvm.load %q : !llvm.ptr<3> -> i32",
    ),
    "address space of a cast": (
        "llvm.ptrtoint %p : !llvm.ptr to i64",
        "llvm.ptrtoint %q : !llvm.ptr<3> to i64",
    ),
    "result type": ("llvm.sext %a : i8 to i32", "llvm.sext %a : i8 to i64"),
    "predicate": ('llvm.icmp "slt" %n, %n : i32', 'llvm.icmp "ult" %n, %n : i32'),
    "flags": ("llvm.add %n, %n overflow<nsw> : i32", "llvm.add %n, %n : i32"),
    "volatile": ("llvm.load volatile %p : !llvm.ptr -> i32", "llvm.load %p : !llvm.ptr -> i32"),
    "ordering": (
        "llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32",
        "llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32",
    ),
    "synchronization scope": (
        'llvm.load %p atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr -> i32',
        "llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32",
    ),
    "alignment": (
        "llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> i32",
        "llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32",
    ),
    "element type of an address": (
        "llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32",
        "llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i64",
    ),
    "constant index": (
        "llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32",
        "llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i32",
    ),
    "mask": (
        "llvm.shufflevector %v, %v [0, 1] : vector<2xf32>",
        "llvm.shufflevector %v, %v [1, 0] : vector<2xf32>",
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_ops_that_differ(name: str):
    one, other = map(first_op, DIFFERENT[name])
    assert shape_of(one) != shape_of(other)
    for op, text in zip((one, other), DIFFERENT[name], strict=True):
        again = first_op(text)
        assert shape_of(op) == shape_of(again)
        assert hash(shape_of(op)) == hash(shape_of(again))


def test_ops_with_different_numbers_of_successors_differ():
    one = first_op("llvm.br ^x")
    other = first_op("llvm.br ^x")
    other.successors = [*other.successors, *other.successors]
    assert shape_of(one) != shape_of(other)


def test_operands_attributes_and_locations_are_not_compared():
    one, other = first_op("llvm.add %n, %n : i32"), first_op("llvm.add %n, %m : i32")
    other.attributes["note"] = UnitAttr()
    other.location = FileLineColLoc(StringAttr("k.cu"), IntAttr(3), IntAttr(1))
    assert shape_of(one) == shape_of(other)


def test_the_caller_may_pass_properties():
    one, other = first_op("llvm.add %n, %n overflow<nsw> : i32"), first_op("llvm.add %n, %n : i32")
    assert shape_of(one) != shape_of(other)
    assert shape_of(one, {}) == shape_of(other, {})
    assert shape_of(one, {"overflowFlags": 1}) != shape_of(other, {"overflowFlags": 2})


def test_an_op_with_regions_equals_only_itself():
    module, same = parse_module(TEXT.format("")), parse_module(TEXT.format(""))
    assert shape_of(module) == shape_of(module)
    assert shape_of(module) != shape_of(same)
