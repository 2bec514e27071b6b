; RUN: nvvm-opt %s -p 'loop-unroll<for-loads>' --verify-each | filecheck %s

; The counter at which the loop is left is extended after it, not at each exit.
; CHECK-LABEL: llvm.func @find
; CHECK:       ^loop(%i: i32):
; CHECK-NEXT:    %j = llvm.sext %i
; CHECK:         llvm.cond_br %found, ^loop_loopexit(%i : i32)
; CHECK:       ^done(%[[I:.*]]: i32):
; CHECK-NEXT:    llvm.sext %[[I]] : i32 to i64
define i64 @find(i32 %n, ptr %p, i32 %x) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %none
loop:
  %i = phi i32 [0, %entry], [%next, %more]
  %j = sext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %j
  %v = load i32, ptr %a
  %found = icmp eq i32 %v, %x
  br i1 %found, label %done, label %more
more:
  %next = add nsw i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %none
done:
  ret i64 %j
none:
  ret i64 -1
}
