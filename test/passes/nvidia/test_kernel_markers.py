"""The two forms of kernel markers and launch bounds."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region

from nvvm_xdsl.passes.nvidia.kernel_markers import convert_kernel_markers

MLIR = "{nvvm.blocksareclusters, nvvm.kernel, nvvm.maxntid = array<i32: 32, 2>, nvvm.minctasm = 3 : i32"
LLVM = (
    '{passthrough = ["nosync", ["nvvm.maxntid", "32,2"], ["nvvm.minctasm", "3"], "nvvm.blocksareclusters"]}'
)  # fmt: skip
WORD = 'passthrough = ["nosync"]}'

CASES = {
    "attributes of MLIR": ("", MLIR + "}", False, ""),
    "strings of LLVM": ("ptx_kernelcc", LLVM, True, ""),
    "to attributes": ("ptx_kernelcc", LLVM, False, f"llvm.func @f() attributes {MLIR}, {WORD}"),
    "to strings": ("", f"{MLIR}, {WORD}", True, f"llvm.func ptx_kernelcc @f() attributes {LLVM}"),
    "no kernel": ("", "{no_unwind}", False, ""),
    "another calling convention": (
        "fastcc", "{nvvm.kernel, no_unwind}", True, "llvm.func fastcc @f() attributes {no_unwind}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_conversion(why: str):
    convention, given, strings, expected = CASES[why]
    module = parse_module(
        "llvm.mlir.global internal @v() : i32\n"
        f"llvm.func {convention} @f() attributes {given} {{ llvm.return }}"
    )
    before = str(function(module, "f"))
    assert convert_kernel_markers(module, strings=strings) == bool(expected)
    assert str(function(module, "f")).startswith(expected or before)


def test_an_empty_module():
    assert not convert_kernel_markers(ModuleOp(Region()))
