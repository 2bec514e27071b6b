; RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: error_width.ll:[[# @LINE + 3]]:3: error: in @k: values of type i4097 are not supported: integers have at most 4096 bits
; CHECK-NEXT: %x = load i4097
define ptx_kernel void @k(ptr %p, ptr %q) {
  %x = load i4097, ptr %p
  store i4097 %x, ptr %q
  ret void
}
