; Local memory with pointers of 32 bits, as in Triton's data layout.
;
; RUN: nvvm-cc %s -arch sm_90 -O0 | filecheck %s

; CHECK:      mov.b32 [[BASE:%r[0-9]+]], __local_0;
; CHECK-NEXT: mad.lo.s32 [[SLOT:%r[0-9]+]], %r{{[0-9]+}}, 8, [[BASE]];
; CHECK-NEXT: st.local.b64 {{\[}}[[SLOT]]], 1;
; CHECK:      alloca.u64 [[MADE:%rd[0-9]+]],
; CHECK-NEXT: cvt.u32.u64 [[NARROW:%r[0-9]+]], [[MADE]];
; CHECK:      mad.lo.s32 [[ELEMENT:%r[0-9]+]], %r{{[0-9]+}}, 4, [[NARROW]];
; CHECK-NEXT: st.local.b32 {{\[}}[[ELEMENT]]], 7;
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i32 %n, ptr %out) {
  %a = alloca [16 x i64], align 8
  %l = addrspacecast ptr %a to ptr addrspace(5)
  %g = getelementptr [16 x i64], ptr addrspace(5) %l, i32 0, i32 %n
  store i64 1, ptr addrspace(5) %g
  %i = ptrtoint ptr addrspace(5) %g to i32
  %b = alloca i32, i32 %n
  store i32 %i, ptr %b
  %m = addrspacecast ptr %b to ptr addrspace(5)
  %j = ptrtoint ptr addrspace(5) %m to i32
  store i32 %j, ptr %out
  %h = getelementptr i32, ptr addrspace(5) %m, i32 %n
  store i32 7, ptr addrspace(5) %h
  %al = alloca i32, i32 %n, addrspace(5)
  %h2 = getelementptr i32, ptr addrspace(5) %al, i32 %n
  store i32 7, ptr addrspace(5) %h2
  %h3 = addrspacecast ptr addrspace(5) %h2 to ptr
  store ptr %h3, ptr %out
  ret void
}
