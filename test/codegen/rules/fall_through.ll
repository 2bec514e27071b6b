; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' | filecheck %s

; The branch falls through to the next block of the input.
; CHECK-LABEL: @next_is_left
; CHECK:      [[C:%[0-9a-z]+]] = nvptx.setp ne.b32 %{{[0-9a-z]+}}, 8
; CHECK-NEXT: nvptx.cbra [[C]] : !nvptx.pred, ^bb1(
define ptx_kernel void @next_is_left(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  store volatile i32 %i, ptr addrspace(1) %p
  %c = icmp eq i32 %next, 8
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; The condition is not inverted if another block is next,
; CHECK-LABEL: @neither_is_next
; CHECK:      [[C:%[0-9a-z]+]] = nvptx.setp eq.b32 %{{[0-9a-z]+}}, 8
; CHECK-NEXT: nvptx.cbra [[C]] : !nvptx.pred, ^bb2, ^bb1(
define ptx_kernel void @neither_is_next(ptr addrspace(1) %p) {
entry:
  br label %loop
exit:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  store volatile i32 %i, ptr addrspace(1) %p
  %c = icmp eq i32 %next, 8
  br i1 %c, label %exit, label %loop
}

; or if the comparison has other uses,
; CHECK-LABEL: @used_elsewhere
; CHECK:      [[C:%[0-9a-z]+]] = nvptx.setp eq.b32
; CHECK:      nvptx.cbra [[C]] : !nvptx.pred, ^bb2, ^bb1(
define ptx_kernel void @used_elsewhere(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 8
  %s = select i1 %c, i32 %i, i32 77
  store volatile i32 %s, ptr addrspace(1) %p
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; even in a block after the branch.
; CHECK-LABEL: @used_later
; CHECK:      [[C:%[0-9a-z]+]] = nvptx.setp eq.b32
; CHECK:      nvptx.cbra [[C]] : !nvptx.pred, ^bb1, ^bb2
; CHECK:      nvptx.selp {{.*}}[[C]]
define ptx_kernel void @used_later(ptr addrspace(1) %p, i32 %i) {
entry:
  %c = icmp eq i32 %i, 8
  br i1 %c, label %next, label %exit
next:
  store volatile i32 1, ptr addrspace(1) %p
  br label %exit
exit:
  %s = select i1 %c, i32 %i, i32 77
  store volatile i32 %s, ptr addrspace(1) %p
  ret void
}
