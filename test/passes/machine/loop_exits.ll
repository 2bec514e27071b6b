; RUN: nvvm-opt %s -t 'ptx{arch=sm_90}' | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -O0 | filecheck %s --check-prefix ASIS

; A loop as emitted by clang without rotation, with the cleanup block before the body.
; CHECK: setp.ge.s32 %p[[P:[0-9]+]]
; CHECK-NEXT: @%p[[P]] bra
; CHECK: bra.uni
; ASIS: setp.lt.s32 %p[[P:[0-9]+]]
; ASIS-NEXT: @!%p[[P]] bra
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

define ptx_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  br label %cond
cond:
  %s = phi float [ 0.0, %entry ], [ %t, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %cleanup
cleanup:
  store float %s, ptr addrspace(1) %o
  ret void
body:
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %w
  %x = load float, ptr addrspace(1) %p
  %t = fadd float %s, %x
  %next = add i32 %i, 1
  br label %cond
}
