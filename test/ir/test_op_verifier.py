"""What ops say of themselves holds also where most of them were checked before."""

from __future__ import annotations

import pytest
from helpers.modules import function, op_named, parse_module
from xdsl.dialects.builtin import StringAttr

from nvvm_xdsl.ir.op_verifier import Shapes, verify_ops, verify_ops_inside
from nvvm_xdsl.ir.types import F32, I32
from nvvm_xdsl.ir.verifier import VerifyError

TEXT = """
llvm.func @f(%a: i32, %b: i32) -> i32 {
  %s = llvm.add %a, %b : i32
  %t = llvm.add %s, %s : i32
  llvm.return %t : i32
}
"""


def test_what_was_checked_is_known():
    known: Shapes = {}
    module = parse_module(TEXT)
    verify_ops(module, known)
    before = list(known)
    assert before
    verify_ops(module, known)
    verify_ops_inside(function(module), known)
    assert list(known) == before


@pytest.mark.parametrize("known", [None, {}])
def test_another_shape_is_checked(known: Shapes | None):
    module = parse_module(TEXT)
    verify_ops(module, known)
    add = op_named(module, "llvm.add", 1)
    add.properties["overflowFlags"] = I32
    for check, root in ((verify_ops, module), (verify_ops_inside, function(module))):
        with pytest.raises(VerifyError, match="should be of base attribute"):
            check(root, known)


def test_the_function_itself_is_checked():
    func = function(parse_module(TEXT))
    func.properties["function_type"] = F32
    with pytest.raises(VerifyError):
        verify_ops_inside(func)


def test_what_names_a_shape_lives_on():
    """Shapes are known by ids, which are used again when their objects are gone."""
    known: Shapes = {}
    module = parse_module(TEXT)
    add = op_named(module, "llvm.add")
    note = add.attributes["note"] = StringAttr("a note")
    verify_ops(module, known)
    (kept,) = [held for key, held in known.items() if "note" in key]
    for attribute in (note, add.results[0].type, *add.properties.values()):
        assert any(attribute is held for held in kept)
