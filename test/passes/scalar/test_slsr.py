"""The result of `slsr`: whether it changed a function, by addresses or by products."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.slsr import StraightLineStrengthReduce

BODIES = {
    "an address": (
        "%e = sext i32 %i to i64\n%a = getelementptr i32, ptr %p, i64 %e\nstore i32 1, ptr %a\n"
        "%s = add nsw i32 %i, %n\n%f = sext i32 %s to i64\n%b = getelementptr i32, ptr %p, i64 %f\nstore i32 2, ptr %b",
        True,
    ),
    "a product": (
        "%a = mul i64 %x, %y\nstore i64 %a, ptr %p\n%s = add i64 %x, 1\n%b = mul i64 %s, %y\nstore i64 %b, ptr %p", True,
    ),
    "neither": ("%a = mul i64 %x, %y\nstore i64 %a, ptr %p", False),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_result(name: str):
    body, changed = BODIES[name]
    module = read_ll(
        f"define void @f(ptr %p, i32 %i, i32 %n, i64 %x, i64 %y) {{\n{body}\nret void\n}}"
    )
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    before = str(module)
    assert StraightLineStrengthReduce().run_on_function(function, AnalysisManager()) == changed
    assert (str(module) != before) == changed
