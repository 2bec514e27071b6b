; RUN: not nvvm-cc %s -O0 -arch=sm_80 -o - 2>&1 | filecheck %s
; RUN: not nvvm-cc %s -O3 -arch=sm_80 -o - 2>&1 | filecheck %s

; Instructions that the GPU lacks are reported at the inline assembly, before ptxas runs.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k() {
; CHECK: error_asm.ll:[[# @LINE + 3]]:3: error: in @k: inline assembly: 'wgmma.fence.sync.aligned' needs sm_90a, not sm_80
; CHECK-NEXT: {{^}}  call void asm
; CHECK-NEXT: {{^}}  ^
  call void asm sideeffect "nanosleep.u32 1; wgmma.fence.sync.aligned;", ""()
  ret void
}
