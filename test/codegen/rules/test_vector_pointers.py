"""Addresses of the elements of vectors of pointers."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

KERNEL = """
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i64 %m) {
  %one = insertelement <2 x i32> poison, i32 %n, i32 0
  %two = insertelement <2 x i32> %one, i32 3, i32 1
  %q = getelementptr i32, ptr addrspace(1) %p, <2 x i32> %two
  %r = getelementptr { i32, [4 x i32] }, <2 x ptr addrspace(1)> %q, i64 %m, i32 1, <2 x i64> <i64 0, i64 2>
  %g = addrspacecast <2 x ptr addrspace(1)> %r to <2 x ptr>
  %a = extractelement <2 x ptr> %g, i32 0
  %b = extractelement <2 x ptr> %g, i32 1
  store i32 7, ptr %a
  store i32 9, ptr %b
  ret void
}
"""


@pytest.mark.parametrize(("n", "m"), [(0, 0), (5, 1), (-2, 2)])
def test_elements_have_the_addresses_of_scalars(n: int, m: int):
    module = select(read_ll(KERNEL), CodegenOptions.for_arch("sm_90"))
    memory = np.zeros(64, np.int32)
    launch(module, "k", 1, 1, [memory, n, m])
    wanted = np.zeros(64, np.int32)
    wanted[n + 5 * m + 1] = 7
    wanted[3 + 5 * m + 1 + 2] = 9
    assert memory.tolist() == wanted.tolist()


@pytest.mark.parametrize("level", [0, 3])
def test_ptxas_accepts_vectors_of_pointers(level: int):
    assemble(compile(KERNEL, arch="sm_90", opt_level=level), "sm_90")
