; RUN: nvvm-cc %s -O0 -rdc true -arch=sm_80 -o - | filecheck %s

; A copy of another module's definition: a variable is weak, and a function is declared.

target triple = "nvptx64-nvidia-cuda"

; CHECK: .weak .global .align 4 .b8 limit[4] = {7};
@limit = available_externally addrspace(1) constant i32 7

; CHECK:     .extern .func (.param .b32 func_retval0) next(
; CHECK-NOT: add.s32
define available_externally i32 @next(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}

; CHECK-NOT: other
define available_externally i32 @other(i32 %x) {
  ret i32 %x
}

; CHECK: .entry k(
; CHECK: call.uni (retval0), next, (param0);
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr addrspace(1) @limit
  %r = call i32 @next(i32 %v)
  store i32 %r, ptr %p
  ret void
}
