; RUN: nvvm-opt %s -p 'instcombine' --verify-each | filecheck %s

; The stride of a reduction is a power of two.
; CHECK-LABEL: llvm.func @stride
; CHECK-DAG:     %[[M1:.*]] = llvm.mlir.constant(-1 : i32)
; CHECK:         %d = llvm.shl %s
; CHECK-NEXT:    %[[M:.*]] = llvm.add %d, %[[M1]] : i32
; CHECK-NEXT:    llvm.and %x, %[[M]] : i32
; CHECK-NOT:     llvm.urem
define void @stride(i32 %x, i32 %n, ptr %p) {
  br label %loop
loop:
  %s = phi i32 [1, %0], [%d, %loop]
  %d = shl i32 %s, 1
  %r = urem i32 %x, %d
  store i32 %r, ptr %p
  %c = icmp ult i32 %d, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: llvm.func @other_divisor
; CHECK:         llvm.urem %x, %y
define i32 @other_divisor(i32 %x, i32 %y) {
  %r = urem i32 %x, %y
  ret i32 %r
}

; The remainder of a negative number is negative.
; CHECK-LABEL: llvm.func @signed
; CHECK:         llvm.srem %x
define i32 @signed(i32 %x, i32 %y) {
  %s = shl i32 2, %y
  %r = srem i32 %x, %s
  ret i32 %r
}

; CHECK-LABEL: llvm.func @signed_non_negative
; CHECK-NOT:     llvm.srem
; CHECK:         llvm.and %h, %
define i32 @signed_non_negative(i32 %x, i32 %y) {
  %h = lshr i32 %x, 1
  %s = shl i32 2, %y
  %r = srem i32 %h, %s
  ret i32 %r
}

; Its low bits are zero if it is zero.
; CHECK-LABEL: llvm.func @signed_tested
; CHECK-NOT:     llvm.srem
; CHECK:         %[[B:.*]] = llvm.and %x, %
; CHECK-NEXT:    %e = llvm.icmp "eq" %[[B]], %
; CHECK-NEXT:    %f = llvm.icmp "ne" %[[B]], %
define i1 @signed_tested(i32 %x, i32 %y, i1 %c) {
  %s = shl i32 2, %y
  %r = srem i32 %x, %s
  %e = icmp eq i32 %r, 0
  %f = icmp ne i32 %r, 0
  %g = select i1 %c, i1 %e, i1 %f
  ret i1 %g
}

; CHECK-LABEL: llvm.func @signed_compared
; CHECK:         llvm.srem %x
define i1 @signed_compared(i32 %x, i32 %y) {
  %s = shl i32 2, %y
  %r = srem i32 %x, %s
  %e = icmp eq i32 %r, 1
  ret i1 %e
}

; CHECK-LABEL: llvm.func @signed_ordered
; CHECK:         llvm.srem %x
define i1 @signed_ordered(i32 %x, i32 %y) {
  %s = shl i32 2, %y
  %r = srem i32 %x, %s
  %e = icmp slt i32 %r, 0
  ret i1 %e
}

; CHECK-LABEL: llvm.func @signed_also_used
; CHECK:         llvm.srem %x
define i1 @signed_also_used(i32 %x, i32 %y, ptr %p) {
  %s = shl i32 2, %y
  %r = srem i32 %x, %s
  store i32 %r, ptr %p
  %e = icmp eq i32 %r, 0
  ret i1 %e
}
