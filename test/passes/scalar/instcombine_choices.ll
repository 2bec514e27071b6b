; RUN: nvvm-opt %s -p instcombine -S | filecheck %s

; Operations on two selects with one condition, with known results on both sides.
; CHECK-LABEL: define float @sum(
; CHECK-NEXT:    %s = select i1 %c, float 1.000000e+02, float 2.000000e+02
; CHECK-NEXT:    ret float %s
define float @sum(i1 %c) {
  %a = select i1 %c, float 100.0, float 0.0
  %b = select i1 %c, float 0.0, float 200.0
  %s = fadd float %a, %b
  ret float %s
}

; CHECK-LABEL: define i32 @one_of_two(
; CHECK-NEXT:    %s = select i1 %c, i32 %x, i32 %y
; CHECK-NEXT:    ret i32 %s
define i32 @one_of_two(i1 %c, i32 %x, i32 %y) {
  %a = select i1 %c, i32 %x, i32 0
  %b = select i1 %c, i32 0, i32 %y
  %s = add i32 %a, %b
  ret i32 %s
}

; Other conditions; an unknown result on one side; a sum with -0.0 or with 0.0 of an unknown float.
; CHECK-LABEL: define i32 @other_condition(
; CHECK:         add i32
; CHECK-LABEL: define i32 @unknown(
; CHECK:         add i32
; CHECK-LABEL: define float @sign_of_zero(
; CHECK:         fadd float
define i32 @other_condition(i1 %c, i1 %d, i32 %x, i32 %y) {
  %a = select i1 %c, i32 %x, i32 0
  %b = select i1 %d, i32 0, i32 %y
  %s = add i32 %a, %b
  ret i32 %s
}
define i32 @unknown(i1 %c, i32 %x, i32 %y, i32 %z) {
  %a = select i1 %c, i32 %x, i32 0
  %b = select i1 %c, i32 %z, i32 %y
  %s = add i32 %a, %b
  ret i32 %s
}
define float @sign_of_zero(i1 %c, float %x, float %y) {
  %a = select i1 %c, float %x, float -0.0
  %b = select i1 %c, float 0.0, float %y
  %s = fadd float %a, %b
  ret float %s
}
