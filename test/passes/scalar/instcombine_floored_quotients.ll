; Python's `%` and `//` by powers of two, as Numba writes them: a mask and a shift.
; RUN: nvvm-opt %s -p instcombine,dce -S | filecheck %s

; CHECK-LABEL: define i64 @remainder(
; CHECK-NEXT:  = and i64 %x, 31
; CHECK-NEXT:  ret i64
define i64 @remainder(i64 %x) {
  %r = srem i64 %x, 32
  %signs = xor i64 %r, 32
  %differ = icmp slt i64 %signs, 0
  %inexact = icmp ne i64 %r, 0
  %low = and i1 %inexact, %differ
  %raised = add i64 %r, 32
  %m = select i1 %low, i64 %raised, i64 %r
  ret i64 %m
}

; CHECK-LABEL: define i64 @quotient(
; CHECK-NEXT:  = ashr i64 %x, 5
; CHECK-NEXT:  ret i64
define i64 @quotient(i64 %x) {
  %q = sdiv i64 %x, 32
  %r = srem i64 %x, 32
  %signs = xor i64 %r, 32
  %differ = icmp slt i64 %signs, 0
  %inexact = icmp ne i64 %r, 0
  %low = and i1 %inexact, %differ
  %lowered = add i64 %q, -1
  %f = select i1 %low, i64 %lowered, i64 %q
  ret i64 %f
}

; The divisor is not a power of two.
; CHECK-LABEL: define i64 @of_ten(
; CHECK:       srem
; CHECK:       umin
define i64 @of_ten(i64 %x) {
  %r = srem i64 %x, 10
  %low = icmp slt i64 %r, 0
  %raised = add i64 %r, 10
  %m = select i1 %low, i64 %raised, i64 %r
  ret i64 %m
}

; A negative divisor has results of its own sign.
; CHECK-LABEL: define i64 @negative(
; CHECK:       srem
define i64 @negative(i64 %x) {
  %r = srem i64 %x, -8
  %low = icmp slt i64 %r, 0
  %raised = add i64 %r, -8
  %m = select i1 %low, i64 %raised, i64 %r
  ret i64 %m
}

; CHECK-LABEL: define i1 @sign(
; CHECK-NEXT:  = icmp slt i32 %x, 0
; CHECK-NEXT:  ret i1
define i1 @sign(i32 %x) {
  %y = xor i32 %x, 7
  %c = icmp slt i32 %y, 0
  ret i1 %c
}

; CHECK-LABEL: define i1 @other_sign(
; CHECK-NEXT:  = icmp sgt i32 %x, -1
; CHECK-NEXT:  ret i1
define i1 @other_sign(i32 %x) {
  %y = xor i32 %x, -7
  %c = icmp slt i32 %y, 0
  ret i1 %c
}

; CHECK-LABEL: define i1 @no_sign(
; CHECK-NEXT:  = icmp sgt i32 %x, -1
; CHECK-NEXT:  ret i1
define i1 @no_sign(i32 %x) {
  %y = xor i32 %x, 7
  %c = icmp sgt i32 %y, -1
  ret i1 %c
}
