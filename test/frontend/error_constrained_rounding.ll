; RUN: not nvvm-opt %s 2>&1 | filecheck %s

declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)

define float @f(float %a) {
; CHECK: error_constrained_rounding.ll:[[# @LINE + 1]]:19: error: llvm.experimental.constrained.fadd.f32: unknown rounding mode 'round.upwards'
  %r = call float @llvm.experimental.constrained.fadd.f32(float %a, float 1.0, metadata !"round.upwards", metadata !"fpexcept.strict")
  ret float %r
}
