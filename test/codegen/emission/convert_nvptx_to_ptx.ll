; The pass produces IR of the ptx dialect, which parses again and prints the same PTX.
;
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90},nvptx-phi-elimination,convert-nvptx-to-ptx' | filecheck %s
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90},nvptx-phi-elimination,convert-nvptx-to-ptx' | nvvm-opt | filecheck %s
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90},nvptx-phi-elimination,convert-nvptx-to-ptx' -t ptx | filecheck %s --check-prefix=PTX
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90},nvptx-phi-elimination,convert-nvptx-to-ptx' | nvvm-opt -t ptx | filecheck %s --check-prefix=PTX
; RUN: not nvvm-opt %s -p convert-nvptx-to-ptx 2>&1 | filecheck %s --check-prefix=ERROR

; ERROR: error: llvm.mlir.global cannot be printed as PTX

; CHECK:      builtin.module {
; CHECK-NEXT: ptx.version "7.8"
; CHECK-NEXT: ptx.target "sm_90"
; CHECK-NEXT: ptx.address_size 64
; CHECK-NEXT: ptx.variable "global" "b8" "text" linkage = "visible" align = 1 count = 3 init = "{34, 10}"
; CHECK-NEXT: ptx.text ""
; PTX:      .version 7.8
; PTX-NEXT: .target sm_90
; PTX-NEXT: .address_size 64
; PTX:      .visible .global .align 1 .b8 text[3] = {34, 10};
@text = addrspace(1) global [3 x i8] c"\22\0A\00"

; The block after the branch is labelled; the fall-through block is not.
; CHECK:      ptx.func "count" entry linkage = "visible" params = [".param .b64 .ptr .global .align 1 count_param_0", ".param .b32 count_param_1"]
; CHECK-NEXT: ptx.reg "pred" "%p" count = 2
; CHECK-NEXT: ptx.reg "b32" "%r" count = [[N:[0-9]+]]
; CHECK:      ptx.label "[[LOOP:\$L__BB0_[0-9]+]]"
; CHECK:      ptx.inst "add.s32"
; CHECK:      ptx.inst "setp.
; CHECK-NEXT: ptx.inst "bra" "[[LOOP]]" guard = "@
; CHECK-NOT:  ptx.label
; CHECK:      ptx.inst "ret" ""
; PTX:      .visible .entry count(
; PTX-NEXT: .param .b64 .ptr .global .align 1 count_param_0,
; PTX-NEXT: .param .b32 count_param_1
; PTX-NEXT: )
; PTX:      .reg .pred %p<2>;
; PTX:      [[LOOP:\$L__BB0_[0-9]+]]:
; PTX:      add.s32
; PTX:      @%p1 bra [[LOOP]];
; PTX:      ret;
define ptx_kernel void @count(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 3
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store i32 %next, ptr addrspace(1) %p
  ret void
}
