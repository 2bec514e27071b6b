"""Costs of bodies in `inline_cost`: each case is a body, its cost, and optionally the argument and the parameter.

A cost of 5 is one instruction, and a call costs 25 in addition to one instruction and its arguments.
"""

from __future__ import annotations

import pytest
from helpers.optimized import TRIPLE
from xdsl.dialects.llvm import CallOp, FuncOp

from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import calls_in, symbols_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.inline_cost import Analyzer, Callee

DECLARATIONS = """
declare void @e(ptr)
declare void @h(i32, ptr)
declare void @once() noduplicate
declare float @llvm.nvvm.add.rn.f(float, float)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def analyzed(
    body: str, argument: str = "i32 %n", parameter: str = "i32 %x"
) -> tuple[Analyzer, Callee]:
    """Returns the facts about a function `f` and about a call of it."""
    module = read_ll(
        f"{TRIPLE}{DECLARATIONS}define void @f({parameter}, ptr %q) {{\n{body}\nret void\n}}\n"
        f"define void @k(i32 %n, ptr %p, i1 %b) {{\n%s = alloca [4 x i32]\n"
        f"call void @f({argument}, ptr %p)\nret void\n}}"
    )  # fmt: skip
    symbols = symbols_of(module)
    callee, caller = symbols["f"], symbols["k"]
    assert isinstance(callee, FuncOp)
    assert isinstance(caller, FuncOp)
    (call,) = calls_in(caller)
    assert type(call) is CallOp
    known = Callee.of(callee, symbols, data_layout_of(module))
    return Analyzer(call, callee, known, 1 << 40), known


SLOT = "%s = alloca [2 x i32]\n%a = getelementptr [2 x i32], ptr %s, i32 0, i32 {}\nstore i32 1, ptr %a\n"
BRANCH = "br i1 {}, label %a, label %b\na:\nstore volatile i32 1, ptr %q\nret void\nb:"
JOIN = (
    "br i1 {}, label %a, label %b\na:\nbr label %c\nb:\nbr label %c\n"
    "c:\n%i = phi i32 [ 0, %a ], [ 1, %b ]\n%z = icmp eq i32 %i, 0\nbr i1 %z, label %d, label %g\n"
    "d:\nstore volatile i32 1, ptr %q\nret void\ng:"
)
SWITCH = (
    "switch i32 %x, label %d [ i32 7, label %a\ni32 8, label %b ]\n"
    "a:\nstore volatile i32 1, ptr %q\nret void\nb:\nret void\nd:"
)
SELECT = "%s = select i1 {}, i32 {}, i32 3\n%t = mul i32 %s, %s\nstore i32 %t, ptr %q"

CASES: dict[str, tuple[str, int, *tuple[str, ...]]] = {
    "an instruction": ("%r = mul i32 %x, %x", 5),
    # Slots.
    "a slot": (SLOT.format(1), 0),
    "a slot with an unknown index": (SLOT.format("%x"), 10),
    "a slot that is loaded": ("%s = alloca i32\n%v = load i32, ptr %s", 0),
    "a slot that is loaded by a volatile load": ("%s = alloca i32\n%v = load volatile i32, ptr %s", 5),
    "a slot whose address is stored": ("%s = alloca ptr\nstore ptr %s, ptr %s", 5),
    "a slot that is the first argument of a call": ("%s = alloca i32\ncall void @e(ptr %s)", 35),
    "a slot that is the second argument of a call": (
        "%s = alloca i32\nstore i32 1, ptr %s\ncall void @h(i32 %x, ptr %s)", 45,
    ),
    "a slot of the caller": ("store i32 1, ptr %x", 0, "ptr %s", "ptr %x"),
    "memory that is no slot": ("store i32 1, ptr %x", 5, "ptr %p", "ptr %x"),
    "a copy of memory": ("store i32 1, ptr %x", 0, "ptr byval(i32) %p", "ptr byval(i32) %x"),
    # Known values.
    "a known operand": ("%r = mul i32 %x, %x", 0, "i32 3"),
    "an unknown operand of an intrinsic": (
        "%y = sitofp i32 %x to float\n%r = call float @llvm.nvvm.add.rn.f(float 1.0, float %y)", 10,
    ),
    "a known index": ("%r = getelementptr i32, ptr %q, i64 1\nstore volatile i32 1, ptr %r", 5),
    "an unknown index": ("%r = getelementptr i32, ptr %q, i32 %x\nstore volatile i32 1, ptr %r", 10),
    "a known select of a known value": (SELECT.format("%x", "2"), 5, "i1 true", "i1 %x"),
    "a known select of an unknown value": (
        "%u = load i32, ptr %q\n" + SELECT.format("%x", "%u"), 15, "i1 true", "i1 %x",
    ),
    "the other value of a known select": (
        "%u = load i32, ptr %q\n" + SELECT.format("%x", "%u"), 10, "i1 false", "i1 %x",
    ),
    "an unknown select": (SELECT.format("%x", "2"), 15, "i1 %b", "i1 %x"),
    # Branches.
    "a branch that is taken": (BRANCH.format("%x"), 5, "i1 true", "i1 %x"),
    "a branch that is not taken": (BRANCH.format("%x"), 0, "i1 false", "i1 %x"),
    "an unknown branch": (BRANCH.format("%x"), 10, "i1 %b", "i1 %x"),
    "the value of an edge that is taken": (
        "br label %a\na:\n%i = phi i32 [ 3, %0 ]\n%r = mul i32 %i, %i", 0,
    ),
    "the values of two edges": (JOIN.format("%x"), 20, "i1 %b", "i1 %x"),
    "a known switch": (SWITCH, 5, "i32 7"),
    "another known switch": (SWITCH, 0, "i32 8"),
    "the default of a known switch": (SWITCH, 0, "i32 9"),
    "an unknown switch": (SWITCH, 35),
    # Other ops.
    "a call": ("call void @e(ptr %q)", 35),
    "a transfer": ("call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %q, i64 64, i1 0)", 25),
    "assembly": ('call void asm sideeffect "nop; nop;", ""()', 10),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_cost(why: str):
    body, cost, *places = CASES[why]
    analyzer, _ = analyzed(body, *places)
    assert analyzer.cost() == cost


FACTS = {
    "a slot outside of the entry block": ("br label %a\na:\n%s = alloca i32\nstore i32 1, ptr %s", "dynamic", True),
    "a slot of unknown size": ("%s = alloca i32, i32 %x", "dynamic", True),
    "a slot of known size": ("%s = alloca i32, i32 2", "dynamic", False),
    "a direct call": ("call void @e(ptr %q)", "indirect", False),
    "an indirect call": ("call void %q()", "indirect", True),
    "a call that may be copied": ("call void @e(ptr %q)", "duplicable", True),
    "a call of a function that must not be copied": ("call void @once()", "duplicable", False),
    "a call that must not be copied": ("call void @e(ptr %q) noduplicate", "duplicable", False),
}  # fmt: skip


@pytest.mark.parametrize("why", FACTS)
def test_fact(why: str):
    body, name, value = FACTS[why]
    assert getattr(analyzed(body)[1], name) == value
