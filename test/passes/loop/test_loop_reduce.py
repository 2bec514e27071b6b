"""Loops whose addresses are carried from iteration to iteration access what they did."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.loop_kernels import BEFORE, differences

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.base import functions_of
from nvvm_xdsl.passes.loop.loop_reduce import LoopStrengthReduce
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

EVERYTHING = "loop-reduce<no-filter-bad-formula;no-lsr-check-rp>"
BASES = "loop-reduce<base-address-strength-reduce-iv-limit=0;no-lsr-check-rp>"
WITH_COUNTERS = BEFORE + ",function(loop(indvars)),memory-space-opt,loop-simplify"


def test_random_kernels_do_what_they_did():
    assert differences(EVERYTHING, range(8), WITH_COUNTERS) > 3


@pytest.mark.slow
def test_more_random_kernels_do_what_they_did():
    assert differences(EVERYTHING, range(100, 160), WITH_COUNTERS) > 30


LOOP = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %first, i32 %last, i32 %scale, i32 %skip) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %latch ]
  {computation}
  %wanted = icmp sge i32 %i, %skip
  br i1 %wanted, label %access, label %latch
access:
  store i32 %i, ptr addrspace(1) %p, align 4
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
"""

CASES = {
    "a product that wraps where nothing is accessed": (
        """%m = mul nsw i32 %i, 536870912
  %k = add nsw i32 %m, 5
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 1, 0, 0), (-5, 1, 0, 0)],
    ),
    "a sum that is negative where nothing is accessed": (
        """%k = add nsw i32 %i, %scale
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 9, 3, 0), (-8, 6, 2, 0), (-2, 6, 2, -2), (-(2**31), -(2**31) + 4, -1, 0)],
    ),
    "a difference": (
        """%k = sub nsw i32 %scale, %i
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 9, 12, 0), (-3, 4, 20, -1)],
    ),
    "two pointers in a row": (
        """%e = sext i32 %scale to i64
  %row = getelementptr inbounds [4 x i32], ptr addrspace(1) %out, i64 %e
  %f = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %row, i64 %f
  %p = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8""",
        [(0, 9, 1, 0), (-3, 4, 2, -2)],
    ),
    "offsets that are far": (
        """%e = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e
  %p = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8388608""",
        [(0, 9, 1, 0)],
    ),
}


@pytest.mark.parametrize(
    ("case", "pipeline"),
    [*((case, EVERYTHING) for case in CASES), (list(CASES)[1], BASES)],
)
def test_guarded_accesses(case: str, pipeline: str):
    computation, launches = CASES[case]
    text = LOOP.format(computation=computation)

    def result(module, arguments: tuple[int, ...]) -> list[tuple[int, int]]:
        out = np.full(2**21 + 64, -9, np.int32)
        (out,) = run(prepare(module), Launch("k", 1, 1, (out, *arguments))).arrays
        return [(int(place), int(out[place])) for place in np.flatnonzero(out != -9)]

    module = read_ll(text, "k.ll")
    run_pipeline(module, "function(loop-simplify,loop(indvars))")
    before = [result(module, arguments) for arguments in launches]
    text = str(module)
    run_pipeline(module, pipeline)
    verify_module(module)
    assert any(before)
    assert ("lsr.iv" in str(module)) == (pipeline is EVERYTHING)
    assert str(module) != text
    assert [result(module, arguments) for arguments in launches] == before


def test_scalar_evolution_is_kept_and_right():
    computation, _ = CASES["a difference"]
    module = read_ll(LOOP.format(computation=computation), "k.ll")
    run_pipeline(module, "loop-simplify")
    (func,) = functions_of(module)
    am = AnalysisManager()
    se = am.get(ScalarEvolution, func)
    for block in func.regions[0].blocks:
        for op in block.ops:
            for value in op.results:
                se.get(value)
    assert LoopStrengthReduce(filter_bad_formula=False).run(module, am)
    assert am.get(ScalarEvolution, func) is se
    se.verify(strict=True, maps=True)
