; RUN: nvvm-run %s -arch sm_90 --arg 'i64[8]' --arg 7 --arg 3 --arg 1 --arg 2 --print 0 | filecheck %s
; RUN: nvvm-run %s -arch sm_90 --arg 'i64[8]' --arg 7 --arg 3 --arg 1 --arg 2 --print 0 -O0 --select | filecheck %s
; RUN: nvvm-run %s -arch sm_90 --arg 'i64[8]' --arg 7 --arg 3 --arg 1 --arg 2 --print 0 -O3 --select | filecheck %s

; Atomic operations of i128 in local memory are a load and a store of two halves. The first exchange succeeds, the
; second one does not; a sum carries into the upper half.
; CHECK: [7, 0, 1, 3, 1, 0, 2, 3]

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p, i64 %expected, i64 %low, i64 %high, i64 %i) {
  %s = alloca [4 x i128], align 16, addrspace(5)
  %q = getelementptr i128, ptr addrspace(5) %s, i64 %i
  %e = zext i64 %expected to i128
  %l = zext i64 %low to i128
  %h = zext i64 %high to i128
  %up = shl i128 %h, 64
  %n = or i128 %l, %up
  store i128 7, ptr addrspace(5) %q, align 16
  %r = cmpxchg ptr addrspace(5) %q, i128 %e, i128 %n seq_cst seq_cst, align 16
  %o = extractvalue { i128, i1 } %r, 0
  store i128 %o, ptr addrspace(1) %p, align 16
  %f = extractvalue { i128, i1 } %r, 1
  %z = zext i1 %f to i64
  %p2 = getelementptr i64, ptr addrspace(1) %p, i64 2
  store i64 %z, ptr addrspace(1) %p2, align 8
  %r2 = cmpxchg ptr addrspace(5) %q, i128 %e, i128 9 monotonic monotonic, align 16
  %o2 = extractvalue { i128, i1 } %r2, 0
  %p3 = getelementptr i64, ptr addrspace(1) %p, i64 3
  store i128 %o2, ptr addrspace(1) %p3, align 8
  %f2 = extractvalue { i128, i1 } %r2, 1
  %z2 = zext i1 %f2 to i64
  %p5 = getelementptr i64, ptr addrspace(1) %p, i64 5
  store i64 %z2, ptr addrspace(1) %p5, align 8
  %a = atomicrmw add ptr addrspace(5) %q, i128 36893488147419103231 seq_cst, align 16
  %b = atomicrmw xchg ptr addrspace(5) %q, i128 0 seq_cst, align 16
  %p6 = getelementptr i64, ptr addrspace(1) %p, i64 6
  store i128 %b, ptr addrspace(1) %p6, align 8
  ret void
}
