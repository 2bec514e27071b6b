; RUN: nvvm-cc %s -arch sm_80 -O3 | filecheck %s

; Accesses through a restrict pointer in an unrolled loop: machine code has no facts about the pointer's
; registers, so the stores would separate the loads.
; CHECK: ld.global.nc.v4
; CHECK: ld.global.v4
; CHECK: st.global.v4
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @saxpy4(ptr noalias align 16 %a, ptr noalias align 16 %b, float %f) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = shl i32 %t, 2
  %i0 = zext i32 %i to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %i0
  %pb = getelementptr inbounds float, ptr %b, i64 %i0
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %qa = getelementptr inbounds float, ptr %pa, i64 %k
  %qb = getelementptr inbounds float, ptr %pb, i64 %k
  %x = load float, ptr %qa, align 4
  %y = load float, ptr %qb, align 4
  %z = call float @llvm.fmuladd.f32(float %x, float %f, float %y)
  store float %z, ptr %qb, align 4
  %k1 = add nuw nsw i64 %k, 1
  %c = icmp eq i64 %k1, 4
  br i1 %c, label %done, label %loop
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fmuladd.f32(float, float, float)
