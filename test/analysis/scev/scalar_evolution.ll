; RUN: nvvm-opt %s -p 'print<scalar-evolution>' -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-opt %s -p 'print<scalar-evolution>' -opt '-scalar-evolution-max-expr-size=1' -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
; RUN: nvvm-opt %s -p 'print<da>' -o /dev/null 2>&1 | filecheck %s --check-prefix=DA

target triple = "nvptx64-nvidia-cuda"

; 0, 3, 6, 9 are below 10: the loop goes around three times.
; SMALL:      %a = llvm.getelementptr
; SMALL-NEXT:   -->  %a U: full S: full Exits: <<Unknown>> LoopDispositions: { %loop: Variant }
; CHECK:      ScalarEvolution for function 'counted':
; CHECK-NEXT:   %i = argument of ^loop
; CHECK-NEXT:   -->  {0,+,3}<nuw><nsw><%loop> U: [0, 10) S: [0, 10) Exits: 9 LoopDispositions: { %loop: Computable }
; CHECK-NEXT:   %a = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
; CHECK-NEXT:   -->  {%p,+,12}<%loop>
; CHECK-SAME:   Exits: (36 + %p) LoopDispositions: { %loop: Computable }
; CHECK-NOT:    %more
; CHECK:      Loop %loop: backedge-taken count is 3
; CHECK-NEXT: Loop %loop: constant max backedge-taken count is 3
; CHECK-NEXT: Loop %loop: Trip multiple is 4
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

; The launch bounds limit the special register.
; CHECK: ScalarEvolution for function 'bounded':
; CHECK:        %x = nvvm.read.ptx.sreg.tid.x : i32
; CHECK-NEXT:   -->  %x U: [0, 128) S: [0, 128){{$}}
; CHECK-NEXT:   %d = llvm.shl %x, {{.*}} : i32
; CHECK-NEXT:   -->  (2 * %x) U: [0, 255) S: [0, 255){{$}}
define ptx_kernel void @bounded() "nvvm.maxntid"="128" {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = shl i32 %x, 1
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A grid-stride loop: i must not overflow, and the loop must end, so the stride is above 0.
; CHECK: ScalarEvolution for function 'grid_stride':
; CHECK: Loop %loop: backedge-taken count is ((((-1 * (1 umin ((-1 * %x) + (%n smax %x)))) + (-1 * %x) + (%n smax %x)) /u (1 umax (%nctaid.x * %ntid.x))) + (1 umin ((-1 * %x) + (%n smax %x))))
define ptx_kernel void @grid_stride(ptr addrspace(1) %p, i32 %n) mustprogress {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %stride = mul i32 %1, %2
  br label %loop
loop:
  %i = phi i32 [ %x, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float 0.0, ptr addrspace(1) %a, align 4
  %next = add nsw i32 %i, %stride
  br label %loop
exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

; 4 need not divide %n; x >>= 1 is 0 after at most 32 iterations.
; CHECK:      ScalarEvolution for function 'assumed':
; CHECK:      Loop %to: Unpredictable backedge-taken count.
; CHECK-NEXT: Loop %to: Predicated backedge-taken count is (%n /u 4)
; CHECK-NEXT:   where ((-4 * (%n /u 4)) + %n) is 0
; CHECK:      Loop %shift: Unpredictable backedge-taken count.
; CHECK-NEXT: Loop %shift: constant max backedge-taken count is 32
; CHECK-NEXT: Loop %shift: symbolic max backedge-taken count is 32
define void @assumed(i32 %n) {
entry:
  br label %to
to:
  %i = phi i32 [ 0, %entry ], [ %next, %to ]
  %next = add i32 %i, 4
  %more = icmp ne i32 %i, %n
  br i1 %more, label %to, label %between
between:
  br label %shift
shift:
  %x = phi i32 [ %n, %between ], [ %less, %shift ]
  %less = lshr i32 %x, 1
  %some = icmp ne i32 %x, 0
  br i1 %some, label %shift, label %exit
exit:
  ret void
}

; Unnamed values and loops are printed with the names of the assembly.
; CHECK:      ScalarEvolution for function 'unnamed':
; CHECK-NEXT:   %4 = argument of ^bb1
; CHECK-NEXT:   -->  {0,+,1}<nuw><nsw><%bb1> U: [0, 8) S: [0, 8) Exits: 7 LoopDispositions: { %bb1: Computable }
; CHECK-NEXT:   %5 = argument of ^bb2
; CHECK-NEXT:   -->  {{[{][{]}}0,+,1}<nuw><nsw><%bb1>,+,1}<nsw><%bb2> U: [0, 2147483648) S: [0, 2147483648) Exits: <<Unknown>> LoopDispositions: { %bb2: Computable, %bb1: Variant }
; CHECK-NEXT:   %6 = llvm.load volatile
; CHECK-NEXT:   -->  %6 U: full S: full Exits: <<Unknown>> LoopDispositions: { %bb2: Variant, %bb1: Variant }
define void @unnamed(ptr addrspace(1) %0) {
  br label %2
2:
  %3 = phi i32 [ 0, %1 ], [ %10, %9 ]
  br label %4
4:
  %5 = phi i32 [ %3, %2 ], [ %7, %4 ]
  %6 = load volatile i32, ptr addrspace(1) %0
  %7 = add nsw i32 %5, 1
  %8 = icmp slt i32 %7, %6
  br i1 %8, label %4, label %9
9:
  %10 = add nuw nsw i32 %3, 1
  %11 = icmp ult i32 %10, 8
  br i1 %11, label %2, label %12
12:
  ret void
}
