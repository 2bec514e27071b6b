; RUN: not nvvm-cc %s -arch sm_100 -o - 2>&1 | filecheck %s
; RUN: not nvvm-cc %s -arch sm_90a -o - 2>&1 | filecheck %s

; CHECK: error_swizzle_atomicity.ll:[[# @LINE + 2]]:3: error: in @f: 'tensormap.replace.tile.swizzle_atomicity.global.b1024.b32' needs
define void @f(ptr addrspace(1) %g) {
  call void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p1(ptr addrspace(1) %g, i32 0)
  ret void
}
declare void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p1(ptr addrspace(1), i32)
