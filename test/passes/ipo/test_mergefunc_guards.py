"""Conditions of `mergefunc`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from helpers.optimized import check_optimized

from nvvm_xdsl.pipeline import run_pipeline


def function(
    name: str, body: str = "%r = mul i32 %x, %x", linkage: str = "internal", attributes: str = ""
) -> str:
    return f"define {linkage} i32 @{name}(i32 %x) {attributes} {{\n{body}\nret i32 %r\n}}\n"


def pair(*kernel: str, before: str = "", **options: str) -> str:
    """Returns a module with two equal functions, and a kernel."""
    lines = "\n".join(kernel or ("%a = call i32 @f(i32 %n)", "%b = call i32 @g(i32 %n)"))
    return (
        before + function("f", **options) + function("g", **options)
        + f"define ptx_kernel void @k(ptr %p, i32 %n) {{\n{lines}\nret void\n}}\n"
    )  # fmt: skip


CALLED = function("p", "%r = add i32 %x, 1") + function("q", "%r = add i32 %x, 2")
LARGE = "%r0 = mul i32 %x, %x\n" + "".join(f"%r{n} = mul i32 %r{n - 1}, %x\n" for n in range(1, 11)) + (
    "%r = mul i32 %r10, %x"
)  # fmt: skip
TAKEN = ("store ptr @f, ptr %p", "store ptr @g, ptr %p")
MERGED = ("@f(i32 %x)", "!@g")
KEPT = ("@f(i32 %x)", "@g(i32 %x)")

CASES = {
    "equal functions": (pair(), *MERGED),
    "calls of different functions": (
        CALLED + function("f", "%r = call i32 @p(i32 %x)") + function("g", "%r = call i32 @q(i32 %x)"),
        *KEPT,
    ),
    "their addresses are taken": (pair(*TAKEN), *KEPT),
    "their addresses are not compared": (pair(*TAKEN, attributes="unnamed_addr"), *MERGED),
    "they are in llvm.used": (
        pair(before='@llvm.used = appending global [2 x ptr] [ptr @f, ptr @g], section "llvm.metadata"\n',
             attributes="unnamed_addr"),
        *KEPT,
    ),
    "they are not optimized": (pair(attributes="noinline optnone"), *KEPT),
    "they have variable arguments": (
        pair("%a = call i32 (i32, ...) @f(i32 %n)", "%b = call i32 (i32, ...) @g(i32 %n)", body=LARGE,
             linkage="").replace("(i32 %x)", "(i32 %x, ...)"),
        "!call i32 @f",
    ),
    "an internal function stays": (
        function("f", LARGE, linkage="") + function("g", LARGE)
        + "define ptx_kernel void @k(i32 %n) {\n%a = call i32 @g(i32 %n)\nret void\n}\n",
        "define i32 @f(i32 %x)", "call i32 @g(i32 %x)", "call i32 @g(i32 %n)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("mergefunc", *CASES[why])


def test_functions_with_addresses_of_blocks():
    tagged = "llvm.func internal @{} () {{ llvm.blocktag <id = 0>\n llvm.return }}\n"
    module = parse_module(
        tagged.format("f") + tagged.format("g") + "llvm.func @k() { llvm.call @f() : () -> ()\n"
        "llvm.call @g() : () -> ()\n llvm.return }"
    )  # fmt: skip
    run_pipeline(module, "mergefunc")
    assert "llvm.call @f" in str(module)
    assert "llvm.call @g" in str(module)
