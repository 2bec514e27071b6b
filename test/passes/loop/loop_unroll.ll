; RUN: nvvm-opt %s -p 'loop-unroll' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'function(loop-unroll,sroa,dce)' -o - | filecheck %s --check-prefix=ARRAY
; RUN: nvvm-opt %s -p 'loop-unroll<unroll-threshold=3>' -o - | filecheck %s --check-prefix=SMALL
; RUN: nvvm-opt %s -p 'loop-unroll' --remarks %t -o /dev/null
; RUN: filecheck %s --check-prefix=REMARK --input-file %t

target triple = "nvptx64-nvidia-cuda"

; Three iterations: the counter folds to constants, and no test remains.
; CHECK-LABEL: llvm.func @three(
; CHECK-NOT:     llvm.cond_br
; CHECK-COUNT-3: llvm.store
; CHECK-NOT:     llvm.store
; CHECK:         llvm.return
; SMALL-LABEL: llvm.func @three(
; SMALL:         llvm.cond_br
; REMARK:      {{Pass: +loop-unroll}}
; REMARK:      {{Name: +FullyUnrolled}}
; REMARK:      {{Function: +three}}
; REMARK:      completely unrolled loop with 3 iterations
define void @three(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 3
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Tested at the top, with values that are used after it.
; CHECK-LABEL: llvm.func @top(
; CHECK-NOT:     llvm.cond_br
; CHECK-COUNT-2: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return %{{.*}} : f32
define float @top(float %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %n, %body ]
  %s = phi float [ %x, %entry ], [ %t, %body ]
  %c = icmp slt i32 %i, 2
  br i1 %c, label %body, label %exit
body:
  %t = fadd float %s, %x
  %n = add nsw i32 %i, 1
  br label %head
exit:
  ret float %s
}

; 200 iterations are too many, unless the loop indexes a local array, which is then promoted.
; CHECK-LABEL: llvm.func @many(
; CHECK:         llvm.cond_br
define void @many(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %w = fadd float %v, %x
  store float %w, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 200
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ARRAY-LABEL: llvm.func @array(
; ARRAY-NOT:     llvm.alloca
; ARRAY-NOT:     llvm.cond_br
; ARRAY:         llvm.return
define float @array(ptr %p) {
entry:
  %m = alloca [200 x float], align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %b = getelementptr float, ptr %m, i64 %i
  store float %v, ptr %b, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 200
  br i1 %c, label %loop, label %exit
exit:
  %l = getelementptr float, ptr %m, i64 77
  %r = load float, ptr %l, align 4
  ret float %r
}

; Loop pragmas.
; CHECK-LABEL: llvm.func @asked(
; CHECK-COUNT-200: llvm.store
; CHECK-NOT:     llvm.store
; CHECK-LABEL: llvm.func @refused(
; CHECK:         llvm.cond_br
; CHECK-LABEL: llvm.func @partly(
; CHECK-COUNT-4: llvm.store
; CHECK-NOT:     llvm.store
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK-LABEL: llvm.func @counted(
; CHECK-COUNT-3: llvm.store
; CHECK-NOT:     llvm.store
; CHECK-LABEL: llvm.func @open(
define void @asked(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %w = fadd float %v, %x
  store float %w, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 200
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @refused(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 3
  br i1 %c, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @partly(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 12
  br i1 %c, label %loop, label %exit, !llvm.loop !4
exit:
  ret void
}
define void @counted(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 3
  br i1 %c, label %loop, label %exit, !llvm.loop !4
exit:
  ret void
}
; REMARK:      {{Name: +NotFullyUnrolled}}
; REMARK:      {{Function: +open}}
; REMARK:      its trip count is not a constant
define void @open(ptr %p, i64 %m, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %n, %m
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; With a break as another exit: four copies with a test each, unless the loop has convergent ops.
; CHECK-LABEL: llvm.func @breaks(
; CHECK-COUNT-4: llvm.fcmp
; CHECK-NOT:     llvm.fcmp
; CHECK-LABEL: llvm.func @breaks_with_barrier(
; CHECK:         llvm.fcmp
; CHECK-NOT:     llvm.fcmp
; CHECK-LABEL: llvm.func @barriers(
; CHECK-COUNT-4: nvvm.barrier
; CHECK-NOT:     nvvm.barrier
; CHECK:         llvm.return
define void @breaks(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %again ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %b = fcmp ogt float %v, 1.0
  br i1 %b, label %exit, label %again
again:
  store float 2.0, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @breaks_with_barrier(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %again ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  call void @llvm.nvvm.barrier0()
  %b = fcmp ogt float %v, 1.0
  br i1 %b, label %exit, label %again
again:
  store float 2.0, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @barriers(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 2.0, ptr %a, align 4
  call void @llvm.nvvm.barrier0()
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
declare void @llvm.nvvm.barrier0()

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.count", i32 4}

; Besides other exits, the counter leaves the loop after ten iterations: none of its tests remains.
; CHECK-LABEL: llvm.func @leaves(
; CHECK-COUNT-10: llvm.load
; CHECK-NOT:     llvm.load
; CHECK-NOT:     llvm.icmp
; REMARK:      completely unrolled loop with at most 10 iterations
define i64 @leaves(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 10, %entry ], [ %n, %rest ]
  %n = add nsw i64 %i, -1
  %a = getelementptr float, ptr %p, i64 %n
  %v = load float, ptr %a, align 4
  %e = fcmp ogt float %v, %x
  br i1 %e, label %rest, label %exit
rest:
  %c = icmp sgt i64 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i64 [ %i, %loop ], [ 0, %rest ]
  ret i64 %r
}

; A pragma unrolls a loop by an upper bound of 64 iterations, not of 65.
; CHECK-LABEL: llvm.func @at_most_64(
; CHECK-COUNT-64: llvm.store
; CHECK-NOT:     llvm.store
; CHECK-LABEL: llvm.func @at_most_65(
; REMARK:      completely unrolled loop with at most 64 iterations
; REMARK:      {{Function: +at_most_65}}
; REMARK-NEXT: {{Args:}}
; REMARK-NEXT: its trip count is not a constant
define void @at_most_64(ptr %p, i32 %m) {
entry:
  %most = call i32 @llvm.umin.i32(i32 %m, i32 63)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i32 %i
  store float 2.0, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i, %most
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @at_most_65(ptr %p, i32 %m) {
entry:
  %most = call i32 @llvm.umin.i32(i32 %m, i32 64)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i32 %i
  store float 2.0, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i, %most
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)

; Beside a local array a loop may grow sixfold, even if the array is not promoted.
; CHECK-LABEL: llvm.func @beside_array(
; CHECK-NOT:     llvm.fcmp
; CHECK-LABEL: llvm.func @beside_none(
; CHECK:         llvm.icmp
define void @beside_array(ptr %p, i64 %s, float %x) {
entry:
  %m = alloca [16 x float], align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %k = add i64 %i, %s
  %a = getelementptr float, ptr %m, i64 %k
  %v = load float, ptr %a, align 4
  %w0 = fadd float %v, %x
  %w1 = fmul float %w0, %x
  store float %w1, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 100
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @beside_none(ptr %m, i64 %s, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %k = add i64 %i, %s
  %a = getelementptr float, ptr %m, i64 %k
  %v = load float, ptr %a, align 4
  %w0 = fadd float %v, %x
  %w1 = fmul float %w0, %x
  store float %w1, ptr %a, align 4
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 100
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
