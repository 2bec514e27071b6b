; The loop-invariant part of an index is added to the base in the preheader.
; RUN: nvvm-opt %s -p licm | filecheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; Two addresses share the sum; it becomes dead.
; CHECK-LABEL: llvm.func @sum64(
; CHECK-DAG:   %[[P:.*]] = llvm.getelementptr %p[%row] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
; CHECK-DAG:   %[[Q:.*]] = llvm.getelementptr %q[%row] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
; CHECK:     ^loop
; CHECK-NOT:   llvm.add %row
; CHECK:       %a = llvm.getelementptr %[[P]][%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
; CHECK:       %b = llvm.getelementptr %[[Q]][%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
define void @sum64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %row, i64 %step, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %k = add i64 %row, %i
  %a = getelementptr inbounds float, ptr addrspace(1) %p, i64 %k
  %x = load float, ptr addrspace(1) %a
  %b = getelementptr inbounds float, ptr addrspace(1) %q, i64 %k
  store float %x, ptr addrspace(1) %b
  %j = add i64 %i, %step
  %c = icmp slt i64 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
