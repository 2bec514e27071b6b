; RUN: not nvvm-cc %s -O0 -o - 2>&1 | filecheck %s
; RUN: not nvvm-cc %s -O3 -o - 2>&1 | filecheck %s
; RUN: sed 's/@init, ptr null }.*/@init, ptr null }]/; s/ctors/dtors/' %s | not nvvm-cc - -o - 2>&1 | filecheck %s --check-prefix DTOR
; RUN: sed 's/^@llvm.global_ctors.*/@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer/' %s | nvvm-cc - -o - | filecheck %s --check-prefix EMPTY

; CHECK: error: the module has the constructor @init, which PTX cannot run
; DTOR: error: the module has the destructor @init, which PTX cannot run
; EMPTY: .entry k
target triple = "nvptx64-nvidia-cuda"
@x = addrspace(1) global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init, ptr null }]
define internal void @init() {
  store i32 5, ptr addrspace(1) @x
  ret void
}
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr addrspace(1) @x
  store i32 %v, ptr %p
  ret void
}
