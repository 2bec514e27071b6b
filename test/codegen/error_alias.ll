; RUN: not nvvm-cc %s -arch=sm_80 -o - 2>&1 | filecheck %s

; An alias of a part of a variable is an error; PTX has no symbol for it.

target triple = "nvptx64-nvidia-cuda"

@words = internal addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@third = internal alias i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @words, i64 8)

; CHECK: error: in @k: 'third' is an alias of an expression, which is not supported
define ptx_kernel void @k(ptr %p) {
  %x = load i32, ptr addrspace(1) @third
  store i32 %x, ptr %p
  ret void
}
