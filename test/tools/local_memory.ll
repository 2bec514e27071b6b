; RUN: nvvm-cc %s -arch sm_90 -o %t.ptx 2>&1 | filecheck %s --match-full-lines
; RUN: nvvm-cc %s -arch sm_90 -O0 -o - 2>&1 | filecheck %s --check-prefix=QUIET

; CHECK: remark: in @k: array 'bins' of 32 bytes stays in local memory: it is indexed by a value %i that is not constant; it is indexed by a value %j that is not constant
; QUIET-NOT: local memory
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

define void @k(ptr %out, i64 %i, i64 %j) {
  %bins = alloca [8 x i32]
  %p = getelementptr [8 x i32], ptr %bins, i64 0, i64 %i
  store i32 1, ptr %p
  %q = getelementptr [8 x i32], ptr %bins, i64 0, i64 %j
  %x = load i32, ptr %q
  store i32 %x, ptr %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
