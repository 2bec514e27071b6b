; RUN: nvvm-cc %s -arch sm_100a -O0 -o %t.ptx
; RUN: filecheck %s < %t.ptx
; RUN: ptxas -arch sm_100a %t.ptx -o %t.cubin

; Element types from 13 on and the atomicity of swizzles need PTX 8.7 and sm_100a.
; CHECK: .version 8.7
; CHECK: tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 13;
; CHECK-NEXT: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%rd2], 13;
; CHECK-NEXT: tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 15;
; CHECK-NEXT: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%rd2], 15;
; CHECK-NEXT: tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 0;
; CHECK-NEXT: tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%rd2], 0;
; CHECK-NEXT: tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 3;
; CHECK-NEXT: tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%rd2], 3;
define void @f(ptr addrspace(1) %g, ptr addrspace(3) %s) {
  call void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1) %g, i32 13)
  call void @llvm.nvvm.tensormap.replace.elemtype.p3(ptr addrspace(3) %s, i32 13)
  call void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1) %g, i32 15)
  call void @llvm.nvvm.tensormap.replace.elemtype.p3(ptr addrspace(3) %s, i32 15)
  call void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p1(ptr addrspace(1) %g, i32 0)
  call void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p3(ptr addrspace(3) %s, i32 0)
  call void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p1(ptr addrspace(1) %g, i32 3)
  call void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p3(ptr addrspace(3) %s, i32 3)
  ret void
}
declare void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1), i32)
declare void @llvm.nvvm.tensormap.replace.elemtype.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p1(ptr addrspace(1), i32)
declare void @llvm.nvvm.tensormap.replace.swizzle.atomicity.p3(ptr addrspace(3), i32)
