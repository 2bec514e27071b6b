; RUN: not nvvm-cc %s -arch=sm_80 -o - 2>&1 | filecheck %s

; A result of another size than the register of its constraint is reported with the constraint that fits.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p) {
; CHECK: error_asm_output_size.ll:[[# @LINE + 1]]:3: error: in @k: a result of type !llvm.ptr has 64 bits, the register of its constraint 32; the constraint 'l' fits
  %r = call ptr asm "", "=r,0"(ptr %p)
  store i32 1, ptr %r
  ret void
}
