"""Folds of the peephole optimizer preserve results."""

from __future__ import annotations

import numpy as np

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import PassManager

KERNEL = """target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr addrspace(1) %words) "nvvm.reqntid"="64" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %w = getelementptr i32, ptr addrspace(1) %words, i32 %t
  %inside = icmp ult i32 %t, %n
  br i1 %inside, label %work, label %done
work:
  %i = load i32, ptr addrspace(1) %w
  %slot = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %t
  %generic = addrspacecast ptr addrspace(3) %slot to ptr
  %shared = addrspacecast ptr %generic to ptr addrspace(3)
  store i32 %i, ptr addrspace(3) %shared
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, 1
  %other = sub i32 %last, %t
  %from = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %other
  %j = load i32, ptr addrspace(3) %from
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 true)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 false)
  %chosen = select i1 %all, i32 %j, i32 %warp
  %again = select i1 %any, i32 %warp, i32 %chosen
  %short = trunc i32 %again to i16
  %up = zext i16 %short to i32
  %bits = shl i32 %up, 16
  %float = bitcast i32 %bits to float
  %bf = fptrunc float %float to bfloat
  %back = bitcast bfloat %bf to i16
  %wide = zext i16 %back to i32
  store i32 %wide, ptr addrspace(1) %w
  br label %done
done:
  ret void
}"""


def test_same_results():
    # No NaN among the halves: the payload after a conversion is unspecified.
    words = np.arange(64, dtype=np.int32) * 400
    module = read_ll(KERNEL, "kernel.ll")
    folded = module.clone()
    pipeline = "nvvm-intrinsic-lowering<level=1>,nvvm-peephole-optimizer"
    PassManager(pipeline).run(folded)
    text = str(folded)
    gone = ("addrspacecast", "vote", "warpsize", "sreg.ntid", "bar.warp", "icmp", "fptrunc")
    assert [word for word in gone if word in text] == []
    assert text.count("nvvm.barrier0") == 2
    assert_same_behaviour(module, pipeline, [Launch("k", 1, 64, (words,))])
