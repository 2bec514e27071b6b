"""The definitions of ops are enforced also if most ops were checked before."""

from __future__ import annotations

import pytest
from helpers.modules import function, op_named, parse_module
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.dialects.func import Func

from nvvm_xdsl.dialects.llvm.types import F32, I32, I64, int_attr
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.verify import op_verifier
from nvvm_xdsl.verify.op_verifier import verify_ops, verify_ops_inside
from nvvm_xdsl.verify.verifier import VerifyError

TEXT = """
llvm.func @f(%a: i32, %b: i32) -> i32 {
  %s = llvm.add %a, %b : i32
  %t = llvm.add %s, %s : i32
  llvm.return %t : i32
}
"""


CONSTANTS = """
llvm.func @f() -> i32 {
  %a = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.constant(2 : i32) : i32
  llvm.return %a : i32
}
"""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[object, object]:
    """The cache of verified shapes; empty at first."""
    found: dict[object, object] = {}
    monkeypatch.setattr(op_verifier, "_fitting", found)
    return found


def test_verified_shapes_are_cached(known):
    module = parse_module(TEXT)
    verify_ops(module)
    before = list(known)
    assert before
    verify_ops(module)
    verify_ops_inside(function(module))
    assert list(known) == before


def test_the_cache_is_bounded(known, monkeypatch):
    monkeypatch.setattr(op_verifier, "_MOST_SHAPES", 2)
    module = parse_module(TEXT)
    known.update({number: () for number in range(3)})
    verify_ops(module)
    assert known
    assert 0 not in known


def test_a_constant_is_checked_once_for_its_type(known):
    module = parse_module(CONSTANTS)
    verify_ops(module)
    before = len(known)
    constant = op_named(module, "llvm.mlir.constant", 1)
    constant.properties["value"] = IntegerAttr(3, constant.properties["value"].type)
    verify_ops(module)
    assert len(known) == before
    constant.properties["value"] = int_attr(3, I64)
    verify_ops(module)
    assert len(known) == before + 1
    constant.properties["other"] = I32
    with pytest.raises(VerifyError):
        verify_ops(module)


def test_ops_with_a_changed_property_type_are_verified_again():
    module = parse_module(TEXT)
    verify_ops(module)
    add = op_named(module, "llvm.add", 1)
    add.properties["overflowFlags"] = I32
    for check, root in ((verify_ops, module), (verify_ops_inside, function(module))):
        with pytest.raises(VerifyError, match="should be of base attribute"):
            check(root)


def test_the_function_op_is_verified():
    func = function(parse_module(TEXT))
    func.properties["function_type"] = F32
    with pytest.raises(VerifyError):
        verify_ops_inside(func)


def test_objects_that_identify_a_shape_stay_alive(known):
    """Shapes are identified by `id`, which Python reuses after an object is freed."""
    module = parse_module(TEXT)
    add = op_named(module, "llvm.add")
    note = add.attributes["note"] = StringAttr("a note")
    verify_ops(module)
    (kept,) = [held for key, held in known.items() if "note" in key]
    for attribute in (note, add.results[0].type, *add.properties.values()):
        assert any(attribute is held for held in kept)


BRANCHES = """
nvptx.func @without() {
  nvptx.bra ^next
^next:
  nvptx.ret
}
"""


def test_successor_arguments_are_part_of_a_shape():
    verify_ops(parse_module(BRANCHES, "test.mlir", NVPTX))
    text = BRANCHES.replace("^next:", "^next(%a: !nvptx.b32):")
    wrong = parse_module(text, "test.mlir", NVPTX)
    with pytest.raises(VerifyError, match="passes 0 values to a block with 1 arguments"):
        verify_ops(wrong)


RETURNS = """
func.func @wrong(%x: i32) -> i64 {
  func.return %x : i32
}
func.func @right(%x: i32) -> i32 {
  func.return %x : i32
}
"""


def test_ops_of_other_dialects_are_each_verified():
    """`func.return` depends on the result types of its function, which are not part of its shape."""
    module = parse_module(RETURNS, "test.mlir", Func)
    wrong, right = (op_named(module, "func.return", place) for place in range(2))
    wrong.operands[0]._type = right.operands[0].type
    with pytest.raises(VerifyError, match="to have the same types"):
        verify_ops(module)


@pytest.mark.parametrize(
    "text",
    [
        "llvm.mlir.global external @g() {alignment = 3 : i64} : i8",
        "llvm.func @f(!llvm.ptr {llvm.align = 3 : i64})",
        "llvm.func @f(!llvm.ptr {llvm.align = -8 : i64})",
        'llvm.func @f(!llvm.ptr {llvm.align = "8"})',
        "llvm.func @f() -> (!llvm.ptr {llvm.alignstack = 12 : i64})",
        "llvm.func @f(%p: !llvm.ptr) {\n"
        "  llvm.call @f(%p) : (!llvm.ptr {llvm.align = 6 : i64}) -> ()\n  llvm.return\n}",
        "llvm.func @f(%p: !llvm.ptr, %n: i64) {\n"
        '  "llvm.intr.memcpy"(%p, %p, %n) <{arg_attrs = [{llvm.align = 3 : i64}, {}, {}], '
        "isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()\n  llvm.return\n}",
        "llvm.func @f(%p: !llvm.ptr, %m: vector<2xi1>) {\n"
        '  %v = "llvm.intr.masked.load"(%p, %m) <{alignment = 3 : i32}> '
        ": (!llvm.ptr, vector<2xi1>) -> vector<2xi32>\n  llvm.return\n}",
    ],
)
def test_an_alignment_is_a_power_of_two(text: str):
    with pytest.raises(VerifyError, match="must be a power of two, is "):
        verify_ops(parse_module(text))


@pytest.mark.parametrize(
    "text",
    [
        "llvm.mlir.global external @g() : i0",
        "llvm.func @f(i0)",
        "llvm.func @f() -> !llvm.struct<(i32, array<2 x i0>)>",
        "llvm.func @f() {\n  %z = llvm.mlir.constant(0 : i0) : i0\n  llvm.return\n}",
        "llvm.func @f(%a: f32) {\n  %z = llvm.fptosi %a : f32 to i0\n  llvm.return\n}",
        "llvm.func @f() {\n  %z = llvm.mlir.undef : vector<2xi0>\n  llvm.return\n}",
        "llvm.func @f(%p: !llvm.ptr) {\n"
        "  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i0\n  llvm.return\n}",
        "llvm.func @f() {\n  llvm.return\n^b(%x: i0):\n  llvm.br ^b(%x : i0)\n}",
    ],
)
def test_integers_of_invalid_widths(text: str):
    with pytest.raises(VerifyError, match="there are no integers of 0 bits"):
        verify_ops(parse_module(text))
    verify_ops(parse_module(text.replace("i0", "i4096")))
    with pytest.raises(
        VerifyError, match="i4097 is not supported: integers have at most 4096 bits"
    ):
        verify_ops(parse_module(text.replace("i0", "i4097")))
