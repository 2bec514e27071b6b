; RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: error_width.ll:[[# @LINE + 3]]:13: error: i8388607 is not supported: integers have at most 4096 bits
; CHECK-NEXT: %x = load i8388607
define ptx_kernel void @k(ptr %p, ptr %q) {
  %x = load i8388607, ptr %p
  store i8388607 %x, ptr %q
  ret void
}
