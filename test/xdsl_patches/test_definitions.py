"""Deferred definitions produce the same classes as xDSL's own decorators."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.dialects.test import TestOp
from xdsl.ir import Attribute, Data, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyOf,
    AttrConstraint,
    BaseAttr,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.xdsl_patches.definitions import (
    define_all,
    irdl_attr_definition,
    irdl_op_definition,
    set_traits,
    when_defined,
)

DESCRIBE = """
import re, sys
if {put_off}:
    from nvvm_xdsl.xdsl_patches import definitions
    definitions.stock_dialects()
    late = len(definitions._ops) + len(definitions._attributes)
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.llvm import LLVM
if {put_off}:
    assert late >= 100, late
    definitions.define_all()
for cls in (*Builtin.operations, *LLVM.operations):
    if not hasattr(cls, "get_irdl_definition"):
        continue
    definition = cls.get_irdl_definition()
    names = sorted(vars(cls).keys() - {{"_abc_impl"}})
    kinds = [type(vars(cls)[name]).__name__ for name in names if not name.startswith("__")]
    known = {{k: v for k, v in vars(definition).items() if k != "traits"}}
    traits = sorted(map(repr, cls.traits.traits))
    print(cls, names, kinds, known, traits, sorted(map(repr, definition.traits.traits)))
for cls in (*Builtin.attributes, *LLVM.attributes):
    names = sorted(vars(cls).keys() - {{"_abc_impl"}})
    definition = getattr(cls, "get_irdl_definition", None)
    print(cls, names, definition and definition())
"""


def test_subclasses_of_a_base() -> None:
    bases = (Attribute, Data, TypeAttribute, ParametrizedAttribute, Operation, IRDLOperation)
    constraints = (AttrConstraint, AnyOf, BaseAttr)
    classes = (*bases, *constraints, IntegerAttr, StringAttr, TestOp, int, type, Pure)
    for cls in classes:
        for base in (*bases, *constraints):
            assert issubclass(cls, base) == (base in cls.__mro__), (cls, base)
    assert isinstance(i32, TypeAttribute)
    assert not isinstance(StringAttr(""), TypeAttribute)


def describe(put_off: bool) -> list[str]:
    source = DESCRIBE.format(put_off=put_off)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True, env=os.environ
    )
    return [re.sub(r" at 0x\w+", "", line) for line in done.stdout.splitlines()]


def test_stock_classes_are_the_same() -> None:
    stock, put_off = describe(False), describe(True)
    assert len(stock) > 130
    assert put_off == stock


def make_op() -> type[IRDLOperation]:
    class Base(IRDLOperation):
        value = operand_def(i32)
        traits = traits_def(Pure())

    @irdl_op_definition
    class LateOp(Base):
        name = "late.op"
        note = opt_prop_def(StringAttr)
        res = result_def(i32)
        traits = traits_def(Commutative())

        def verify_(self) -> None:
            if self.properties.get("note") == StringAttr("bad"):
                raise VerifyException("bad")

    return LateOp


def operand():
    return TestOp(result_types=[i32]).results[0]


def test_fields_of_an_op() -> None:
    cls = make_op()
    value = operand()
    op = cls.create(operands=[value], result_types=[i32])
    assert op.value is value
    other = make_op().create(operands=[value], result_types=[i32])
    other.note = StringAttr("x")
    assert other.properties == {"note": StringAttr("x")}
    assert make_op()(operands=[value], result_types=[i32]).results[0].type == i32


def test_verification_of_an_op() -> None:
    value = operand()
    for note, message in (("bad", "bad"), ("good", None)):
        op = make_op().create(
            operands=[value], result_types=[i32], properties={"note": StringAttr(note)}
        )
        if message is None:
            op.verify()
        else:
            with pytest.raises(VerifyException, match=message):
                op.verify()
    with pytest.raises(VerifyException, match="note"):
        make_op().create(
            operands=[value], result_types=[i32], properties={"note": IntegerAttr(1, i32)}
        ).verify()


def test_traits_of_an_op() -> None:
    cls = make_op()
    assert cls.has_trait(Pure)
    assert cls.has_trait(Commutative)
    set_traits(cls, traits_def(Pure()))
    assert not cls.has_trait(Commutative)
    assert cls.get_irdl_definition().traits is cls.traits


def test_changes_wait_for_the_definition() -> None:
    cls = make_op()
    made: list[str] = []
    when_defined(cls, lambda: made.append(cls.get_irdl_definition().name))
    assert not made
    cls.get_irdl_definition()
    assert made == ["late.op"]
    when_defined(cls, lambda: made.append("at once"))
    assert made == ["late.op", "at once"]


def test_attributes() -> None:
    @irdl_attr_definition
    class LateAttr(ParametrizedAttribute):
        name = "late.attr"
        text: StringAttr

    one, two = LateAttr(StringAttr("a")), LateAttr(StringAttr("a"))
    assert one == two
    assert len({one, two}) == 1
    with pytest.raises(AttributeError):
        one.text = StringAttr("b")
    with pytest.raises(VerifyException):
        LateAttr(i32)
    with pytest.raises(TypeError):
        type("Sub", (LateAttr,), {})


def test_every_definition_can_be_evaluated() -> None:
    import nvvm_xdsl.dialects.gpu
    import nvvm_xdsl.dialects.nvptx
    import nvvm_xdsl.dialects.nvvm
    import nvvm_xdsl.dialects.ptx  # noqa: F401

    define_all()
