"""`ldmatrix` and `stmatrix` as intrinsics whose names end in the address space of their pointer."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, run

DECLARATIONS = """\
@s = internal addrspace(3) global [256 x i16] undef, align 16
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p0(ptr)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p0(ptr, i32)
"""

BODY = """\
  %from = getelementptr i32, ptr %in, i64 %i
  %pair = load i32, ptr %from, align 4
  %pairs = getelementptr i32, ptr addrspace(3) @s, i64 %i
  store i32 %pair, ptr addrspace(3) %pairs, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %row = and i64 %i, 7
  %offset = shl i64 %row, 4
  %at = getelementptr i8, ptr addrspace(3) @s, i64 %offset
  %generic = addrspacecast ptr addrspace(3) %at to ptr
  %turned = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.{suffix}({pointer})
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.{suffix}({pointer}, i32 %turned)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = load i32, ptr addrspace(3) %pairs, align 4
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %back, ptr %to, align 4
  ret void
"""


@pytest.mark.parametrize(
    ("suffix", "pointer"), [("p3", "ptr addrspace(3) %at"), ("p0", "ptr %generic")]
)
def test_a_matrix_is_transposed(suffix: str, pointer: str):
    matrix = np.arange(64, dtype=np.uint16).reshape(8, 8)
    out = np.zeros((8, 8), np.uint16)
    body = BODY.format(suffix=suffix, pointer=pointer)
    run(kernel("ptr %in, ptr %out", body, DECLARATIONS), [matrix, out])
    assert (out == matrix.T).all()
