; RUN: nvvm-opt %s | filecheck %s
; RUN: nvvm-cc %s -O3 -arch sm_90 -o - | filecheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"

; Each operation has its own stated rounding mode. A GPU has no dynamic mode: round to nearest is used.
; CHECK-LABEL: @rounded
; CHECK: %[[X:.*]] = llvm.call_intrinsic "llvm.nvvm.mul.rn.f"(%a, %b)
; CHECK: %[[Y:.*]] = llvm.call_intrinsic "llvm.nvvm.add.rn.f"(%[[X]], %a)
; CHECK: %[[N:.*]] = llvm.fneg %b
; CHECK: %[[Z:.*]] = llvm.call_intrinsic "llvm.nvvm.add.rp.f"(%[[Y]], %[[N]])
; CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rm.f"(%[[Z]])
; PTX-LABEL: rounded(
; PTX: mul.rn.f32
; PTX: add.rn.f32
; PTX: {{add|sub}}.rp.f32
; PTX: sqrt.rm.f32
define float @rounded(float %a, float %b) strictfp {
  %x = call float @llvm.experimental.constrained.fmul.f32(float %a, float %b, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  %y = call float @llvm.experimental.constrained.fadd.f32(float %x, float %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %z = call float @llvm.experimental.constrained.fsub.f32(float %y, float %b, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %r = call float @llvm.experimental.constrained.sqrt.f32(float %z, metadata !"round.downward", metadata !"fpexcept.ignore") strictfp
  ret float %r
}

; CHECK-LABEL: @wide
; CHECK: llvm.call_intrinsic "llvm.nvvm.div.rz.d"
; CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rm.d"
define double @wide(double %a, double %b) strictfp {
  %x = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.towardzero", metadata !"fpexcept.strict") strictfp
  %y = call double @llvm.experimental.constrained.fma.f64(double %x, double %b, double %a, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  ret double %y
}

; Contraction is allowed if a flag allows it. Conversions that round to nearest are ordinary.
; CHECK-LABEL: @permitted
; CHECK: llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
; CHECK: llvm.fptrunc %d : f64 to f32
define float @permitted(float %a, float %b, double %d) strictfp {
  %x = call contract float @llvm.experimental.constrained.fmul.f32(float %a, float %b, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  %y = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %d, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  %z = call contract float @llvm.experimental.constrained.fadd.f32(float %x, float %y, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  ret float %z
}

declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.fsub.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.fmul.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.sqrt.f32(float, metadata, metadata)
declare double @llvm.experimental.constrained.fdiv.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fma.f64(double, double, double, metadata, metadata)
declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
