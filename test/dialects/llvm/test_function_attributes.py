"""Attributes of functions; the denormal modes are LLVM's, and PTX implements them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.ir import Operation

from nvvm_xdsl import compile
from nvvm_xdsl.dialects.llvm.function_attributes import (
    DenormalMode,
    denormal_mode,
    flushes_denormals,
    has_function_attribute,
    string_attribute,
)
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""

PRESERVE = DenormalMode("preserve-sign", "preserve-sign")
POSITIVE = DenormalMode("positive-zero", "positive-zero")
IEEE = DenormalMode("ieee", "ieee")

MODES = [
    ("", IEEE, IEEE),
    ('"denormal-fp-math-f32"="preserve-sign,preserve-sign"', PRESERVE, IEEE),
    ('"denormal-fp-math-f32"="preserve-sign"', PRESERVE, IEEE),
    ('"denormal-fp-math"="preserve-sign"', PRESERVE, PRESERVE),
    ('"denormal-fp-math"="preserve-sign" "denormal-fp-math-f32"="ieee,ieee"', IEEE, PRESERVE),
    ('"denormal-fp-math-f32"="positive-zero,positive-zero"', POSITIVE, IEEE),
    (
        '"denormal-fp-math"="preserve-sign" "denormal-fp-math-f32"="positive-zero"',
        POSITIVE,
        PRESERVE,
    ),
    ('"denormal-fp-math-f32"="preserve-sign,ieee"', DenormalMode("preserve-sign", "ieee"), IEEE),
    ('"denormal-fp-math-f32"="ieee,preserve-sign"', DenormalMode("ieee", "preserve-sign"), IEEE),
    ('"denormal-fp-math-f32"=",preserve-sign"', DenormalMode("ieee", "preserve-sign"), IEEE),
    ('"denormal-fp-math-f32"="sideways" "denormal-fp-math"="preserve-sign"', PRESERVE, PRESERVE),
    ('"denormal-fp-math-f32"="dynamic,dynamic"', DenormalMode("dynamic", "dynamic"), IEEE),
]
"""Attributes, the mode of f32, the mode of the other types (Function::getDenormalMode)."""


def kernel(attributes: str) -> str:
    return f"""{HEADER}
define ptx_kernel void @k(ptr %p) {attributes} {{
  %x = load float, ptr %p
  %y = fmul float %x, 1.000000e+00
  %z = fadd float %y, %x
  store float %z, ptr %p
  ret void
}}
"""


def function(text: str) -> Operation:
    return next(op for op in read_ll(text).walk() if op.name == "llvm.func")


@pytest.mark.parametrize(("attributes", "single", "others"), MODES)
def test_denormal_mode(attributes: str, single: DenormalMode, others: DenormalMode):
    func = function(kernel(attributes))
    assert denormal_mode(func, single=True) == single
    assert denormal_mode(func, single=False) == others


@pytest.mark.parametrize(("attributes", "single", "others"), MODES)
def test_only_results_that_keep_their_sign_are_flushed(
    attributes: str, single: DenormalMode, others: DenormalMode
):
    """llc 22 prints `.ftz` for the same functions."""
    text = kernel(attributes)
    expected = single.output == "preserve-sign"
    assert flushes_denormals(function(text)) is expected
    ptx = compile(text, arch="sm_80")
    assert re.findall(r"add\.(?:rn\.)?(ftz\.)?f32", ptx) == ["ftz." if expected else ""]


@pytest.mark.parametrize("attributes", [row[0] for row in MODES])
def test_the_simulator_agrees_with_the_ptx(attributes: str):
    """The function and its machine code give the same number."""
    for number in (1e-39, -1e-39, 1.0):
        launch = Launch("k", 1, 1, (np.array([number], np.float32),))
        difference = find_difference(read_ll(kernel(attributes)), "", [launch])
        assert difference is None, difference


def test_function_attributes_are_found_in_both_importers_encodings():
    func = function(
        f'{HEADER}define void @f() noinline "a-word" "a-pair"="7" "no-nans-fp-math"="true" '
        '"target-cpu"="sm_90" { ret void }'
    )
    assert has_function_attribute(func, "no_inline")
    assert not has_function_attribute(func, "always_inline")
    assert string_attribute(func, "a-word") == ""
    assert string_attribute(func, "a-pair") == "7"
    assert string_attribute(func, "no-nans-fp-math") == "true"
    assert string_attribute(func, "no-infs-fp-math") is None
    assert string_attribute(func, "target-cpu") == "sm_90"
