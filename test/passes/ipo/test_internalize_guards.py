"""Conditions of `internalize`: each case is a module, and text that it has afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import TRIPLE, check_optimized

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.internalize import Internalize

SHARED = "@s = addrspace(3) global i32 undef\n"
BODY = "void @f() {\nret void\n}\n"

CASES = {
    "a function": ("internalize", f"define hidden {BODY}", "define internal void @f"),
    "a shared variable": ("internalize", SHARED, "@s = internal addrspace(3)"),
    "a shared variable if only functions are changed": (
        "internalize<functions-only>", SHARED, "@s = addrspace(3)",
    ),
    "a definition of another module": (
        "internalize", f"define available_externally {BODY}", "define available_externally void @f",
    ),
    "a function without a symbol in the object file": (
        "internalize", f"define private {BODY}", "define private void @f",
    ),
    "an alias": (
        "internalize", f"define internal {BODY}@a = alias void (), ptr @f\n", "@a = alias void ()",
    ),
    "the list of constructors": (
        "internalize",
        f"define internal {BODY}@llvm.global_ctors = appending global [1 x {{i32, ptr, ptr}}] "
        "[{i32, ptr, ptr} {i32 1, ptr @f, ptr null}]\n",
        "@llvm.global_ctors = appending",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized(*CASES[why])


def test_internal_definitions_are_unchanged():
    module = read_ll(f"{TRIPLE}define internal {BODY}")
    assert not Internalize().run(module, AnalysisManager())
