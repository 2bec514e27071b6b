; RUN: nvvm-opt %s -p instcombine --verify-each -o - | filecheck %s

; Tests of bounds in two dimensions.
; CHECK-LABEL: llvm.func @inside(
; CHECK:         [[x:%.*]] = llvm.icmp "ult" %x, {{.*}} : i32
; CHECK-NEXT:    [[y:%.*]] = llvm.icmp "ult" %y, {{.*}} : i32
; CHECK-NEXT:    llvm.and [[x]], [[y]] : i1
define i1 @inside(i32 %x, i32 %y) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, 640
  %c = icmp sgt i32 %y, -1
  %d = icmp slt i32 %y, 480
  %r = and i1 %a, %b
  %s = and i1 %r, %c
  %t = and i1 %s, %d
  ret i1 %t
}

; CHECK-LABEL: llvm.func @outside(
; CHECK:         [[x:%.*]] = llvm.icmp "ugt" %x, {{.*}} : i32
; CHECK-NEXT:    [[y:%.*]] = llvm.icmp "ugt" %y, {{.*}} : i32
; CHECK-NEXT:    llvm.select [[x]], {{.*}}, [[y]] : i1, i1
define i1 @outside(i32 %x, i32 %y) {
  %a = icmp slt i32 %x, 0
  %b = icmp sgt i32 %x, 639
  %c = icmp slt i32 %y, 0
  %d = icmp sgt i32 %y, 479
  %r = select i1 %a, i1 true, i1 %b
  %s = select i1 %r, i1 true, i1 %c
  %t = select i1 %s, i1 true, i1 %d
  ret i1 %t
}

; The merged comparison takes the place of the first: %c is still not evaluated where that is false.
; CHECK-LABEL: llvm.func @between(
; CHECK:         [[x:%.*]] = llvm.icmp "ult" %x, {{.*}} : i32
; CHECK-NEXT:    llvm.select [[x]], %c, {{.*}} : i1, i1
define i1 @between(i32 %x, i1 %c) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, 640
  %r = select i1 %a, i1 %c, i1 false
  %t = and i1 %r, %b
  ret i1 %t
}

; A disjunction in a conjunction, and a conjunction with another use.
; CHECK-LABEL: llvm.func @mixed(
; CHECK:         llvm.or
; CHECK-NEXT:    llvm.and
define i1 @mixed(i32 %x, i1 %c) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, 640
  %r = or i1 %a, %c
  %t = and i1 %r, %b
  ret i1 %t
}

; CHECK-LABEL: llvm.func @shared(
; CHECK:         llvm.icmp "sgt" %x
; CHECK:         llvm.icmp "slt" %x
define i1 @shared(i32 %x, i1 %c, ptr %p) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, 640
  %r = and i1 %a, %c
  store i1 %r, ptr %p, align 1
  %t = and i1 %r, %b
  ret i1 %t
}

; One comparison of two may remain for other uses, both only if nothing is added.
; CHECK-LABEL: llvm.func @used(
; CHECK:         llvm.icmp "sgt" %x
; CHECK:         llvm.icmp "ult" %x
; CHECK:         llvm.icmp "sgt" %y
; CHECK:         llvm.icmp "slt" %y
; CHECK:         llvm.return
define i1 @used(i32 %x, i32 %y, ptr %p) {
  %a = icmp sgt i32 %x, -1
  store i1 %a, ptr %p, align 1
  %b = icmp slt i32 %x, 640
  %r = and i1 %a, %b
  %c = icmp sgt i32 %y, 7
  store volatile i1 %c, ptr %p, align 1
  %d = icmp slt i32 %y, 480
  %s = and i1 %c, %d
  %t = xor i1 %r, %s
  ret i1 %t
}

; CHECK-LABEL: llvm.func @powers(
; CHECK:         [[o:%.*]] = llvm.or %x, %y : i32
; CHECK-NEXT:    [[a:%.*]] = llvm.or [[o]], %z : i32
; CHECK-NEXT:    llvm.icmp "ult" [[a]], {{.*}} : i32
define i1 @powers(i32 %x, i32 %y, i32 %z) {
  %a = icmp ult i32 %x, 256
  %b = icmp ult i32 %y, 256
  %c = icmp ult i32 %z, 256
  %r = and i1 %a, %b
  %s = and i1 %r, %c
  ret i1 %s
}

; The select is the greater of a difference and zero, although the comparison alone is one of the operands.
; CHECK-LABEL: llvm.func @clamped(
; CHECK:         [[d:%.*]] = llvm.sub %x, %y overflow<nsw> : i32
; CHECK-NEXT:    llvm.intr.smax([[d]], {{.*}})
define i32 @clamped(i32 %x, i32 %y) {
  %d = sub nsw i32 %x, %y
  %a = icmp slt i32 %d, 0
  %r = select i1 %a, i32 0, i32 %d
  ret i32 %r
}

; CHECK-LABEL: llvm.func @next(
; CHECK:         llvm.intr.smin(%x, {{.*}})
define i32 @next(i32 %x) {
  %d = add nsw i32 %x, 1
  %a = icmp sgt i32 %d, 36
  %r = select i1 %a, i32 37, i32 %d
  ret i32 %r
}

; No minimum: the comparison alone, its operand's other uses, and another constant.
; CHECK-LABEL: llvm.func @alone(
; CHECK:         llvm.icmp "slt" %x, %y
; CHECK:         llvm.icmp "slt" %x, {{.*}}
; CHECK:         llvm.icmp "eq" %x, {{.*}}
; CHECK:         llvm.icmp "sgt" %x, {{.*}}
define i32 @alone(i32 %x, i32 %y, ptr %p) {
  %d = sub nsw i32 %x, %y
  %a = icmp slt i32 %d, 0
  %n = add nsw i32 %x, 1
  %b = icmp slt i32 %n, 9
  store i1 %a, ptr %p, align 1
  %r = select i1 %b, i32 3, i32 %n
  %c = icmp eq i32 %n, 9
  %s = select i1 %c, i32 %n, i32 5
  %e = icmp sgt i32 %n, 9
  %q = select i1 %e, i32 9, i32 %d
  %t = add i32 %r, %s
  %u = add i32 %t, %q
  ret i32 %u
}

; CHECK-LABEL: llvm.func @distance(
; CHECK:         [[d:%.*]] = llvm.add %x, {{.*}} overflow<nsw> : i32
; CHECK-NEXT:    llvm.intr.abs
define i32 @distance(i32 %x) {
  %d = add nsw i32 %x, -3
  %a = icmp slt i32 %d, 0
  %n = sub nsw i32 0, %d
  %r = select i1 %a, i32 %n, i32 %d
  ret i32 %r
}

; CHECK-LABEL: llvm.func @absolute(
; CHECK-NEXT:    llvm.intr.abs
define i32 @absolute(i32 %x) {
  %a = icmp sge i32 %x, 0
  %n = sub i32 0, %x
  %r = select i1 %a, i32 %x, i32 %n
  ret i32 %r
}

; The merged comparison is also true for 6, as %c may be.
; CHECK-LABEL: llvm.func @either(
; CHECK:         [[x:%.*]] = llvm.icmp "ult" {{.*}} : i32
; CHECK-NEXT:    llvm.or [[x]], %c : i1
define i1 @either(i32 %x, i1 %c) {
  %a = icmp eq i32 %x, 5
  %o = or disjoint i1 %a, %c
  %b = icmp eq i32 %x, 6
  %r = or i1 %o, %b
  ret i1 %r
}
