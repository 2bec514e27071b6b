// RUN: nvvm-opt %s -p 'slsr' | filecheck %s
// RUN: nvvm-opt %s -p 'slsr,slsr' | filecheck %s

// Each address is computed by a step from the one that was accessed before.
// CHECK-LABEL: llvm.func @steps(
// CHECK-NEXT:    %e0 = llvm.sext %i : i32 to i64
// CHECK-NEXT:    %p0 = llvm.getelementptr %a[%e0]
// CHECK-NEXT:    llvm.store %x, %p0
// CHECK-NEXT:    %[[S:.*]] = llvm.sext %n : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %p0[%[[S]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.store %x, %[[P]]
// CHECK-NEXT:    %[[T:.*]] = llvm.sext %n : i32 to i64
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][%[[T]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[R:.*]] = llvm.getelementptr %[[Q]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %x, %[[R]]
llvm.func @steps(%a: !llvm.ptr, %i: i32, %n: i32, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %a[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %n overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %p1 = llvm.getelementptr %a[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %n2 = llvm.shl %n, %c1 overflow<nsw> : i32
  %j2 = llvm.add %i, %n2 overflow<nsw> : i32
  %i2 = llvm.add %j2, %c2 overflow<nsw> : i32
  %e2 = llvm.sext %i2 : i32 to i64
  %p2 = llvm.getelementptr %a[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  llvm.return
}

// Not from an address without access, of another pointer, or by two steps; and not if the index has other
// uses, which would save nothing.
// CHECK-LABEL: llvm.func @none(
// CHECK:         llvm.getelementptr %a[%e0]
// CHECK:         llvm.getelementptr %a[%e1]
// CHECK:         llvm.store %x, %p1
// CHECK:         llvm.getelementptr %b[%e2]
// CHECK:         llvm.store %x, %p2
// CHECK:         llvm.getelementptr %a[%e3]
// CHECK:         llvm.store %x, %p3
// CHECK:         llvm.getelementptr %a[%e4]
// CHECK:         llvm.store %i4, %p4
llvm.func @none(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %n: i32, %m: i32, %k: i32, %x: f32) {
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %a[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %i1 = llvm.add %i, %n overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %p1 = llvm.getelementptr %a[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %i2 = llvm.add %i1, %n overflow<nsw> : i32
  %e2 = llvm.sext %i2 : i32 to i64
  %p2 = llvm.getelementptr %b[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  %j3 = llvm.add %i1, %m overflow<nsw> : i32
  %i3 = llvm.add %j3, %k overflow<nsw> : i32
  %e3 = llvm.sext %i3 : i32 to i64
  %p3 = llvm.getelementptr %a[%e3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p3 : f32, !llvm.ptr
  %i4 = llvm.add %i1, %m overflow<nsw> : i32
  %e4 = llvm.sext %i4 : i32 to i64
  %p4 = llvm.getelementptr %a[%e4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %i4, %p4 : i32, !llvm.ptr
  llvm.store %p0, %b : !llvm.ptr, !llvm.ptr
  llvm.return
}

// Products of a stride and values that differ by a constant, and the sums with them: a step each, up or down.
// The base product may overflow where the next does not: it loses its flags.
// CHECK-LABEL: llvm.func @products(
// CHECK:         %m0 = llvm.mul %i, %s : i64
// CHECK-NEXT:    %a0 = llvm.add %b, %m0 : i64
// CHECK-NEXT:    llvm.call @use(%a0)
// CHECK-NEXT:    %a1 = llvm.add %a0, %s : i64
// CHECK-NEXT:    llvm.call @use(%a1)
// CHECK-NEXT:    %[[TWO:.*]] = llvm.shl %s, %{{.*}} : i64
// CHECK-NEXT:    %a3 = llvm.add %a1, %[[TWO]] : i64
// CHECK-NEXT:    llvm.call @use(%a3)
// CHECK-NEXT:    %am = llvm.sub %a0, %s : i64
// CHECK-NEXT:    llvm.call @use(%am)
// CHECK-NEXT:    llvm.return
llvm.func @products(%b: i64, %i: i64, %s: i64) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %cm = llvm.mlir.constant(-1 : i64) : i64
  %m0 = llvm.mul %i, %s overflow<nsw> : i64
  %a0 = llvm.add %b, %m0 overflow<nsw> : i64
  llvm.call @use(%a0) : (i64) -> ()
  %i1 = llvm.add %i, %c1 overflow<nsw> : i64
  %m1 = llvm.mul %i1, %s overflow<nsw> : i64
  %a1 = llvm.add %b, %m1 overflow<nsw> : i64
  llvm.call @use(%a1) : (i64) -> ()
  %i3 = llvm.add %i, %c3 : i64
  %m3 = llvm.mul %s, %i3 : i64
  %a3 = llvm.add %m3, %b : i64
  llvm.call @use(%a3) : (i64) -> ()
  %im = llvm.add %i, %cm : i64
  %mm = llvm.mul %im, %s : i64
  %am = llvm.add %b, %mm : i64
  llvm.call @use(%am) : (i64) -> ()
  llvm.return
}

// Not in another block, by a distance that is no power of two, of a constant stride or in 32 bits.
// CHECK-LABEL: llvm.func @no_steps(
// CHECK-COUNT-6: llvm.mul
llvm.func @no_steps(%i: i64, %s: i64, %c: i1, %j: i32, %t: i32) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c5 = llvm.mlir.constant(5 : i64) : i64
  %d1 = llvm.mlir.constant(1 : i32) : i32
  %m0 = llvm.mul %i, %s : i64
  llvm.call @use(%m0) : (i64) -> ()
  %i5 = llvm.add %i, %c5 : i64
  %m5 = llvm.mul %i5, %s : i64
  llvm.call @use(%m5) : (i64) -> ()
  %k0 = llvm.mul %j, %t : i32
  %j1 = llvm.add %j, %d1 : i32
  %k1 = llvm.mul %j1, %t : i32
  %k = llvm.mul %k0, %k1 : i32
  %w = llvm.sext %k : i32 to i64
  llvm.call @use(%w) : (i64) -> ()
  llvm.cond_br %c, ^next, ^end
^next:
  %i1 = llvm.add %i, %c1 : i64
  %m1 = llvm.mul %i1, %s : i64
  llvm.call @use(%m1) : (i64) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @use(i64)
