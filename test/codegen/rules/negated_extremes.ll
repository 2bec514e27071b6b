; RUN: nvvm-cc %s -O0 -arch sm_100 -o - | filecheck %s
; RUN: nvvm-cc %s -O0 -arch sm_90 -o - | filecheck %s --check-prefix=OTHER
; RUN: nvvm-cc %s -O0 -arch sm_120 -o - | filecheck %s --check-prefix=OTHER

; ptxas drops the negation of an operand of max.s32 or min.s32 when it combines them into a three-operand
; form.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i64 @llvm.smax.i64(i64, i64)

; CHECK-LABEL: .entry k(
; CHECK: neg.s32 [[N:%r[0-9]+]], [[X:%r[0-9]+]];
; CHECK: setp.gt.s32 [[P:%p[0-9]+]], [[X]], [[N]];
; CHECK: selp.b32 [[A:%r[0-9]+]], [[X]], [[N]], [[P]];
; CHECK: max.s32 {{.*}}, [[A]],
; CHECK: setp.lt.s32 [[Q:%p[0-9]+]], [[N]], [[Y:%r[0-9]+]];
; CHECK: selp.b32 {{.*}}, [[N]], [[Y]], [[Q]];
; CHECK: max.u32
; CHECK: max.s64
; OTHER-LABEL: .entry k(
; OTHER-NOT: setp
; OTHER: max.s32
; OTHER: min.s32
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x, i32 %y, i64 %w) {
  %n = sub i32 0, %x
  %a = call i32 @llvm.smax.i32(i32 %x, i32 %n)
  %d = call i32 @llvm.smax.i32(i32 %a, i32 %y)
  %e = call i32 @llvm.smin.i32(i32 %n, i32 %y)
  %u = call i32 @llvm.umax.i32(i32 %n, i32 %y)
  %v = sub i64 0, %w
  %l = call i64 @llvm.smax.i64(i64 %v, i64 %w)
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %u, ptr addrspace(1) %p
  store volatile i64 %l, ptr addrspace(1) %p
  ret void
}
