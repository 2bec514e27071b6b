"""Every simplification by demanded bits, on all inputs, constants and masks of four bits."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects import llvm
from xdsl.ir import Attribute, Operation, SSAValue

import nvvm_xdsl
from nvvm_xdsl.analysis.constant_folding import fold
from nvvm_xdsl.analysis.values.demanded_bits import ALWAYS_USED, DEMAND, DemandedBits
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.types import I1, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.simplify_demanded_bits import SIMPLIFIERS, simplify_demanded

I4 = integer(4)
ALL = range(16)
AMOUNTS = list(product(range(4), repeat=2))

SHAPES: dict[str, tuple[str, list[tuple[int, ...]]]] = {
    **{
        name: (f"%r = {name} i4 %x, {{0}}", [(n,) for n in ALL])
        for name in ("and", "or", "xor", "add", "sub", "mul")
    },
    **{
        f"{outer}-of-{inner}": (f"%s = {inner} i4 %x, {{0}}\n%r = {outer} i4 %s, {{1}}", AMOUNTS)
        for outer, inner in product(("shl", "lshr", "ashr"), repeat=2)
    },
    **{
        name: (f"%r = call i4 @llvm.{name}.i4(i4 %x, i4 %y, i4 {{0}})", [(n,) for n in range(8)])
        for name in ("fshl", "fshr")
    },
    "select": ("%r = select i1 %c, i4 {0}, i4 {1}", list(product((5, 6), ALL))),
    "sext": ("%n = trunc i4 %x to i2\n%r = sext i2 %n to i4", [()]),
    "chain": ("%s = mul i4 %x, {0}\n%t = add i4 %s, 9\n%r = shl i4 %t, {1}", AMOUNTS),
}
"""An expression by name, and its constants."""

INPUTS = [(x, y, c) for x in ALL for y, c in ((6, 0), (9, 1))]


def function_of(text: str, numbers: tuple[int, ...]) -> llvm.FuncOp:
    module = nvvm_xdsl.parse(
        "declare i4 @llvm.fshl.i4(i4, i4, i4)\ndeclare i4 @llvm.fshr.i4(i4, i4, i4)\n"
        f"define i4 @f(i4 %x, i4 %y, i1 %c, i4 %mask) {{\n{text.format(*numbers)}\n"
        "%m = and i4 %r, %mask\nret i4 %m\n}\n"
    )
    (func,) = (op for op in module.walk() if isinstance(op, llvm.FuncOp) and op.body.blocks)
    return func


def results(func: llvm.FuncOp, mask: int) -> list[int]:
    """Returns the function's result for each of the inputs."""
    (block,) = func.body.blocks
    found: list[int] = []
    for x, y, c in INPUTS:
        numbers = (int_attr(x, I4), int_attr(y, I4), int_attr(c, I1), int_attr(mask, I4))
        known: dict[SSAValue, Attribute] = dict(zip(block.args, numbers))
        for op in block.ops:
            values = [known[operand] for operand in op.operands]
            if isinstance(op, llvm.ReturnOp):
                found.append(values[0].value.data % 16)
            else:
                known[op.results[0]] = computed(op, values)
    return found


def computed(op: Operation, values: list[Attribute]) -> Attribute:
    if isinstance(op, llvm.ConstantOp):
        return op.value
    if isinstance(op, llvm.SelectOp):
        return values[1] if values[0].value.data else values[2]
    result = fold(op, values)
    assert result is not None, op
    return result


@pytest.mark.parametrize("name", SHAPES)
def test_demanded_bits_are_preserved(name):
    text, choices = SHAPES[name]
    changes = 0
    for numbers in choices:
        original = function_of(text, numbers)
        for mask in ALL:
            func = original.clone()
            argument = func.body.block.args[3]
            fast.replace_all_uses(argument, Constants(func).integer(mask, I4))
            if simplify_demanded(DemandedBits(func)):
                changes += 1
                assert results(func, mask) == results(original, mask), (numbers, mask, str(func))
    assert changes > 0


def test_every_demanded_bits_simplifier_is_tested():
    named = {
        op.__class__
        for text, choices in SHAPES.values()
        for op in function_of(text, choices[0]).walk()
    }
    assert SIMPLIFIERS.keys() <= named


JOINED = """
define i8 @f(i32 %x, i1 %c) {{
  %m = and i32 %x, {mask}
  br i1 %c, label %other, label %join
other:
  br label %join
join:
  %p = phi i32 [ %m, %0 ], [ 8, %other ]
  {use}
  %t = trunc i32 %u to i8
  ret i8 %t
}}
"""


@pytest.mark.parametrize(
    ("mask", "use", "flag"),
    [
        ("255", "%u = add nsw i32 %p, 1", "overflowFlags"),
        ("-8", "%u = lshr exact i32 %p, 3", "isExact"),
    ],
)
def test_flags_of_users_of_block_arguments_are_dropped(mask: str, use: str, flag: str):
    module = nvvm_xdsl.parse(JOINED.format(mask=mask, use=use))
    (func,) = (op for op in module.walk() if isinstance(op, llvm.FuncOp))
    assert simplify_demanded(DemandedBits(func))
    (user,) = (op for op in func.walk() if op.name in ("llvm.add", "llvm.lshr"))
    assert flag not in user.properties


@pytest.mark.parametrize("name", sorted(ALWAYS_USED))
def test_operands_that_are_always_demanded(name: str):
    """All bits of these operands are demanded for any demanded bit of the result, so they are not visited
    again.
    """
    source = {"trunc": "i8", "sext": "i2"}.get(name.removeprefix("llvm."), "i4")
    cls = next(op for op in llvm.LLVM.operations if op.name == name)
    for bits in range(1, 16):
        type_ = integer(int(source[1:]))
        values = [fast.create(llvm.UndefOp, (), (type_,)).results[0] for _ in range(3)]
        op = fast.create(cls, values[: 1 if source != "i4" else 2], (I4,))
        if name == "llvm.select":
            op = fast.create(cls, values, (I4,))
        for place in range(len(op.operands)):
            assert DEMAND[name](op, bits, place), place
