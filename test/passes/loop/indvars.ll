; RUN: nvvm-opt %s -p 'function(loop(indvars),dce)' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'function(loop(indvars<replexitval=never;disable-lftr;remat-iv=0>),dce)' -o - | filecheck %s --check-prefix=OFF

target triple = "nvptx64-nvidia-cuda"

; A loop of Numba's: the counter that counts down is removed, the other one is compared, and a negative index
; is impossible.
; CHECK-LABEL: llvm.func @numba(
; CHECK:         %s = llvm.mlir.constant(false)
; CHECK:       ^loop(%i{{[^:,]*}}: i64):
; CHECK:         llvm.select %s,
; CHECK:         llvm.add %i, %{{.*}} overflow<nsw, nuw> : i64
; CHECK-NEXT:    llvm.icmp "ne" %{{.*}}, %n : i64
; OFF-LABEL: llvm.func @numba(
; OFF:       ^loop(%i{{[^:,]*}}: i64, %{{[^:,]*}}: i64):
define void @numba(ptr %p, i64 range(i64 0, 9223372036854775807) %n) {
entry:
  %g = icmp sgt i64 %n, 0
  br i1 %g, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %m, %loop ]
  %left = phi i64 [ %n, %entry ], [ %k, %loop ]
  %s = icmp slt i64 %i, 0
  %w = add i64 %i, %n
  %x = select i1 %s, i64 %w, i64 %i
  %a = getelementptr i64, ptr %p, i64 %x
  store i64 %x, ptr %a, align 8
  %m = add nuw nsw i64 %i, 1
  %k = add nsw i64 %left, -1
  %c = icmp sgt i64 %left, 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; 64 bits of which only 32 are used.
; CHECK-LABEL: llvm.func @narrow(
; CHECK:       ^loop(%i{{[^:,]*}}: i32):
; CHECK:         llvm.zext %i{{.*}} : i32 to i64
; OFF-LABEL: llvm.func @narrow(
; OFF:       ^loop(%i{{[^:,]*}}: i64):
define void @narrow(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 5, %entry ], [ %m, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a, align 4
  %m = add i64 %i, 3
  %c = icmp slt i64 %m, 100000
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The last value of i32 plus one does not fit.
; CHECK-LABEL: llvm.func @not_narrow(
; CHECK:       ^loop(%i{{[^:,]*}}: i64):
define void @not_narrow(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %m, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a, align 4
  %m = add i64 %i, 1
  %c = icmp ne i64 %m, 2147483648
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The result of the loop is known in the preheader.
; CHECK-LABEL: llvm.func @leaves(
; CHECK:         [[last:%.*]] = llvm.mul %{{.*}}, %m : i32
; CHECK:         llvm.cond_br %{{.*}}, ^loop(%{{[^)]*}}), ^exit([[last]]
; OFF-LABEL: llvm.func @leaves(
; OFF-NOT:     llvm.mul
; OFF-LABEL: llvm.func @congruent(
define i32 @leaves(ptr %p, i32 noundef %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  store volatile i32 %i, ptr %p, align 4
  %t = add i32 %s, 7
  %n = add nuw i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}

; Two counters with one formula, of which one may not overflow: that flag must be dropped.
; CHECK-LABEL: llvm.func @congruent(
; CHECK:       ^loop(%i{{[^:,]*}}: i32):
; CHECK-NOT:     overflow
; CHECK:         llvm.return
define void @congruent(ptr %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %j = phi i32 [ 0, %entry ], [ %o, %loop ]
  store volatile i32 %j, ptr %p, align 4
  %n = add nsw i32 %i, 1
  %o = add i32 %j, 1
  %c = icmp ne i32 %o, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Signed division of a non-negative number.
; CHECK-LABEL: llvm.func @division(
; CHECK:         llvm.udiv
; CHECK-NOT:     llvm.sdiv
define void @division(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %d = sdiv i32 %i, 7
  store volatile i32 %d, ptr %p, align 4
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 1000
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; An argument that is passed on unchanged, whose only user is unused.
; CHECK-LABEL: llvm.func @same(
; CHECK:       ^loop(%i{{[^:,]*}}: i32):
define void @same(ptr %p, i32 %x, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s, %loop ]
  %dead = add i32 %s, 7
  store volatile i32 %i, ptr %p, align 4
  %n = add i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The sum is used only in its own recurrence: the product replaces it.
; CHECK-LABEL: llvm.func @own(
; CHECK:         llvm.mul
; CHECK:       ^loop(%i{{[^:,]*}}: i32):
; OFF-LABEL: llvm.func @own(
; OFF:       ^loop(%i{{[^:,]*}}: i32, %x{{[^:,]*}}: i32):
define void @own(ptr %p, i32 %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %m, %loop ]
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = add i32 %x, %a
  %m = add i32 %i, 1
  %c = icmp slt i32 %m, 100000
  br i1 %c, label %loop, label %exit
exit:
  store i32 %x, ptr %p, align 4
  ret void
}

; A store in the loop uses the sum, through another value.
; CHECK-LABEL: llvm.func @stored(
; CHECK-NOT:     llvm.mul
; CHECK:       ^loop(%i{{[^:,]*}}: i32, %x{{[^:,]*}}: i32):
define void @stored(ptr %p, ptr %q, i32 %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %m, %loop ]
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = add i32 %x, %a
  %z = xor i32 %y, 5
  store i32 %z, ptr %q, align 4
  %m = add i32 %i, 1
  %c = icmp slt i32 %m, 100000
  br i1 %c, label %loop, label %exit
exit:
  store i32 %x, ptr %p, align 4
  ret void
}

; A branch in the loop uses the sum.
; CHECK-LABEL: llvm.func @tested(
; CHECK-NOT:     llvm.mul
; CHECK:       ^loop(%i{{[^:,]*}}: i32, %x{{[^:,]*}}: i32):
define void @tested(ptr %p, ptr %q, i32 %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %m, %again ]
  %x = phi i32 [ 1, %entry ], [ %y, %again ]
  %y = add i32 %x, %a
  %t = icmp eq i32 %y, 12
  br i1 %t, label %twelve, label %again
twelve:
  store i32 %i, ptr %q, align 4
  br label %again
again:
  %m = add i32 %i, 1
  %c = icmp slt i32 %m, 100000
  br i1 %c, label %loop, label %exit
exit:
  store i32 %x, ptr %p, align 4
  ret void
}
