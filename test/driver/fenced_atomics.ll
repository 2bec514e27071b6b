; RUN: nvvm-cc %s -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-cc %s -relaxed-atomics=0 -o /dev/null 2>&1 | filecheck %s --check-prefix QUIET --allow-empty
; RUN: nvvm-cc %s -relaxed-atomics=1 -o - 2>&1 | filecheck %s --check-prefix QUIET

; The note counts operations that clang 22 may have made of CUDA's functions: without a scope, and sequentially consistent.
; CHECK: remark: 2 atomic operations are sequentially consistent, with a fence each: if the source has CUDA's atomic functions (clang up to 22), use -relaxed-atomics=1
; QUIET-NOT: sequentially consistent
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %b = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst
  %c = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") seq_cst
  %d = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst monotonic
  %e = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}
