"""Sizes beyond the machine's memory and numbers beyond all types are errors."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError

DOUBLING = "%t0 = type { i32, i32 }\n" + "".join(
    f"%t{i} = type {{ %t{i - 1}, %t{i - 1} }}\n" for i in range(1, 60)
)
TOO_LARGE = {
    "parameter": (
        "define void @f([4294967296 x i8] %b) {\n  ret void\n}\n",
        "4294967296 registers",
    ),
    "by value": (
        "define ptx_kernel void @f(ptr byval([4294967296 x i8]) %b) {\n  ret void\n}\n",
        "4294967296 registers",
    ),
    "types": (
        DOUBLING + "define void @f(ptr %p) {\n  %q = getelementptr %t59, ptr %p, i64 0, i32 1\n"
        "  store i32 0, ptr %q\n  ret void\n}\n",
        "more than 65536 parts",
    ),
    "reqntid": (
        'define ptx_kernel void @f() "nvvm.reqntid"="99999999999" {\n  ret void\n}\n',
        "between 0 and 2147483647",
    ),
    "annotation": (
        "define void @f() {\n  ret void\n}\n!nvvm.annotations = !{!0}\n"
        '!0 = !{ptr @f, !"maxntidx", i64 99999999999}\n',
        "at most 2147483647",
    ),
    "assembly": (
        f'define void @f() {{\n  call void asm "nop", "{"9" * 4301}"()\n  ret void\n}}\n',
        "constraint",
    ),
    "variable": (
        "@g = addrspace(1) global { i32, [1000000000 x i32] } "
        "{ i32 1, [1000000000 x i32] zeroinitializer }\ndefine void @f() {\n  ret void\n}\n",
        "an initial value of 4000000004 bytes",
    ),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_llvm_assembly(name: str):
    text, message = TOO_LARGE[name]
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(text, opt_level=0)
    assert "internal error" not in caught.value.message
    assert caught.value.message != "out of memory"


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @f(%a: !llvm.ptr {llvm.byval = !llvm.array<-4 x i32>})\n",
        "llvm.func @f(%a: !llvm.array<4 x void>)\n",
        "llvm.func @f(%a: i99999999999)\n",
        "llvm.func @f(%p: !llvm.ptr) {\n  %0 = llvm.getelementptr %p[4294967296] : (!llvm.ptr) -> "
        "!llvm.ptr, i8\n  llvm.return\n}\n",
    ],
)
def test_mlir(text: str):
    with pytest.raises(DiagnosticError) as caught:
        nvvm_xdsl.compile(text, opt_level=0)
    assert "internal error" not in caught.value.message
    assert caught.value.line is not None


def test_zeros_need_no_memory():
    text = "@g = addrspace(1) global [4294967296 x i8] zeroinitializer\n"
    assert "g[4294967296];" in nvvm_xdsl.compile(text, opt_level=0)


def test_a_layout_of_endless_numbers_is_ignored():
    text = f'target datalayout = "e-i64:{"9" * 4301}"\ndefine void @f() {{\n  ret void\n}}\n'
    assert ".func" in nvvm_xdsl.compile(text, opt_level=0)
