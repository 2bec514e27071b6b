; RUN: not nvvm-opt %s -p nvvm-verify 2>&1 | filecheck %s --match-full-lines
; RUN: not nvvm-opt %s -p nvvm-ir-verification 2>&1 | filecheck %s --match-full-lines

; Every error with its location, its line and a caret.
; CHECK:      {{.*}}nvvm_verify_output.ll:16:24: error: in @k: 'llvm.func': variadic entry function.
; CHECK-NEXT: define ptx_kernel void @k(ptr addrspace(4) %c, ptr addrspace(3) %s, ...) {
; CHECK-NEXT:                        ^
; CHECK-NEXT: {{.*}}nvvm_verify_output.ll:17:3: error: in @k: 'llvm.store': store cannot target constant address space
; CHECK-NEXT:   store i32 1, ptr addrspace(4) %c
; CHECK-NEXT:   ^
; CHECK-NEXT: {{.*}}nvvm_verify_output.ll:18:3: error: in @k: '%x = llvm.addrspacecast': Cannot cast non-generic pointer to different non-generic pointer
; CHECK-NEXT:   %x = addrspacecast ptr addrspace(3) %s to ptr addrspace(1)
; CHECK-NEXT:   ^

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(4) %c, ptr addrspace(3) %s, ...) {
  store i32 1, ptr addrspace(4) %c
  %x = addrspacecast ptr addrspace(3) %s to ptr addrspace(1)
  ret void
}
