; RUN: nvvm-cc %s -arch sm_80 -O0 | filecheck %s
; RUN: nvvm-cc %s -arch sm_80 -O0 -prec-sqrt=0 | filecheck %s --check-prefix APPROX

; 1 divided by an approximate root is one instruction; with an exact root or another dividend it is not.
; CHECK-LABEL: .entry roots(
; CHECK: rsqrt.approx.f32
; CHECK: rsqrt.approx.ftz.f32
; CHECK: sqrt.approx.f32
; CHECK-NEXT: div.rn.f32
; CHECK: sqrt.rn.f32
; CHECK-NEXT: rcp.rn.f32
; APPROX-LABEL: .entry roots(
; APPROX: div.rn.f32
; APPROX: rsqrt.approx.f32
define ptx_kernel void @roots(ptr addrspace(1) %p, float %x) {
  %a = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %b = fdiv float 1.0, %a
  store volatile float %b, ptr addrspace(1) %p
  %c = call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
  %d = fdiv float 1.0, %c
  store volatile float %d, ptr addrspace(1) %p
  %e = call float @llvm.nvvm.sqrt.approx.f(float %b)
  %f = fdiv float 2.0, %e
  store volatile float %f, ptr addrspace(1) %p
  %g = call float @llvm.sqrt.f32(float %x)
  %h = fdiv float 1.0, %g
  store volatile float %h, ptr addrspace(1) %p
  ret void
}
