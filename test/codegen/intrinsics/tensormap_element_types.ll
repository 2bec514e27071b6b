; RUN: nvvm-cc %s -arch sm_100a -O0 | filecheck %s

; Element types from 13 on need PTX 8.7.
; CHECK: .version 8.7
; CHECK: tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 13;
define void @f(ptr addrspace(1) %g) {
  call void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1) %g, i32 13)
  ret void
}
declare void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1), i32)
