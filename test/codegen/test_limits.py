"""Sizes, alignments and pointer widths beyond PTX's limits are errors; others are kept."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError

KERNEL = "declare void @use(ptr)\ndefine ptx_kernel void @k() {{ {0} ret void }}\n"
LAYOUT = 'target datalayout = "{0}"\ntarget triple = "{1}-nvidia-cuda"\n'


def ptx_of(text: str, arch: str = "sm_90", level: int = 0) -> str:
    return nvvm_xdsl.compile(text, arch=arch, opt_level=level)


def alloca(type_: str, alignment: int = 1) -> str:
    return KERNEL.format(f"%a = alloca {type_}, align {alignment}\n  call void @use(ptr %a)\n")


def variable(space: int, type_: str, rest: str = "") -> str:
    load = f"%a = load volatile i8, ptr addrspace({space}) @g"
    return f"@g = external addrspace({space}) global {type_}{rest}\n" + KERNEL.format(load)


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        (variable(1, "[5000000000 x i8]"), ".extern .global .align 1 .b8 g[5000000000];"),
        (variable(1, "[3000000000 x i8]"), ".extern .global .align 1 .b8 g[3000000000];"),
        (
            variable(1, "{i32, [4294967296 x i32], i32}"),
            ".extern .global .align 4 .b8 g[17179869192];",
        ),
        (
            variable(1, f"[{(1 << 63) - 1} x i8]"),
            f".extern .global .align 1 .b8 g[{(1 << 63) - 1}];",
        ),
        (variable(1, "i8", ", align 8388608"), ".extern .global .align 8388608 .b8 g[1];"),
        (alloca("[3000000000 x i8]"), ".local .align 1 .b8 __local_0[3000000000];"),
        (alloca("[4294967295 x i8]"), ".local .align 1 .b8 __local_0[4294967295];"),
    ],
)
def test_sizes_are_kept(text: str, declared: str):
    assert declared in ptx_of(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            variable(1, "[4611686018427387904 x i16]"),
            "in @g: a variable of 9223372036854775808 bytes in global memory "
            "exceeds the limit of 9223372036854775807 bytes",
        ),
        (
            variable(3, "[4294967296 x i8]"),
            "in @g: a variable of 4294967296 bytes in shared memory "
            "exceeds the limit of 4294967295 bytes",
        ),
        (
            variable(4, "[1073741824 x i32]"),
            "in @g: a variable of 4294967296 bytes in const memory "
            "exceeds the limit of 4294967295 bytes",
        ),
        (
            alloca("[4294967296 x i8]"),
            "in @k: a variable of 4294967296 bytes in local memory "
            "exceeds the limit of 4294967295 bytes",
        ),
        (
            alloca("i8", 16777216),
            "in @k: the alignment 16777216 is not a power of two of at most 8388608",
        ),
        (
            variable(1, "i8", ", align 2147483648"),
            "in @g: the alignment 2147483648 is not a power of two of at most 8388608",
        ),
        (
            variable(1, "i8", ", align 4294967296"),
            "in @g: the alignment 4294967296 is not a power of two of at most 8388608",
        ),
    ],
)
def test_sizes_beyond_every_address_space_are_errors(text: str, message: str):
    with pytest.raises(DiagnosticError) as error:
        ptx_of(text)
    assert message in str(error.value)


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize(
    ("layout", "triple", "message"),
    [
        (
            "e-p:32:32:32-i64:64:64",
            "nvptx",
            "the target triple nvptx-nvidia-cuda has pointers of 32 bits, which are not "
            "supported: use nvptx64-nvidia-cuda",
        ),
        (
            "",
            "nvptx",
            "the target triple nvptx-nvidia-cuda has pointers of 32 bits, which are not "
            "supported: use nvptx64-nvidia-cuda",
        ),
        (
            "e-p:32:32:32",
            "nvptx64",
            "llvm.data_layout declares pointers of 32 bits in address space 0; "
            "only 64 bits are supported",
        ),
        (
            "e-p:24:32",
            "nvptx64",
            "llvm.data_layout declares pointers of 24 bits in address space 0; "
            "only 64 bits are supported",
        ),
        (
            "e-p3:16:16",
            "nvptx64",
            "llvm.data_layout declares pointers of 16 bits in address space 3; "
            "only 32 or 64 bits are supported",
        ),
    ],
)
def test_pointers_of_other_widths(layout: str, triple: str, message: str, level: int):
    stated = LAYOUT.format(layout, triple)
    if not layout:
        stated = stated.partition("\n")[2]
    with pytest.raises(DiagnosticError) as error:
        ptx_of(stated + KERNEL.format(""), level=level)
    assert message in str(error.value)


def test_narrow_pointers_into_one_space():
    assert ".address_size 64" in ptx_of(LAYOUT.format("e-p3:32:32", "nvptx64") + KERNEL.format(""))


def test_an_initializer_of_thousands_of_expressions():
    steps = "".join(
        f"  %{i + 1} = llvm.getelementptr %{i}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n"
        for i in range(3000)
    )
    text = (
        "llvm.mlir.global external @a() {addr_space = 1 : i32} : i32\n"
        "llvm.mlir.global external @g() {addr_space = 1 : i32} : !llvm.ptr<1> {\n"
        f"  %0 = llvm.mlir.addressof @a : !llvm.ptr<1>\n{steps}  llvm.return %3000 : !llvm.ptr<1>\n}}\n"
    )
    with pytest.raises(DiagnosticError, match="in @g: the initial value is nested too deeply"):
        ptx_of(text)
