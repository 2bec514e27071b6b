"""Accesses in several blocks at an address that is a constant, in code that was not optimized."""

from __future__ import annotations

import pytest

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.verify.verifier import verify_module

POINTERS = {
    "null": "%p = addrspacecast ptr addrspace(3) null to ptr",
    "sum": "%s = add i64 4096, 32\n  %p = inttoptr i64 %s to ptr",
}


def program(pointer: str) -> str:
    """Loads from the address in both branches."""
    return f"""
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {{
  {pointer}
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %then, label %else
then:
  %a = load i32, ptr %p
  br label %end
else:
  %b = load i32, ptr %p
  %negated = sub i32 0, %b
  br label %end
end:
  %r = phi i32 [ %a, %then ], [ %negated, %else ]
  store i32 %r, ptr addrspace(1) %out
  ret void
}}
"""


@pytest.mark.parametrize("pointer", POINTERS.values(), ids=POINTERS)
def test_each_block_has_the_address(pointer: str):
    selected = select(read_ll(program(pointer)), CodegenOptions.for_arch("sm_90"))
    verify_module(selected)


def test_ptx_has_the_address_in_each_branch():
    ptx = compile(program(POINTERS["sum"]), arch="sm_90", opt_level=0)
    assert ptx.count(", 4096;") == 2
    assert ptx.count("+32];") == 2
