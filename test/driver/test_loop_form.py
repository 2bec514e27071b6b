"""Loops that get the form that ptxas unrolls."""

import pytest

from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.driver.options import CompileOptions


@pytest.mark.parametrize(
    ("opt_level", "end"),
    [(0, "setp.eq.b32 %p1, %r1, 100000;"), (2, "setp.ne.b32 %p1, %r1, 100000;")],
)
def test_loops_are_rotated_only_after_the_optimizer(opt_level, end):
    source = """define ptx_kernel void @k(ptr addrspace(1) %p) {
    entry:
      br label %loop
    exit:
      ret void
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]
      %next = add i32 %i, 1
      %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
      store i32 %next, ptr addrspace(1) %q
      %c = icmp eq i32 %next, 100000
      br i1 %c, label %exit, label %loop
    }"""
    options = CompileOptions("sm_80", opt_level=opt_level, machine_level=3)
    assert end in " ".join(compile(source.encode(), options=options).split())
