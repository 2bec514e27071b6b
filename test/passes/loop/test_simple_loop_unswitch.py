"""Loops compute the same with their tests in the preheader."""

from __future__ import annotations

import pytest
from helpers.loop_kernels import differences

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

BEFORE = "function(sroa,early-cse,simplifycfg,loop(loop-rotate,licm))"


def test_random_kernels_compute_the_same():
    assert (
        differences("simple-loop-unswitch<divergent-unswitch-threshold=100>", range(5), BEFORE) >= 1
    )


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    assert (
        differences("simple-loop-unswitch<divergent-unswitch-threshold=100>", range(60, 67), BEFORE)
        > 1
    )


def test_the_number_of_unswitched_loops_is_limited():
    """Each sibling loop increases the cost of a loop, so the number of loops is not exponential in the tests."""
    tests = "".join(
        f"""
        t{k}:
          br i1 %c{k}, label %y{k}, label %t{k + 1}
        y{k}:
          store volatile i32 {k}, ptr %p, align 4
          br label %t{k + 1}
        """
        for k in range(7)
    )
    arguments = ", ".join(f"i1 %c{k}" for k in range(7))
    module = read_ll(
        f"""
        target triple = "nvptx64-nvidia-cuda"
        define ptx_kernel void @k(ptr %p, i32 %m, {arguments}) {{
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ %n, %t7 ]
          br label %t0
        {tests}
        t7:
          %n = add nuw nsw i32 %i, 1
          %d = icmp ne i32 %n, %m
          br i1 %d, label %loop, label %exit
        exit:
          ret void
        }}
        """,
        "k.ll",
    )
    for _ in range(8):
        run_pipeline(module, "simple-loop-unswitch")
    verify_module(module)
    assert 1 < sum(op.name == "llvm.freeze" for op in module.walk()) < 40
