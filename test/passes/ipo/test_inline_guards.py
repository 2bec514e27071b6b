"""Conditions of `inline`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

from itertools import pairwise

import pytest
from helpers.modules import parse_module
from helpers.optimized import check_optimized, optimized

from nvvm_xdsl.pipeline import run_pipeline

SMALL = "threshold=20;hint-threshold=30;cold-threshold=4;local-bonus=300;last-call-bonus=900"
"""Small limits for the tests."""


def ops(count: int) -> str:
    """Returns a chain of this many multiplications, of which the last is %r."""
    names = ["x", *(f"r{i}" for i in range(1, count)), "r"]
    return "\n".join(f"%{new} = mul i32 %{old}, %x" for old, new in pairwise(names))


def function(name: str, body: str, attributes: str = "", linkage: str = "internal") -> str:
    return f"define {linkage} i32 @{name}(i32 %x) {attributes} {{\n{body}\nret i32 %r\n}}\n"


SPLIT = "%c = icmp eq i32 %x, 7\nbr i1 %c, label %a, label %b\na:\nbr label %b\nb:\n"
"""Splits the function into several blocks, so that it gets no bonus."""


def kernel(*lines: str, attributes: str = "") -> str:
    return (
        f"define ptx_kernel void @k(ptr %p, i32 %n) {attributes} {{\n"
        + "\n".join(lines)
        + "\nret void\n}\n"
    )


def call(name: str, number: int = 0, argument: str = "%n", attributes: str = "") -> str:
    return (
        f"%v{number} = call i32 @{name}(i32 {argument}) {attributes}\nstore i32 %v{number}, ptr %p"
    )


FTZ = '"denormal-fp-math-f32"="preserve-sign"'
FADD = "%w = bitcast i32 %x to float\n%v = fadd float %w, %w\n%r = bitcast float %v to i32"
APPLY = "define internal i32 @apply(ptr %f, i32 %x) {\n%r = call i32 %f(i32 %x)\nret i32 %r\n}\n"
TWICE = kernel(call("f"), call("f", 1))
LARGE = SPLIT + ops(60)
"""Is inlined with a bonus only."""
BRANCH = (
    "%z = icmp eq i32 %x, 0\nbr i1 %z, label %s, label %l\nl:\n"
    + LARGE.replace("%c", "%d")
    + "\nret i32 %r\ns:\n%t = add i32 %x, 1\nret i32 %t\n"
)
"""Costs little if %x is 0."""

CASES = {
    # Calls that are inlined, or not.
    "a small function": (function("f", ops(2)) + TWICE, "!call"),
    "a call marked noinline": (
        function("f", ops(2)) + kernel(call("f", attributes="noinline")), "call i32 @f(",
    ),
    "a call marked alwaysinline": (
        function("f", LARGE) + kernel(call("f"), call("f", 1, attributes="alwaysinline")),
        "%v0 = call i32 @f(", "!%v1 = call",
    ),
    "a caller that is not optimized": (
        function("f", ops(2)) + kernel(call("f"), attributes="noinline optnone"), "call i32 @f(",
    ),
    "a function with a variable number of arguments": (
        "define internal i32 @f(i32 %x, ...) {\nret i32 %x\n}\n"
        + kernel("%v = call i32 (i32, ...) @f(i32 1, i32 2)", "store i32 %v, ptr %p"),
        "@f(i32 1, i32 2)",
    ),
    "a call after one that does not return": (
        "define internal i32 @f() {\nunreachable\n}\n"
        + kernel("%a = call i32 @f()", "store i32 %a, ptr %p", "%b = call i32 @f()"),
        "unreachable", "!call",
    ),
    "a large stack slot and a caller that is not recursive": (
        function("f", "%s = alloca [2000 x i8]\n%q = getelementptr i8, ptr %s, i32 %x\n"
                 "store i32 1, ptr %q\n" + ops(2)) + TWICE,
        "!call i32",
    ),
    # Costs.
    "the address of a function with one call is taken": (
        function("f", LARGE) + kernel(call("f"), "store ptr @f, ptr %p"), "call i32 @f(",
    ),
    "the address of a function with one call is in a variable": (
        "@v = global ptr @f\n" + function("f", LARGE) + kernel(call("f")), "call i32 @f(",
    ),
    "a call is copied by inlining its caller": (
        # The modes of `f` and `g` differ.
        function("f", SPLIT + FADD.replace("%r =", "%u =") + "\n" + ops(60).replace("%r =", "%o =")
                 + "\n%r = add i32 %u, %o", FTZ)
        + function("g", "%r = call i32 @f(i32 %x)", linkage="")
        + kernel(call("g"), attributes=FTZ),
        "!%v0 = call i32 @g", "call i32 @f(i32 %n)",
    ),
    "a call becomes direct twice": (
        APPLY + "define internal i32 @f(i32 %x) {\n" + BRANCH + "}\n"
        + kernel("%v = call i32 @apply(ptr @f, i32 0)", "store i32 %v, ptr %p",
                 "%w = call i32 @apply(ptr @f, i32 %n)", "store i32 %w, ptr %p"),
        "call i32 @f(i32 %n)", "!i32 0)",
    ),
    "a function without callers is not simplified": (
        function("f", ops(2)) + function("g", "%y = call i32 @f(i32 %x)\n%r = xor i32 %y, %y",
                                         linkage=""),
        "!call", "xor",
    ),
    "a kernel is not simplified": (
        function("f", ops(2)) + kernel(call("f"), "%y = xor i32 %n, %n", "store i32 %y, ptr %p"),
        "!call", "xor",
    ),
    # Modes of denormals.
    "other modes and a load of a float": (
        function("f", "%q = inttoptr i32 %x to ptr\n%v = load float, ptr %q\n"
                 "%r = bitcast float %v to i32", FTZ) + TWICE,
        "!call",
    ),
    "other modes and an intrinsic on floats": (
        "declare float @llvm.sqrt.f32(float)\n"
        + function("f", FADD.replace("fadd float %w, %w", "call float @llvm.sqrt.f32(float %w)"), FTZ)
        + TWICE,
        "call i32 @f(",
    ),
    "other modes and an NVVM intrinsic on floats": (
        "declare float @llvm.nvvm.sqrt.f(float)\n"
        + function("f", FADD.replace("fadd float %w, %w", "call float @llvm.nvvm.sqrt.f(float %w)"), FTZ)
        + TWICE,
        "call i32 @f(",
    ),
    "other modes and an intrinsic on integers": (
        "declare i32 @llvm.umin.i32(i32, i32)\n"
        + function("f", "%r = call i32 @llvm.umin.i32(i32 %x, i32 3)",
                   '"denormal-fp-math"="preserve-sign"') + TWICE,
        "!call i32 @f(",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    text, *parts = CASES[why]
    check_optimized(f"inline<{SMALL}>", text, *parts)


LOCAL = (
    "define internal i32 @f(ptr %s, i32 %x) {\n" + SPLIT + ops(20) + "\nstore i32 %r, ptr %s\nret i32 %r\n}\n"
    + kernel("%s = alloca i32", "%v = call i32 @f(ptr %s, i32 %n)", "%w = call i32 @f(ptr %s, i32 %v)",
             "store i32 %w, ptr %p")
)  # fmt: skip
CASTS = "\n".join(f"%i{n} = bitcast i32 %x to float" for n in range(100))

LIMITS = {
    # Two calls of a function with four ops, of which the first is inlined.
    "all copied ops": (
        "inline<total-limit=5>", function("f", ops(3)) + TWICE, "!%v0 = call", "%v1 = call i32 @f(",
    ),
    # Costs of 5 ops of the callee and of 2 of the caller.
    "the cost of the caller": (
        "inline<caller-limit=35>", function("f", ops(5)) + kernel(call("f")), "!call",
    ),
    "more than the cost of the caller": (
        "inline<caller-limit=34>", function("f", ops(5)) + kernel(call("f")), "call i32 @f(",
    ),
    "free ops": (
        "inline<caller-limit=35>", function("f", CASTS + "\n" + ops(5)) + kernel(call("f")), "!call",
    ),
    "a stack slot": (f"inline<{SMALL}>", LOCAL, "!call"),
    "a stack slot and no threshold": (
        f"inline<{SMALL.replace('threshold=20', 'threshold=0', 1)}>", LOCAL, "call i32 @f(",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", LIMITS)
def test_limit(why: str):
    check_optimized(*LIMITS[why])


def test_functions_whose_bodies_have_come_to_call_them():
    """`g` calls `h` when `apply` was inlined, `h` calls itself when `g` was, and `k` inlines `h` once."""
    text = (
        APPLY + function("g", "%r = call i32 @apply(ptr @h, i32 %x)")
        + function("h", FADD.replace("%r =", "%u =") + "\n%r = call i32 @g(i32 %u)", FTZ)
        + kernel(call("h"), attributes=FTZ)
    )  # fmt: skip
    result = optimized(text, f"inline<{SMALL}>")
    assert result.count("call i32 @h(i32 %u)") == 2
    assert result.count("fadd") == 2


def test_a_direct_call_of_an_alias():
    module = parse_module("""
    llvm.func internal @f(%x: i32) -> i32 {
      llvm.return %x : i32
    }
    llvm.mlir.alias external @g : !llvm.func<i32 (i32)> {
      %0 = llvm.mlir.addressof @f : !llvm.ptr
      llvm.return %0 : !llvm.ptr
    }
    llvm.func @k(%x: i32) -> i32 {
      %y = llvm.call @g(%x) : (i32) -> i32
      llvm.return %y : i32
    }""")
    run_pipeline(module, "inline")
    assert "llvm.call @g(" in str(module)
