; RUN: nvvm-opt %s -p instcombine --verify-each -o - | filecheck %s

; The other operand is even.
; CHECK-LABEL: llvm.func @even(
; CHECK:         [[r:%.*]] = llvm.and %x, {{.*}} : i32
; CHECK-NEXT:    llvm.return [[r]] : i32
define i32 @even(i32 %i, i32 %x) {
  %e = shl i32 %i, 1
  %s = add nsw i32 %e, %x
  %r = and i32 %s, 1
  ret i32 %r
}

; The first operand of the sum ends in 01.
; CHECK-LABEL: llvm.func @odd(
; CHECK-DAG:     [[one:%.*]] = llvm.mlir.constant(1 : i32) : i32
; CHECK-DAG:     [[three:%.*]] = llvm.mlir.constant(3 : i32) : i32
; CHECK:         [[s:%.*]] = llvm.add %x, [[one]] : i32
; CHECK-NEXT:    [[r:%.*]] = llvm.and [[s]], [[three]] : i32
; CHECK-NEXT:    llvm.return [[r]] : i32
define i32 @odd(i32 %i, i32 %x) {
  %e = shl i32 %i, 2
  %o = or disjoint i32 %e, 1
  %s = add i32 %o, %x
  %r = and i32 %s, 3
  ret i32 %r
}

; Bit 1 of the operand is not known.
; CHECK-LABEL: llvm.func @unknown(
; CHECK:         [[e:%.*]] = llvm.shl %i, {{.*}} : i32
; CHECK-NEXT:    [[s:%.*]] = llvm.add [[e]], %x : i32
; CHECK-NEXT:    llvm.and [[s]], {{.*}} : i32
define i32 @unknown(i32 %i, i32 %x) {
  %e = shl i32 %i, 1
  %s = add i32 %e, %x
  %r = and i32 %s, 3
  ret i32 %r
}

; Bit 2 of the operand is 0, but carries from the bits below reach it.
; CHECK-LABEL: llvm.func @carry(
; CHECK:         [[e:%.*]] = llvm.and %i, {{.*}} : i32
; CHECK-NEXT:    [[s:%.*]] = llvm.add [[e]], %x : i32
; CHECK-NEXT:    llvm.and [[s]], {{.*}} : i32
define i32 @carry(i32 %i, i32 %x) {
  %e = and i32 %i, 3
  %s = add i32 %e, %x
  %r = and i32 %s, 4
  ret i32 %r
}

; The mask is not a constant.
; CHECK-LABEL: llvm.func @unknown_mask(
; CHECK:         [[e:%.*]] = llvm.shl %i, {{.*}} : i32
; CHECK-NEXT:    [[s:%.*]] = llvm.add [[e]], %x : i32
; CHECK-NEXT:    llvm.and [[s]], %y : i32
define i32 @unknown_mask(i32 %i, i32 %x, i32 %y) {
  %e = shl i32 %i, 1
  %s = add i32 %e, %x
  %r = and i32 %s, %y
  ret i32 %r
}
