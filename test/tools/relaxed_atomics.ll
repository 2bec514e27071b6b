; RUN: nvvm-cc %s -arch sm_90 | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -O0 | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -relaxed-atomics=1 | filecheck %s --check-prefix RELAXED
; RUN: nvvm-cc %s -arch sm_90 -relaxed-atomics=1 -O0 | filecheck %s --check-prefix RELAXED
; RUN: nvvm-cc %s -arch sm_90 -relaxed-atomics=1 -p dce | filecheck %s --check-prefix RELAXED
; RUN: nvvm-cc %s -arch sm_90 -relaxed-atomics=0 | filecheck %s

; CHECK:       fence.sc.sys;
; CHECK-NEXT:  atom.acquire.sys.global.add.u32
; RELAXED-NOT: fence
; RELAXED:     atom.relaxed.sys.global.add.u32
define ptx_kernel void @count(ptr %p, ptr %out) {
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  store i32 %old, ptr %out
  ret void
}
