; RUN: nvvm-cc %s -arch sm_90 -O0 -o - | filecheck %s
;
; A register that inline assembly wrote is split into the bytes of a vector.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: vabsdiff4.u32.u32.u32 [[R:%r[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK: mov.b32 {%rs{{[0-9]+}}, %rs{{[0-9]+}}}, [[R]];
define ptx_kernel void @k(ptr %p, <4 x i8> %a) {
  %r = call <4 x i8> asm "vabsdiff4.u32.u32.u32 $0, $1, $1, $1;", "=r,r"(<4 x i8> %a)
  %b = extractelement <4 x i8> %r, i32 3
  store i8 %b, ptr %p
  ret void
}
