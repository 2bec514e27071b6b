; RUN: nvvm-opt %s -p instcombine --verify-each -o - | filecheck %s

; A test of zero and of a bound is one unsigned comparison. The maximum is invariant in loops over x.
; CHECK-LABEL: llvm.func @inside(
; CHECK:         [[n:%.*]] = llvm.intr.smax(%n, {{.*}})
; CHECK-NEXT:    [[r:%.*]] = llvm.icmp "ult" %x, [[n]] : i32
; CHECK-NEXT:    llvm.return [[r]]
define i1 @inside(i32 %x, i32 %n) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, %n
  %r = and i1 %a, %b
  ret i1 %r
}

; A comparison that is used elsewhere stays, so nothing is saved.
; CHECK-LABEL: llvm.func @inside_shared(
; CHECK:         llvm.icmp "sgt"
; CHECK:         llvm.icmp "slt"
; CHECK-NOT:     smax
define i1 @inside_shared(i32 %x, i32 %n, ptr %p) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, %n
  store i1 %b, ptr %p
  %r = and i1 %a, %b
  ret i1 %r
}

; The bound may be poison if x is negative.
; CHECK-LABEL: llvm.func @inside_logical(
; CHECK:         [[f:%.*]] = llvm.freeze %n : i32
; CHECK-NEXT:    [[n:%.*]] = llvm.intr.smax([[f]], {{.*}})
; CHECK-NEXT:    [[r:%.*]] = llvm.icmp "ult" %x, [[n]] : i32
; CHECK-NEXT:    llvm.return [[r]]
define i1 @inside_logical(i32 %x, i32 %n) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, %n
  %r = select i1 %a, i1 %b, i1 false
  ret i1 %r
}

; In two dimensions the tests are a chain.
; CHECK-LABEL: llvm.func @inside_two(
; CHECK-COUNT-2: llvm.icmp "ult"
; CHECK-NOT:     llvm.icmp
define i1 @inside_two(i32 %x, i32 %y, i32 %n, i32 %m) {
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, %n
  %c = icmp sgt i32 %y, -1
  %d = icmp slt i32 %y, %m
  %r = select i1 %a, i1 %b, i1 false
  %s = select i1 %r, i1 %c, i1 false
  %t = select i1 %s, i1 %d, i1 false
  ret i1 %t
}

; A bound that is not negative is its own maximum with zero.
; CHECK-LABEL: llvm.func @inside_size(
; CHECK:         [[n:%.*]] = llvm.and %m,
; CHECK-NEXT:    [[r:%.*]] = llvm.icmp "ult" %x, [[n]] : i32
; CHECK-NEXT:    llvm.return [[r]]
define i1 @inside_size(i32 %x, i32 %m) {
  %n = and i32 %m, 65535
  %a = icmp sgt i32 %x, -1
  %b = icmp slt i32 %x, %n
  %r = and i1 %a, %b
  ret i1 %r
}

; The sum is chosen where the remainder is negative, which is a large number without sign.
; CHECK-LABEL: llvm.func @wrapped(
; CHECK:         [[r:%.*]] = llvm.srem %x,
; CHECK-NEXT:    [[s:%.*]] = llvm.add [[r]],
; CHECK-NEXT:    [[m:%.*]] = llvm.intr.umin([[r]], [[s]])
; CHECK-NEXT:    llvm.return [[m]]
define i32 @wrapped(i32 %x) {
  %r = srem i32 %x, 360
  %s = add nsw i32 %r, 360
  %c = icmp slt i32 %r, 0
  %m = select i1 %c, i32 %s, i32 %r
  ret i32 %m
}

; A sum with another number is not the remainder plus the divisor.
; CHECK-LABEL: llvm.func @wrapped_differently(
; CHECK-NOT:     umin
; CHECK:         llvm.select
define i32 @wrapped_differently(i32 %x) {
  %r = srem i32 %x, 360
  %s = add nsw i32 %r, 180
  %c = icmp slt i32 %r, 0
  %m = select i1 %c, i32 %s, i32 %r
  ret i32 %m
}

; CHECK-LABEL: llvm.func @shortfall(
; CHECK:         [[m:%.*]] = llvm.intr.smin(%x, %y)
; CHECK-NEXT:    [[r:%.*]] = llvm.sub %y, [[m]] : i32
; CHECK-NEXT:    llvm.return [[r]]
define i32 @shortfall(i32 %x, i32 noundef %y) {
  %c = icmp slt i32 %x, %y
  %d = sub nsw i32 %y, %x
  %r = select i1 %c, i32 %d, i32 0
  ret i32 %r
}

; The two uses of %y on the right side may read different numbers if it is undef.
; CHECK-LABEL: llvm.func @shortfall_undef(
; CHECK-NOT:     smin
; CHECK:         llvm.select
define i32 @shortfall_undef(i32 %x, i32 %y) {
  %c = icmp slt i32 %x, %y
  %d = sub nsw i32 %y, %x
  %r = select i1 %c, i32 %d, i32 0
  ret i32 %r
}

; A comparison of arguments that are not poison may be evaluated always.
; CHECK-LABEL: llvm.func @both(
; CHECK:         [[b:%.*]] = llvm.icmp "slt" %x, %y : i32
; CHECK-NEXT:    [[r:%.*]] = llvm.and %c, [[b]] : i1
define i1 @both(i1 %c, i32 noundef %x, i32 noundef %y) {
  %b = icmp slt i32 %x, %y
  %r = select i1 %c, i1 %b, i1 false
  ret i1 %r
}

; CHECK-LABEL: llvm.func @both_poison(
; CHECK:         llvm.select %c,
define i1 @both_poison(i1 %c, i32 noundef %x, i32 %y) {
  %b = icmp slt i32 %x, %y
  %r = select i1 %c, i1 %b, i1 false
  ret i1 %r
}

; The sum of the greatest remainder and the divisor wraps, and nsw makes it poison.
; CHECK-LABEL: llvm.func @wrapped_far(
; CHECK-NOT:     umin
; CHECK:         llvm.select
define i32 @wrapped_far(i32 %x) {
  %r = srem i32 %x, 1610612736
  %s = add nsw i32 %r, 1610612736
  %c = icmp slt i32 %r, 0
  %m = select i1 %c, i32 %s, i32 %r
  ret i32 %m
}

; CHECK-LABEL: llvm.func @wrapped_negative(
; CHECK-NOT:     umin
; CHECK:         llvm.select
define i32 @wrapped_negative(i32 %x) {
  %r = srem i32 %x, -360
  %s = add nsw i32 %r, -360
  %c = icmp slt i32 %r, 0
  %m = select i1 %c, i32 %s, i32 %r
  ret i32 %m
}
