; RUN: nvvm-opt %s -p 'loop-unroll<for-addresses>,loop-reduce' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'loop-unroll<for-addresses>' --remarks %t -o /dev/null
; RUN: filecheck %s --check-prefix=REMARK --input-file %t

target triple = "nvptx64-nvidia-cuda"

; Sixteen rounds share what moves their address. What is left over may be unrolled by ptxas.
; CHECK-LABEL: llvm.func @sum(
; CHECK:       ^loop({{.*}}, [[at:%[^:]*]]: !llvm.ptr
; CHECK:         llvm.load [[at]]
; CHECK-COUNT-15: llvm.getelementptr [[at]][{{[0-9]+}}]
; CHECK:         llvm.getelementptr [[at]][64]
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:       ^remainder(
; CHECK:         llvm.load
; CHECK:         llvm.cond_br
; CHECK-NOT:     disable
; CHECK:         llvm.return
; REMARK:      unrolled loop by a factor of 16 with run-time trip count: its addresses become offsets
define ptx_kernel void @sum(ptr %p, ptr %to, i32 %m) {
entry:
  %g = icmp sgt i32 %m, 0
  br i1 %g, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
none:
  ret void
}

; Eight rounds of a larger loop.
; REMARK:      unrolled loop by a factor of 8 with run-time trip count: its addresses become offsets
define ptx_kernel void @larger(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %v1 = fmul float %v, %v
  %v2 = fadd float %v1, %v
  %v3 = fmul float %v2, %v
  %v4 = fadd float %v3, %v
  %v5 = fmul float %v4, %v
  %v6 = fadd float %v5, %v
  %v7 = fmul float %v6, %v
  %t = fadd float %s, %v7
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; A constant trip count is ptxas's to unroll, in full.
; REMARK:      ptxas unrolls what has a constant trip count
define ptx_kernel void @constant(ptr %p, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 64
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; Addresses whose step is a value become no offsets.
; REMARK:      an address moves by a step that is not constant
define ptx_kernel void @column(ptr %p, ptr %to, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %k = mul i64 %i, %m
  %a = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; REMARK:      no address moves by a constant
define ptx_kernel void @gather(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %e = sext i32 %s to i64
  %a = getelementptr i32, ptr %p, i64 %e
  %t = load i32, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %t, ptr %to, align 4
  ret void
}

; Threads that differ in how often they go around would run what is left over beside sixteen rounds.
; REMARK:      threads may differ in its trip count
define ptx_kernel void @triangle(ptr %p, ptr %to) {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; REMARK:      threads run ops in it together
define ptx_kernel void @together(ptr %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  store float 1.0, ptr %a, align 4
  call void @llvm.nvvm.barrier0()
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; REMARK:      it is not left at its end alone
define ptx_kernel void @search(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %again ]
  %e = sext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %e
  %v = load i32, ptr %a, align 4
  %f = icmp eq i32 %v, %m
  br i1 %f, label %exit, label %again
again:
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %i, ptr %to, align 4
  ret void
}

; What a pragma asks for is not touched again.
; CHECK-LABEL: llvm.func @asked(
; CHECK-COUNT-1: llvm.load
; CHECK-NOT:     llvm.load
define ptx_kernel void @asked(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  store float %t, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}
