"""Conditions of `ipsccp`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.pipeline import run_pipeline
from test.helpers.modules import parse_module
from test.helpers.optimized import check_optimized

HEADER = """
declare i32 @elsewhere()
declare void @sink(ptr)
declare void @takes(i32, ptr)
"""


KERNEL = "define ptx_kernel void @k(ptr %p, i32 %n, i1 %c) {"
LOADS = f"{KERNEL}\n%x = load i32, ptr @g\nstore i32 %x, ptr %p\nret void\n}}\n"
G = "@g = internal global i32 5\n"

CASES = {
    # Loads of a variable.
    "the initializer is loaded": (G + LOADS, "store i32 5, ptr %p", "!load"),
    "a volatile load": (
        G + LOADS.replace("load i32", "load volatile i32"), "store i32 %x, ptr %p", "!store i32 5",
    ),
    "a load of another type": (
        G + LOADS.replace("load i32", "load float").replace("i32 %x", "float %x"),
        "store float %x, ptr %p", "!float 5",
    ),
    "the address is stored": (
        f"@g = internal global ptr undef\n{KERNEL}\nstore ptr @g, ptr %p\nstore ptr @g, ptr @g\n"
        "%x = load ptr, ptr @g\nstore ptr %x, ptr %p\nret void\n}",
        "store ptr %x, ptr %p",
    ),
    "the address is the first argument of a call": (
        f"@h = internal global i32 0\n@g = internal global ptr undef\n{KERNEL}\nstore ptr @h, ptr @g\n"
        "call void @sink(ptr @g)\n%x = load ptr, ptr @g\nstore ptr %x, ptr %p\nret void\n}",
        "store ptr %x, ptr %p",
    ),
    "the address is the second argument of a call": (
        G + LOADS.replace("%x", "call void @takes(i32 1, ptr @g)\n%x", 1),
        "store i32 %x, ptr %p",
    ),
    "the address is in an initializer": (
        f"@t = global ptr @g\n{G}{LOADS}", "store i32 %x, ptr %p",
    ),
    "the variable is in llvm.used": (
        f'@llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"\n{G}{LOADS}',
        "store i32 %x, ptr %p",
    ),
    "a store in a block that depends on no scalar initializer": (
        f"@o = global i32 0\n@t = internal global ptr @o\n{G}{LOADS}"
        "define ptx_kernel void @l() {\n%x = load ptr, ptr @t\n%e = icmp eq ptr %x, null\n"
        "br i1 %e, label %a, label %b\na:\nstore i32 6, ptr @g\nret void\nb:\nret void\n}",
        "store i32 %x, ptr %p",
    ),
    # Stores to a variable.
    "an equal value whose fact is found later": (
        f"{G}define internal i32 @five() {{\nret i32 5\n}}\n"
        + LOADS.replace("%x", "%v = call i32 @five()\nstore i32 %v, ptr @g\n%x", 1),
        "store i32 5, ptr %p", "!load",
    ),
    "a value of an undefined variable": (
        "@g = internal addrspace(3) global i32 undef\n"
        + LOADS.replace("%x", "store i32 6, ptr addrspace(3) @g\n%x", 1).replace(
            "load i32, ptr @g", "load i32, ptr addrspace(3) @g"
        ),
        "store i32 6, ptr %p", "!load",
    ),
    "a store that is not executed": (
        G + LOADS.replace("ret void", "br i1 false, label %a, label %b\na:\nstore i32 6, ptr @g\n"
                          "ret void\nb:\nret void"),
        "store i32 5, ptr %p", "!load",
    ),
    # Addresses.
    "a select of equal addresses": (
        f"{G}{KERNEL}\n%x = select i1 %c, ptr @g, ptr @g\nstore i32 1, ptr %x\nret void\n}}",
        "store i32 1, ptr @g", "!select",
    ),
    "a comparison of addresses": (
        f"{G}@h = internal global i32 5\n{KERNEL}\n%x = icmp eq ptr @g, @h\n"
        "%y = zext i1 %x to i32\nstore i32 %y, ptr %p\nret void\n}",
        "icmp eq",
    ),
    # Calls.
    "a declared function": (
        f"{KERNEL}\n%x = call i32 @elsewhere()\n%y = icmp eq i32 %x, 0\n"
        "br i1 %y, label %a, label %b\na:\nstore i32 1, ptr %p\nret void\nb:\nret void\n}",
        "store i32 1, ptr %p",
    ),
    "a result whose fact is found last": (
        f"define internal i32 @f() {{\nret i32 7\n}}\n{KERNEL}\n%x = call i32 @f()\n"
        "%y = add i32 %x, 1\nstore i32 %y, ptr %p\nret void\n}",
        "store i32 8, ptr %p",
    ),
    "a function that returns undef": (
        f"define internal i32 @f() {{\nret i32 undef\n}}\n{KERNEL}\n%x = call i32 @f()\n"
        "store i32 %x, ptr %p\nret void\n}",
        "store i32 %x, ptr %p",
    ),
    "a function that is not optimized": (
        f"define internal i32 @f() noinline optnone {{\nret i32 7\n}}\n{KERNEL}\n%x = call i32 @f()\n"
        "store i32 %x, ptr %p\nret void\n}",
        "store i32 %x, ptr %p",
    ),
    "a call in a function that is not called": (
        "define internal i32 @f(i32 %x) {\nret i32 %x\n}\n"
        "define internal i32 @g() {\n%x = call i32 @f(i32 4)\nret i32 %x\n}\n"
        f"{KERNEL}\n%x = call i32 @f(i32 3)\nstore i32 %x, ptr %p\nret void\n}}",
        "store i32 3, ptr %p",
    ),
    # Rewriting.
    "a kernel that is not optimized": (
        "define ptx_kernel void @k(ptr %p) noinline optnone {\n%x = add i32 1, 2\n"
        "store i32 %x, ptr %p\nret void\n}",
        "store i32 %x, ptr %p",
    ),
    "an edge without facts": (
        f"{KERNEL}\nbr label %a\na:\n%x = add i32 1, 2\nstore i32 %x, ptr %p\nret void\n}}",
        "store i32 3, ptr %p",
    ),
    "memory effects of a function with an unused argument": (
        f"{G}define internal void @f(ptr %q, ptr %r) memory(argmem: write) {{\nstore i32 1, ptr %r\n"
        f"ret void\n}}\n{KERNEL}\ncall void @f(ptr @g, ptr %p)\nret void\n}}",
        "memory(argmem: write)", "!memory(write",
    ),
    "memory effects of other functions and calls": (
        f"{G}define internal void @f(ptr %q) {{\nstore i32 1, ptr %q\nret void\n}}\n"
        "define internal void @h(ptr %q) memory(argmem: write) {\nstore i32 1, ptr %q\nret void\n}\n"
        f"{KERNEL}\ncall void @f(ptr @g)\ncall void @h(ptr %p) memory(argmem: write)\nret void\n}}",
        "memory(argmem: write)", "!memory(write",
    ),
    "memory effects of a function with a select of equal addresses": (
        f"{G}define ptx_kernel void @k(ptr %p, i1 %c) memory(argmem: write) {{\n"
        "%x = select i1 %c, ptr @g, ptr @g\n%y = icmp eq ptr %x, %p\nstore i1 %y, ptr %p\nret void\n}",
        "memory(argmem: write)", "!select",
    ),
    "memory effects of a function with a phi of equal addresses": (
        f"{G}define ptx_kernel void @k(ptr %p, i1 %c) memory(argmem: write) {{\n"
        "br i1 %c, label %a, label %b\na:\nbr label %b\nb:\n%x = phi ptr [ @g, %0 ], [ @g, %a ]\n"
        "%y = icmp eq ptr %x, %p\nstore i1 %y, ptr %p\nret void\n}",
        "memory(argmem: write)", "!phi",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    text, *parts = CASES[why]
    check_optimized("ipsccp", HEADER + text, *parts)


def test_a_function_that_a_word_keeps_unoptimized():
    module = parse_module("""
    llvm.func @k(%p: !llvm.ptr) attributes {passthrough = ["noinline", "optnone"]} {
      %c = llvm.mlir.constant(5 : i32) : i32
      %x = llvm.add %c, %c : i32
      llvm.store %x, %p : i32, !llvm.ptr
      llvm.return
    }""")
    run_pipeline(module, "ipsccp")
    assert "llvm.add" in str(module)


def test_a_module_without_functions():
    run_pipeline(ModuleOp([]), "ipsccp")
