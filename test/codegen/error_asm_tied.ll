; RUN: not nvvm-cc %s -arch=sm_80 -o - 2>&1 | filecheck %s

; An operand cannot share its register with a result in memory.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %n) {
; CHECK: error_asm_tied.ll:[[# @LINE + 1]]:3: error: in @k: inline assembly: constraint '0' names no result in a register
  call void asm sideeffect "", "=*imr,0"(ptr elementtype(i32) %p, i32 %n)
  ret void
}
