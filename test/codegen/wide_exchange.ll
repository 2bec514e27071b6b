; RUN: nvvm-cc %s -arch sm_90 | filecheck %s
; RUN: sed 's/ syncscope("block")//' %s > %t.ll
; RUN: nvvm-cc %t.ll -arch sm_90 | filecheck %s --check-prefix SYSTEM

; 128-bit exchanges need PTX 8.3 within a device and 8.4 at system scope.
; CHECK: .version 8.3
; CHECK: atom.relaxed.cta.global.cas.b128
; SYSTEM: .version 8.4
; SYSTEM: atom.relaxed.sys.global.cas.b128
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, i128 %v) {
  %c = cmpxchg ptr addrspace(1) %p, i128 1, i128 %v syncscope("block") monotonic monotonic
  ret void
}
