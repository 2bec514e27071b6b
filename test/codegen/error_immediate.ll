; RUN: not nvvm-cc %s -arch sm_90 -o - 2>&1 | filecheck %s

; Instructions with a fixed size report other sizes.
; CHECK: error_immediate.ll:[[# @LINE + 3]]:3: error: in @k: nvvm.fence.proxy.acquire: fence.proxy.tensormap::generic.acquire.gpu: operand 1 must be 128, not 64
define ptx_kernel void @k(ptr %p) {
  call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu(ptr %p, i32 128)
  call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu(ptr %p, i32 64)
  ret void
}
declare void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu(ptr, i32)
