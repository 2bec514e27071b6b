; RUN: nvvm-opt %s -p 'function(loop-simplify,loop-deletion)' | filecheck %s
; A loop that must make progress may be infinite if it has side effects. `%n` is odd in such a run.

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: llvm.func @kept
; CHECK: llvm.call_intrinsic "llvm.sideeffect"
; CHECK: llvm.icmp
define void @kept(i32 %n) mustprogress {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  call void @llvm.sideeffect()
  %j = add i32 %i, 2
  %last = icmp eq i32 %j, %n
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: llvm.func @removed
; CHECK-NOT: llvm.icmp
define void @removed(i32 %n) mustprogress {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %j = add i32 %i, 2
  %last = icmp eq i32 %j, %n
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

declare void @llvm.sideeffect()
