; RUN: nvvm-cc %s -S -O0 -arch sm_90 -o - | filecheck %s
; RUN: nvvm-cc %s -S -O0 -arch sm_90 -o %t.ptx
; RUN: ptxas -arch sm_90 %t.ptx -o %t.cubin
; REQUIRES: ptxas

; A kernel whose address is taken is declared before its first use, without its directives, which ptxas
; accepts only with a body.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK:      .weak .entry second(
; CHECK-NEXT:   .param .align 8 .b8 second_param_0[64],
; CHECK-NEXT:   .param .b32 second_param_1
; CHECK-NEXT: );
; CHECK:      .visible .entry first(
; CHECK:        mov.b64 %{{.*}}, second;
define ptx_kernel void @first(ptr %out) {
  store ptr @second, ptr %out
  ret void
}

; CHECK:      .weak .entry second(
; CHECK-NEXT:   .param .align 8 .b8 second_param_0[64],
; CHECK-NEXT:   .param .b32 second_param_1
; CHECK-NEXT: )
; CHECK-NEXT: .maxntid 256, 1, 1
; CHECK-NEXT: .minnctapersm 2
; CHECK-NEXT: {
define weak_odr ptx_kernel void @second(ptr byval([64 x i8]) align 8 %x, i32 %n) "nvvm.maxntid"="256,1,1" "nvvm.minctasm"="2" {
  ret void
}
