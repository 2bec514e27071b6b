"""Aligned arrays are accessed by vectors in PTX, and kernels compute the same."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.passes.nvidia.spaces.array_alignment import array_alignment
from nvvm_xdsl.pipeline import PassManager

ALIGN = "set-global-array-alignment,set-local-array-alignment,propagate-alignment"

TEXT = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x float] undef
@table = addrspace(1) global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, i32 %i) {
  %a = alloca [8 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load <4 x i32>, ptr addrspace(1) @table, align 4
  %y = load <4 x i32>, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @table, i64 16), align 4
  store <4 x i32> %y, ptr %a, align 4
  %b = getelementptr i32, ptr %a, i64 4
  store <4 x i32> %x, ptr %b, align 4
  %j = and i32 %i, 7
  %p = getelementptr i32, ptr %a, i32 %j
  %v = load i32, ptr %p
  %s = getelementptr <4 x float>, ptr addrspace(3) @tile, i32 %t
  store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr addrspace(3) %s, align 4
  %w = load <2 x i32>, ptr addrspace(3) %s, align 4
  %w0 = extractelement <2 x i32> %w, i32 1
  %r = add i32 %v, %w0
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %o
  ret void
}
"""


@pytest.mark.parametrize(
    ("size", "alignment"), [(0, 1), (1, 1), (3, 1), (4, 4), (12, 4), (40, 8), (16, 16), (4096, 16)]
)
def test_alignment_of_an_array(size: int, alignment: int):
    assert array_alignment(size) == alignment


@needs_ptxas
def test_accesses_become_wider():
    def vectors(pipeline: str) -> int:
        module = read_ll(TEXT)
        if pipeline:
            PassManager(pipeline).run(module)
        text = nvvm_xdsl.emit(module, arch="sm_80", opt_level=0)
        assemble(text, "sm_80")
        return text.count(".v4.") + text.count(".v2.")

    assert vectors("") == 0
    assert vectors("propagate-alignment") == 0
    assert vectors(ALIGN) == 6


def test_behaviour():
    launches = [Launch("k", 1, 4, (np.zeros(4, np.int32), i)) for i in (0, 5)]
    assert_same_behaviour(read_ll(TEXT), ALIGN, launches)


@pytest.mark.parametrize("seed", range(4))
def test_random_kernels(seed: int):
    assert_same_behaviour(random_kernel(seed), ALIGN, random_launches(seed))
