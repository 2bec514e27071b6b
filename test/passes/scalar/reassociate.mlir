// RUN: nvvm-opt %s -p 'reassociate' --verify-each | filecheck %s

// Constants are combined and come last; terms that cancel disappear.
// CHECK-LABEL: llvm.func @constants
// CHECK:         [[S:%.*]] = llvm.add %x, %y : i32
// CHECK-NEXT:    [[A:%.*]] = llvm.add [[S]], [[C:%.*]] : i32
// CHECK-NEXT:    llvm.store [[A]]
// CHECK-NEXT:    llvm.store %y
// CHECK-NEXT:    [[M:%.*]] = llvm.mul %x, %y : i32
// CHECK-NEXT:    [[N:%.*]] = llvm.mul [[M]], %{{.*}} : i32
// CHECK-NEXT:    llvm.store [[N]]
llvm.func @constants(%x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %a = llvm.add %x, %c5 overflow<nsw> : i32
  %b = llvm.add %y, %c7 overflow<nsw> : i32
  %c = llvm.add %a, %b overflow<nsw> : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %d = llvm.add %x, %y : i32
  %e = llvm.sub %d, %x : i32
  llvm.store %e, %p : i32, !llvm.ptr<1>
  %f = llvm.mul %x, %c5 : i32
  %g = llvm.mul %y, %c7 : i32
  %h = llvm.mul %f, %g : i32
  llvm.store %h, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Equal factors are extracted once, powers are squares, and repeated terms become products.
// CHECK-LABEL: llvm.func @factors
// CHECK:         [[S:%.*]] = llvm.add %x, %y : i32
// CHECK-NEXT:    [[M:%.*]] = llvm.mul [[S]], %c5 : i32
// CHECK-NEXT:    llvm.store [[M]]
// CHECK-NEXT:    [[T:%.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT:    llvm.store [[T]]
// CHECK-NEXT:    [[Q:%.*]] = llvm.mul %x, %x : i32
// CHECK-NEXT:    [[R:%.*]] = llvm.mul [[Q]], [[Q]] : i32
// CHECK-NEXT:    llvm.store [[R]]
llvm.func @factors(%x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %a = llvm.mul %x, %c5 : i32
  %b = llvm.mul %y, %c5 : i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %t = llvm.add %x, %x : i32
  %u = llvm.add %t, %x : i32
  llvm.store %u, %p : i32, !llvm.ptr<1>
  %q = llvm.mul %x, %x : i32
  %r = llvm.mul %q, %x : i32
  %s = llvm.mul %r, %x : i32
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Loop-invariant operands come first, although a flag is lost.
// CHECK-LABEL: llvm.func @loop
// CHECK:       ^loop([[I:%.*]]: i32):
// CHECK-NEXT:    [[A:%.*]] = llvm.add %n, %m : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.add [[A]], [[I]] : i32
// CHECK-NEXT:    llvm.store [[B]]
llvm.func @loop(%n: i32, %m: i32, %p: !llvm.ptr<1>) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %a = llvm.add %i, %n overflow<nsw> : i32
  %b = llvm.add %a, %m overflow<nsw> : i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// Uniform operands are combined first, unless a flag would be lost.
// CHECK-LABEL: llvm.func @uniform
// CHECK:         [[A:%.*]] = llvm.add %n, %m : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.add [[A]], %t : i32
// CHECK-NEXT:    llvm.store [[B]]
// CHECK-NEXT:    llvm.add %t, %n overflow<nsw> : i32
// CHECK-NEXT:    llvm.add %{{.*}}, %m overflow<nsw> : i32
// CHECK:         [[U:%.*]] = llvm.add %n, %m overflow<nuw> : i32
// CHECK-NEXT:    llvm.add [[U]], %t overflow<nuw> : i32
llvm.func @uniform(%n: i32, %m: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.add %t, %n : i32
  %b = llvm.add %a, %m : i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  %c = llvm.add %t, %n overflow<nsw> : i32
  %d = llvm.add %c, %m overflow<nsw> : i32
  llvm.store %d, %p : i32, !llvm.ptr<1>
  %e = llvm.add %t, %n overflow<nuw> : i32
  %f = llvm.add %e, %m overflow<nuw> : i32
  llvm.store %f, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Bits: constants, complements, duplicates.
// CHECK-LABEL: llvm.func @bits
// CHECK-DAG:     [[ONES:%.*]] = llvm.mlir.constant(-1 : i32) : i32
// CHECK-DAG:     [[FOUR:%.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK:         [[A:%.*]] = llvm.and %x, %y : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.and [[A]], [[FOUR]] : i32
// CHECK-NEXT:    llvm.store [[B]]
// CHECK:         llvm.store [[ONES]]
// CHECK-NEXT:    llvm.store %y
// CHECK:         llvm.or disjoint %{{.*}}, %t : i32
llvm.func @bits(%x: i32, %y: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c6 = llvm.mlir.constant(6 : i32) : i32
  %c12 = llvm.mlir.constant(12 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %a = llvm.and %x, %c6 : i32
  %b = llvm.and %y, %c12 : i32
  %c = llvm.and %a, %b : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %n = llvm.xor %x, %ones : i32
  %o = llvm.or %x, %y : i32
  %q = llvm.or %o, %n : i32
  llvm.store %q, %p : i32, !llvm.ptr<1>
  %r = llvm.xor %x, %y : i32
  %s = llvm.xor %r, %x : i32
  llvm.store %s, %p : i32, !llvm.ptr<1>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %u = llvm.or disjoint %t, %x : i32
  %v = llvm.or disjoint %u, %y : i32
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Floating point only as its flags allow: constants, canceling terms, loop-invariant operands.
// CHECK-LABEL: llvm.func @floats
// CHECK:         [[A:%.*]] = llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : f32
// CHECK-NEXT:    [[B:%.*]] = llvm.fadd [[A]], %{{.*}} {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : f32
// CHECK-NEXT:    llvm.store [[B]]
// CHECK-NEXT:    llvm.fadd %x, %two {fastmathFlags = #llvm.fastmath<reassoc>} : f32
// CHECK-NEXT:    llvm.fadd %{{.*}}, %two {fastmathFlags = #llvm.fastmath<reassoc>} : f32
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.store %y
// CHECK-NEXT:    llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : f32
// CHECK-NEXT:    llvm.fsub
llvm.func @floats(%x: f32, %y: f32, %p: !llvm.ptr<1>) {
  %two = llvm.mlir.constant(2.0 : f32) : f32
  %a = llvm.fadd %x, %two {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  %b = llvm.fadd %y, %two {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  %c = llvm.fadd %a, %b {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  llvm.store %c, %p : f32, !llvm.ptr<1>
  %d = llvm.fadd %x, %two {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  %e = llvm.fadd %d, %two {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  llvm.store %e, %p : f32, !llvm.ptr<1>
  %f = llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<reassoc, nsz, nnan>} : f32
  %g = llvm.fsub %f, %x {fastmathFlags = #llvm.fastmath<reassoc, nsz, nnan>} : f32
  llvm.store %g, %p : f32, !llvm.ptr<1>
  %h = llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  %i = llvm.fsub %h, %x {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  llvm.store %i, %p : f32, !llvm.ptr<1>
  llvm.return
}

// Values with other uses stay, and values of other blocks; only arithmetic is changed.
// CHECK-LABEL: llvm.func @stays
// CHECK:         llvm.add %x, %c5
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.inline_asm has_side_effects
// CHECK-NEXT:    llvm.add
// CHECK-NEXT:    llvm.br
llvm.func @stays(%x: i32, %p: !llvm.ptr<1>) {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %a = llvm.add %x, %c5 : i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
  llvm.inline_asm has_side_effects "// $0", "r" %x : (i32) -> ()
  %b = llvm.add %a, %c5 : i32
  llvm.br ^next
^next:
  %c = llvm.add %b, %c5 : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @in_order
// CHECK-COUNT-2: llvm.fadd
llvm.func @in_order(%x: f32) -> f32 {
  %two = llvm.mlir.constant(2.0 : f32) : f32
  %a = llvm.fadd %x, %two {fastmathFlags = #llvm.fastmath<nsz>} : f32
  %b = llvm.fadd %a, %two {fastmathFlags = #llvm.fastmath<nsz>} : f32
  llvm.return %b : f32
}

// If no leaf is negative, no partial sum wraps unless the sum does.
// CHECK-LABEL: llvm.func @keeps
// CHECK:         [[S:%.*]] = llvm.add %x, %y overflow<nsw, nuw> : i32
// CHECK-NEXT:    llvm.add [[S]], %{{.*}} overflow<nsw, nuw> : i32
// CHECK:         [[T:%.*]] = llvm.add %n, %x : i32
// CHECK-NEXT:    llvm.add [[T]], %{{.*}} : i32
llvm.func @keeps(%a: i16, %b: i16, %n: i32, %p: !llvm.ptr<1>) {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %x = llvm.zext %a : i16 to i32
  %y = llvm.zext %b : i16 to i32
  %c = llvm.add %x, %c5 overflow<nsw> : i32
  %d = llvm.add %y, %c7 overflow<nsw> : i32
  %e = llvm.add %c, %d overflow<nsw> : i32
  llvm.store %e, %p : i32, !llvm.ptr<1>
  %f = llvm.add %x, %c5 overflow<nsw> : i32
  %g = llvm.add %n, %c7 overflow<nsw> : i32
  %h = llvm.add %f, %g overflow<nsw> : i32
  llvm.store %h, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A sum that is sign-extended keeps `nsw`, so that its constant can become the offset of an address.
// CHECK-LABEL: @extended
// CHECK: %[[S:.*]] = llvm.shl %x, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT: %[[A:.*]] = llvm.add %[[S]], %{{.*}} overflow<nsw> : i32
// CHECK-NEXT: llvm.mul %[[A]], %{{.*}} overflow<nsw> : i32
llvm.func @extended(%x: i32) -> i64 {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  %c258 = llvm.mlir.constant(258 : i32) : i32
  %s = llvm.shl %x, %c1 overflow<nsw> : i32
  %a = llvm.add %s, %m1 overflow<nsw> : i32
  %p = llvm.mul %a, %c258 overflow<nsw> : i32
  %e = llvm.sext %p : i32 to i64
  llvm.return %e : i64
}

// It is rebuilt without an extension, if one op may wrap, without a constant, and if the rebuilt sum has `nsw`.
// CHECK-LABEL: @rebuilt
// CHECK: %[[P:.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT: llvm.add %[[P]], %{{.*}} : i32
// CHECK: %[[Q:.*]] = llvm.mul %y, %{{.*}} : i32
// CHECK-NEXT: %[[R:.*]] = llvm.add %[[Q]], %{{.*}} : i32
// CHECK-NEXT: llvm.sext %[[R]]
// CHECK: %[[T:.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT: llvm.sext %[[T]]
// CHECK: %[[U:.*]] = llvm.add %z, %{{.*}} overflow<nsw, nuw> : i32
// CHECK-NEXT: llvm.sext %[[U]]
llvm.func @rebuilt(%x: i32, %y: i32, %b: i8) -> !llvm.struct<(i32, i64, i64, i64)> {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  %c258 = llvm.mlir.constant(258 : i32) : i32
  %s0 = llvm.shl %x, %c1 overflow<nsw> : i32
  %a0 = llvm.add %s0, %m1 overflow<nsw> : i32
  %p0 = llvm.mul %a0, %c258 overflow<nsw> : i32
  %s1 = llvm.shl %y, %c1 : i32
  %a1 = llvm.add %s1, %m1 overflow<nsw> : i32
  %p1 = llvm.mul %a1, %c258 overflow<nsw> : i32
  %e1 = llvm.sext %p1 : i32 to i64
  %s2 = llvm.shl %x, %c2 overflow<nsw> : i32
  %a2 = llvm.add %s2, %x overflow<nsw> : i32
  %p2 = llvm.mul %a2, %c258 overflow<nsw> : i32
  %e2 = llvm.sext %p2 : i32 to i64
  %z = llvm.zext %b : i8 to i32
  %s3 = llvm.add %z, %c1 overflow<nsw> : i32
  %a3 = llvm.add %s3, %c2 overflow<nsw> : i32
  %e3 = llvm.sext %a3 : i32 to i64
  %r0 = llvm.mlir.undef : !llvm.struct<(i32, i64, i64, i64)>
  %r1 = llvm.insertvalue %p0, %r0[0] : !llvm.struct<(i32, i64, i64, i64)>
  %r2 = llvm.insertvalue %e1, %r1[1] : !llvm.struct<(i32, i64, i64, i64)>
  %r3 = llvm.insertvalue %e2, %r2[2] : !llvm.struct<(i32, i64, i64, i64)>
  %r4 = llvm.insertvalue %e3, %r3[3] : !llvm.struct<(i32, i64, i64, i64)>
  llvm.return %r4 : !llvm.struct<(i32, i64, i64, i64)>
}
