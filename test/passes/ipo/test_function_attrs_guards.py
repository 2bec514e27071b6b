"""Conditions of `function-attrs`: each case is a module, and text that its function `f` has, or has not after `!`,
afterwards. `memory(A, B)` are the accesses to other memory and to that of arguments."""

from __future__ import annotations

import re

import pytest
from helpers.modules import function, parse_module
from helpers.optimized import TRIPLE
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.function_attrs import FunctionAttrs
from nvvm_xdsl.pipeline import run_pipeline

DECLARATIONS = """
@g = internal global i32 0
@c = internal constant i32 7
declare void @unknown()
declare i32 @pure(i32) memory(none) nounwind willreturn
declare void @once() noduplicate nounwind willreturn memory(none)
declare void @writes(ptr, i32) memory(argmem: write) nounwind willreturn
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.assume(i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""

EFFECTS = re.compile(
    r"#llvm\.memory_effects<other = (\w+), argMem = (\w+), inaccessibleMem = \w+, errnoMem = \w+, "
    r"targetMem0 = \w+, targetMem1 = \w+>"
)
PAIR = "{i32, i32}"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"

CASES = {
    # Returning and recursion.
    "a leaf": ("void @f() {\nret void\n}", "will_return", "norecurse", "nosync", "attributes {memory(none, none)"),
    "a call of itself": (
        "i32 @f(i32 %x) {\n%r = call i32 @f(i32 %x)\nret i32 %r\n}", "!will_return", "!norecurse",
    ),
    "a cycle with two entries": (
        "void @f(i1 %c) {\nbr i1 %c, label %a, label %b\na:\nbr label %b\nb:\nbr label %a\n}",
        "!will_return",
    ),
    "a call of an unknown function": (
        "void @f() {\ncall void @unknown()\nret void\n}",
        "!will_return", "!norecurse", "!nosync", "!memory",
    ),
    "a call through a pointer": ("void @f(ptr %p) {\ncall void %p()\nret void\n}", "!norecurse"),
    "a function without a body": ("declare void @f()", "!norecurse", "!memory", "!no_unwind"),
    "a function without a body that a kernel calls": (
        "declare void @f()\ndefine ptx_kernel void @k() {\ncall void @f()\nret void\n}", "!norecurse",
    ),
    "a function that only a kernel calls": (
        "internal void @f() {\ncall void @unknown()\nret void\n}\n"
        "define ptx_kernel void @k() {\ncall void @f()\nret void\n}",
        "norecurse",
    ),
    "a function that only such a function calls": (
        "internal void @f() {\ncall void @unknown()\nret void\n}\n"
        "define internal void @h() {\ncall void @unknown()\ncall void @f()\nret void\n}\n"
        "define ptx_kernel void @k() {\ncall void @h()\nret void\n}",
        "norecurse",
    ),
    "a function that a visible function calls": (
        "internal void @f() {\ncall void @unknown()\nret void\n}\n"
        "define void @k() {\ncall void @f()\nret void\n}",
        "!norecurse",
    ),
    "a kernel": ("ptx_kernel void @f(ptr %p) {\nret void\n}", "attributes {nvvm.kernel} {", "!nocapture"),
    "a function that is not optimized": (
        "void @f(ptr %p) noinline optnone {\nret void\n}", "!will_return", "!nocapture",
    ),
    "a function that another one replaces": (
        "weak void @f(ptr %p) {\nret void\n}", "!will_return", "!nocapture",
    ),
    # Calls.
    "a call of a declared function": (
        "i32 @f(i32 %x) {\n%r = call i32 @pure(i32 %x)\nret i32 %r\n}",
        "llvm.call @pure(%x) {memory(none, none)", "will_return",
    ),
    # Memory.
    "markers and assumptions": (
        "void @f(i1 %c) {\n%s = alloca i32\ncall void @llvm.lifetime.start.p0(ptr %s)\n"
        "call void @llvm.assume(i1 %c)\nret void\n}",
        "attributes {memory(none, none)", "nosync",
    ),
    "constant memory": (
        "i32 @f() {\n%r = load i32, ptr @c\nret i32 %r\n}", "attributes {memory(none, none)",
    ),
    "an argument that points to constant memory": (
        "i32 @f(ptr noalias readonly %p) {\n%r = load i32, ptr %p\nret i32 %r\n}", "attributes {memory(none, read)",
    ),
    "a loaded pointer": (
        "void @f(ptr %p) {\n%q = load ptr, ptr %p\nstore i32 1, ptr %q\nret void\n}",
        "attributes {memory(write, read)",
    ),
    "many pointers": (
        "void @f(" + ", ".join(f"ptr %p{n}" for n in range(8)) + ", i1 %c) {\n%s0 = freeze ptr %p0\n"
        + "".join(f"%s{n} = select i1 %c, ptr %s{n - 1}, ptr %p{n}\n" for n in range(1, 8))
        + "store i32 1, ptr %s7\nret void\n}",
        "attributes {memory(write, none)",
    ),
    "a copy": (
        f"void @f(ptr byval({PAIR}) %p) {{\nstore i32 1, ptr %p\nret void\n}}",
        "attributes {memory(none, read)", "!nocapture",
    ),
    "a stored pointer": ("void @f(ptr %p) {\nstore ptr @g, ptr %p\nret void\n}", "attributes {memory(none, write)"),
    "an exchanged pointer": (
        "void @f(ptr %p) {\n%x = atomicrmw xchg ptr %p, ptr @g monotonic\nret void\n}",
        "attributes {memory(none, readwrite)",
    ),
    "a transfer": (
        "void @f(ptr %p) {\ncall void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @g, i64 4, i1 0)\nret void\n}",
        "attributes {memory(read, write)",
    ),
    "a call with an integer": (
        "void @f(ptr %p, i32 %x) {\n%y = add i32 %x, 1\ncall void @writes(ptr %p, i32 %y)\nret void\n}",
        "attributes {memory(none, write)",
    ),
    "a barrier": (f"void @f(ptr %p) {{\n{BARRIER}ret void\n}}", "!argMem = none"),
    "assembly that gets a pointer": (
        'void @f(ptr %p) {\ncall void asm "st.u32 [$0], 1;", "r,~{memory}"(ptr %p)\nret void\n}',
        "!argMem = none",
    ),
    # Recursion with pointers.
    "a recursion with its own pointer": (
        "void @f(ptr %p, i32 %x) {\nstore i32 %x, ptr %p\n%y = sub i32 %x, 1\n"
        "call void @f(ptr %p, i32 %y)\nret void\n}",
        "attributes {memory(none, write)",
    ),
    "a recursion with another pointer": (
        "void @f(ptr %p, i32 %x) {\nstore i32 %x, ptr %p\ncall void @f(ptr @g, i32 %x)\nret void\n}",
        "attributes {memory(write, write)",
    ),
    # Arguments.
    "no pointer": ("void @f(i32 noundef %x, ptr %p) {\nret void\n}", "(%x: i32 {llvm.noundef}, %p"),
    "an argument that is read": (
        "i32 @f(ptr readnone %p) {\n%r = load i32, ptr %p\nret i32 %r\n}",
        "(%p: !llvm.ptr {llvm.readnone, llvm.nocapture})",
    ),
}  # fmt: skip


def read(text: str) -> ModuleOp:
    return read_ll(
        TRIPLE + DECLARATIONS + (text if text.startswith("declare") else f"define {text}")
    )


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    text, *parts = CASES[why]
    module = read(text)
    run_pipeline(module, "function-attrs")
    module.verify()
    result = EFFECTS.sub(r"memory(\1, \2)", str(function(module, "f"))).replace(
        "memory_effects = ", ""
    )
    for part in parts:
        if part[0] == "!":
            assert part[1:] not in result
        else:
            assert part in result


@pytest.mark.parametrize(
    "text",
    [
        CASES["a leaf"][0],
        CASES["a barrier"][0],
        CASES["a call of a declared function"][0],
        CASES["a function that only a kernel calls"][0],
        CASES["an argument that is read"][0],
        CASES["a leaf"][0] + "\ndefine ptx_kernel void @k() {\ncall void @f()\nret void\n}",
        "void @f() {\ncall void @once()\nret void\n}\n"
        "define ptx_kernel void @k() {\ncall void @f()\nret void\n}",
    ],
)
def test_the_second_run_changes_nothing(text: str):
    module = read(text)
    FunctionAttrs().run(module, AnalysisManager())
    assert not FunctionAttrs().run(module, AnalysisManager())


def test_a_call_of_an_alias():
    module = parse_module("""
    llvm.func internal @g() {
      llvm.return
    }
    llvm.mlir.alias external @a : !llvm.func<void ()> {
      %0 = llvm.mlir.addressof @g : !llvm.ptr
      llvm.return %0 : !llvm.ptr
    }
    llvm.func @f() {
      llvm.call @a() : () -> ()
      llvm.return
    }""")
    run_pipeline(module, "function-attrs")
    assert "llvm.call @a() : () -> ()" in str(module)
    assert "norecurse" not in str(function(module, "f"))


def test_a_module_without_functions():
    assert not FunctionAttrs().run(ModuleOp([]), AnalysisManager())
