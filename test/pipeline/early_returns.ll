; Two early returns become one branch: at the first run of sink the coordinates are still computed before the
; first branch.
; RUN: nvvm-opt %s -p 'nvopt<O3>' | filecheck %s
; CHECK-LABEL: @two_returns
; CHECK: llvm.cond_br
; CHECK-NOT: llvm.cond_br
; CHECK: llvm.return
define ptx_kernel void @two_returns(ptr %a, i32 %n, i32 %m) {
  %i = alloca i32
  %j = alloca i32
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %x, ptr %i
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  store i32 %y, ptr %j
  %i.0 = load i32, ptr %i
  %c = icmp sge i32 %i.0, %n
  br i1 %c, label %return, label %next

next:
  %j.0 = load i32, ptr %j
  %d = icmp sge i32 %j.0, %m
  br i1 %d, label %return, label %body

body:
  %i.1 = load i32, ptr %i
  %j.1 = load i32, ptr %j
  %row = mul nsw i32 %i.1, %m
  %at = add nsw i32 %row, %j.1
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 1, ptr %p
  br label %return

return:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
