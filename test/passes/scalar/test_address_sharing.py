"""Addresses that differ by a constant: one is computed from the other."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import GEPOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module


@pytest.mark.parametrize("distance", [2**31 - 4, 2**31, -(2**31) + 4, -(2**31), -(2**31) - 4])
def test_a_distance_that_is_the_mark_of_an_operand(distance: int):
    """-2^31 among the constant indices of a getelementptr would mark an operand."""
    module = read_ll(f"""
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr %p, i64 %i) {{
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %j = add i64 %i, {distance}
  %b = getelementptr i8, ptr %p, i64 %j
  store i8 2, ptr %b
  ret void
}}
""")
    run_pipeline(module, "separate-const-offset-from-gep")
    module.verify()
    verify_module(module)
    assert sum(isinstance(op, GEPOp) for op in module.walk()) >= 2
