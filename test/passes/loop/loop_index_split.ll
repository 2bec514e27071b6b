; RUN: nvvm-opt %s -p loop-index-split --remarks %t | filecheck %s
; RUN: filecheck %s --check-prefix REMARK --input-file %t
; RUN: nvvm-opt %s -p 'loop-index-split{index-split-threshold=5}' | filecheck %s --check-prefix SMALL

target triple = "nvptx64-nvidia-cuda"

; Up to the iteration at which the test changes, and from there if any remain.
; CHECK-LABEL: llvm.func @ranges(
; CHECK:         %[[MIN:.*]] = llvm.intr.smin(%{{.*}}, %n)
; CHECK:       ^[[FIRST:.*]](%[[I:.*]]: i32):
; CHECK-NOT:     llvm.icmp
; CHECK:         llvm.store %x
; CHECK:         %[[MORE:.*]] = llvm.icmp "slt" %{{.*}}, %[[MIN]]
; CHECK-NEXT:    llvm.cond_br %[[MORE]], ^[[FIRST]](
; CHECK:         %[[REST:.*]] = llvm.icmp "slt" %{{.*}}, %n
; CHECK-NEXT:    llvm.cond_br %[[REST]]
; CHECK:         llvm.store %y
; CHECK:         llvm.cond_br
; CHECK-NOT:     llvm.cond_br
; CHECK:         llvm.return
; SMALL-LABEL: llvm.func @ranges(
; SMALL-NOT:     llvm.intr.smin
; SMALL-LABEL: llvm.func @but_one(
; REMARK: performed processSplitRangeLoop
; REMARK: performed processAllButOneIterationLoop
; REMARK: performed processOnlyOneIterationLoop
define void @ranges(ptr %p, i32 %n, float %x, float %y) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  %c = icmp slt i32 %i, 5
  br i1 %c, label %one, label %two
one:
  store float %x, ptr %a, align 4
  br label %latch
two:
  store float %y, ptr %a, align 4
  br label %latch
latch:
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; One iteration between two loops.
; CHECK-LABEL: llvm.func @but_one(
; CHECK:         llvm.store %y
; CHECK:         llvm.store %x
; CHECK-NOT:     llvm.store %x
; CHECK:         llvm.store %y
; CHECK:         llvm.return
define void @but_one(ptr %p, i32 %n, float %x, float %y) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  %c = icmp ne i32 %i, 5
  br i1 %c, label %two, label %one
one:
  store float %x, ptr %a, align 4
  br label %latch
two:
  store float %y, ptr %a, align 4
  br label %latch
latch:
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; No loop remains.
; CHECK-LABEL: llvm.func @only_one(
; CHECK:         %[[C:.*]] = llvm.icmp "slt" %{{.*}}, %n
; CHECK-NEXT:    llvm.cond_br %[[C]]
; CHECK-NOT:     llvm.cond_br
; CHECK:         llvm.store %x
; CHECK-NOT:     llvm.cond_br
; CHECK:         llvm.return
define void @only_one(ptr %p, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  %c = icmp eq i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %a, align 4
  br label %latch
latch:
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; The loop is kept if other iterations have effects or carry values, if it has convergent ops, if the counter
; may overflow or does, and if the loop will be unrolled.
; CHECK-LABEL: llvm.func @others_store(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-LABEL: llvm.func @carried(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-LABEL: llvm.func @counted(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-LABEL: llvm.func @wraps(
; CHECK:         %c = llvm.icmp "slt" %i,
; CHECK-NEXT:    llvm.cond_br %c,
; CHECK:         llvm.cond_br
; CHECK-NOT:     llvm.cond_br
; CHECK-LABEL: llvm.func @barrier(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-NOT:     llvm.cond_br
; CHECK-LABEL: llvm.func @overflow(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-NOT:     llvm.cond_br
; CHECK-LABEL: llvm.func @short(
; CHECK-COUNT-2: llvm.cond_br
; CHECK-NOT:     llvm.cond_br
; CHECK-LABEL: llvm.func @end(
define void @others_store(ptr %p, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  store float 1.0, ptr %a, align 4
  %c = icmp eq i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %a, align 4
  br label %latch
latch:
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @carried(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %s = phi i32 [ 1, %entry ], [ %t, %latch ]
  %c = icmp eq i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store i32 %s, ptr %p, align 4
  br label %latch
latch:
  %t = mul i32 %s, 3
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define i32 @counted(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp eq i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store i32 %n, ptr %p, align 4
  br label %latch
latch:
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret i32 %j
}
define void @wraps(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 100, %entry ], [ %j, %latch ]
  %c = icmp slt i8 %i, 120
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %j = add i8 %i, 1
  %d = icmp ne i8 %j, -20
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @barrier(ptr %p, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp slt i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  call void @llvm.nvvm.barrier0()
  %j = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @overflow(ptr %p, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp slt i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @short(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp slt i32 %i, 5
  br i1 %c, label %one, label %latch
one:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp ne i32 %j, 9
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @end() {
  ret void
}
declare void @llvm.nvvm.barrier0()
