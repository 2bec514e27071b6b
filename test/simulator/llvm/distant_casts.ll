; RUN: nvvm-run %s --arg 'i64[2]' --arg -8 --print 0 | filecheck %s
; RUN: nvvm-run %s --arg 'i64[2]' --arg -8 --print 0 -O0 --select | filecheck %s
; RUN: nvvm-run %s --arg 'i64[2]' --arg 1000000000000000 --print 0 | filecheck %s

; A cast to generic adds the start of the window: a cast at any distance from the variable cancels out.
; CHECK: [5, 0]

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p, i64 %i) {
  %a = alloca i64, align 8, addrspace(5)
  store i64 5, ptr addrspace(5) %a, align 8
  %g = getelementptr i8, ptr addrspace(5) %a, i64 %i
  %h = addrspacecast ptr addrspace(5) %g to ptr
  %n = sub i64 0, %i
  %k = getelementptr i8, ptr %h, i64 %n
  %x = load i64, ptr %k, align 8
  store i64 %x, ptr addrspace(1) %p, align 8
  %b = alloca i64, align 8
  store i64 7, ptr %b, align 8
  %j = ptrtoint ptr %b to i64
  %m = sub i64 0, %j
  %z = getelementptr i8, ptr %b, i64 %m
  %y = ptrtoint ptr %z to i64
  %q = getelementptr i64, ptr addrspace(1) %p, i64 1
  store i64 %y, ptr addrspace(1) %q, align 8
  ret void
}
