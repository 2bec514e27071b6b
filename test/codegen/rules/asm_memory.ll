; RUN: nvvm-cc %s -arch sm_90 -O0 -o - | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -O3 -o - | filecheck %s
;
; Assembly that clobbers memory is kept although its result is unused and it is not `sideeffect`:
; `asm("..." : "=l"(state) : ... : "memory")` in CUDA C++, as libcu++ arrives at barriers. Unused assembly
; without the clobber is removed.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK: mbarrier.arrive.expect_tx.shared.b64 %rd{{[0-9]+}}, [%r{{[0-9]+}}], %r{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @k(i32 %p, i32 %n) {
  %s = call i64 asm "mbarrier.arrive.expect_tx.shared.b64 $0, [$1], $2;", "=l,r,r,~{memory}"(i32 %p, i32 %n)
  ret void
}

; CHECK-LABEL: .entry pure(
; CHECK-NOT: add.s32
; CHECK: ret;
define ptx_kernel void @pure(i32 %p, i32 %n) {
  %s = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %p, i32 %n)
  ret void
}
