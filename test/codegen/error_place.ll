; RUN: not nvvm-cc %s -O0 -o - 2>&1 | filecheck %s
; RUN: not nvvm-opt %s -t 'ptx{arch=sm_90}' 2>&1 | filecheck %s
; RUN: not nvvm-opt %s -p nvvm-verify -t 'ptx{arch=sm_90}' 2>&1 | filecheck %s

; Errors after the front end are reported at the input location: a second run tracks the locations of all
; ops.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, ptr addrspace(9) %q) {
  store i32 1, ptr %p
; CHECK: error_place.ll:[[# @LINE + 3]]:3: error: in @k: PTX has no state space for address space 9
; CHECK-NEXT: {{^}}  %v = load
; CHECK-NEXT: {{^}}  ^
  %v = load i32, ptr addrspace(9) %q
  store i32 %v, ptr %p
  ret void
}
