; RUN: nvvm-cc %s -arch sm_80 -O0 -o - | filecheck %s
; RUN: nvvm-cc %s -arch sm_80 -O3 -o - | filecheck %s

; Indices are sign-extended, `true` too; an initializer may point into a vector.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@lanes = addrspace(1) global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
; CHECK: .global .align 8 .u64 third = lanes+8;
@third = addrspace(1) global ptr addrspace(1) getelementptr (<4 x i32>, ptr addrspace(1) @lanes, i64 0, i64 2)

; CHECK-LABEL: .entry truth(
; CHECK: st.global.b32 [%{{.*}}+-4], 7;
define ptx_kernel void @truth(ptr addrspace(1) %p) {
  %a = getelementptr i32, ptr addrspace(1) %p, i1 true
  store i32 7, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: .entry marked(
; CHECK: add.s64 [[AT:%rd[0-9]+]], %rd{{[0-9]+}}, -8589934592;
; CHECK: st.global.b32 {{\[}}[[AT]]], 7;
define ptx_kernel void @marked(ptr addrspace(1) %p) {
  %a = getelementptr i32, ptr addrspace(1) %p, i64 -2147483648
  store i32 7, ptr addrspace(1) %a
  ret void
}
