; RUN: nvvm-cc %s -arch sm_100a | filecheck %s

; ptxas accepts the address of st.bulk only in a register; the size may be an immediate.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3), i64, i64)

@buffer = addrspace(3) global [4096 x i8] undef, align 16

; CHECK:      mov.b64 [[AT:%rd[0-9]+]], buffer;
; CHECK-NEXT: st.bulk.shared::cta [[[AT]]], 4096, 0;
define ptx_kernel void @clear() {
  call void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) @buffer, i64 4096, i64 0)
  ret void
}
