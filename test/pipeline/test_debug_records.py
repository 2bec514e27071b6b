"""Descriptions of variables that are out of the code while it changes: which variable has which value behind it."""

from __future__ import annotations

import re

from helpers.modules import function, op_named
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import BrOp, SubOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.debug_records import DEBUG_OPS, followers
from nvvm_xdsl.pipeline.debug_records import without_debug_ops


def variable(name: str) -> str:
    return f'#llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "{name}">'


TEXT = f"""
llvm.func @f(%p: i32, %c: i1) -> i32 {{
  %two = llvm.mlir.constant(2 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  llvm.intr.dbg.value {variable("five")} = %five : i32
  %sum = llvm.add %p, %two : i32
  llvm.intr.dbg.value {variable("sum")} = %sum : i32
  %product = llvm.mul %p, %p : i32
  llvm.intr.dbg.value {variable("product")} = %product : i32
  llvm.cond_br %c, ^other, ^end
^other:
  %difference = llvm.sub %sum, %product : i32
  llvm.intr.dbg.value {variable("difference")} = %difference : i32
  llvm.br ^end
^end:
  llvm.intr.dbg.value {variable("late")} = %sum : i32
  llvm.return %sum : i32
}}
"""
NAME = re.compile(r'name = "(\w+)"')


def module() -> ModuleOp:
    return parse(TEXT, format="mlir", debug="full")


def described(module: ModuleOp) -> list[tuple[str, str, str]]:
    """Each description in order: the variable, what its value is, and the op in front of it."""
    module.verify()
    found: list[tuple[str, str, str]] = []
    for block in function(module).regions[0].blocks:
        before = "start"
        for op in block.ops:
            if op.__class__ not in DEBUG_OPS:
                before = op.name.removeprefix("llvm.")
                continue
            (value,) = op.operands
            owner = value.owner
            what = "argument" if owner is block else owner.name.removeprefix("llvm.")
            match = NAME.search(str(op.properties["varInfo"]))
            assert match is not None
            found.append((match[1], what, before))
    return found


FIVE = ("five", "mlir.constant", "mlir.constant")
SUM = ("sum", "add", "add")
PRODUCT = ("product", "mul", "mul")
DIFFERENCE = ("difference", "sub", "sub")
LATE = ("late", "add", "start")


def test_code_that_does_not_change_keeps_its_variables():
    one = module()
    text = str(one)
    before = described(one)
    with without_debug_ops(one):
        assert "dbg" not in str(one)
        assert len(followers()) == 1
    assert not followers()
    assert described(one) == before == [FIVE, SUM, PRODUCT, DIFFERENCE, LATE]
    assert str(one) == text


def test_what_is_replaced_is_followed():
    one = module()
    with without_debug_ops(one):
        add, mul = op_named(one, "llvm.add"), op_named(one, "llvm.mul")
        fast.move_before(mul, add)
        fast.replace_op(add, mul.results)
    # The addition is gone; its variables have the product, behind which they stand.
    assert described(one) == [
        FIVE,
        ("sum", "mul", "mul"),
        PRODUCT,
        DIFFERENCE,
        ("late", "mul", "start"),
    ]


def test_what_is_replaced_twice_is_followed_twice():
    one = module()
    with without_debug_ops(one):
        add, mul = op_named(one, "llvm.add"), op_named(one, "llvm.mul")
        sub = fast.create(SubOp, tuple(add.operands), (add.results[0].type,), {})
        fast.insert_before(sub, add)
        fast.replace_op(mul, add.results)
        fast.replace_op(add, sub.results)
    assert [(name, what) for name, what, _ in described(one)][1:] == [
        ("sum", "sub"),
        ("product", "sub"),
        ("difference", "sub"),
        ("late", "sub"),
    ]


def test_a_value_that_becomes_a_constant_is_one():
    one = module()
    with without_debug_ops(one):
        add = op_named(one, "llvm.add")
        fast.replace_op(add, (add.operands[1],))
    assert [(name, what) for name, what, _ in described(one)] == [
        ("five", "mlir.constant"),
        ("sum", "mlir.constant"),
        ("product", "mul"),
        ("difference", "sub"),
        ("late", "mlir.constant"),
    ]


def test_what_is_erased_leaves_no_value():
    one = module()
    with without_debug_ops(one):
        fast.erase(op_named(one, "llvm.sub"))
        fast.erase(op_named(one, "llvm.mul"))
    assert described(one) == [
        FIVE,
        SUM,
        ("product", "mlir.poison", "mlir.poison"),
        ("difference", "mlir.poison", "mlir.poison"),
        LATE,
    ]


def test_what_moves_down_takes_its_variable_along():
    one = module()
    with without_debug_ops(one):
        fast.move_before(op_named(one, "llvm.add"), op_named(one, "llvm.cond_br"))
    assert described(one) == [FIVE, PRODUCT, SUM, DIFFERENCE, LATE]


def test_what_moves_up_takes_its_variable_along():
    one = module()
    with without_debug_ops(one):
        fast.move_before(op_named(one, "llvm.mul"), op_named(one, "llvm.add"))
    assert described(one) == [FIVE, PRODUCT, SUM, DIFFERENCE, LATE]


def test_no_variable_has_a_value_before_it_is_there():
    one = module()
    with without_debug_ops(one):
        add = op_named(one, "llvm.add")
        fast.move_before(op_named(one, "llvm.mul"), add)
        # The product's variable stands behind the product, the addition comes after.
        fast.replace_all_uses(op_named(one, "llvm.mul").results[0], add.results[0])
    assert ("product", "add", "add") in described(one)


def test_a_constant_of_descriptions_alone_is_not_in_the_code():
    one = module()
    with without_debug_ops(one):
        assert "5 : i32" not in str(one)
        assert "2 : i32" in str(one)


def test_variables_of_a_block_that_is_gone_have_no_value():
    one = module()
    with without_debug_ops(one):
        entry, other, end = function(one).regions[0].blocks
        fast.erase(fast.terminator_of(entry))
        fast.append(entry, fast.create(BrOp, (), (), successors=(end,)))
        for op in list(fast.reversed_ops_of(other)):
            fast.erase(op)
        fast.detach_block(other)
    assert sorted(described(one)) == sorted(
        [("difference", "mlir.poison", "mlir.poison"), FIVE, SUM, PRODUCT, LATE]
    )
