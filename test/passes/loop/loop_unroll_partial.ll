; RUN: nvvm-opt %s -p 'loop-unroll' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'loop-unroll<no-partial;no-runtime;no-peeling>' -o - | filecheck %s --check-prefix=OFF
; RUN: nvvm-opt %s -p 'loop-unroll' --remarks %t -o /dev/null
; RUN: filecheck %s --check-prefix=REMARK --input-file %t

target triple = "nvptx64-nvidia-cuda"

; A power of two that divides the trip count: one test remains.
; CHECK-LABEL: llvm.func @multiple(
; CHECK-COUNT-8: llvm.load
; CHECK-NOT:     llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK-NOT:     llvm.cond_br
; OFF-LABEL: llvm.func @multiple(
; OFF-NOT:     disable
; REMARK:      unrolled loop by a factor of 8
define float @multiple(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ %x, %entry ], [ %t, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 1000
  br i1 %c, label %loop, label %exit
exit:
  ret float %t
}

; A trip count that is known at the loop's entry: the remaining iterations run in a copy after the loop. The
; counter determines the exit to it.
; CHECK-LABEL: llvm.func @runtime(
; CHECK:         [[taken:%.*]] = llvm.add %m, %{{.*}} : i64
; CHECK:         [[enough:%.*]] = llvm.icmp "uge" [[taken]], %{{.*}} : i64
; CHECK:         llvm.cond_br [[enough]], ^[[main:.*]], ^remainder(
; CHECK:       ^[[main]]:
; CHECK:         [[trips:%.*]] = llvm.add [[taken]], %{{.*}} : i64
; CHECK:         [[rounds:%.*]] = llvm.and [[trips]], %{{.*}} : i64
; CHECK:       ^loop(
; CHECK-COUNT-8: llvm.load
; CHECK:         llvm.icmp "ne" %{{.*}}, [[rounds]]
; CHECK:         llvm.cond_br {{.*}} ^loop({{.*}}unroll = <disable = true>
; CHECK:       ^unrolled(
; CHECK:         llvm.cond_br %{{.*}}, ^remainder(
; CHECK:       ^remainder(
; CHECK:         llvm.load
; CHECK-NOT:     llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; REMARK:      unrolled loop by a factor of 8 with run-time trip count
define float @runtime(ptr %p, float %x, i64 %m) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %loop, label %none
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ %x, %entry ], [ %t, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret float %t
none:
  ret float %x
}

; After one iteration a header argument is invariant: one iteration is peeled.
; CHECK-LABEL: llvm.func @peeled(
; CHECK-NOT:     llvm.select
; CHECK:         llvm.mul %{{.*}}, %x : i32
; CHECK:       ^loop(
; CHECK:         llvm.select
; CHECK:         llvm.return
; REMARK:      peeled loop by 1 iterations
define i32 @peeled(ptr %p, i32 %x, i32 %y, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %f = icmp eq i64 %i, 0
  %z = select i1 %f, i32 %x, i32 %y
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load volatile i32, ptr %a, align 4
  %w = mul i32 %v, %z
  %t = add i32 %s, %w
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}

; Threads run a barrier together: only if all threads have the same trip count is there a remainder copy.
; CHECK-LABEL: llvm.func @together(
; CHECK-COUNT-9: nvvm.barrier
; CHECK-NOT:     nvvm.barrier
; CHECK-LABEL: llvm.func @apart(
; CHECK-COUNT-1: nvvm.vote
; CHECK-NOT:     nvvm.vote
; REMARK:      it contains convergent ops, and its trip count may differ between threads
define ptx_kernel void @together(ptr %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %a, align 4
  call void @llvm.nvvm.barrier0()
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define ptx_kernel void @apart(ptr %p) {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %b = icmp eq i32 %i, 3
  %v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %b)
  %a = getelementptr i1, ptr %p, i32 %i
  store i1 %v, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
