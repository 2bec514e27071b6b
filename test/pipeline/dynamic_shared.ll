; RUN: nvvm-cc %s -O1 -arch=sm_80 -o - | filecheck %s
; RUN: nvvm-cc %s -O3 -arch=sm_80 -o - | filecheck %s

; All arrays of dynamic shared memory start at the same address.

target triple = "nvptx64-nvidia-cuda"

@ints = external addrspace(3) global [0 x i32], align 4
@more = external addrspace(3) global [0 x i32], align 4

; CHECK:      st.shared.b32 [ints], 1;
; CHECK:      st.shared.b32 [more],
; CHECK:      ld.shared.b32 %[[OLD:r[0-9]+]], [ints];
; CHECK:      st.global.b32 {{.*}}, %[[OLD]];
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) {
  store i32 1, ptr addrspace(3) @ints
  store i32 %x, ptr addrspace(3) @more
  %old = load i32, ptr addrspace(3) @ints
  store i32 %old, ptr addrspace(1) %p
  ret void
}
