; RUN: nvvm-cc %s -O1 -o - | filecheck %s

; A loop-carried restrict pointer without `const`: selection marks it as restrict, and the pass finds that
; there are no stores through it.
; CHECK-LABEL: .entry sum(
; CHECK: ld.global.nc.b32
; CHECK-NOT: ld.global.b32
; CHECK: st.global.b32
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr noalias %in, ptr noalias %out, i32 %n) {
entry:
  br label %loop

loop:
  %p = phi ptr [ %in, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %v = load i32, ptr %p
  %t = add i32 %s, %v
  %next = getelementptr i32, ptr %p, i64 1
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %done

done:
  store i32 %t, ptr %out
  ret void
}
