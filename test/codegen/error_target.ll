; RUN: not nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' 2>&1 | filecheck %s

; CHECK: error: in @k: 'barrier.cluster.arrive' needs sm_90 or later, not sm_80
define ptx_kernel void @k() {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}
declare void @llvm.nvvm.barrier.cluster.arrive()
