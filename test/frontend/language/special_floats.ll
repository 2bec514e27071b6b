; RUN: nvvm-cc %s -arch sm_90 -O0 -o - | filecheck %s
;
; The spelling of floating-point constants since LLVM 23.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: g[8] = {255, 255, 255, 127, 0, 0, 128, 255}
@g = global [2 x float] [float +nan(0x3FFFFF), float -inf]

declare float @llvm.fma.f32(float, float, float)

; CHECK: fma.rn.f32 %f{{[0-9]+}}, %f{{[0-9]+}}, 0f3C80F082, 0fFFC00000;
; CHECK: add.f32 %f{{[0-9]+}}, 0f7FA00000, 0f3FB8AA3B;
; CHECK: add.f32 %f{{[0-9]+}}, 0f7FA00000, 0f7F800000;
define ptx_kernel void @k(ptr %p, float %x) {
  %a = call float @llvm.fma.f32(float %x, float f0x3C80F082, float -qnan)
  %b = fadd <2 x float> splat (float +snan(0x200000)), <float f0x3FB8AA3B, float +inf>
  store float %a, ptr %p
  store <2 x float> %b, ptr %p
  ret void
}
