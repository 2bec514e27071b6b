; RUN: nvvm-cc %s -arch sm_75 -rdc true -o - | filecheck %s

; A weak declaration is an extern one, as in libNVVM. ptxas accepts no weak declaration of a
; function, and a weak variable would be a definition.

target triple = "nvptx64-nvidia-cuda"
@a = extern_weak addrspace(1) global i32
declare extern_weak i32 @f(i32)

; CHECK:      .extern .global .align 4 .b8 a[4];
; CHECK:      .extern .func (.param .b32 func_retval0) f(

; The comparisons with null remain.
; CHECK-LABEL: .entry k(
; CHECK-DAG:   mov.b64 [[A:%rd[0-9]+]], a;
; CHECK-DAG:   mov.b64 [[F:%rd[0-9]+]], f;
; CHECK-DAG:   mov.b64 {[[AL:%r[0-9]+]], [[AH:%r[0-9]+]]}, [[A]];
; CHECK-DAG:   or.b32 [[AB:%r[0-9]+]], [[AL]], [[AH]];
; CHECK-DAG:   setp.{{(eq|ne)}}.b32 %{{p[0-9]+}}, [[AB]], 0;
; CHECK-DAG:   mov.b64 {[[FL:%r[0-9]+]], [[FH:%r[0-9]+]]}, [[F]];
; CHECK-DAG:   or.b32 [[FB:%r[0-9]+]], [[FL]], [[FH]];
; CHECK-DAG:   setp.{{(eq|ne)}}.b32 %{{p[0-9]+}}, [[FB]], 0;
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %c = icmp eq ptr addrspace(1) @a, null
  %d = icmp eq ptr @f, null
  %e = or i1 %c, %d
  %x = zext i1 %e to i8
  store i8 %x, ptr addrspace(1) %p
  %v = call i32 @f(i32 3)
  ret void
}
