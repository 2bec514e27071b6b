; RUN: nvvm-opt %s -p "loop-unroll<no-partial;no-runtime;no-peeling>" --verify-each -o - | filecheck %s
; RUN: nvvm-opt %s -p "loop-unroll<no-partial;no-runtime;no-peeling>,instcombine,early-cse,loop-simplify,licm" --verify-each -o - | filecheck %s --check-prefix=LICM
; RUN: nvvm-opt %s -p "loop-unroll<unroll-threshold=100;no-partial;no-runtime;no-peeling>" --verify-each -o - | filecheck %s --check-prefix=LESS

; 256 iterations of nine ops: by 32, which is less than 300 ops, or by eight, which is less than 100.
; LESS-LABEL: llvm.func @parity(
; LESS-COUNT-8: llvm.fadd
; LESS-NOT:     llvm.fadd
; LESS:         llvm.return
; CHECK-LABEL: llvm.func @parity(
; CHECK:       ^loop(
; CHECK-COUNT-32: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.cond_br {{.*}}, ^loop(
; The test of the bit is outside of the loop.
; LICM-LABEL: llvm.func @parity(
; LICM-COUNT-2: llvm.select
; LICM:       ^loop(
; LICM-NOT:      llvm.select
; LICM:          llvm.cond_br
define float @parity(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 1
  %c = icmp ne i32 %b, 0
  %x = select i1 %c, float -1.0, float 1.0
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 1
  %again = icmp ne i32 %next, 256
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; The period does not divide the trip count.
; CHECK-LABEL: llvm.func @odd_trips(
; CHECK-COUNT-1: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
define float @odd_trips(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 1
  %c = icmp ne i32 %b, 0
  %x = select i1 %c, float -1.0, float 1.0
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 1
  %again = icmp ne i32 %next, 255
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; Bit 1 of a counter by three repeats after four iterations; 252 iterations are a multiple of four and not of eight.
; CHECK-LABEL: llvm.func @four(
; CHECK-COUNT-4: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
define float @four(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 2
  %c = icmp ne i32 %b, 0
  %x = select i1 %c, float -1.0, float 1.0
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 3
  %again = icmp ne i32 %next, 756
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; Eight different values would be live in the loop.
; CHECK-LABEL: llvm.func @eight(
; CHECK-COUNT-1: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
define float @eight(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 7
  %x = sitofp i32 %b to float
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 1
  %again = icmp ne i32 %next, 256
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; The bit of a counter that advances by two is the same in all iterations.
; CHECK-LABEL: llvm.func @invariant(
; CHECK-COUNT-1: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
define float @invariant(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 1
  %x = sitofp i32 %b to float
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 2
  %again = icmp ne i32 %next, 256
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; The bit belongs to the counter of the outer loop, and to no counter.
; CHECK-LABEL: llvm.func @outer(
; CHECK-COUNT-1: llvm.fadd
; CHECK-NOT:     llvm.fadd
; CHECK:         llvm.return
define float @outer(i32 %i, float %start) {
entry:
  br label %outside
outside:
  %m = phi i32 [ 0, %entry ], [ %more, %latch ]
  %u = phi float [ %start, %entry ], [ %w, %latch ]
  br label %loop
loop:
  %n = phi i32 [ 0, %outside ], [ %next, %loop ]
  %v = phi float [ %u, %outside ], [ %w, %loop ]
  %s = add nsw i32 %m, %i
  %b = and i32 %s, 1
  %y = mul i32 %n, %n
  %d = and i32 %y, 1
  %e = add i32 %d, %b
  %x = sitofp i32 %e to float
  %w = fadd float %v, %x
  %next = add nuw nsw i32 %n, 1
  %again = icmp ne i32 %next, 256
  br i1 %again, label %loop, label %latch
latch:
  %more = add nuw nsw i32 %m, 1
  %once = icmp ne i32 %more, 256
  br i1 %once, label %outside, label %done
done:
  ret float %w
}

declare float @unknown(float, i32)

; CHECK-LABEL: llvm.func @calls(
; CHECK-COUNT-1: llvm.call @unknown
; CHECK-NOT:     llvm.call
; CHECK:         llvm.return
define float @calls(i32 %i, float %start) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %s = add nsw i32 %n, %i
  %b = and i32 %s, 1
  %w = call float @unknown(float %v, i32 %b)
  %next = add nuw nsw i32 %n, 1
  %again = icmp ne i32 %next, 256
  br i1 %again, label %loop, label %done
done:
  ret float %w
}
