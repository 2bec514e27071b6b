; RUN: nvvm-cc %s -arch sm_75 -O3 -o - | filecheck %s
;
; `%=` of CUDA C++ is the same number within a text, so that a branch finds its label, and differs between
; texts.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: LOOP_[[A:[0-9]+]]: add.u32 [[X:%r[0-9]+]], [[X]], 3;
; CHECK: @p bra LOOP_[[A]];
; CHECK-NOT: LOOP_[[A]]
; CHECK: LOOP_[[B:[0-9]+]]: add.u32 [[Y:%r[0-9]+]], [[Y]], 3;
; CHECK: @p bra LOOP_[[B]];
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %a = call i32 asm sideeffect "{ .reg .pred p; LOOP_${:uid}: add.u32 $0, $0, 3; setp.lt.u32 p, $0, $1; @p bra LOOP_${:uid}; }", "=r,r,0"(i32 %n, i32 0)
  %b = call i32 asm sideeffect "{ .reg .pred p; LOOP_${:uid}: add.u32 $0, $0, 3; setp.lt.u32 p, $0, $1; @p bra LOOP_${:uid}; }", "=r,r,0"(i32 %n, i32 %a)
  store i32 %b, ptr addrspace(1) %p
  ret void
}
