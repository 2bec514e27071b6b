; RUN: nvvm-opt %s -p sroa -S --verify-each | filecheck %s

; A load from one of two slots is a select of their values.
; CHECK-LABEL: define i32 @selected(
; CHECK-NEXT:    %v = select i1 %c, i32 %x, i32 %y
; CHECK-NEXT:    ret i32 %v
define i32 @selected(i1 %c, i32 %x, i32 %y) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %v = load i32, ptr %p
  ret i32 %v
}

; Through a block argument the values come from the predecessors, also for loads after the pointer.
; CHECK-LABEL: define i32 @joined(
; CHECK-NOT:     alloca
; CHECK:         phi i32 [ %x, %t ], [ %y, %e ]
define i32 @joined(i1 %c, i32 %x, i32 %y) {
  %a = alloca [2 x i32], align 4
  %b = alloca [2 x i32], align 4
  %a1 = getelementptr i32, ptr %a, i64 1
  %b1 = getelementptr i32, ptr %b, i64 1
  store i32 %x, ptr %a1
  store i32 %y, ptr %b1
  br i1 %c, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %p = phi ptr [ %a, %t ], [ %b, %e ]
  %q = getelementptr i32, ptr %p, i64 1
  %v = load i32, ptr %q
  ret i32 %v
}

; A select of selects.
; CHECK-LABEL: define i32 @nested(
; CHECK-NOT:     alloca
; CHECK:         %[[P:.*]] = select i1 %c, i32 %x, i32 %y
; CHECK:         select i1 %d, i32 %[[P]], i32 %z
define i32 @nested(i1 %c, i1 %d, i32 %x, i32 %y, i32 %z) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %s = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  store i32 %z, ptr %s
  %p = select i1 %c, ptr %a, ptr %b
  %q = select i1 %d, ptr %p, ptr %s
  %v = load i32, ptr %q
  ret i32 %v
}

; All bits of a byte are copied, also if the slot's type has fewer.
; CHECK-LABEL: define void @bits_of_a_byte(
; CHECK-NEXT:    %[[V:.*]] = select i1 %c, i8 %x, i8 7
; CHECK-NEXT:    store i8 %[[V]], ptr %out
define void @bits_of_a_byte(i1 %c, i8 %x, ptr %out) {
  %a = alloca i1
  %b = alloca i1
  store i8 %x, ptr %a
  store i8 7, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %p, i64 1, i1 false)
  ret void
}

; A pair is copied by scalars, all loaded before any is stored: the target may be one of the slots.
; CHECK-LABEL: define i32 @copied(
; CHECK-NOT:     alloca
; CHECK-DAG:     %[[X:.*]] = select i1 %c, i32 %x, i32 %y
; CHECK-DAG:     %[[Y:.*]] = select i1 %c, i32 %y, i32 %x
; CHECK:         sub i32 %[[X]], %[[Y]]
define i32 @copied(i1 %c, i32 %x, i32 %y) {
  %a = alloca { i32, i32 }, align 4
  %b = alloca { i32, i32 }, align 4
  %a1 = getelementptr { i32, i32 }, ptr %a, i64 0, i32 1
  %b1 = getelementptr { i32, i32 }, ptr %b, i64 0, i32 1
  store i32 %x, ptr %a
  store i32 %y, ptr %a1
  store i32 %y, ptr %b
  store i32 %x, ptr %b1
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %p, i64 8, i1 false)
  %v = load i32, ptr %a
  %w = load i32, ptr %a1
  %d = sub i32 %v, %w
  ret i32 %d
}

; Padding of the slot's type may hold a value that was stored through another type.
; CHECK-LABEL: define i16 @padding(
; CHECK-NOT:     alloca
; CHECK:         select i1 %c, i8 %{{.*}}, i8
; CHECK:         ret i16
define i16 @padding(i1 %c, i16 %x, i16 %y) {
  %a = alloca { i8, i32 }, align 4
  %b = alloca { i8, i32 }, align 4
  %o = alloca { i8, i32 }, align 4
  %a2 = getelementptr i8, ptr %a, i64 2
  %b2 = getelementptr i8, ptr %b, i64 2
  store i16 %x, ptr %a2
  store i16 %y, ptr %b2
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %p, i64 8, i1 false)
  %o2 = getelementptr i8, ptr %o, i64 2
  %v = load i16, ptr %o2
  ret i16 %v
}

; Other memory is loaded only on the predecessor's path, but not instead of a slot.
; CHECK-LABEL: define i32 @reference(
; CHECK-NOT:     alloca
; CHECK:       t:
; CHECK-NEXT:    %[[V:.*]] = load i32, ptr %q, align 4
; CHECK:         phi i32 [ %[[V]], %t ], [ %x, %e ]
define i32 @reference(i1 %c, i32 %x, ptr %q) {
  %a = alloca i32, align 4
  store i32 %x, ptr %a
  br i1 %c, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %p = phi ptr [ %q, %t ], [ %a, %e ]
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

; CHECK-LABEL: define i32 @either(
; CHECK:         load i32, ptr %p
define i32 @either(i1 %c, i32 %x, ptr %q) {
  %a = alloca i32, align 4
  store i32 %x, ptr %a
  %p = select i1 %c, ptr %q, ptr %a
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @leaves(
; CHECK:         load i32, ptr %p
define i32 @leaves(i1 %c, i1 %d, i32 %x, ptr %q) {
  %a = alloca i32, align 4
  store i32 %x, ptr %a
  br i1 %c, label %t, label %e
t:
  br i1 %d, label %m, label %out
e:
  br label %m
m:
  %p = phi ptr [ %q, %t ], [ %a, %e ]
  %v = load i32, ptr %p
  ret i32 %v
out:
  ret i32 0
}

; Not if the slot may have been written since, or if the load may not be reached.
; CHECK-LABEL: define i32 @written(
; CHECK:         load i32, ptr %p
define i32 @written(i1 %c, i32 %x, i32 %y) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  br i1 %c, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %p = phi ptr [ %a, %t ], [ %b, %e ]
  store i32 7, ptr %a
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @later(
; CHECK:       n:
; CHECK:         load i32, ptr %p
define i32 @later(i1 %c, i32 %x, ptr %q) {
  %a = alloca i32, align 4
  store i32 %x, ptr %a
  br i1 %c, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %p = phi ptr [ %q, %t ], [ %a, %e ]
  br i1 %c, label %out, label %n
n:
  %v = load i32, ptr %p
  ret i32 %v
out:
  ret i32 0
}

; Not beyond a slot, not a volatile access, not a slice that splits a scalar, not an escaping address.
; CHECK-LABEL: define i64 @beyond(
; CHECK:         load i64, ptr %p
define i64 @beyond(i1 %c, i64 %x, i32 %y) {
  %a = alloca i64, align 8
  %b = alloca i32, align 8
  store i64 %x, ptr %a
  store i32 %y, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %v = load i64, ptr %p
  ret i64 %v
}

; CHECK-LABEL: define i32 @before(
; CHECK:         load i32, ptr %q
define i32 @before(i1 %c, i64 %x, i32 %y) {
  %a = alloca i64, align 8
  %b = alloca i32, align 8
  store i64 %x, ptr %a
  store i32 %y, ptr %b
  %a4 = getelementptr i8, ptr %a, i64 4
  %p = select i1 %c, ptr %a4, ptr %b
  %q = getelementptr i8, ptr %p, i64 -4
  %v = load i32, ptr %q
  ret i32 %v
}

; CHECK-LABEL: define i32 @volatile(
; CHECK:         load volatile i32, ptr %p
define i32 @volatile(i1 %c, i32 %x, i32 %y) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %v = load volatile i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define void @volatile_copy(
; CHECK:         call void @llvm.memcpy{{.*}} %p, i64 4, i1 true)
define void @volatile_copy(i1 %c, i32 %x, i32 %y, ptr %o) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %p, i64 4, i1 true)
  ret void
}

; CHECK-LABEL: define void @cut(
; CHECK:         call void @llvm.memcpy{{.*}} %p, i64 2, i1 false)
define void @cut(i1 %c, i32 %x, i32 %y, ptr %o) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %p, i64 2, i1 false)
  ret void
}

; CHECK-LABEL: define void @target(
; CHECK:         call void @llvm.memcpy{{.*}} %p, ptr align 4 %o, i64 4, i1 false)
define void @target(i1 %c, ptr %o, ptr %r) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %o, i64 4, i1 false)
  %v = load i32, ptr %a
  store i32 %v, ptr %r
  ret void
}

; CHECK-LABEL: define i32 @indexed(
; CHECK:         load i32, ptr %q
define i32 @indexed(i1 %c, i64 %i, i32 %x) {
  %a = alloca [2 x i32], align 4
  %b = alloca [2 x i32], align 4
  store i32 %x, ptr %a
  store i32 %x, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  ret i32 %v
}

; Neither long copies nor those of variable length.
; CHECK-LABEL: define void @long(
; CHECK:         call void @llvm.memcpy{{.*}} %p, i64 68, i1 false)
define void @long(i1 %c, i32 %x, ptr %o) {
  %a = alloca [17 x i32], align 4
  %b = alloca [17 x i32], align 4
  store i32 %x, ptr %a
  store i32 %x, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %p, i64 68, i1 false)
  ret void
}

; CHECK-LABEL: define void @of_variable_length(
; CHECK:         call void @llvm.memcpy{{.*}} %p, i64 %n, i1 false)
define void @of_variable_length(i1 %c, i32 %x, i64 %n, ptr %o) {
  %a = alloca [2 x i32], align 4
  %b = alloca [2 x i32], align 4
  store i32 %x, ptr %a
  store i32 %x, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %p, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define i32 @escapes(
; CHECK:         load i32, ptr %p
define i32 @escapes(i1 %c, i32 %x, i32 %y) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  call void @g(ptr %b)
  %p = select i1 %c, ptr %a, ptr %b
  %v = load i32, ptr %p
  ret i32 %v
}

declare void @g(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
