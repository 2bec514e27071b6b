; RUN: nvvm-cc %s -O3 -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-cc %s -O3 -j 1 -o %t.ptx 2>&1 | filecheck %s --check-prefix MANY

; Two arrays have equal remarks: one is printed.
; CHECK:     remark: in @k: array without a name
; CHECK-NOT: remark: in @k
; MANY:      remark: {{.*}}repeated_remarks.ll: in @k: array without a name
; MANY-NOT:  more files
; MANY-NOT:  in @k
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %n, ptr addrspace(1) %out) {
  %1 = alloca [4 x i32], align 4
  %2 = alloca [4 x i32], align 4
  %3 = getelementptr i32, ptr %1, i32 %n
  %4 = getelementptr i32, ptr %2, i32 %n
  store volatile i32 1, ptr %3
  store volatile i32 2, ptr %4
  %5 = load volatile i32, ptr %1
  %6 = load volatile i32, ptr %2
  %7 = add i32 %5, %6
  store i32 %7, ptr addrspace(1) %out
  ret void
}
