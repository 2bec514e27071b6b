"""`denormal_fpenv` of LLVM's main branch, which replaced two string attributes."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import FuncOp

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.function_attributes import DenormalMode, denormal_mode
from nvvm_xdsl.ir.diagnostics import DiagnosticError

IN_A_GROUP = """
define float @f(float %x, float %y) #0 {{
  %r = fadd float %x, %y
  ret float %r
}}
attributes #0 = {{ nounwind {text} memory(none) }}
"""
AT_THE_FUNCTION = """
define float @f(float %x, float %y) {text} nounwind {{
  %r = fadd float %x, %y
  ret float %r
}}
"""

IEEE = ("ieee", "ieee")
SIGN = ("preserve-sign", "preserve-sign")


def modes(source: str) -> tuple[DenormalMode, DenormalMode]:
    """The modes of f32 and of other types."""
    (func,) = [op for op in nvvm_xdsl.parse(source, format="ll").walk() if isinstance(op, FuncOp)]
    return denormal_mode(func, single=True), denormal_mode(func, single=False)


@pytest.mark.parametrize("source", [IN_A_GROUP, AT_THE_FUNCTION])
@pytest.mark.parametrize(
    ("text", "single", "others"),
    [
        ("denormal_fpenv(preservesign)", SIGN, SIGN),
        ("denormal_fpenv(float: preservesign)", SIGN, IEEE),
        ("denormal_fpenv(preservesign, float: ieee)", IEEE, SIGN),
        ("denormal_fpenv(ieee|dynamic, float: positivezero|preservesign)", ("positive-zero", "preserve-sign"), ("ieee", "dynamic")),
        ("", IEEE, IEEE),
    ],
)  # fmt: skip
def test_modes(source: str, text: str, single: tuple[str, str], others: tuple[str, str]):
    assert modes(source.format(text=text)) == (single, others)


def test_f32_is_flushed_in_code():
    source = IN_A_GROUP.format(text="denormal_fpenv(float: preservesign)")
    assert "add.ftz.f32" in nvvm_xdsl.compile(source, arch="sm_90")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("denormal_fpenv(flush)", "expected ieee, preservesign, positivezero or dynamic"),
        ("denormal_fpenv(ieee|)", "expected ieee, preservesign, positivezero or dynamic"),
        ("denormal_fpenv(ieee dynamic)", "expected '\\)'"),
        ("denormal_fpenv", "expected '\\('"),
    ],
)
def test_invalid_modes(text: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        nvvm_xdsl.parse(IN_A_GROUP.format(text=text), format="ll")
