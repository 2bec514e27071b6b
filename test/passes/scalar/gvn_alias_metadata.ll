; RUN: nvvm-opt %s -p 'gvn' -S | filecheck %s

; A load with alias scopes is executed in some iterations only. In the others, the store that its scopes exclude may be to its
; address, so its value at the start of the next iteration is unknown.
; CHECK-LABEL: define ptx_kernel void @some_iterations(
; CHECK:       ld:
; CHECK-NEXT:    %v = load i32, ptr %o
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @some_iterations(ptr %p, ptr %c, i32 %n) {
entry:
  %o = getelementptr i32, ptr %p, i32 1
  store i32 0, ptr %o
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %cp = getelementptr i32, ptr %c, i32 %i
  %cv = load i32, ptr %cp
  %b1 = and i32 %cv, 1
  %t1 = icmp eq i32 %b1, 0
  br i1 %t1, label %st, label %st2
st2:
  store i32 7, ptr %o
  br label %m
st:
  %pi = and i32 %i, 1
  %x = getelementptr i32, ptr %p, i32 %pi
  store i32 %i, ptr %x, !noalias !2
  br label %m
m:
  %b2 = and i32 %cv, 2
  %t2 = icmp eq i32 %b2, 0
  br i1 %t2, label %ld, label %latch
ld:
  %v = load i32, ptr %o, !alias.scope !2
  %s1 = add i32 %s, %v
  br label %latch
latch:
  %s.next = phi i32 [ %s, %m ], [ %s1, %ld ]
  %i.next = add i32 %i, 1
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %loop, label %done
done:
  store i32 %s.next, ptr %p
  ret void
}

; The same with a store in the rest of the iteration.
; CHECK-LABEL: define ptx_kernel void @stores_after_load(
; CHECK:       ld:
; CHECK-NEXT:    %v = load i32, ptr %o
define ptx_kernel void @stores_after_load(ptr %p, ptr %c, i32 %n) {
entry:
  %o = getelementptr i32, ptr %p, i32 1
  store i32 0, ptr %o
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %back ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %back ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %cp = getelementptr i32, ptr %c, i32 %i
  %cv = load i32, ptr %cp
  %b1 = and i32 %cv, 1
  %t1 = icmp eq i32 %b1, 0
  br i1 %t1, label %st, label %st2
st2:
  store i32 7, ptr %o
  br label %m
st:
  %pi = and i32 %i, 1
  %x = getelementptr i32, ptr %p, i32 %pi
  store i32 %i, ptr %x, !noalias !2
  br label %m
m:
  %b2 = and i32 %cv, 2
  %t2 = icmp eq i32 %b2, 0
  br i1 %t2, label %ld, label %latch
ld:
  %v = load i32, ptr %o, !alias.scope !2
  %s1 = add i32 %s, %v
  br label %latch
latch:
  %s.next = phi i32 [ %s, %m ], [ %s1, %ld ]
  %b3 = and i32 %cv, 4
  %t3 = icmp eq i32 %b3, 0
  br i1 %t3, label %st3, label %back
st3:
  store i32 9, ptr %o
  br label %back
back:
  %i.next = add i32 %i, 1
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %loop, label %done
done:
  store i32 %s.next, ptr %p
  ret void
}

; The value at the start of an iteration depends on no scopes that the iteration declares.
; CHECK-LABEL: define ptx_kernel void @each_iteration(
; CHECK-NOT:     load
; CHECK:         ret void
define ptx_kernel void @each_iteration(ptr %p, ptr %c, i32 %n) {
entry:
  %o = getelementptr i32, ptr %p, i32 1
  store i32 0, ptr %o
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %m ]
  %s = phi i32 [ 0, %entry ], [ %s1, %m ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %odd = trunc i32 %i to i1
  br i1 %odd, label %ld, label %rest
ld:
  %v = load i32, ptr %o, !alias.scope !2
  %s2 = add i32 %s, %v
  br label %rest
rest:
  %s1 = phi i32 [ %s, %loop ], [ %s2, %ld ]
  %t1 = icmp eq i32 %s1, %i
  br i1 %t1, label %st2, label %m
st2:
  store i32 7, ptr %o
  br label %m
m:
  %i.next = add i32 %i, 1
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %loop, label %done
done:
  store i32 %s1, ptr %p
  ret void
}

; The value of a load with alias scopes is known only where the load is executed.
; CHECK-LABEL: define i32 @some_paths(
; CHECK:       e:
; CHECK-NEXT:    %w = load i32, ptr %o
; CHECK-NEXT:    ret i32 %w
define i32 @some_paths(ptr %p, i32 %i, i1 %a, i1 %b) {
entry:
  %o = getelementptr i32, ptr %p, i32 1
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  store i32 0, ptr %o
  br i1 %a, label %st, label %st2
st2:
  store i32 7, ptr %o
  br label %m
st:
  %x = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %x, !noalias !2
  br label %m
m:
  br i1 %b, label %ld, label %e
ld:
  %v = load i32, ptr %o, !alias.scope !2
  store i32 %v, ptr @h
  br label %e
e:
  %w = load i32, ptr %o
  ret i32 %w
}
@h = global i32 0

; So is the value of a load with a type of TBAA.
; CHECK-LABEL: define i32 @some_types(
; CHECK:       e:
; CHECK-NEXT:    %w = load i32, ptr %o
; CHECK-NEXT:    ret i32 %w
define i32 @some_types(ptr %p, i32 %i, i1 %a, i1 %b) {
entry:
  %o = getelementptr i32, ptr %p, i32 1
  store i32 0, ptr %o
  br i1 %a, label %st, label %st2
st2:
  store i32 7, ptr %o
  br label %m
st:
  %x = getelementptr i32, ptr %p, i32 %i
  store float 1.0, ptr %x, !tbaa !10
  br label %m
m:
  br i1 %b, label %ld, label %e
ld:
  %v = load i32, ptr %o, !tbaa !11
  store i32 %v, ptr @h
  br label %e
e:
  %w = load i32, ptr %o
  ret i32 %w
}

declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!10 = !{!12, !12, i64 0}
!11 = !{!13, !13, i64 0}
!12 = !{!"float", !14, i64 0}
!13 = !{!"int", !14, i64 0}
!14 = !{!"char", !15, i64 0}
!15 = !{!"root"}
