; RUN: nvvm-opt %s -p 'early-cse,instsimplify' | filecheck %s --check-prefix=ASKS-NOTHING
; RUN: nvvm-opt %s -p instcombine | filecheck %s

; instcombine can determine whether y may be undefined; the other users of the rules leave the select.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @defined
; CHECK-NOT:     llvm.select
; CHECK-LABEL: @argument
; CHECK:         llvm.select
; ASKS-NOTHING-LABEL: @defined
; ASKS-NOTHING:         llvm.select
define i32 @defined(i32 %x, i32 %n) {
  %f = freeze i32 %n
  %y = xor i32 %f, 3
  %m = mul i32 %x, %y
  %c = icmp eq i32 %x, 0
  %s = select i1 %c, i32 0, i32 %m
  ret i32 %s
}

define i32 @argument(i32 %x, i32 %n) {
  %y = xor i32 %n, 3
  %m = mul i32 %x, %y
  %c = icmp eq i32 %x, 0
  %s = select i1 %c, i32 0, i32 %m
  ret i32 %s
}
