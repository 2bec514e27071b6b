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

// Not in another block, by a distance that is no power of two, of a constant stride; in 32 bits, not without a sum.
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

// &p[(i + 8) * w + j]: a step of 8 * w, also down, in each array. The index is erased.
// CHECK-LABEL: llvm.func @rows(
// CHECK:         llvm.load %p0
// CHECK:         llvm.store %{{.*}}, %q0
// CHECK-NEXT:    %[[W:.*]] = llvm.sext %w : i32 to i64
// CHECK-NEXT:    %p1 = llvm.getelementptr %p0[%[[W]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x i8>
// CHECK-NEXT:    llvm.load %p1
// CHECK-NEXT:    %[[V:.*]] = llvm.sext %w : i32 to i64
// CHECK-NEXT:    %q1 = llvm.getelementptr %q0[%[[V]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x i8>
// CHECK-NEXT:    llvm.store %{{.*}}, %q1
// CHECK-NEXT:    %[[U:.*]] = llvm.sext %w : i32 to i64
// CHECK-NEXT:    %[[D:.*]] = llvm.mul %[[U]], %{{.*}} : i64
// CHECK-NEXT:    %p2 = llvm.getelementptr %p0[%[[D]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.load %p2
llvm.func @rows(%p: !llvm.ptr, %q: !llvm.ptr, %i: i32, %j: i32, %w: i32) {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %cm = llvm.mlir.constant(-1 : i32) : i32
  %m0 = llvm.mul %i, %w overflow<nsw> : i32
  %k0 = llvm.add %m0, %j overflow<nsw> : i32
  %e0 = llvm.sext %k0 : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x0 = llvm.load %p0 : !llvm.ptr -> f32
  %q0 = llvm.getelementptr %q[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x0, %q0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %c8 overflow<nsw> : i32
  %m1 = llvm.mul %w, %i1 overflow<nsw> : i32
  %k1 = llvm.add %m1, %j overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x1 = llvm.load %p1 : !llvm.ptr -> f32
  %q1 = llvm.getelementptr %q[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x1, %q1 : f32, !llvm.ptr
  %i2 = llvm.add %i, %cm overflow<nsw> : i32
  %m2 = llvm.mul %i2, %w overflow<nsw> : i32
  %k2 = llvm.add %m2, %j overflow<nsw> : i32
  %e2 = llvm.sext %k2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x2 = llvm.load %p2 : !llvm.ptr -> f32
  llvm.store %x2, %q : f32, !llvm.ptr
  llvm.return
}

// Not if the product may wrap.
// CHECK-LABEL: llvm.func @rows_that_wrap(
// CHECK:         %p1 = llvm.getelementptr %p[%e1]
llvm.func @rows_that_wrap(%p: !llvm.ptr, %i: i32, %j: i32, %w: i32, %x: f32) {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %m0 = llvm.mul %i, %w overflow<nsw> : i32
  %k0 = llvm.add %m0, %j overflow<nsw> : i32
  %e0 = llvm.sext %k0 : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %c8 overflow<nsw> : i32
  %m1 = llvm.mul %i1, %w : i32
  %k1 = llvm.add %m1, %j overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.return
}

// Not if another op needs the index, directly or by its sum.
// CHECK-LABEL: llvm.func @index_in_use(
// CHECK:         %p1 = llvm.getelementptr %p[%e1]
// CHECK:         %p2 = llvm.getelementptr %p[%e2]
llvm.func @index_in_use(%p: !llvm.ptr, %i: i32, %n: i32, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %n overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %s1 = llvm.sub %c1, %i1 : i32
  llvm.store %s1, %p : i32, !llvm.ptr
  %i2 = llvm.add %i1, %n overflow<nsw> : i32
  %e2 = llvm.sext %i2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  llvm.store %i2, %p : i32, !llvm.ptr
  llvm.return
}

// The planes of an array: a step by the product %n that the index has, but not if the sum is shared with an address
// that stays: the sum and the step cost the same.
// CHECK-LABEL: llvm.func @planes(
// CHECK:         llvm.store %x, %p0
// CHECK-NEXT:    %[[N:.*]] = llvm.sext %n : i32 to i64
// CHECK-NEXT:    %p1 = llvm.getelementptr %p0[%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         %p2 = llvm.getelementptr %p[%e2]
// CHECK:         %q2 = llvm.getelementptr %q[%e2]
llvm.func @planes(%p: !llvm.ptr, %q: !llvm.ptr, %i: i32, %a: i32, %b: i32, %x: f32) {
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %n = llvm.mul %a, %b overflow<nsw> : i32
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %k1 = llvm.add %i, %n overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %n2 = llvm.mul %n, %c2 overflow<nsw> : i32
  %k2 = llvm.add %i, %n2 overflow<nsw> : i32
  %e2 = llvm.sext %k2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  %q2 = llvm.getelementptr %q[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q2 : f32, !llvm.ptr
  llvm.return
}

// (z + 1) * h * w: a step by a product that is not computed otherwise, if it replaces enough.
// CHECK-LABEL: llvm.func @volume(
// CHECK:         llvm.store %x, %p0
// CHECK-NEXT:    %[[H:.*]] = llvm.sext %h : i32 to i64
// CHECK-NEXT:    %[[W:.*]] = llvm.sext %w : i32 to i64
// CHECK-NEXT:    %[[HW:.*]] = llvm.mul %[[H]], %[[W]] : i64
// CHECK-NEXT:    %p1 = llvm.getelementptr %p0[%[[HW]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
llvm.func @volume(%p: !llvm.ptr, %z: i32, %y: i32, %i: i32, %h: i32, %w: i32, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %h0 = llvm.mul %z, %h overflow<nsw> : i32
  %r0 = llvm.add %h0, %y overflow<nsw> : i32
  %m0 = llvm.mul %r0, %w overflow<nsw> : i32
  %k0 = llvm.add %m0, %i overflow<nsw> : i32
  %e0 = llvm.sext %k0 : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %z1 = llvm.add %z, %c1 overflow<nsw> : i32
  %h1 = llvm.mul %z1, %h overflow<nsw> : i32
  %r1 = llvm.add %h1, %y overflow<nsw> : i32
  %m1 = llvm.mul %r1, %w overflow<nsw> : i32
  %k1 = llvm.add %m1, %i overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.return
}

// Not if it replaces one sum.
// CHECK-LABEL: llvm.func @one_sum(
// CHECK:         %p1 = llvm.getelementptr %p[%e1]
llvm.func @one_sum(%p: !llvm.ptr, %z: i32, %h: i32, %w: i32, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m0 = llvm.mul %z, %w overflow<nsw> : i32
  %k0 = llvm.mul %m0, %h overflow<nsw> : i32
  %e0 = llvm.sext %k0 : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %z1 = llvm.add %z, %c1 overflow<nsw> : i32
  llvm.store %z1, %p : i32, !llvm.ptr
  %m1 = llvm.mul %z1, %w overflow<nsw> : i32
  llvm.store %m1, %p : i32, !llvm.ptr
  %k1 = llvm.mul %m1, %h overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.return
}

// Products of 64 bits with any flags; a zero extension if nothing wraps unsigned.
// CHECK-LABEL: llvm.func @wide(
// CHECK:         llvm.store %x, %p0
// CHECK-NEXT:    %p1 = llvm.getelementptr %p0[%w] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         llvm.store %x, %q0
// CHECK-NEXT:    %[[V:.*]] = llvm.zext %v : i32 to i64
// CHECK-NEXT:    %q1 = llvm.getelementptr %q0[%[[V]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
llvm.func @wide(%p: !llvm.ptr, %q: !llvm.ptr, %i: i64, %w: i64, %j: i32, %v: i32, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %d1 = llvm.mlir.constant(1 : i32) : i32
  %m0 = llvm.mul %i, %w : i64
  %k0 = llvm.add %m0, %i : i64
  %p0 = llvm.getelementptr %p[%k0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %c1 : i64
  %m1 = llvm.mul %i1, %w : i64
  %k1 = llvm.add %m1, %i : i64
  %p1 = llvm.getelementptr %p[%k1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %n0 = llvm.mul %j, %v overflow<nuw> : i32
  %f0 = llvm.zext %n0 : i32 to i64
  %q0 = llvm.getelementptr %q[%f0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q0 : f32, !llvm.ptr
  %j1 = llvm.add %j, %d1 overflow<nuw> : i32
  %n1 = llvm.mul %j1, %v overflow<nuw> : i32
  %f1 = llvm.zext %n1 : i32 to i64
  %q1 = llvm.getelementptr %q[%f1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q1 : f32, !llvm.ptr
  llvm.return
}

// Equal sums always share the address.
// CHECK-LABEL: llvm.func @equal_sums(
// CHECK:         llvm.store %x, %p0
// CHECK-NOT:     llvm.getelementptr
// CHECK:         llvm.store %x, %p0
// CHECK-NEXT:    llvm.store %k1, %p
llvm.func @equal_sums(%p: !llvm.ptr, %i: i32, %j: i32, %w: i32, %x: f32) {
  %m0 = llvm.mul %i, %w overflow<nsw> : i32
  %k0 = llvm.add %m0, %j overflow<nsw> : i32
  %e0 = llvm.sext %k0 : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %m1 = llvm.mul %w, %i overflow<nsw> : i32
  %k1 = llvm.add %j, %m1 overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.store %k1, %p : i32, !llvm.ptr
  llvm.return
}

// Not if the step costs as much: &p[i] and &p[2 * i], one sum of 64 bits for one step (the leaf %k is needed for it),
// one for two addresses.
// CHECK-LABEL: llvm.func @no_gain(
// CHECK:         %p1 = llvm.getelementptr %p[%e1]
// CHECK:         %q1 = llvm.getelementptr %q[%l1]
// CHECK:         %r1 = llvm.getelementptr %r[%k3]
// CHECK:         %s1 = llvm.getelementptr %s[%k3]
llvm.func @no_gain(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %s: !llvm.ptr, %i: i32, %l: i64, %a: i64, %b: i64,
                   %x: f32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.shl %i, %c1 overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %q0 = llvm.getelementptr %q[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q0 : f32, !llvm.ptr
  %k = llvm.or %a, %b : i64
  %l1 = llvm.add %l, %k : i64
  %q1 = llvm.getelementptr %q[%l1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q1 : f32, !llvm.ptr
  %r0 = llvm.getelementptr %r[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %r0 : f32, !llvm.ptr
  %s0 = llvm.getelementptr %s[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %s0 : f32, !llvm.ptr
  %k3 = llvm.add %l, %a : i64
  %r1 = llvm.getelementptr %r[%k3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %r1 : f32, !llvm.ptr
  %s1 = llvm.getelementptr %s[%k3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %s1 : f32, !llvm.ptr
  llvm.return
}

// Not by 2^31 or more times a leaf.
// CHECK-LABEL: llvm.func @far(
// CHECK:         %p1 = llvm.getelementptr %p[%e1]
llvm.func @far(%p: !llvm.ptr, %i: i64, %w: i64, %x: f32) {
  %c = llvm.mlir.constant(1073741824 : i64) : i64
  %m0 = llvm.mul %i, %w : i64
  %p0 = llvm.getelementptr %p[%m0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %c : i64
  %e1 = llvm.mul %i1, %w : i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.return
}

// Not back by %n, which may be poison, from an address that has not been accessed.
// CHECK-LABEL: llvm.func @unproved_leaf(
// CHECK:         llvm.call @pointers
// CHECK:         %[[M:.*]] = llvm.sext %m : i32 to i64
// CHECK-NEXT:    %p3 = llvm.getelementptr %p0[%[[M]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.store %x, %p3
llvm.func @unproved_leaf(%p: !llvm.ptr, %i: i32, %n: i32, %m: i32, %x: f32) {
  %e0 = llvm.sext %i : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %i1 = llvm.add %i, %n overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %i2 = llvm.add %i1, %m overflow<nsw> : i32
  %e2 = llvm.sext %i2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @pointers(%p1, %p2) : (!llvm.ptr, !llvm.ptr) -> ()
  %i3 = llvm.add %i, %m overflow<nsw> : i32
  %e3 = llvm.sext %i3 : i32 to i64
  %p3 = llvm.getelementptr %p[%e3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p3 : f32, !llvm.ptr
  llvm.return
}

// A step by %v, which is negative where the other branch does not execute.
// CHECK-LABEL: llvm.func @signs(
// CHECK:         llvm.zext nneg %v
// CHECK:         %[[V:.*]] = llvm.sext %v : i32 to i64
// CHECK-NEXT:    %p2 = llvm.getelementptr %p0[%[[V]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
llvm.func @signs(%p: !llvm.ptr, %c: i1, %i: i32, %j: i32, %k: i32, %x: f32) {
  %e0 = llvm.sext %k : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %v = llvm.add %i, %j overflow<nsw> : i32
  llvm.cond_br %c, ^positive, ^other
^positive:
  %e1 = llvm.zext nneg %v : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  llvm.return
^other:
  %k2 = llvm.add %v, %k overflow<nsw> : i32
  %e2 = llvm.sext %k2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  llvm.return
}

// The sum %v may be poison where its leaves are not: an address that is computed with it is available only after an
// access.
// CHECK-LABEL: llvm.func @sum_that_wraps(
// CHECK:         %[[V:.*]] = llvm.sext %v : i32 to i64
// CHECK-NEXT:    %p1 = llvm.getelementptr %p0[%[[V]]]
// CHECK:         llvm.store %x, %p1
// CHECK-NOT:     llvm.getelementptr
// CHECK:         llvm.store %x, %p1
// CHECK:         %p3 = llvm.getelementptr %p[%e3]
llvm.func @sum_that_wraps(%p: !llvm.ptr, %c: i1, %i: i32, %j: i32, %k: i32, %x: f32) {
  %e0 = llvm.sext %k : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %v = llvm.add %i, %j overflow<nsw> : i32
  %k1 = llvm.add %v, %k overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %l = llvm.sext %j : i32 to i64
  llvm.cond_br %c, ^access, ^other
^access:
  llvm.store %x, %p1 : f32, !llvm.ptr
  %k2 = llvm.add %i, %k overflow<nsw> : i32
  %l2 = llvm.sext %k2 : i32 to i64
  %e2 = llvm.add %l2, %l : i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p2 : f32, !llvm.ptr
  llvm.return
^other:
  %k3 = llvm.add %i, %k overflow<nsw> : i32
  %l3 = llvm.sext %k3 : i32 to i64
  %e3 = llvm.add %l3, %l : i64
  %p3 = llvm.getelementptr %p[%e3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p3 : f32, !llvm.ptr
  llvm.return
}

// It is available at once if an accessed address has the sum.
// CHECK-LABEL: llvm.func @sum_in_access(
// CHECK:         llvm.store %x, %p1
// CHECK:         %p2 = llvm.getelementptr %p1[
// CHECK:         %p3 = llvm.getelementptr %p2[
llvm.func @sum_in_access(%p: !llvm.ptr, %i: i32, %j: i32, %k: i32, %x: f32) {
  %e0 = llvm.sext %k : i32 to i64
  %p0 = llvm.getelementptr %p[%e0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p0 : f32, !llvm.ptr
  %v = llvm.add %i, %j overflow<nsw> : i32
  %k1 = llvm.add %v, %k overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %p1 = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p1 : f32, !llvm.ptr
  %k2 = llvm.add %k1, %v overflow<nsw> : i32
  %e2 = llvm.sext %k2 : i32 to i64
  %p2 = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %k3 = llvm.add %k2, %v overflow<nsw> : i32
  %e3 = llvm.sext %k3 : i32 to i64
  %p3 = llvm.getelementptr %p[%e3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p3 : f32, !llvm.ptr
  llvm.store %x, %p2 : f32, !llvm.ptr
  llvm.return
}

// Products of 32 bits that may wrap, with their sum: the sum of the other product and the stride.
// CHECK-LABEL: llvm.func @narrow(
// CHECK:         %k0 = llvm.add %m0, %j : i32
// CHECK-NEXT:    llvm.store %k0, %p
// CHECK-NEXT:    %[[W8:.*]] = llvm.shl %w, %{{.*}} : i32
// CHECK-NEXT:    %k1 = llvm.add %k0, %[[W8]] : i32
// CHECK-NEXT:    llvm.store %k1, %p
// CHECK-NEXT:    %k2 = llvm.sub %k0, %w : i32
// CHECK-NEXT:    llvm.store %k2, %p
llvm.func @narrow(%p: !llvm.ptr, %i: i32, %j: i32, %w: i32) {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %cm = llvm.mlir.constant(-1 : i32) : i32
  %m0 = llvm.mul %i, %w overflow<nsw> : i32
  %k0 = llvm.add %m0, %j overflow<nsw> : i32
  llvm.store %k0, %p : i32, !llvm.ptr
  %i1 = llvm.add %i, %c8 : i32
  %m1 = llvm.mul %w, %i1 : i32
  %k1 = llvm.add %m1, %j : i32
  llvm.store %k1, %p : i32, !llvm.ptr
  %i2 = llvm.add %i, %cm : i32
  %m2 = llvm.mul %w, %i2 : i32
  %k2 = llvm.add %j, %m2 : i32
  llvm.store %k2, %p : i32, !llvm.ptr
  llvm.return
}

// Not if the other factor or the product is needed, if the known product has no such sum, or if the sum is
// in another block.
// CHECK-LABEL: llvm.func @no_narrow(
// CHECK-COUNT-8: llvm.mul
llvm.func @no_narrow(%p: !llvm.ptr, %i: i32, %j: i32, %k: i32, %w: i32, %c: i1) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c7 = llvm.mlir.constant(3 : i32) : i32
  %j6 = llvm.add %j, %c1 : i32
  %m6 = llvm.mul %j6, %w : i32
  %k6 = llvm.add %m6, %i : i32
  llvm.store %k6, %p : i32, !llvm.ptr
  %m7 = llvm.mul %j, %w : i32
  %k7 = llvm.add %m7, %i : i32
  llvm.store %k7, %p : i32, !llvm.ptr
  %m0 = llvm.mul %i, %w : i32
  %k0 = llvm.add %m0, %j : i32
  llvm.store %k0, %p : i32, !llvm.ptr
  %i1 = llvm.add %i, %c1 : i32
  llvm.store %i1, %p : i32, !llvm.ptr
  %m1 = llvm.mul %i1, %w : i32
  %k1 = llvm.add %m1, %j : i32
  llvm.store %k1, %p : i32, !llvm.ptr
  %i2 = llvm.add %i, %c2 : i32
  %m2 = llvm.mul %i2, %w : i32
  llvm.store %m2, %p : i32, !llvm.ptr
  %k2 = llvm.add %m2, %j : i32
  llvm.store %k2, %p : i32, !llvm.ptr
  %i4 = llvm.sub %i, %c4 : i32
  %m4 = llvm.mul %i4, %w : i32
  %k4 = llvm.sub %m4, %j : i32
  llvm.store %k4, %p : i32, !llvm.ptr
  %i3 = llvm.add %i, %c7 : i32
  %m3 = llvm.mul %i3, %w : i32
  %k3 = llvm.add %m3, %k : i32
  llvm.store %k3, %p : i32, !llvm.ptr
  %c3 = llvm.mlir.constant(-1 : i32) : i32
  %i5 = llvm.add %i, %c3 : i32
  %m5 = llvm.mul %i5, %w : i32
  llvm.cond_br %c, ^next, ^end
^next:
  %k5 = llvm.add %m5, %j : i32
  llvm.store %k5, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @pointers(!llvm.ptr, !llvm.ptr)

// A sum with a multiple of `%i + 1` is computed from that with the multiple of `%i`, also in a later block; it
// keeps no flags, and neither does the other sum.
// CHECK-LABEL: llvm.func @scaled(
// CHECK-DAG:     %[[K:.*]] = llvm.mlir.constant(1024 : i32) : i32
// CHECK-DAG:     %[[M:.*]] = llvm.mlir.constant(-24 : i32) : i32
// CHECK:         %s0 = llvm.shl %i, %c10 : i32
// CHECK-NEXT:    %n0 = llvm.add %t, %s0 : i32
// CHECK:         %m0 = llvm.mul %i, %c12 : i32
// CHECK:         %a0 = llvm.add %m0, %t : i32
// CHECK:       ^next:
// CHECK-NEXT:    %[[N:.*]] = llvm.add %n0, %[[K]] : i32
// CHECK-NEXT:    llvm.store volatile %[[N]]
// CHECK-NEXT:    %[[A:.*]] = llvm.add %a0, %[[M]] : i32
// CHECK-NEXT:    llvm.store volatile %[[A]]
llvm.func @scaled(%t: i32, %i: i32, %c: i1, %p: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m2 = llvm.mlir.constant(-2 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %c12 = llvm.mlir.constant(12 : i32) : i32
  %s0 = llvm.shl %i, %c10 overflow<nsw> : i32
  %n0 = llvm.add %t, %s0 overflow<nsw, nuw> : i32
  llvm.store volatile %n0, %p : i32, !llvm.ptr
  %m0 = llvm.mul %i, %c12 overflow<nsw> : i32
  %a0 = llvm.add %m0, %t overflow<nsw> : i32
  llvm.store volatile %a0, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^next, ^end
^next:
  %i1 = llvm.add %i, %c1 overflow<nsw> : i32
  %s1 = llvm.shl %i1, %c10 overflow<nsw> : i32
  %n1 = llvm.add %t, %s1 overflow<nsw, nuw> : i32
  llvm.store volatile %n1, %p : i32, !llvm.ptr
  %i2 = llvm.add %i, %m2 overflow<nsw> : i32
  %m3 = llvm.mul %i2, %c12 overflow<nsw> : i32
  %a1 = llvm.add %m3, %t overflow<nsw> : i32
  llvm.store volatile %a1, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// The other sum is not available on every path, has another factor, or another addend; the inner sum or the
// multiple has another use; there is no inner sum; the shift amounts are too large.
// CHECK-LABEL: llvm.func @not_scaled(
// CHECK:       ^next:
// CHECK-COUNT-8: llvm.shl
// CHECK:       ^end:
llvm.func @not_scaled(%t: i32, %u: i32, %v: i32, %i: i32, %c: i1, %p: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %c11 = llvm.mlir.constant(11 : i32) : i32
  %s0 = llvm.shl %i, %c10 : i32
  %n0 = llvm.add %t, %s0 : i32
  llvm.store volatile %n0, %p : i32, !llvm.ptr
  %q0 = llvm.add %u, %s0 : i32
  llvm.store volatile %q0, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^other, ^next
^other:
  %s9 = llvm.shl %i, %c9 : i32
  %n9 = llvm.add %t, %s9 : i32
  llvm.store volatile %n9, %p : i32, !llvm.ptr
  llvm.br ^end
^next:
  %i1 = llvm.add %i, %c1 : i32
  %s1 = llvm.shl %i1, %c9 : i32
  %n1 = llvm.add %t, %s1 : i32
  llvm.store volatile %n1, %p : i32, !llvm.ptr
  %i2 = llvm.add %i, %c1 : i32
  %s2 = llvm.shl %i2, %c11 : i32
  %n2 = llvm.add %t, %s2 : i32
  llvm.store volatile %n2, %p : i32, !llvm.ptr
  %i3 = llvm.add %i, %c1 : i32
  %s3 = llvm.shl %i3, %c10 : i32
  %n3 = llvm.add %t, %s3 : i32
  llvm.store volatile %n3, %p : i32, !llvm.ptr
  llvm.store volatile %i3, %p : i32, !llvm.ptr
  %i4 = llvm.add %i, %c1 : i32
  %s4 = llvm.shl %i4, %c10 : i32
  %n4 = llvm.add %u, %s4 : i32
  llvm.store volatile %s4, %p : i32, !llvm.ptr
  llvm.store volatile %n4, %p : i32, !llvm.ptr
  %i5 = llvm.add %i, %c1 : i32
  %s5 = llvm.shl %i5, %c10 : i32
  %n5 = llvm.add %v, %s5 : i32
  llvm.store volatile %n5, %p : i32, !llvm.ptr
  %s6 = llvm.shl %i, %c10 : i32
  %n6 = llvm.add %t, %s6 : i32
  llvm.store volatile %n6, %p : i32, !llvm.ptr
  %s7 = llvm.shl %i, %m1 : i32
  %n7 = llvm.add %t, %s7 : i32
  llvm.store volatile %n7, %p : i32, !llvm.ptr
  %i8 = llvm.add %i, %c1 : i32
  %s8 = llvm.shl %i8, %m1 : i32
  %n8 = llvm.add %t, %s8 : i32
  llvm.store volatile %n8, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// %n1 is computed from %n0, so %inner is erased; %q is not computed from it.
// CHECK-LABEL: llvm.func @erased_base(
// CHECK:         %n0 = llvm.add %t, %s0 : i32
// CHECK:         %n1 = llvm.add %n0, %{{.*}} : i32
// CHECK:         %i1 = llvm.add %i, %{{.*}} : i32
// CHECK:         %m = llvm.shl %i1, %{{.*}} : i32
// CHECK:         %q = llvm.add %m, %{{.*}} : i32
llvm.func @erased_base(%i: i32, %t: i32, %p: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %k = llvm.shl %i, %c2 : i32
  %s0 = llvm.shl %k, %c10 : i32
  %n0 = llvm.add %t, %s0 : i32
  llvm.store volatile %n0, %p : i32, !llvm.ptr
  %inner = llvm.add %k, %c5 : i32
  %s1 = llvm.shl %inner, %c10 : i32
  %n1 = llvm.add %t, %s1 : i32
  llvm.store volatile %n1, %p : i32, !llvm.ptr
  %i1 = llvm.add %i, %c1 : i32
  %m = llvm.shl %i1, %c2 : i32
  %q = llvm.add %m, %c5 : i32
  llvm.store volatile %q, %p : i32, !llvm.ptr
  llvm.return
}
