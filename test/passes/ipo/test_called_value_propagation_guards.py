"""Conditions of `called-value-propagation`: each case is a module, and text that it has, or has not after `!`,
afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import check_optimized

from nvvm_xdsl.passes.ipo.called_value_propagation import MOST_VALUES

FUNCTIONS = """
@data = internal global i32 0
@list = internal constant [2 x ptr] [ptr @f, ptr @g]
@record = internal constant {ptr, ptr} {ptr @data, ptr @f}
@moved = internal constant [1 x ptr] [ptr getelementptr (i8, ptr @f, i64 4)]
@numbers = internal constant [2 x i64] [i64 12345, i64 12345]
@alias = alias void (), ptr @f
@alias_of_list = alias [2 x ptr], ptr @list
declare ptr @unknown()
define internal void @f() {
store i32 1, ptr @data
ret void
}
define internal void @g() {
store i32 2, ptr @data
ret void
}
define internal void @waits() convergent {
ret void
}
define internal void @once() noduplicate {
ret void
}
define weak ptr @replaceable() {
ret ptr @f
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def kernel(*lines: str, head: str = "ptx_kernel void @k(ptr %p, i1 %c, i32 %n)") -> str:
    return FUNCTIONS + f"define {head} {{\n" + "\n".join(lines) + "\nret void\n}\n"


def select(pointer: str, *lines: str) -> str:
    """Returns a kernel that calls a pointer or `f`."""
    return kernel(*lines, f"%x = select i1 %c, ptr {pointer}, ptr @f", "call void %x()")


def chain(count: int) -> str:
    return kernel(
        "%x0 = select i1 %c, ptr @f, ptr @g",
        *(f"%x{n} = select i1 %c, ptr %x{n - 1}, ptr @g" for n in range(1, count)),
        f"call void %x{count - 1}()",
    )


def load(table: str) -> tuple[str, str]:
    """Returns a pointer of a constant table, and the lines that load it."""
    return (
        "%v",
        f"%i = getelementptr [2 x ptr], ptr @{table}, i32 0, i32 %n\n%v = load ptr, ptr %i",
    )


LOOP = (
    "br label %l\nl:\n%x = phi ptr [ @f, %0 ], [ %x, %l ]\ncall void %x()\n"
    "br i1 %c, label %l, label %e\ne:"
)
BOTH = ("call void @f()", "call void @g()", "!call void %x")
ONE = ("call void @f()", "!call void %x", "!br ")
INDIRECT = ("call void %x()",)

CASES = {
    # Possible callees.
    "two functions": (select("@g"), *BOTH),
    "one function": (select("@f"), *ONE),
    "no function": (select("null"), *ONE),
    "a frozen function": (select("%y", "%y = freeze ptr @f"), *ONE),
    "a function in a loop": (kernel(LOOP), "call void @f()", "!call void %x"),
    "an alias": (select("@alias"), *INDIRECT),
    "the result of an unknown function": (select("%y", "%y = call ptr @unknown()"), *INDIRECT),
    "the result of a function that another one replaces": (
        select("%y", "%y = call ptr @replaceable()"), *INDIRECT,
    ),
    "the result of an indirect call": (select("%y", "%y = call ptr %p()"), *INDIRECT),
    "many values": (chain(MOST_VALUES - 2), *BOTH),
    "too many values": (chain(MOST_VALUES), f"call void %x{MOST_VALUES - 1}()"),
    # Tables.
    "a table": (select(*load("list")), *BOTH),
    "a table with addresses of variables": (select(*load("record")), *ONE),
    "a table with other addresses": (select(*load("moved")), *INDIRECT),
    "a table of numbers": (select(*load("numbers")), *INDIRECT),
    "an alias of a table": (select(*load("alias_of_list")), *INDIRECT),
    "too many tables": (
        FUNCTIONS + "".join(f"@t{n} = internal constant [1 x ptr] [ptr @f]\n" for n in range(8))
        + "define ptx_kernel void @k(i1 %c) {\n%s0 = getelementptr i8, ptr @t0, i64 0\n"
        + "".join(f"%s{n} = select i1 %c, ptr %s{n - 1}, ptr @t{n}\n" for n in range(1, 8))
        + "%x = load ptr, ptr %s7\ncall void %x()\nret void\n}\n",
        *INDIRECT,
    ),
    # Calls.
    "a tail call that must stay one": (
        kernel("%x = select i1 %c, ptr @f, ptr @g", "musttail call void %x()",
               head="void @k(ptr %p, i1 %c)").replace("define internal void @f()", "define void @f()"),
        "musttail call void %x()",
    ),
    "one function that synchronizes, by a different pointer in each thread": (
        kernel("%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "%d = icmp eq i32 %t, 0",
               "%x = select i1 %d, ptr @waits, ptr null", "call void %x()"),
        "call void @waits()",
    ),
    "a function that must not be copied": (select("@once"), *INDIRECT),
}  # fmt: skip

WHOLE = {
    "functions whose address is taken": (
        kernel("call void %p()", "store ptr @f, ptr %p"), "call void @f()", "!call void @waits()",
    ),
    "no kernel": (
        kernel("call void %p()", "store ptr @f, ptr %p", head="void @h(ptr %p)"), "call void %p()",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("called-value-propagation", *CASES[why])


@pytest.mark.parametrize("why", WHOLE)
def test_condition_in_a_whole_program(why: str):
    check_optimized("called-value-propagation<whole-program-visibility>", *WHOLE[why])
