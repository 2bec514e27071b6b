"""Conditions of `memcpyopt`: each case is a function and its remaining transfers."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp, i64

from nvvm_xdsl.dialects.llvm.accessors import argument_attributes, int_property
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
@other = internal addrspace(1) global [4 x i32] zeroinitializer
@table = internal addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@variable = internal addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@elsewhere = external addrspace(1) constant [4 x i32], align 4
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@zeros = internal addrspace(1) constant [4 x i32] zeroinitializer, align 4
declare i32 @g(ptr)
declare ptr @m(i64)
define i32 @f(ptr noalias %p, ptr noalias %q, ptr noalias %r, ptr %s, ptr %t, i64 %i) {{
  {body}
}}
"""

SHORT = {
    "llvm.intr.memcpy": "copy",
    "llvm.intr.memmove": "move",
    "llvm.intr.memset": "fill",
    "llvm.alloca": "variable",
}


def optimized(body: str) -> ModuleOp:
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "memcpyopt")
    module.verify()
    return module


def kept(body: str) -> list[str]:
    """Returns the remaining transfers and local variables."""
    return [SHORT[op.name] for op in optimized(body).walk() if op.name in SHORT]


def copy(target: str, source: str, size: str = "8", volatile: str = "false") -> str:
    return (
        f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 {volatile})\n"
    )


def move(target: str, source: str, size: str = "8", volatile: str = "false") -> str:
    return copy(target, source, size, volatile).replace("memcpy", "memmove")


def fill(target: str, size: str = "8", volatile: str = "false") -> str:
    return f"call void @llvm.memset.p0.i64(ptr {target}, i8 1, i64 {size}, i1 {volatile})\n"


ONE = {
    "a copy to its source": (copy("%p", "%p"), []),
    "not if it is volatile": (copy("%p", "%p", "8", "true"), ["copy"]),
    "a copy of no bytes": (copy("%p", "%q", "0"), []),
    "a copy of one byte": (copy("%p", "%q", "1"), ["copy"]),
    "a move between different objects": (move("%p", "%q"), ["copy"]),
    "not if they may overlap": (move("%s", "%t"), ["move"]),
    "not if its length is unknown": (move("%p", "%q", "%i"), ["move"]),
}


@pytest.mark.parametrize("why", ONE)
def test_one_transfer(why: str):
    body, left = ONE[why]
    assert kept(f"{body}ret i32 0") == left


COPY_OF_A_FILL = {
    "a copy of a fill": (fill("%q"), copy("%p", "%q"), ["fill", "fill"]),
    "not if the fill is shorter": (fill("%q", "4"), copy("%p", "%q"), ["fill", "copy"]),
    "not if the length of the fill is unknown": (fill("%q", "%i"), copy("%p", "%q"), ["fill", "copy"]),
    "not if the length of the copy is unknown": (fill("%q"), copy("%p", "%q", "%i"), ["fill", "copy"]),
    "not if the fill is volatile": (fill("%q", "8", "true"), copy("%p", "%q"), ["fill", "copy"]),
    "not if the copy is volatile": (fill("%q"), copy("%p", "%q", "8", "true"), ["fill", "copy"]),
    "not if it is a store": ("store i64 1, ptr %q\n", copy("%p", "%q"), ["copy"]),
    "not if another part is filled": (
        "%x = getelementptr i8, ptr %q, i64 4\n" + fill("%x"), copy("%p", "%q"), ["fill", "copy"],
    ),
    "not if it is stored to in between": (
        fill("%q") + "store i8 2, ptr %q\n", copy("%p", "%q"), ["fill", "copy"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", COPY_OF_A_FILL)
def test_a_copy_of_a_fill(why: str):
    first, second, left = COPY_OF_A_FILL[why]
    assert kept(f"{first}{second}ret i32 0") == left


def sources(body: str) -> list[str | None]:
    """Returns the names of the sources of the remaining copies."""
    return [
        op.operands[1].name_hint
        for op in optimized(f"{body}ret i32 0").walk()
        if op.name in ("llvm.intr.memcpy", "llvm.intr.memmove")
    ]


COPY_OF_A_COPY = {
    "a copy of a copy": (copy("%q", "%r") + copy("%p", "%q"), ["r", "r"]),
    "not if the first is volatile": (copy("%q", "%r", "8", "true") + copy("%p", "%q"), ["r", "q"]),
    "not if the source has changed": (
        copy("%q", "%r") + "store i8 2, ptr %r\n" + copy("%p", "%q"), ["r", "q"],
    ),
    "back to its source": (copy("%q", "%r") + copy("%r", "%q"), ["r"]),
}  # fmt: skip


@pytest.mark.parametrize("why", COPY_OF_A_COPY)
def test_a_copy_of_a_copy(why: str):
    body, left = COPY_OF_A_COPY[why]
    assert sources(body) == left


@pytest.mark.parametrize(("first", "second"), [(8, 0), (0, 8), (8, 4), (4, 8)])
def test_the_source_has_the_alignment_of_the_first_copy(first: int, second: int):
    """The second copy only states the alignment of its target and of the intermediate location."""
    texts = [
        text.replace("ptr %", f"ptr align {alignment} %") if alignment else text
        for text, alignment in ((copy("%q", "%r"), first), (copy("%p", "%q"), second))
    ]
    copies = [op for op in optimized(f"{''.join(texts)}ret i32 0").walk() if op.name in SHORT]
    stated = [argument_attributes(copies[1], index).get("llvm.align") for index in range(2)]
    assert stated == [int_attr(a, i64) if a else None for a in (second, first)]


TABLE = """%x = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p1.i64(ptr %x, ptr addrspace(1) @table, i64 16, i1 false)
  ; here
  %e = getelementptr i32, ptr %x, i64 %i
  %v = load i32, ptr %e, align 4
  ret i32 %v"""
PART = "getelementptr (i8, ptr addrspace(1) @table, i64 4)"
TABLE_CHANGES = {
    "": ("", "", []),
    "not if the copy is volatile": ("i1 false", "i1 true", ["variable", "copy"]),
    "not if the table may change": ("@table", "@variable", ["variable", "copy"]),
    "a table of zeros": ("@table", "@zeros", []),
    "not if the contents of the table are unknown": ("@table", "@elsewhere", ["variable", "copy"]),
    "not if it is a part of the table": ("@table", PART, ["variable", "copy"]),
    "not if only a part is copied": ("i64 16", "i64 12", ["variable", "copy"]),
    "not if the length is unknown": ("i64 16", "i64 %i", ["variable", "copy"]),
    "not if the size of the variable is unknown": (
        "alloca [4 x i32]", "alloca [4 x i32], i64 %i", ["variable", "copy"],
    ),
    "not if it is no local variable": ("alloca [4 x i32], align 4", "call ptr @m(i64 1)", ["copy"]),
    "not if it is an argument": ("ptr %x, ptr addrspace(1)", "ptr %p, ptr addrspace(1)", ["variable", "copy"]),
    "not if it is stored to": ("; here", "store i32 1, ptr %x", ["variable", "copy"]),
    "not if it is given to a function": ("; here", "%c = call i32 @g(ptr %x)", ["variable", "copy"]),
    "not if a load is volatile": ("load i32", "load volatile i32", ["variable", "copy"]),
    "not if a vector holds addresses": (
        "; here", "%w = getelementptr i32, ptr %x, <2 x i64> <i64 0, i64 1>", ["variable", "copy"],
    ),
    "not if a part is given to a function": ("; here", "%c = call i32 @g(ptr %e1)", ["variable", "copy"]),
}  # fmt: skip


@pytest.mark.parametrize("why", TABLE_CHANGES)
def test_a_local_copy_of_a_table(why: str):
    old, new, left = TABLE_CHANGES[why]
    text = TABLE
    if "%e1" in new:
        text = text.replace("; here", "%e1 = getelementptr i32, ptr %x, i64 1\n; here")
    assert not old or old in text
    assert kept(text.replace(old, new, 1) if old else text) == left


def test_a_local_copy_of_an_argument_stays():
    text = TABLE.replace("p0.p1", "p0.p0").replace("ptr addrspace(1) @table", "ptr %p")
    assert kept(text) == ["variable", "copy"]


@pytest.mark.parametrize(("stated", "left"), [(1, 1), (4, 4), (16, 4)])
def test_a_load_of_a_table_has_the_alignment_of_both(stated: int, left: int):
    module = optimized(TABLE.replace("ptr %e, align 4", f"ptr %e, align {stated}"))
    (load,) = (op for op in module.walk() if op.name == "llvm.load")
    assert int_property(load, "alignment") == left


def test_a_table_without_a_stated_alignment_has_that_of_its_type():
    text = TEXT.format(body=TABLE).replace("i32 4], align 4", "i32 4]")
    module = read_ll(text)
    run_pipeline(module, "memcpyopt")
    (load,) = (op for op in module.walk() if op.name == "llvm.load")
    assert int_property(load, "alignment") == 4
