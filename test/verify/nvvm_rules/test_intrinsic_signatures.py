"""Calls of LLVM's intrinsics without an op have the number of operands that LLVM defines."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("%y = call i32 @llvm.objectsize.i32.p0()", "takes 2 to 4 arguments, not 0"),
        ("%y = call float @llvm.canonicalize.f32(float 1.0, float 1.0)", "takes 1 arguments, not 2"),
        ("%y = call float @llvm.maximumnum.f32(float 1.0)", "takes 2 arguments, not 1"),
        ("call void @llvm.canonicalize.f32(float 1.0)", "yields a value"),
    ],
)  # fmt: skip
def test_wrong_numbers_of_arguments_are_errors(call: str, message: str):
    text = f"define ptx_kernel void @k(ptr %p) {{\n  {call}\n  ret void\n}}\n"
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(text)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "call",
    ["llvm.canonicalize.f32(float 1.0)", "llvm.maximumnum.f32(float 1.0, float 2.0)"],
)
def test_right_numbers_of_arguments_are_accepted(call: str):
    text = f"define ptx_kernel void @k(ptr %p) {{\n  %y = call float @{call}\n  store float %y, ptr %p\n  ret void\n}}\n"
    assert "st.global" in nvvm_xdsl.compile(text)
