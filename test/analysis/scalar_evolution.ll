; RUN: nvvm-opt %s -p 'print<scalar-evolution>' -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-opt %s -p 'print<scalar-evolution>' -opt '-scalar-evolution-max-expr-size=1' -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
; RUN: nvvm-opt %s -p 'print<da>' -o /dev/null 2>&1 | filecheck %s --check-prefix=DA

target triple = "nvptx64-nvidia-cuda"

; 0, 3, 6, 9 are below 10: the loop goes around three times.
; SMALL:      %a --> %a U
; CHECK:      ScalarEvolution for function 'counted':
; CHECK:        %i --> {0,+,3}<nuw><nsw><%loop> U: [0, 10) S: [0, 10)
; CHECK:        %a --> {%p,+,12}<%loop>
; CHECK:      Loop ^loop: backedge-taken count is 3
; CHECK-NEXT: Loop ^loop: constant max backedge-taken count is 3
; CHECK-NEXT: Loop ^loop: Trip multiple is 4
; DA:         Dependence Analysis for function 'counted':
; DA-NEXT:    Src: llvm.load %a --> Dst: llvm.load %a
; DA-NEXT:      da analyze - input [0]!
; DA-NEXT:    Src: llvm.load %a --> Dst: llvm.store %b
; DA-NEXT:      da analyze - anti [-1]!
; DA-NEXT:    Src: llvm.store %b --> Dst: llvm.store %b
; DA-NEXT:      da analyze - output [0]!
define void @counted(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %a, align 4
  %next = add nuw nsw i64 %i, 3
  %b = getelementptr float, ptr addrspace(1) %p, i64 %next
  store float %v, ptr addrspace(1) %b, align 4
  %more = icmp slt i64 %next, 10
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The special register is bounded by the launch bounds.
; CHECK: ScalarEvolution for function 'bounded':
; CHECK:   %x --> %x U: [0, 128) S: [0, 128)
; CHECK:   %d --> (2 * %x) U: [0, 255) S: [0, 255)
define ptx_kernel void @bounded() "nvvm.maxntid"="128" {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = shl i32 %x, 1
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
