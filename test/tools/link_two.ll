; Several inputs are linked in any order.
;
; RUN: nvvm-cc %s %S/Inputs/scale.ll -arch sm_80 | filecheck %s
; RUN: nvvm-cc %S/Inputs/scale.ll %s -arch sm_80 | filecheck %s
; RUN: not nvvm-cc %s %s -arch sm_80 2>&1 | filecheck %s --check-prefix=TWICE

; CHECK-DAG:  .visible .entry apply(
; CHECK-DAG:  mul.f32
; TWICE:  error: {{.*}}apply
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @scale(float)

define ptx_kernel void @apply(ptr %p) {
  %x = load float, ptr %p
  %y = call float @scale(float %x)
  store float %y, ptr %p
  ret void
}
