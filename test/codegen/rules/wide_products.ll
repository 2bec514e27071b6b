; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90}' | filecheck %s

; An extension of a product that does not wrap is one widening multiplication.

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @signed(
; CHECK-NOT: nvptx.mul lo
; CHECK: nvptx.mul wide.s32 %{{.*}}, %{{.*}} :
; CHECK-NEXT: nvptx.add s64
; CHECK: nvptx.ret
define i64 @signed(i32 %a, i32 %b, i64 %c) {
  %p = mul nsw i32 %a, %b
  %w = sext i32 %p to i64
  %s = add i64 %w, %c
  ret i64 %s
}

; The constant is unsigned, like the multiplication.
; CHECK-LABEL: @unsigned(
; CHECK: nvptx.mul wide.u32 %{{.*}}, 4294967291
; CHECK: nvptx.ret
define i64 @unsigned(i32 %a) {
  %p = mul nuw i32 %a, -5
  %w = zext i32 %p to i64
  ret i64 %w
}

; The product is not negative, so that its sign extension is equal.
; CHECK-LABEL: @not_negative(
; CHECK: nvptx.mul wide.s32 %{{.*}}, -5
; CHECK: nvptx.ret
define i64 @not_negative(i32 %a) {
  %p = mul nsw i32 %a, -5
  %w = zext nneg i32 %p to i64
  ret i64 %w
}

; CHECK-LABEL: @both(
; CHECK: nvptx.mul wide.u32
; CHECK: nvptx.ret
define i64 @both(i32 %a, i32 %b) {
  %p = mul nuw nsw i32 %a, %b
  %w = zext nneg i32 %p to i64
  ret i64 %w
}

; A product that does not wrap as a signed number may wrap as an unsigned one, and the converse.
; CHECK-LABEL: @wrong_flag(
; CHECK-NOT: wide
; CHECK: nvptx.ret
define i64 @wrong_flag(i32 %a, i32 %b) {
  %p = mul nsw i32 %a, %b
  %w = zext i32 %p to i64
  %q = mul nuw i32 %a, 7
  %x = sext i32 %q to i64
  %y = mul i32 %b, 7
  %z = sext i32 %y to i64
  %s = add i64 %w, %x
  %t = add i64 %s, %z
  ret i64 %t
}

; Other widths.
; CHECK-LABEL: @widths(
; CHECK-NOT: wide
; CHECK: nvptx.ret
define i64 @widths(i16 %a, i16 %b, i24 %c, i32 %d) {
  %p = mul nsw i16 %a, %b
  %w = sext i16 %p to i64
  %q = mul nsw i24 %c, %c
  %x = sext i24 %q to i64
  %y = mul nsw i32 %d, %d
  %z = sext i32 %y to i40
  %e = zext i40 %z to i64
  %s = add i64 %w, %x
  %t = add i64 %s, %e
  ret i64 %t
}

; The low half is needed, too.
; CHECK-LABEL: @shared(
; CHECK: nvptx.mul lo.s32
; CHECK-NOT: wide
; CHECK: nvptx.ret
define i64 @shared(i32 %a, i32 %b, ptr %p) {
  %m = mul nsw i32 %a, %b
  store i32 %m, ptr %p
  %w = sext i32 %m to i64
  ret i64 %w
}

; The multiplication stays in its block.
; CHECK-LABEL: @other_block(
; CHECK: nvptx.mul lo.s32
; CHECK-NOT: wide
; CHECK: nvptx.ret
define i64 @other_block(i32 %a, i32 %b, i1 %c) {
  %m = mul nsw i32 %a, %b
  br i1 %c, label %yes, label %no
yes:
  %w = sext i32 %m to i64
  ret i64 %w
no:
  ret i64 0
}

; An index is scaled by a widening multiplication.
; CHECK-LABEL: @index(
; CHECK: nvptx.mul lo.s32
; CHECK: nvptx.mul wide.s32 %{{.*}}, 4
; CHECK: nvptx.ret
define void @index(i32 %a, i32 %b, ptr %p) {
  %m = mul nsw i32 %a, %b
  %w = sext i32 %m to i64
  %e = getelementptr i32, ptr %p, i64 %w
  store i32 %a, ptr %e
  ret void
}

; The first factor is a register.
; CHECK-LABEL: @constants(
; CHECK-NEXT: [[seven:%.*]] = nvptx.mov b32 7
; CHECK-NEXT: nvptx.mul wide.s32 [[seven]], -3
; CHECK: nvptx.ret
define i64 @constants() {
  %m = mul nsw i32 7, -3
  %w = sext i32 %m to i64
  ret i64 %w
}

; Factors of 64 bits that are known to fit in 32 bits: the product of their low halves.
; CHECK-LABEL: @small_factors(
; CHECK: nvptx.mul wide.s32
; CHECK: nvptx.mul wide.u32
; CHECK: nvptx.mul wide.s32 %{{.*}}, -3 :
; CHECK: nvptx.mul lo.s64
; CHECK: nvptx.mul lo.s64
; CHECK: nvptx.ret
define void @small_factors(i64 %a, i32 %b, i64 %c, ptr %p) {
  %x = and i64 %a, 65535
  %s = sext i32 %b to i64
  %m = mul i64 %x, %s
  store volatile i64 %m, ptr %p
  %u = lshr i64 %a, 32
  %z = zext i32 %b to i64
  %n = mul i64 %u, %z
  store volatile i64 %n, ptr %p
  %k = mul i64 %x, -3
  store volatile i64 %k, ptr %p
  %l = mul i64 %u, %s
  store volatile i64 %l, ptr %p
  %o = mul i64 %x, %c
  store volatile i64 %o, ptr %p
  ret void
}
