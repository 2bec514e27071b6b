"""Conditions of `argpromotion`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import TRIPLE, check_optimized

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.argpromotion import MOST_BLOCKS, ArgumentPromotion

CALL = "%v = call i32 @f(ptr %p, i1 %c)"
KEPT = "@f(ptr %p, i1 %c)"
PASSED = "@f(i32 %p.0.val, i1 %c)"
LOAD = "%r = load i32, ptr %p\nret i32 %r"
NEXT = "%q = getelementptr i8, ptr %p, i64 4\n"
MAYBE = "br i1 %c, label %a, label %b\na:\n%r = load i32, ptr %p\nret i32 %r\nb:\nret i32 0"
"""Loads on one of two paths."""


def program(body: str, *lines: str, argument: str = "ptr %p", before: str = "") -> str:
    """Returns a module with a function, and a kernel that calls it with a pointer or a stack slot."""
    calls = "\n".join(lines or (CALL,))
    return f"""{before}
declare void @reads() memory(read) nounwind
define internal i32 @f({argument}, i1 %c) {{
{body}
}}
define ptx_kernel void @k(ptr %p, i1 %c, i64 %i, i32 %n) {{
{calls}
store i32 %v, ptr %p
ret void
}}
"""


def passing(slot: str, argument: str = "%s", body: str = MAYBE) -> str:
    """Returns a program that passes a stack slot, or a part of it."""
    return program(body, slot, CALL.replace("%p", argument))


BY_VALUE = "ptr byval({i32, i32}) align 4 %p"
BY_VALUE_CALL = CALL.replace("ptr %p", BY_VALUE)

CASES = {
    # Uses of the argument.
    "a load": (program(LOAD), PASSED),
    "an index": (
        program("%i = zext i1 %c to i64\n%q = getelementptr i32, ptr %p, i64 %i\n" + LOAD.replace("%p", "%q")),
        KEPT,
    ),
    "two types at one offset": (
        program("%x = load float, ptr %p\n%y = fptosi float %x to i32\n%z = load i32, ptr %p\n"
                "%r = add i32 %y, %z\nret i32 %r"),
        KEPT,
    ),
    "a negative offset": (program(NEXT.replace("i64 4", "i64 -4") + LOAD.replace("%p", "%q")), KEPT),
    "overlapping loads": (
        program(NEXT + "%x = load i64, ptr %p\n%y = trunc i64 %x to i32\n%z = load i32, ptr %q\n"
                "%r = add i32 %y, %z\nret i32 %r"),
        KEPT,
    ),
    "no load": (program("ret i32 0"), KEPT),
    "no call": (program(LOAD, "%v = add i32 %n, 1"), KEPT),
    "a pointer that a function without known effects loads": (
        program("%q = load ptr, ptr %p\n" + LOAD.replace("%p", "%q")), "@f(ptr %p.0.val, i1 %c)",
    ),
    "an argument without a name": (
        program("%r = load i32, ptr %0\nret i32 %r", argument="ptr %0"), "!None", "@f(i32",
    ),
    # Writes before the load.
    "a store to other memory": (
        program("%s = alloca i32\nstore i32 1, ptr %s\n" + LOAD), PASSED,
    ),
    "a store in the block before": (
        program("store i32 1, ptr null\nbr label %a\na:\n" + LOAD, "%s = alloca i32",
                CALL.replace("%p", "%s")),
        KEPT,
    ),
    "a loop without a store": (
        passing("%s = alloca i32", body="br label %a\na:\n%r = load i32, ptr %p\n"
                "br i1 %c, label %a, label %b\nb:\nret i32 %r"),
        PASSED,
    ),
    "many blocks": (
        passing("%s = alloca i32", body="br label %b0\n" + "".join(
            f"b{n}:\nbr label %b{n + 1}\n" for n in range(MOST_BLOCKS - 1)
        ) + f"b{MOST_BLOCKS - 1}:\n{LOAD}"),
        PASSED,
    ),
    "too many blocks": (
        passing("%s = alloca i32", body="br label %b0\n" + "".join(
            f"b{n}:\nbr label %b{n + 1}\n" for n in range(MOST_BLOCKS)
        ) + f"b{MOST_BLOCKS}:\n{LOAD}"),
        KEPT,
    ),
    # Loads that may not run.
    "a load after a call that may not return": (program("call void @reads()\n" + LOAD), KEPT),
    "a slot": (passing("%s = alloca i32"), PASSED),
    "a slot and an index": (
        passing("%a = alloca [4 x i32]\n%s = getelementptr i32, ptr %a, i64 %i"), KEPT,
    ),
    "a slot of unknown size": (passing("%s = alloca i32, i32 %n"), KEPT),
    "a slot of two elements": (
        passing("%a = alloca i32, i32 2\n%s = getelementptr i32, ptr %a, i64 1"), PASSED,
    ),
    "before a slot": (passing("%a = alloca i32\n%s = getelementptr i32, ptr %a, i64 -1"), KEPT),
    "after a slot": (passing("%a = alloca i32\n%s = getelementptr i32, ptr %a, i64 1"), KEPT),
    "a slot with a smaller alignment": (passing("%s = alloca i32, align 2"), KEPT),
    "a part of a slot with a smaller alignment": (
        passing("%a = alloca [8 x i8], align 4\n%s = getelementptr i8, ptr %a, i64 2"), KEPT,
    ),
    # Copies of the callee.
    "a copy": (program(MAYBE, BY_VALUE_CALL, argument=BY_VALUE), PASSED),
    "after a copy": (
        program(MAYBE.replace("a:\n", "a:\n%q = getelementptr i8, ptr %p, i64 8\n").replace(
            "load i32, ptr %p", "load i32, ptr %q"), BY_VALUE_CALL, argument=BY_VALUE),
        "byval",
    ),
    "a copy with a smaller alignment": (
        program(MAYBE.replace("ptr %p", "ptr %p, align 8"), BY_VALUE_CALL, argument=BY_VALUE), "byval",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("argpromotion", *CASES[why])


def test_a_function_without_such_an_argument_is_unchanged():
    assert not ArgumentPromotion().run(read_ll(TRIPLE + CASES["no load"][0]), AnalysisManager())
