"""The kernels of the mutation tests, and their launches."""

from __future__ import annotations

import numpy as np

from nvvm_xdsl.lab import Launch

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare float @llvm.fma.f32(float, float, float)
"""

ARITHMETIC = """\
define internal i32 @diff(i32 %a, i32 %b) noinline {
  %d = sub i32 %a, %b
  ret i32 %d
}
define ptx_kernel void @k(ptr %in, ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %i
  %a = load i32, ptr %p, align 4
  %next = getelementptr inbounds i32, ptr %p, i64 1
  %b = load i32, ptr %next, align 4
  %sub = sub i32 %a, %b
  %mul = mul i32 %sub, 5
  %and = and i32 %mul, 255
  %shl = shl i32 %a, 3
  %shr = ashr i32 %b, 4
  %or = or i32 %shl, %shr
  %div = sdiv i32 %a, 7
  %rem = srem i32 %b, 7
  %max = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %narrow = trunc i32 %a to i16
  %wide = sext i16 %narrow to i32
  %less = icmp slt i32 %a, %b
  %pick = select i1 %less, i32 %div, i32 %rem
  %called = call i32 @diff(i32 %pick, i32 %wide)
  %s0 = xor i32 %and, %or
  %s1 = add i32 %s0, %max
  %s2 = add i32 %s1, %called
  br i1 %less, label %then, label %else
then:
  %t = add i32 %s2, 1
  br label %loop
else:
  %e = mul i32 %s2, 3
  br label %loop
loop:
  %acc = phi i32 [ %t, %then ], [ %e, %else ], [ %acc2, %loop ]
  %trip = phi i32 [ 0, %then ], [ 0, %else ], [ %trip2, %loop ]
  %acc1 = mul i32 %acc, 31
  %acc2 = add i32 %acc1, %trip
  %trip2 = add nuw nsw i32 %trip, 1
  %more = icmp ult i32 %trip2, 4
  br i1 %more, label %loop, label %choose
choose:
  %k = and i32 %a, 3
  switch i32 %k, label %other [ i32 0, label %zero
                                i32 2, label %two ]
zero:
  br label %join
two:
  br label %join
other:
  br label %join
join:
  %c = phi i32 [ 100, %zero ], [ 200, %two ], [ %n, %other ]
  %r = add i32 %acc2, %c
  %q = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %r, ptr %q, align 4
  ret void
}
"""

FLOATS = """\
define ptx_kernel void @k(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %p, align 4
  %next = getelementptr inbounds float, ptr %p, i64 1
  %y = load float, ptr %next, align 4
  %mul = fmul float %x, %y
  %add = fadd float %mul, %x
  %sum = fadd float %add, %y
  %sub = fsub float %sum, %x
  %neg = fneg float %sub
  %less = fcmp olt float %x, %y
  %pick = select i1 %less, float %neg, float 7.0
  %int = sitofp i32 %tid to float
  %r = fadd float %pick, %int
  %q = getelementptr inbounds float, ptr %out, i64 %i
  store float %r, ptr %q, align 4
  ret void
}
"""

THREADS = """\
define ptx_kernel void @k(ptr %in, ptr %out, ptr %count) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @s, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %turn = sub i64 63, %i
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @s, i64 0, i64 %turn
  %w = load i32, ptr addrspace(3) %other, align 4
  %sh = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %w, i32 2, i32 31)
  %odd = trunc i32 %v to i1
  %vote = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %odd)
  %flag = zext i1 %vote to i32
  %old = atomicrmw add ptr %count, i32 %v monotonic
  %l = alloca [8 x i32], align 4
  %at = and i32 %tid, 7
  %slot = getelementptr inbounds [8 x i32], ptr %l, i32 0, i32 %at
  store i32 %sh, ptr %slot, align 4
  %back = load i32, ptr %slot, align 4
  %r = add i32 %back, %flag
  %q = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %r, ptr %q, align 4
  ret void
}
"""

GUARDED = """\
define ptx_kernel void @k(ptr %in, ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in_range = icmp ult i32 %tid, %n
  br i1 %in_range, label %work, label %done
work:
  %p = getelementptr inbounds i32, ptr %in, i64 %i
  %d = load i32, ptr %p, align 4
  %zero = icmp eq i32 %d, 0
  br i1 %zero, label %skip, label %divide
divide:
  %quotient = sdiv i32 1000, %d
  br label %skip
skip:
  %r = phi i32 [ -1, %work ], [ %quotient, %divide ]
  %q = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %r, ptr %q, align 4
  br label %done
done:
  ret void
}
"""

SOURCES = {"arithmetic": ARITHMETIC, "floats": FLOATS, "threads": THREADS, "guarded": GUARDED}


def launches(source: str) -> list[Launch]:
    rng = np.random.default_rng(3)
    integers = rng.integers(-(1 << 31), 1 << 31, 65).astype(np.int32)
    integers[:8] = (5, 5, 0, -1, 2, 3, -7, 4)
    if source == "arithmetic":
        return [Launch("k", 1, 64, (integers, np.zeros(64, np.int32), 17))]
    if source == "floats":
        floats = rng.normal(size=65).astype(np.float32) * 100
        floats[3] = np.nan
        return [Launch("k", 1, 64, (floats, np.zeros(64, np.float32)))]
    if source == "threads":
        return [Launch("k", 1, 64, (integers, np.zeros(64, np.int32), np.zeros(1, np.int32)))]
    divisors = rng.integers(-5, 6, 40).astype(np.int32)
    divisors[:3] = (0, 1, 0)
    return [Launch("k", 1, 64, (divisors, np.zeros(40, np.int32), 40))]
