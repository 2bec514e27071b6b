; RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s

; These scope names belong to other targets.
; CHECK: error_scope.ll:[[# @LINE + 2]]:3: error: in @k: unknown synchronization scope 'agent'; expected one of system, device, cluster, block, singlethread
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("agent") monotonic
  ret void
}
