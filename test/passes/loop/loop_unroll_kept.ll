; RUN: nvvm-opt %s -p "loop-unroll<no-partial;no-runtime;no-peeling>" --verify-each -o - | filecheck %s

; Loops with a constant trip count that ptxas does not unroll.

; A slow path of divisions; eight divides the trip count, sixteen is above the maximum.
; CHECK-LABEL: llvm.func @quotients(
; CHECK-COUNT-8: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @quotients(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; Four divides the trip count, eight does not.
; CHECK-LABEL: llvm.func @by_four(
; CHECK-COUNT-4: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @by_four(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2004
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; The trip count is odd.
; CHECK-LABEL: llvm.func @odd(
; CHECK-COUNT-1: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @odd(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2005
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; A slow path of square roots.
; CHECK-LABEL: llvm.func @roots(
; CHECK-COUNT-8: sqrt.rn
; CHECK-NOT:     sqrt.rn
; CHECK:         llvm.return
declare float @llvm.nvvm.sqrt.rn.f(float)
define float @roots(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = call float @llvm.nvvm.sqrt.rn.f(float %v)
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; No slow path: ptxas unrolls these.
; CHECK-LABEL: llvm.func @approximate(
; CHECK-COUNT-1: sqrt.approx
; CHECK-NOT:     sqrt.approx
; CHECK:         llvm.return
declare float @llvm.nvvm.sqrt.approx.f(float)
define float @approximate(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = call float @llvm.nvvm.sqrt.approx.f(float %v)
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; CHECK-LABEL: llvm.func @products(
; CHECK-COUNT-1: llvm.fmul
; CHECK-NOT:     llvm.fmul
; CHECK:         llvm.return
define float @products(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fmul float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; Two exits.
; CHECK-LABEL: llvm.func @search(
; CHECK-COUNT-8: llvm.fmul
; CHECK-NOT:     llvm.fmul
; CHECK:         llvm.return
define float @search(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %more ]
  %v = phi float [ %start, %entry ], [ %w, %more ]
  %w = fmul float %v, 3.0
  %stop = fcmp ogt float %w, 1000.0
  br i1 %stop, label %done, label %more
more:
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  %r = phi float [ 0.0, %loop ], [ %w, %more ]
  ret float %r
}

; Two exits, and no bound of the trip count.
; CHECK-LABEL: llvm.func @unknown_bound(
; CHECK-COUNT-1: llvm.fmul
; CHECK-NOT:     llvm.fmul
; CHECK:         llvm.return
define float @unknown_bound(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %more ]
  %v = phi float [ %start, %entry ], [ %w, %more ]
  %w = fmul float %v, 3.0
  %stop = fcmp ogt float %w, 1000.0
  br i1 %stop, label %done, label %more
more:
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %done
done:
  %r = phi float [ 0.0, %loop ], [ %w, %more ]
  ret float %r
}

; CHECK-LABEL: llvm.func @unknown_trips(
; CHECK-COUNT-1: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @unknown_trips(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; Four copies have fewer than 300 ops, eight have more.
; CHECK-LABEL: llvm.func @long(
; CHECK-COUNT-256: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @long(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w0 = fdiv float %v, 3.0
  %w1 = fdiv float %w0, 3.0
  %w2 = fdiv float %w1, 3.0
  %w3 = fdiv float %w2, 3.0
  %w4 = fdiv float %w3, 3.0
  %w5 = fdiv float %w4, 3.0
  %w6 = fdiv float %w5, 3.0
  %w7 = fdiv float %w6, 3.0
  %w8 = fdiv float %w7, 3.0
  %w9 = fdiv float %w8, 3.0
  %w10 = fdiv float %w9, 3.0
  %w11 = fdiv float %w10, 3.0
  %w12 = fdiv float %w11, 3.0
  %w13 = fdiv float %w12, 3.0
  %w14 = fdiv float %w13, 3.0
  %w15 = fdiv float %w14, 3.0
  %w16 = fdiv float %w15, 3.0
  %w17 = fdiv float %w16, 3.0
  %w18 = fdiv float %w17, 3.0
  %w19 = fdiv float %w18, 3.0
  %w20 = fdiv float %w19, 3.0
  %w21 = fdiv float %w20, 3.0
  %w22 = fdiv float %w21, 3.0
  %w23 = fdiv float %w22, 3.0
  %w24 = fdiv float %w23, 3.0
  %w25 = fdiv float %w24, 3.0
  %w26 = fdiv float %w25, 3.0
  %w27 = fdiv float %w26, 3.0
  %w28 = fdiv float %w27, 3.0
  %w29 = fdiv float %w28, 3.0
  %w30 = fdiv float %w29, 3.0
  %w31 = fdiv float %w30, 3.0
  %w32 = fdiv float %w31, 3.0
  %w33 = fdiv float %w32, 3.0
  %w34 = fdiv float %w33, 3.0
  %w35 = fdiv float %w34, 3.0
  %w36 = fdiv float %w35, 3.0
  %w37 = fdiv float %w36, 3.0
  %w38 = fdiv float %w37, 3.0
  %w39 = fdiv float %w38, 3.0
  %w40 = fdiv float %w39, 3.0
  %w41 = fdiv float %w40, 3.0
  %w42 = fdiv float %w41, 3.0
  %w43 = fdiv float %w42, 3.0
  %w44 = fdiv float %w43, 3.0
  %w45 = fdiv float %w44, 3.0
  %w46 = fdiv float %w45, 3.0
  %w47 = fdiv float %w46, 3.0
  %w48 = fdiv float %w47, 3.0
  %w49 = fdiv float %w48, 3.0
  %w50 = fdiv float %w49, 3.0
  %w51 = fdiv float %w50, 3.0
  %w52 = fdiv float %w51, 3.0
  %w53 = fdiv float %w52, 3.0
  %w54 = fdiv float %w53, 3.0
  %w55 = fdiv float %w54, 3.0
  %w56 = fdiv float %w55, 3.0
  %w57 = fdiv float %w56, 3.0
  %w58 = fdiv float %w57, 3.0
  %w59 = fdiv float %w58, 3.0
  %w60 = fdiv float %w59, 3.0
  %w61 = fdiv float %w60, 3.0
  %w62 = fdiv float %w61, 3.0
  %w = fdiv float %w62, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; CHECK-LABEL: llvm.func @calls(
; CHECK-COUNT-1: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define internal float @f(float %x) noinline {
  ret float %x
}
define float @calls(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %u = call float @f(float %v)
  %w = fdiv float %u, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; CHECK-LABEL: llvm.func @barriers(
; CHECK-COUNT-1: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
declare void @llvm.nvvm.barrier0()
define float @barriers(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done
done:
  ret float %w
}

; CHECK-LABEL: llvm.func @not_asked(
; CHECK-COUNT-1: llvm.fdiv
; CHECK-NOT:     llvm.fdiv
; CHECK:         llvm.return
define float @not_asked(float %start, i32 %m) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %start, %entry ], [ %w, %loop ]
  %w = fdiv float %v, 3.0
  %next = add nuw nsw i32 %n, 1
  %again = icmp slt i32 %next, 2000
  br i1 %again, label %loop, label %done, !llvm.loop !0
done:
  ret float %w
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
