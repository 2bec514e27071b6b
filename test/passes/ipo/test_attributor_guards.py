"""Conditions of `attributor`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import check_optimized


def program(parameter: str, argument: str, linkage: str = "internal") -> str:
    """Returns a module with a function of one argument, and a kernel that calls it."""
    return (
        "@g = internal addrspace(1) global [8 x float] undef, align 16\n"
        f"define {linkage} void @f({parameter} %x) {{\nret void\n}}\n"
        "define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {\n%m = and i32 %n, 31\n"
        f"call void @f({argument})\nret void\n}}\n"
    )


POINTER = "ptr addrspace(1)"
BY_VALUE = f"{POINTER} byval(i32) align 4"

CASES = {
    "an aligned pointer": (program(POINTER, f"{POINTER} @g"), "align 16 %x"),
    "a pointer of unknown alignment": (program(POINTER, f"{POINTER} %p"), f"@f({POINTER} %x)"),
    "a larger stated alignment": (
        program(f"{POINTER} align 32", f"{POINTER} @g"), "align 32 %x", "!align 16 %x",
    ),
    "a copy has the alignment of the callee": (
        program(BY_VALUE, f"{BY_VALUE} @g"), "align 4 byval(i32) %x",
    ),
    "an integer": (program("i32", "i32 %m"), "i32 range(i32 0, 32) %x"),
    "a smaller stated range": (
        program("i32 range(i32 0, 4)", "i32 %m"), "i32 range(i32 0, 4) %x",
    ),
    "a larger stated range": (
        program("i32 range(i32 0, 64)", "i32 %m"), "i32 range(i32 0, 32) %x",
    ),
    "poison": (program("i32", "i32 poison"), "@f(i32 %x)"),
    "a float": (program("float", "float 1.0"), "@f(float %x)"),
    "a function without calls": (
        program(POINTER, f"{POINTER} %p").replace("call", ";"), f"@f({POINTER} %x)",
    ),
    "a contradiction": (
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + program("i32", "i32 %t").replace(
            "%m =", "%t = call range(i32 2000, 3000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%m ="),
        "@f(i32 %x)",
    ),
    "a function without a body": (
        "declare void @f(i32)\ndefine ptx_kernel void @k() {\ncall void @f(i32 1)\nret void\n}",
        "declare void @f(i32)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("attributor", *CASES[why])
