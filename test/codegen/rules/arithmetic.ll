; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' | filecheck %s
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80 fmad=false prec_div=false prec_sqrt=false ftz=true}' | filecheck %s --check-prefix=FAST

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @fused(
; CHECK-NOT: nvptx.mul
; CHECK: nvptx.fma rn.f32
; CHECK: nvptx.neg f32
; CHECK-NEXT: nvptx.fma rn.f32
; FAST-LABEL: @fused(
; FAST: nvptx.mul rn.ftz.f32
; FAST-NEXT: nvptx.add rn.ftz.f32
; FAST: nvptx.mul rn.ftz.f32
; FAST-NEXT: nvptx.sub rn.ftz.f32
define float @fused(float %a, float %b, float %c) {
  %x = fmul float %a, %b
  %y = fadd float %x, %c
  %z = fmul float %y, %b
  %w = fsub float %c, %z
  ret float %w
}

; Of two products the earlier one becomes part of the fma, whichever operand it is.
; CHECK-LABEL: @earlier_is_second(
; CHECK: %[[A:.*]] = nvptx.ld param.f32 [@earlier_is_second_param_0]
; CHECK: %[[B:.*]] = nvptx.ld param.f32 [@earlier_is_second_param_1]
; CHECK: %[[C:.*]] = nvptx.ld param.f32 [@earlier_is_second_param_2]
; CHECK: %[[D:.*]] = nvptx.mul f32 %[[A]], %[[C]]
; CHECK: nvptx.fma rn.f32 %[[A]], %[[B]], %[[D]]
define float @earlier_is_second(float %a, float %b, float %c) {
  %x = fmul float %a, %b
  %y = fmul float %a, %c
  %s = fadd float %y, %x
  ret float %s
}

; CHECK-LABEL: @earlier_is_first(
; CHECK: %[[A:.*]] = nvptx.ld param.f32 [@earlier_is_first_param_0]
; CHECK: %[[B:.*]] = nvptx.ld param.f32 [@earlier_is_first_param_1]
; CHECK: %[[C:.*]] = nvptx.ld param.f32 [@earlier_is_first_param_2]
; CHECK: %[[D:.*]] = nvptx.mul f32 %[[A]], %[[C]]
; CHECK: nvptx.fma rn.f32 %[[A]], %[[B]], %[[D]]
define float @earlier_is_first(float %a, float %b, float %c) {
  %x = fmul float %a, %b
  %y = fmul float %a, %c
  %s = fadd float %x, %y
  ret float %s
}

; A product with two uses is computed once.
; CHECK-LABEL: @shared(
; CHECK: nvptx.mul f32
; CHECK-NOT: fma
define float @shared(float %a, float %b, float %c) {
  %x = fmul float %a, %b
  %y = fadd float %x, %c
  %z = fadd float %x, %y
  ret float %z
}

; CHECK-LABEL: @divide(
; CHECK: nvptx.div rn.f32
; CHECK: nvptx.rcp rn.f32
; CHECK: nvptx.div approx.f32
; CHECK: nvptx.sqrt rn.f32
; CHECK: nvptx.div rn.f64
; FAST-LABEL: @divide(
; FAST: nvptx.div full.ftz.f32
; FAST: nvptx.rcp approx.ftz.f32
; FAST: nvptx.div approx.ftz.f32
; FAST: nvptx.sqrt approx.ftz.f32
; FAST: nvptx.div rn.f64
define double @divide(float %a, float %b, double %d) {
  %x = fdiv float %a, %b
  %y = fdiv float 1.0, %x
  %z = fdiv afn float %y, %b
  %s = call float @llvm.sqrt.f32(float %z)
  %t = fpext float %s to double
  %q = fdiv double %t, %d
  ret double %q
}
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: @integers(
; CHECK: nvptx.mad lo.s32
; CHECK: nvptx.mul wide.s32
; CHECK: %[[Q:.*]] = nvptx.mul wide.u32
; CHECK: nvptx.add s64 %[[Q]],
define i64 @integers(i32 %a, i32 %b, i32 %c, i64 %d) {
  %x = mul i32 %a, %b
  %y = add i32 %x, %c
  %a1 = sext i32 %y to i64
  %b1 = sext i32 %b to i64
  %p = mul i64 %a1, %b1
  %c1 = zext i32 %c to i64
  %q = mul i64 %c1, 12
  %r = add i64 %q, %d
  %s = xor i64 %p, %r
  ret i64 %s
}

; Division by a constant becomes a multiplication.
; CHECK-LABEL: @constants(
; CHECK-NOT: nvptx.div
; CHECK-NOT: nvptx.rem
; CHECK: nvptx.ret
define i32 @constants(i32 %a, i32 %b) {
  %x = udiv i32 %a, 10
  %y = srem i32 %b, 7
  %z = sdiv i32 %y, 8
  %w = add i32 %x, %z
  ret i32 %w
}

; A negated condition swaps the operands of the selection and the targets of the branch.
; CHECK-LABEL: @negated(
; CHECK: [[P:%[0-9]+]] = nvptx.setp lt.s32
; CHECK-NOT: nvptx.not
; CHECK: nvptx.selp b32 2, 1, [[P]]
; CHECK: nvptx.cbra [[P]] : !nvptx.pred, ^bb[[NO:[0-9]+]], ^bb
define i32 @negated(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %n = xor i1 %c, true
  %s = select i1 %n, i32 1, i32 2
  br i1 %n, label %yes, label %no
yes:
  ret i32 %s
no:
  ret i32 0
}

; Two halves are computed at a time.
; CHECK-LABEL: @halves(
; CHECK: nvptx.fma rn.f16x2
; CHECK: nvptx.max f16x2
; CHECK: nvptx.cvt rn.f16x2.f32
define <2 x half> @halves(<2 x half> %a, <2 x half> %b, <2 x float> %f) {
  %x = fmul <2 x half> %a, %b
  %y = fadd <2 x half> %x, %a
  %z = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %y, <2 x half> %b)
  %t = fptrunc <2 x float> %f to <2 x half>
  %u = fadd <2 x half> %z, %t
  ret <2 x half> %u
}
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>, <2 x half>)

; Unused values are not computed.
; CHECK-LABEL: @dead(
; CHECK-NEXT: nvptx.ld param.b32 [@dead_param_0]
; CHECK-NEXT: nvptx.st param.b32 [@func_retval0], %
; CHECK-NEXT: nvptx.ret
define i32 @dead(i32 %a, i32 %b) {
  %x = mul i32 %a, %b
  %y = sdiv i32 %x, %b
  ret i32 %a
}
