; RUN: nvvm-cc %s -arch sm_90 -O0 | filecheck %s

; The alignment of a type may exceed ptxas's limit for parameters, which is 128.
; CHECK: .func (.param .align 128 .b8 func_retval0[256]) g
; CHECK: .param .align 128 .b8 g_param_0[256]
; CHECK: .entry k(
; CHECK-NEXT: .param .align 128 .b8 k_param_0[256],
; CHECK-NEXT: .param .align 128 .b8 k_param_1[16],
; CHECK: .local .align 256 .b8 __local_0[16];
; CHECK: .param .align 128 .b8 param0[256];
; CHECK: .param .align 128 .b8 retval0[256];
target triple = "nvptx64-nvidia-cuda"

define internal <64 x i32> @g(<64 x i32> %v) noinline {
  ret <64 x i32> %v
}

define ptx_kernel void @k(<64 x i32> %v, ptr byval([4 x i32]) align 256 %b, ptr %o, i32 %i) {
  %w = call <64 x i32> @g(<64 x i32> %v)
  store <64 x i32> %w, ptr %o
  %p = getelementptr i32, ptr %b, i32 %i
  store i32 1, ptr %p
  %x = load i32, ptr %b
  store i32 %x, ptr %o
  ret void
}
