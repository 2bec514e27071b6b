// RUN: nvvm-opt %s -p 'reassociate' --verify-each | filecheck %s

// Indices of a chain of addresses share factors; the quotient times the divisor and the remainder are the dividend.
// CHECK-LABEL: llvm.func @chain
// CHECK-NEXT:    [[A:%.*]] = llvm.mul %h, %z : i64
// CHECK-NEXT:    [[B:%.*]] = llvm.add %y, [[A]] : i64
// CHECK-NEXT:    [[C:%.*]] = llvm.mul %w, [[B]] : i64
// CHECK-NEXT:    [[D:%.*]] = llvm.add %x, [[C]] : i64
// CHECK-NEXT:    [[P:%.*]] = llvm.getelementptr %p[[[D]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT:    llvm.store %z, [[P]]
llvm.func @chain(%p: !llvm.ptr<1>, %c: i64, %h: i64, %w: i64, %x: i64, %y: i64, %z: i64) {
  %q = llvm.udiv %z, %c : i64
  %r = llvm.urem %z, %c : i64
  %hw = llvm.mul %h, %w overflow<nuw> : i64
  %chw = llvm.mul %c, %hw overflow<nuw> : i64
  %a = llvm.mul %q, %chw overflow<nuw> : i64
  %p1 = llvm.getelementptr inbounds|nuw %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %hw2 = llvm.mul %h, %w overflow<nuw> : i64
  %b = llvm.mul %r, %hw2 overflow<nuw> : i64
  %p2 = llvm.getelementptr inbounds|nuw %p1[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %d = llvm.mul %y, %w overflow<nuw> : i64
  %p3 = llvm.getelementptr inbounds|nuw %p2[%d] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %p4 = llvm.getelementptr inbounds|nuw %p3[%x] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %z, %p4 : i64, !llvm.ptr<1>
  llvm.return
}

// Sums with coefficients, signs, powers, and a constant, which stays last.
// CHECK-LABEL: llvm.func @sums
// CHECK:         [[A:%.*]] = llvm.shl %a, %c1 : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.sub [[A]], %b : i32
// CHECK-NEXT:    [[M:%.*]] = llvm.mul [[B]], %x : i32
// CHECK-NEXT:    [[N:%.*]] = llvm.mul [[M]], %x : i32
// CHECK-NEXT:    [[S:%.*]] = llvm.shl [[N]], %c1 : i32
// CHECK-NEXT:    [[T:%.*]] = llvm.add [[S]], %c7 : i32
// CHECK-NEXT:    llvm.store [[T]]
llvm.func @sums(%a: i32, %b: i32, %x: i32, %p: !llvm.ptr<1>) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %m = llvm.mul %a, %x overflow<nsw> : i32
  %n = llvm.mul %m, %x overflow<nsw> : i32
  %o = llvm.shl %n, %c2 overflow<nsw> : i32
  %q = llvm.mul %x, %b overflow<nsw> : i32
  %r = llvm.mul %q, %x overflow<nsw> : i32
  %s = llvm.shl %r, %c1 overflow<nsw> : i32
  %t = llvm.sub %o, %s overflow<nsw> : i32
  %u = llvm.add %t, %c7 overflow<nsw> : i32
  llvm.store %u, %p : i32, !llvm.ptr<1>
  llvm.return
}

// An address with another use remains.
// CHECK-LABEL: llvm.func @used
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @used(%p: !llvm.ptr<1>, %w: i64, %x: i64, %y: i64) {
  %a = llvm.mul %x, %w : i64
  %p1 = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %x, %p1 : i64, !llvm.ptr<1>
  %b = llvm.mul %y, %w : i64
  %p2 = llvm.getelementptr %p1[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %w, %p2 : i64, !llvm.ptr<1>
  llvm.return
}

// Addresses of other blocks remain.
// CHECK-LABEL: llvm.func @across
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @across(%p: !llvm.ptr<1>, %w: i64, %x: i64, %y: i64) {
  %a = llvm.mul %x, %w : i64
  %p1 = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.br ^next
^next:
  %b = llvm.mul %y, %w : i64
  %p2 = llvm.getelementptr %p1[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %w, %p2 : i64, !llvm.ptr<1>
  llvm.return
}

// The elements of a chain have one type.
// CHECK-LABEL: llvm.func @sizes
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @sizes(%p: !llvm.ptr<1>, %w: i64, %x: i64, %y: i64) {
  %a = llvm.mul %x, %w : i64
  %p1 = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %b = llvm.mul %y, %w : i64
  %p2 = llvm.getelementptr %p1[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
  llvm.store %w, %p2 : i64, !llvm.ptr<1>
  llvm.return
}

// The sum of narrow indices could wrap.
// CHECK-LABEL: llvm.func @narrow
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @narrow(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32) {
  %a = llvm.mul %x, %w : i32
  %p1 = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %b = llvm.mul %y, %w : i32
  %p2 = llvm.getelementptr %p1[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %w, %p2 : i32, !llvm.ptr<1>
  llvm.return
}

// Addresses with two indices remain.
// CHECK-LABEL: llvm.func @array
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @array(%p: !llvm.ptr<1>, %w: i64, %x: i64, %y: i64) {
  %a = llvm.mul %x, %w : i64
  %p1 = llvm.getelementptr %p[0, %a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<8 x f32>
  %b = llvm.mul %y, %w : i64
  %p2 = llvm.getelementptr %p1[0, %b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<8 x f32>
  llvm.store %w, %p2 : i64, !llvm.ptr<1>
  llvm.return
}

// Products and sums with another use remain.
// CHECK-LABEL: llvm.func @uses
// CHECK:         [[A:%.*]] = llvm.mul %x, %w
// CHECK-NEXT:    llvm.store [[A]]
// CHECK-NEXT:    [[B:%.*]] = llvm.mul %y, %w
// CHECK-NEXT:    llvm.add [[A]], [[B]]
// CHECK:         [[S:%.*]] = llvm.add
// CHECK-NEXT:    llvm.store [[S]]
// CHECK-NEXT:    [[D:%.*]] = llvm.mul %y, %w
// CHECK-NEXT:    llvm.add [[S]], [[D]]
llvm.func @uses(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %z: i32) {
  %a = llvm.mul %x, %w : i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  %b = llvm.mul %y, %w : i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %d = llvm.mul %x, %w : i32
  %s = llvm.add %d, %z : i32
  llvm.store %s, %p : i32, !llvm.ptr<1>
  %f = llvm.mul %y, %w : i32
  %t = llvm.add %s, %f : i32
  llvm.store %t, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A product outside a loop is not moved into it.
// CHECK-LABEL: llvm.func @loop
// CHECK:       ^loop(%i: i64):
// CHECK-NEXT:    llvm.mul %x, %w
// CHECK-NEXT:    llvm.getelementptr
// CHECK-NEXT:    llvm.mul %i, %w
// CHECK-NEXT:    llvm.getelementptr
llvm.func @loop(%p: !llvm.ptr<1>, %w: i64, %x: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.mul %x, %w : i64
  %p1 = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %b = llvm.mul %i, %w : i64
  %p2 = llvm.getelementptr %p1[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %w, %p2 : i64, !llvm.ptr<1>
  %next = llvm.add %i, %c1 : i64
  %more = llvm.icmp "slt" %next, %w : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// A multiple of the factor alone stays outside, because it may be the distance of two addresses.
// CHECK-LABEL: llvm.func @multiple
// CHECK:         [[A:%.*]] = llvm.mul %w, %c3 : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.add %x, %y : i32
// CHECK-NEXT:    [[C:%.*]] = llvm.mul %w, [[B]] : i32
// CHECK-NEXT:    llvm.add [[A]], [[C]] : i32
llvm.func @multiple(%w: i32, %x: i32, %y: i32) -> i32 {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %a = llvm.mul %x, %w : i32
  %b = llvm.mul %y, %w : i32
  %c = llvm.mul %w, %c3 : i32
  %d = llvm.add %a, %b : i32
  %e = llvm.add %d, %c : i32
  llvm.return %e : i32
}

// The remainder of a sum of one factor.
// CHECK-LABEL: llvm.func @remainder
// CHECK-NEXT:    llvm.mul %w, %x : i32
llvm.func @remainder(%w: i32, %x: i32, %y: i32) -> i32 {
  %r = llvm.srem %x, %y : i32
  %q = llvm.sdiv %x, %y : i32
  %a = llvm.mul %r, %w : i32
  %b = llvm.mul %y, %w : i32
  %c = llvm.mul %q, %b : i32
  %d = llvm.add %a, %c : i32
  llvm.return %d : i32
}

// Remainders of other divisions, and with other factors.
// CHECK-LABEL: llvm.func @other_divisions
// CHECK:         llvm.urem
// CHECK:         llvm.udiv
// CHECK:         llvm.urem
// CHECK:         llvm.udiv
// CHECK:         llvm.srem
// CHECK:         llvm.udiv
// CHECK:         llvm.urem
// CHECK:         llvm.udiv
// CHECK:         llvm.urem
// CHECK:         llvm.udiv
// CHECK:         llvm.urem
// CHECK:         llvm.udiv
// CHECK:         llvm.urem
// CHECK-NEXT:    [[Q:%.*]] = llvm.udiv %x, %y
// CHECK-NEXT:    [[M:%.*]] = llvm.mul [[Q]], %y
// CHECK-NEXT:    llvm.mul [[M]], %w
llvm.func @other_divisions(%w: i32, %x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %r0 = llvm.urem %x, %w : i32
  %q0 = llvm.udiv %x, %y : i32
  %a0 = llvm.mul %q0, %y : i32
  %s0 = llvm.add %a0, %r0 : i32
  llvm.store %s0, %p : i32, !llvm.ptr<1>
  %r1 = llvm.urem %w, %y : i32
  %q1 = llvm.udiv %x, %y : i32
  %a1 = llvm.mul %q1, %y : i32
  %s1 = llvm.add %a1, %r1 : i32
  llvm.store %s1, %p : i32, !llvm.ptr<1>
  %r2 = llvm.srem %x, %y : i32
  %q2 = llvm.udiv %x, %y : i32
  %a2 = llvm.mul %q2, %y : i32
  %s2 = llvm.add %a2, %r2 : i32
  llvm.store %s2, %p : i32, !llvm.ptr<1>
  %r3 = llvm.urem %x, %y : i32
  %q3 = llvm.udiv %x, %y : i32
  %a3 = llvm.mul %q3, %y : i32
  %b3 = llvm.shl %r3, %c1 : i32
  %s3 = llvm.add %a3, %b3 : i32
  llvm.store %s3, %p : i32, !llvm.ptr<1>
  %r4 = llvm.urem %x, %y : i32
  %q4 = llvm.udiv %x, %y : i32
  %a4 = llvm.mul %q4, %w : i32
  %s4 = llvm.add %a4, %r4 : i32
  llvm.store %s4, %p : i32, !llvm.ptr<1>
  %r5 = llvm.urem %x, %y : i32
  %q5 = llvm.udiv %x, %y : i32
  %s5 = llvm.add %q5, %r5 : i32
  llvm.store %s5, %p : i32, !llvm.ptr<1>
  %r6 = llvm.urem %x, %y : i32
  %q6 = llvm.udiv %x, %y : i32
  %a6 = llvm.mul %q6, %y : i32
  %b6 = llvm.mul %a6, %w : i32
  %s6 = llvm.add %b6, %r6 : i32
  llvm.store %s6, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A quotient and a remainder are used once each.
// CHECK-LABEL: llvm.func @quotients
// CHECK-NEXT:    [[Q:%.*]] = llvm.udiv %x, %y : i32
// CHECK-NEXT:    [[M:%.*]] = llvm.mul %y, [[Q]] : i32
// CHECK-NEXT:    llvm.add %x, [[M]] : i32
// CHECK:         [[S:%.*]] = llvm.udiv %x, %y : i32
// CHECK-NEXT:    [[T:%.*]] = llvm.udiv %w, %y : i32
// CHECK-NEXT:    [[U:%.*]] = llvm.urem %w, %y : i32
// CHECK-NEXT:    [[A:%.*]] = llvm.mul %x, [[T]] : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.mul [[S]], [[U]] : i32
// CHECK-NEXT:    [[C:%.*]] = llvm.add [[A]], [[B]] : i32
// CHECK-NEXT:    llvm.mul %y, [[C]] : i32
llvm.func @quotients(%w: i32, %x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %q1 = llvm.udiv %x, %y : i32
  %r1 = llvm.urem %x, %y : i32
  %q2 = llvm.udiv %x, %y : i32
  %a1 = llvm.mul %q1, %y : i32
  %a2 = llvm.mul %q2, %y : i32
  %b = llvm.add %a1, %r1 : i32
  %c = llvm.add %b, %a2 : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %q3 = llvm.udiv %x, %y : i32
  %r3 = llvm.urem %x, %y : i32
  %q4 = llvm.udiv %w, %y : i32
  %r4 = llvm.urem %w, %y : i32
  %d = llvm.mul %q3, %y : i32
  %e = llvm.mul %q4, %y : i32
  %f = llvm.mul %r3, %e : i32
  %g = llvm.mul %r4, %d : i32
  %q5 = llvm.mul %q3, %y : i32
  %q6 = llvm.mul %q4, %y : i32
  %h = llvm.mul %q5, %q6 : i32
  %i = llvm.add %f, %g : i32
  %j = llvm.add %i, %h : i32
  llvm.store %j, %p : i32, !llvm.ptr<1>
  llvm.return
}

// The remainder is a difference. The product of the quotient and the divisor has several uses.
// CHECK-LABEL: llvm.func @differences
// CHECK:         llvm.store %x, %p : i32
// CHECK:         llvm.store %x, %p : i32
// CHECK-NEXT:    [[A:%.*]] = llvm.add %w, %x : i32
// CHECK-NEXT:    llvm.store [[A]], %p : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.add %w, %x : i32
// CHECK-NEXT:    llvm.store [[B]], %p : i32
// CHECK-NEXT:    llvm.return
llvm.func @differences(%w: i32, %x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %q0 = llvm.sdiv %x, %c16 : i32
  %m0 = llvm.shl %q0, %c4 : i32
  %r0 = llvm.sub %x, %m0 : i32
  %s0 = llvm.add %m0, %r0 : i32
  llvm.store %s0, %p : i32, !llvm.ptr<1>
  %q1 = llvm.udiv %x, %y : i32
  %m1 = llvm.mul %q1, %y : i32
  %r1 = llvm.sub %x, %m1 : i32
  %s1 = llvm.add %m1, %r1 : i32
  llvm.store %s1, %p : i32, !llvm.ptr<1>
  %a2 = llvm.add %w, %m0 : i32
  %b2 = llvm.add %a2, %r0 : i32
  llvm.store %b2, %p : i32, !llvm.ptr<1>
  %a3 = llvm.add %w, %m1 : i32
  %b3 = llvm.add %a3, %r1 : i32
  llvm.store %b3, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A constant divisor is a part of the coefficient; a dividend is a part of another dividend.
// CHECK-LABEL: llvm.func @constant_divisors
// CHECK-NEXT:    [[ONE:%.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK:         [[A:%.*]] = llvm.shl %x, [[ONE]] : i32
// CHECK-NEXT:    llvm.store [[A]], %p : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.shl %x, [[ONE]] : i32
// CHECK-NEXT:    llvm.store [[B]], %p : i32
// CHECK-NEXT:    llvm.return
llvm.func @constant_divisors(%x: i32, %p: !llvm.ptr<1>) {
  %c6 = llvm.mlir.constant(6 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c12 = llvm.mlir.constant(12 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c84 = llvm.mlir.constant(84 : i32) : i32
  %c14 = llvm.mlir.constant(14 : i32) : i32
  %q0 = llvm.sdiv %x, %c6 : i32
  %r0 = llvm.srem %x, %c6 : i32
  %a0 = llvm.mul %q0, %c12 : i32
  %b0 = llvm.mul %r0, %c2 : i32
  %s0 = llvm.add %a0, %b0 : i32
  llvm.store %s0, %p : i32, !llvm.ptr<1>
  %q1 = llvm.udiv %x, %c7 : i32
  %r1 = llvm.urem %x, %c7 : i32
  %q2 = llvm.udiv %q1, %c6 : i32
  %r2 = llvm.urem %q1, %c6 : i32
  %a1 = llvm.mul %q2, %c84 : i32
  %b1 = llvm.mul %r2, %c14 : i32
  %d1 = llvm.mul %r1, %c2 : i32
  %e1 = llvm.add %a1, %b1 : i32
  %s1 = llvm.add %e1, %d1 : i32
  llvm.store %s1, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Coefficients that are no multiples of the divisor, a difference from another value, other products and shifts, and a
// division by 0.
// CHECK-LABEL: llvm.func @other_constants
// CHECK:         llvm.add %a0, %r0 : i32
// CHECK:         llvm.add %m1, %r1 : i32
// CHECK:         llvm.add %m2, %r0 : i32
// CHECK:         llvm.add %m3, %r0 : i32
// CHECK:         llvm.add %q4, %r4 : i32
// CHECK:         llvm.add %m5, %r0 : i32
// CHECK:         llvm.add %m6, %r6 : i32
llvm.func @other_constants(%w: i32, %x: i32, %p: !llvm.ptr<1>) {
  %m = llvm.mlir.constant(-1 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %q0 = llvm.sdiv %x, %c16 : i32
  %r0 = llvm.srem %x, %c16 : i32
  llvm.store %r0, %p : i32, !llvm.ptr<1>
  %a0 = llvm.mul %q0, %c24 : i32
  %s0 = llvm.add %a0, %r0 : i32
  llvm.store %s0, %p : i32, !llvm.ptr<1>
  %m1 = llvm.mul %q0, %c16 : i32
  %r1 = llvm.sub %w, %m1 : i32
  llvm.store %r1, %p : i32, !llvm.ptr<1>
  %s1 = llvm.add %m1, %r1 : i32
  llvm.store %s1, %p : i32, !llvm.ptr<1>
  %m2 = llvm.shl %q0, %c3 : i32
  llvm.store %m2, %p : i32, !llvm.ptr<1>
  %s2 = llvm.add %m2, %r0 : i32
  llvm.store %s2, %p : i32, !llvm.ptr<1>
  %m3 = llvm.mul %q0, %w : i32
  llvm.store %m3, %p : i32, !llvm.ptr<1>
  %s3 = llvm.add %m3, %r0 : i32
  llvm.store %s3, %p : i32, !llvm.ptr<1>
  %q4 = llvm.udiv %x, %c0 : i32
  %r4 = llvm.urem %x, %c0 : i32
  %s4 = llvm.add %q4, %r4 : i32
  llvm.store %s4, %p : i32, !llvm.ptr<1>
  %m5 = llvm.shl %q0, %m : i32
  llvm.store %m5, %p : i32, !llvm.ptr<1>
  %s5 = llvm.add %m5, %r0 : i32
  llvm.store %s5, %p : i32, !llvm.ptr<1>
  %q6 = llvm.udiv %x, %w : i32
  %r6 = llvm.urem %x, %w : i32
  %m6 = llvm.mul %q6, %x : i32
  llvm.store %m6, %p : i32, !llvm.ptr<1>
  %s6 = llvm.add %m6, %r6 : i32
  llvm.store %s6, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Vectors remain.
// CHECK-LABEL: llvm.func @vectors
// CHECK:         llvm.mul %x, %w
// CHECK:         llvm.mul %y, %w
llvm.func @vectors(%w: vector<2xi16>, %x: vector<2xi16>, %y: vector<2xi16>) -> vector<2xi16> {
  %a = llvm.mul %x, %w : vector<2xi16>
  %b = llvm.mul %y, %w : vector<2xi16>
  %c = llvm.add %a, %b : vector<2xi16>
  llvm.return %c : vector<2xi16>
}
