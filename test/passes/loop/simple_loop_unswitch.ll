; RUN: nvvm-opt %s -p 'function(loop(simple-loop-unswitch))' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'function(loop(simple-loop-unswitch<no-nontrivial>))' -o - | filecheck %s --check-prefix=TRIVIAL
; RUN: nvvm-opt %s -p 'function(loop(simple-loop-unswitch<no-trivial;divergent-unswitch-threshold=50>))' -o - | filecheck %s --check-prefix=BOTH

target triple = "nvptx64-nvidia-cuda"

; An argument of a kernel is uniform: each successor gets a loop. The condition may be poison if no iteration
; reaches the test.
; CHECK-LABEL: llvm.func @uniform(
; CHECK:         [[f:%.*]] = llvm.freeze %c : i1
; CHECK:         llvm.cond_br [[f]]
; CHECK:         llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.fmul
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
; TRIVIAL-LABEL: llvm.func @uniform(
; TRIVIAL-NOT:     llvm.freeze
; TRIVIAL-LABEL: llvm.func @divergent(
define ptx_kernel void @uniform(ptr %p, i1 %c, float %x, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %a, align 4
  br i1 %c, label %yes, label %no
yes:
  %s = fadd float %v, %x
  store float %s, ptr %a, align 4
  br label %latch
no:
  %t = fmul float %v, %x
  store float %t, ptr %a, align 4
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; Threads with different conditions would run both loops in sequence.
; CHECK-LABEL: llvm.func @divergent(
; CHECK:       ^loop
; CHECK:         llvm.cond_br %c
; BOTH-LABEL: llvm.func @divergent(
; BOTH:         llvm.cond_br %c
; BOTH:         ^loop
define ptx_kernel void @divergent(ptr %p, float %x, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  %a = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %a, align 4
  br i1 %c, label %yes, label %latch
yes:
  %s = fadd float %v, %x
  store float %s, ptr %a, align 4
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; Convergent ops are not copied and not made conditional, whether the condition is uniform or not.
; CHECK-LABEL: llvm.func @together(
; CHECK-COUNT-1: nvvm.barrier
; CHECK-NOT:     nvvm.barrier
; CHECK:         llvm.return
; BOTH-LABEL: llvm.func @together(
; BOTH-COUNT-1: nvvm.barrier
; BOTH-NOT:     nvvm.barrier
; BOTH:         llvm.return
define ptx_kernel void @together(ptr %p, i1 %c, float %x, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  call void @llvm.nvvm.barrier0()
  br i1 %c, label %yes, label %latch
yes:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; The loop has two exits, and only one of them reaches a barrier. Threads with different tests leave by the
; same exit together. After unswitching they would reach the barrier separately.
; BOTH-LABEL: llvm.func @exits(
; BOTH-NOT:     llvm.freeze
; BOTH:       ^loop
; BOTH:         llvm.cond_br %c
; BOTH-NOT:     llvm.cond_br %c
; BOTH-LABEL: llvm.func @joined(
; BOTH:         llvm.cond_br %c
; BOTH:       ^loop
define ptx_kernel void @exits(ptr %p, float %x, i32 %m, i32 %o) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %next ]
  br i1 %c, label %yes, label %latch
yes:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %d = icmp eq i32 %n, %m
  br i1 %d, label %sync, label %next
next:
  %e = icmp eq i32 %n, %o
  br i1 %e, label %exit, label %loop
sync:
  call void @llvm.nvvm.barrier0()
  br label %exit
exit:
  ret void
}

; The barrier is after the exits have joined.
define ptx_kernel void @joined(ptr %p, float %x, i32 %m, i32 %o) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %next ]
  br i1 %c, label %yes, label %latch
yes:
  store float %x, ptr %p, align 4
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %d = icmp eq i32 %n, %m
  br i1 %d, label %exit, label %next
next:
  %e = icmp eq i32 %n, %o
  br i1 %e, label %exit, label %loop
exit:
  call void @llvm.nvvm.barrier0()
  ret void
}

; An exit test before any effect is moved to the preheader, even if it is divergent and a barrier follows; the
; exit value is the initial value. After a barrier it is not moved.
; TRIVIAL-LABEL: llvm.func @leaves(
; TRIVIAL:         llvm.cond_br %c
; TRIVIAL:       ^loop(
; TRIVIAL-NOT:     llvm.cond_br %c
; TRIVIAL:         nvvm.barrier
; TRIVIAL-LABEL: llvm.func @behind(
; TRIVIAL:       ^loop(
; TRIVIAL:         llvm.cond_br %c
define i32 @leaves(ptr %p, i1 %c, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 7, %entry ], [ %n, %rest ]
  br i1 %c, label %rest, label %exit
rest:
  call void @llvm.nvvm.barrier0()
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  %r = phi i32 [ %i, %loop ], [ %n, %rest ]
  ret i32 %r
}
define i32 @behind(ptr %p, i1 %c, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 7, %entry ], [ %n, %rest ]
  call void @llvm.nvvm.barrier0()
  br i1 %c, label %rest, label %exit
rest:
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  %r = phi i32 [ %i, %loop ], [ %n, %rest ]
  ret i32 %r
}

; Nor after a vote, in which threads that leave participate.
; TRIVIAL-LABEL: llvm.func @vote(
; TRIVIAL:       ^loop(
; TRIVIAL:         llvm.cond_br %c
define i1 @vote(ptr %p, i1 %c, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 7, %entry ], [ %n, %rest ]
  %q = icmp eq i32 %i, 9
  %v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %q)
  br i1 %c, label %rest, label %exit
rest:
  store volatile i1 %v, ptr %p, align 4
  %n = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %n, %m
  br i1 %d, label %loop, label %exit
exit:
  ret i1 %c
}
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
