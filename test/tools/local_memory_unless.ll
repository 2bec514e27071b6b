; RUN: nvvm-cc %s -arch sm_90 -opt -no-loopunroll -o %t.ptx 2>&1 | filecheck %s

; ptxas itself unrolls loops of a few iterations and inlines functions: variables that it then keeps in
; registers are not reported as memory.
; CHECK: in @counted: array 'a' of 16 bytes stays in local memory unless ptxas unrolls the loop that counts the index: it is indexed by a value %n that is not constant
; CHECK: in @called: array 'a' of 16 bytes stays in local memory unless ptxas inlines @fill: its address is passed to @fill
; CHECK: in @escapes: array 'a' of 16 bytes stays in local memory: its address is passed to @elsewhere; it is indexed by a value %n that is not constant
; CHECK: in @loaded: array 'a' of 16 bytes stays in local memory: it is indexed by a value %n that is not constant
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

declare void @elsewhere(ptr)

define internal void @fill(ptr %p) noinline {
  store i32 3, ptr %p
  ret void
}

define ptx_kernel void @counted(ptr addrspace(1) %o) {
  %a = alloca [4 x i32]
  store i32 5, ptr %a
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %loop ]
  %q = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  %v = load i32, ptr %q
  %g = getelementptr i32, ptr addrspace(1) %o, i32 %n
  store i32 %v, ptr addrspace(1) %g
  %n1 = add i32 %n, 1
  %c = icmp eq i32 %n1, 4
  br i1 %c, label %end, label %loop
end:
  ret void
}

define ptx_kernel void @called(ptr addrspace(1) %o) {
  %a = alloca [4 x i32]
  call void @fill(ptr %a)
  %v = load i32, ptr %a
  store i32 %v, ptr addrspace(1) %o
  ret void
}

define ptx_kernel void @escapes(ptr addrspace(1) %o) {
  %a = alloca [4 x i32]
  call void @elsewhere(ptr %a)
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %loop ]
  %q = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %o
  %n1 = add i32 %n, 1
  %c = icmp eq i32 %n1, 4
  br i1 %c, label %end, label %loop
end:
  ret void
}

define ptx_kernel void @loaded(ptr addrspace(1) %o) {
  %a = alloca [4 x i32]
  store i32 5, ptr %a
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %v, %loop ]
  %q = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %o
  %c = icmp eq i32 %v, 4
  br i1 %c, label %end, label %loop
end:
  ret void
}
