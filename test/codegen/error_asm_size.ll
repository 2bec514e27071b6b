; RUN: not nvvm-cc %s -arch=sm_80 -o - 2>&1 | filecheck %s

; A value of another size than the register of its constraint is reported with the constraint that fits.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, double %d) {
; CHECK: error_asm_size.ll:[[# @LINE + 1]]:3: error: in @k: a value of type f64 has 64 bits, the register of its constraint 32; the constraint 'd' fits
  call void asm sideeffect "// $0", "f"(double %d)
  ret void
}
