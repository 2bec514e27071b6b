; RUN: nvvm-cc %s -arch sm_90a -O3 -o - | filecheck %s
;
; An input that is tied to a result is in the result's register. There is no copy before the text: it would
; read the accumulators of a product that has not completed.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()

; CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A:%f[0-9]+]],[[B:%f[0-9]+]],[[C:%f[0-9]+]],[[D:%f[0-9]+]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 0, 1, 1, 0, 0;
; CHECK-NOT: mov
; CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A]],[[B]],[[C]],[[D]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
; CHECK-NOT: mov
; CHECK: wgmma.wait_group.sync.aligned 0;
; CHECK-NOT: mov
; CHECK: st.global.v4.{{[fb]}}32 [%rd{{[0-9]+}}], {[[A]], [[B]], [[C]], [[D]]};
define ptx_kernel void @k(ptr addrspace(1) align 16 %p, i64 %x, i64 %y) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %a = call {float, float, float, float} asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $4, $5, 0, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l"(i64 %x, i64 %y)
  %a0 = extractvalue {float, float, float, float} %a, 0
  %a1 = extractvalue {float, float, float, float} %a, 1
  %a2 = extractvalue {float, float, float, float} %a, 2
  %a3 = extractvalue {float, float, float, float} %a, 3
  %b = call {float, float, float, float} asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $8, $9, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l"(float %a0, float %a1, float %a2, float %a3, i64 %y, i64 %x)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %b0 = extractvalue {float, float, float, float} %b, 0
  %b1 = extractvalue {float, float, float, float} %b, 1
  %b2 = extractvalue {float, float, float, float} %b, 2
  %b3 = extractvalue {float, float, float, float} %b, 3
  %c = call {float, float, float, float} asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %b0, float %b1, float %b2, float %b3)
  %c0 = extractvalue {float, float, float, float} %c, 0
  %c1 = extractvalue {float, float, float, float} %c, 1
  %c2 = extractvalue {float, float, float, float} %c, 2
  %c3 = extractvalue {float, float, float, float} %c, 3
  %v0 = insertelement <4 x float> poison, float %c0, i32 0
  %v1 = insertelement <4 x float> %v0, float %c1, i32 1
  %v2 = insertelement <4 x float> %v1, float %c2, i32 2
  %v3 = insertelement <4 x float> %v2, float %c3, i32 3
  store <4 x float> %v3, ptr addrspace(1) %p, align 16
  ret void
}
