; RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: error_constrained.ll:[[# @LINE + 2]]:18: error: llvm.experimental.constrained.fadd.f16 with round.upward is not supported
define half @f(half %a, half %b) strictfp {
  %x = call half @llvm.experimental.constrained.fadd.f16(half %a, half %b, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  ret half %x
}
declare half @llvm.experimental.constrained.fadd.f16(half, half, metadata, metadata)
