"""Reductions of random numbers over warps, before and after they become one instruction."""

from __future__ import annotations

import random

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import run_pipeline

BLOCK = 64
PIPELINE = "nvvm-reduction<arch=90>"
OPS = ["add", "and", "or", "xor", "smin", "smax", "umin", "umax"]


def kernel(op: str, seed: int, kind: str = "bfly") -> str:
    distances = [1, 2, 4, 8, 16]
    random.Random(seed).shuffle(distances)
    lines: list[str] = []
    at = "%x"
    for distance in distances:
        shuffled, combined = f"%s{distance}", f"%x{distance}"
        lines.append(
            f"{shuffled} = call i32 @llvm.nvvm.shfl.sync.{kind}.i32"
            f"(i32 -1, i32 {at}, i32 {distance}, i32 31)"
        )
        if op in ("add", "and", "or", "xor"):
            lines.append(f"{combined} = {op} i32 {at}, {shuffled}")
        else:
            lines.append(f"{combined} = call i32 @llvm.{op}.i32(i32 {shuffled}, i32 {at})")
        at = combined
    body = "\n  ".join(lines)
    return f"""
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.{kind}.i32(i32, i32, i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %t = zext i32 %tid to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %t
  %x = load i32, ptr addrspace(1) %p
  {body}
  %first = icmp eq i32 %lane, 0
  %always = icmp sge i32 %tid, 0
  br i1 {"%always" if kind == "bfly" else "%first"}, label %then, label %end
then:
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %t
  store i32 {at}, ptr addrspace(1) %o
  br label %end
end:
  ret void
}}
"""


@pytest.mark.parametrize("kind", ["bfly", "down"])
@pytest.mark.parametrize("op", OPS)
def test_reductions(op: str, kind: str):
    seed = OPS.index(op)
    module = read_ll(kernel(op, seed, kind))
    numbers = np.random.default_rng(seed).integers(-(2**31), 2**31, BLOCK).astype(np.int32)
    launch = Launch("k", block=(BLOCK, 1, 1), args=(numbers, np.zeros(BLOCK, np.int32)))
    assert_same_behaviour(module, PIPELINE, [launch])
    run_pipeline(module, PIPELINE)
    assert "nvvm.redux.sync" in str(module)
    assert "nvvm.shfl" not in str(module)
