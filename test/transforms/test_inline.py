"""Attributes of a caller after inlining."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.llvm.function_attributes import passthrough_of, string_attribute
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

LOOP = "br label %loop\nloop:\n  br i1 %c, label %loop, label %end\nend:\n  ret void"
MODULE = """
define internal void @{name}(i1 %c) alwaysinline {theirs} {{
  {body}
}}
define ptx_kernel void @k(i1 %c) {ours} {{
  call void @{name}(i1 %c)
  ret void
}}
"""


def caller_after_inlining(ours: str, theirs: str, body: str, name: str):
    module = read_ll(MODULE.format(ours=ours, theirs=theirs, body=body, name=name))
    run_pipeline(module, "always-inline")
    kernel = symbols_of(module)["k"]
    assert not any(op.name == "llvm.call" for op in kernel.walk())
    return kernel


@pytest.mark.parametrize(
    ("theirs", "body", "name", "kept"),
    [
        ("", LOOP, "f", False),
        ("mustprogress", LOOP, "f", True),
        ("willreturn", LOOP, "f", True),
        ("", "ret void", "f", True),
        ("", LOOP, "__nv_f", True),
    ],
)
def test_inlined_loops_may_be_infinite(theirs: str, body: str, name: str, kept: bool):
    kernel = caller_after_inlining("nounwind mustprogress", theirs, body, name)
    assert ("mustprogress" in passthrough_of(kernel)) == kept
    assert "no_unwind" in kernel.properties


@pytest.mark.parametrize(
    ("theirs", "name", "kept"),
    [
        ("", "f", False),
        ('"unsafe-fp-math"="false"', "f", False),
        ('"unsafe-fp-math"="true"', "f", True),
        ("", "__nv_f", True),
    ],
)
def test_inlined_code_may_be_precise(theirs: str, name: str, kept: bool):
    ours = '"target-cpu"="sm_80" "unsafe-fp-math"="true"'
    kernel = caller_after_inlining(ours, theirs, "ret void", name)
    assert (string_attribute(kernel, "unsafe-fp-math") == "true") == kept
    assert string_attribute(kernel, "target-cpu") == "sm_80"
