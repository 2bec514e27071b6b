// RUN: nvvm-opt %s -p 'correlated-propagation' --verify-each | filecheck %s

// A branch decides comparisons, selects and block arguments that it dominates.
// CHECK-LABEL: llvm.func @decided
// CHECK-DAG:     [[T:%.*]] = llvm.mlir.constant(true) : i1
// CHECK-DAG:     [[SEVEN:%.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK:       ^then:
// CHECK-NOT:     llvm.icmp
// CHECK:         llvm.store [[T]], %p
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^join([[R:%.*]]: i32):
// CHECK:         llvm.return
llvm.func @decided(%x: i32, %y: i32, %p: !llvm.ptr<1>) -> i32 {
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %in = llvm.icmp "ult" %x, %c10 : i32
  %seven = llvm.icmp "eq" %y, %c7 : i32
  %both = llvm.and %in, %seven : i1
  llvm.cond_br %both, ^then, ^join(%x : i32)
^then:
  %small = llvm.icmp "sle" %x, %c10 : i32
  %s = llvm.select %seven, %x, %y : i1, i32
  llvm.store %small, %p : i1, !llvm.ptr<1>
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.br ^join(%y : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// Non-negative numbers are divided, shifted and extended as unsigned; known quotients are folded.
// CHECK-LABEL: llvm.func @unsigned
// CHECK:         llvm.udiv %x, [[Y:%.*]] : i32
// CHECK:         llvm.lshr %x,
// CHECK:         llvm.zext nneg %x : i32 to i64
// CHECK:         llvm.store %x, %p
// CHECK:         llvm.icmp "uge" %x,
// CHECK:         llvm.zext
llvm.func @unsigned(%x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c12 = llvm.mlir.constant(12 : i32) : i32
  %c20 = llvm.mlir.constant(20 : i32) : i32
  %low = llvm.icmp "sge" %x, %c0 : i32
  %high = llvm.icmp "slt" %x, %c20 : i32
  %positive = llvm.icmp "sgt" %y, %c20 : i32
  %a = llvm.and %low, %high : i1
  %b = llvm.and %a, %positive : i1
  llvm.cond_br %b, ^then, ^end
^then:
  %yy = llvm.sub %y, %c20 : i32
  %q = llvm.sdiv %x, %yy : i32
  llvm.store %q, %p : i32, !llvm.ptr<1>
  %h = llvm.ashr %x, %c3 : i32
  llvm.store %h, %p : i32, !llvm.ptr<1>
  %w = llvm.sext %x : i32 to i64
  llvm.store %w, %p : i64, !llvm.ptr<1>
  %r = llvm.srem %x, %y : i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  %one = llvm.udiv %x, %c12 : i32
  llvm.store %one, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A division of 64 bits whose operands fit into 32.
// CHECK-LABEL: llvm.func @narrow
// CHECK:         [[A:%.*]] = llvm.trunc %x
// CHECK:         [[B:%.*]] = llvm.trunc %y
// CHECK:         [[Q:%.*]] = llvm.udiv [[A]], [[B]] : i32
// CHECK:         llvm.zext [[Q]] : i32 to i64
// CHECK:         llvm.sdiv {{.*}} : i32
llvm.func @narrow(%u: i32, %v: i32, %s: i16) -> i64 {
  %x = llvm.zext %u : i32 to i64
  %y = llvm.zext %v : i32 to i64
  %z = llvm.sext %s : i16 to i64
  %t = llvm.sext %u : i32 to i64
  %q = llvm.udiv %x, %y : i64
  %r = llvm.sdiv %z, %q : i64
  %t4 = llvm.ashr %t, %t : i64
  %m = llvm.sdiv %z, %z : i64
  %sum = llvm.add %r, %m : i64
  llvm.return %sum : i64
}

// The quotient of the least number and -1 needs one more bit.
// CHECK-LABEL: llvm.func @least
// CHECK:         llvm.sdiv %x, %y : i64
llvm.func @least(%u: i32, %v: i32) -> i64 {
  %x = llvm.sext %u : i32 to i64
  %y = llvm.sext %v : i32 to i64
  %q = llvm.sdiv %x, %y : i64
  llvm.return %q : i64
}

// Cases that never match, and an unreachable default.
// CHECK-LABEL: llvm.func @cases
// CHECK:         llvm.switch %x : i32, ^default.unreachable [
// CHECK-NEXT:      0: ^a,
// CHECK-NEXT:      1: ^b,
// CHECK-NEXT:      2: ^a
// CHECK-NEXT:    ]
// CHECK-NEXT:  ^default.unreachable:
// CHECK-NEXT:    llvm.unreachable
llvm.func @cases(%n: i32, %p: !llvm.ptr<1>) {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %x = llvm.urem %n, %c3 : i32
  llvm.switch %x : i32, ^d [
    0: ^a,
    1: ^b,
    2: ^a,
    7: ^b
  ]
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.return
^b:
  llvm.return
^d:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Arithmetic that does not wrap; its overflow bit, its saturation; min, max and abs.
// CHECK-LABEL: llvm.func @wraps
// CHECK-DAG:     [[F:%.*]] = llvm.mlir.constant(false) : i1
// CHECK:         [[S:%.*]] = llvm.add %x, %y overflow<nsw, nuw> : i32
// CHECK-NEXT:    [[M:%.*]] = llvm.mul %x, %y overflow<nsw, nuw> : i32
// CHECK-NEXT:    [[D:%.*]] = llvm.sub %x, %y overflow<nsw> : i32
// CHECK-NEXT:    [[W:%.*]] = llvm.mul %x, %y overflow<nsw> : i32
// CHECK-NEXT:    [[T:%.*]] = llvm.add %x, %y overflow<nuw> : i32
// CHECK-NEXT:    llvm.store [[F]]
// CHECK:         llvm.store %big
// CHECK:         llvm.store %x
llvm.func @wraps(%a: i8, %b: i8, %n: i32, %p: !llvm.ptr<1>) {
  %c256 = llvm.mlir.constant(256 : i32) : i32
  %x = llvm.zext %a : i8 to i32
  %y = llvm.zext %b : i8 to i32
  %big = llvm.or %n, %c256 : i32
  %s = llvm.add %x, %y : i32
  %m = llvm.mul %x, %y : i32
  %d = llvm.sub %x, %y : i32
  %w = "llvm.intr.smul.with.overflow"(%x, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %w0 = llvm.extractvalue %w[0] : !llvm.struct<(i32, i1)>
  %w1 = llvm.extractvalue %w[1] : !llvm.struct<(i32, i1)>
  %t = llvm.intr.uadd.sat(%x, %y) : (i32, i32) -> i32
  llvm.store %w1, %p : i1, !llvm.ptr<1>
  llvm.store %w0, %p : i32, !llvm.ptr<1>
  llvm.store %t, %p : i32, !llvm.ptr<1>
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.store %m, %p : i32, !llvm.ptr<1>
  llvm.store %d, %p : i32, !llvm.ptr<1>
  %least = llvm.intr.umax(%x, %big) : (i32, i32) -> i32
  llvm.store %least, %p : i32, !llvm.ptr<1>
  %abs = "llvm.intr.abs"(%x) <{is_int_min_poison = false}> : (i32) -> i32
  llvm.store %abs, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A value that may be undef, or frozen undef, differs from that of the other edge.
// CHECK-LABEL: llvm.func @undefined
// CHECK:         llvm.icmp "ult" %f
llvm.func @undefined(%c: i1, %p: !llvm.ptr<1>) -> i1 {
  %u = llvm.mlir.undef : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^join(%c3 : i32)
^b:
  llvm.store %c3, %p : i32, !llvm.ptr<1>
  llvm.br ^join(%u : i32)
^join(%x: i32):
  %f = llvm.freeze %x : i32
  %in = llvm.icmp "ult" %f, %c10 : i32
  llvm.return %in : i1
}

// Convergent ops, atomics, volatile accesses and assembly keep their number and their blocks.
// CHECK-LABEL: llvm.func @stays
// CHECK:         llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.inline_asm has_side_effects
llvm.func @stays(%x: i32, %p: !llvm.ptr<1>) {
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %in = llvm.icmp "ult" %x, %c10 : i32
  llvm.cond_br %in, ^then, ^end
^then:
  nvvm.barrier0
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
  llvm.inline_asm has_side_effects "// $0", "r" %x : (i32) -> ()
  %again = llvm.icmp "ult" %x, %c10 : i32
  llvm.cond_br %again, ^yes, ^end
^yes:
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A quotient that may be 2, a shift of a value that may be -3, and signs that are known but differ.
// CHECK-LABEL: llvm.func @limits
// CHECK:         llvm.udiv %x, %c8
// CHECK:         llvm.ashr %m, %c3
// CHECK:         [[N:%.*]] = llvm.sub %{{.*}}, %y : i32
// CHECK-NEXT:    [[Q:%.*]] = llvm.udiv %x, [[N]] : i32
// CHECK-NEXT:    [[R:%.*]] = llvm.sub %{{.*}}, [[Q]] : i32
// CHECK-NEXT:    llvm.store [[R]]
// CHECK:         [[N2:%.*]] = llvm.sub %{{.*}}, %y : i32
// CHECK-NEXT:    [[Q2:%.*]] = llvm.urem %x, [[N2]] : i32
// CHECK-NEXT:    llvm.store [[Q2]]
llvm.func @limits(%x: i32, %y: i32, %p: !llvm.ptr<1>) {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c20 = llvm.mlir.constant(20 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %in = llvm.icmp "ult" %x, %c20 : i32
  %below = llvm.icmp "slt" %y, %zero : i32
  %both = llvm.and %in, %below : i1
  llvm.cond_br %both, ^then, ^end
^then:
  %q = llvm.udiv %x, %c8 : i32
  llvm.store %q, %p : i32, !llvm.ptr<1>
  %m = llvm.sub %x, %c3 : i32
  %h = llvm.ashr %m, %c3 : i32
  llvm.store %h, %p : i32, !llvm.ptr<1>
  %d = llvm.sdiv %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr<1>
  %r = llvm.srem %x, %y : i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A sum without carries does not wrap, whatever the signs are; one with a common bit may, and so may a
// difference, and a sum of vectors.
// CHECK-LABEL: llvm.func @no_carries
// CHECK:         %[[HIGH:.*]] = llvm.shl %n, %c10 : i32
// CHECK-NEXT:    llvm.add %t, %[[HIGH]] overflow<nsw, nuw> : i32
// CHECK-NEXT:    llvm.sub %[[HIGH]], %t : i32
// CHECK-NEXT:    %[[LOW:.*]] = llvm.shl %n, %c9 : i32
// CHECK-NEXT:    llvm.add %t, %[[LOW]] : i32
// CHECK-NEXT:    llvm.add %v, %v : vector<2xi32>
llvm.func @no_carries(%n: i32, %v: vector<2xi32>, %p: !llvm.ptr<1>) {
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
  %high = llvm.shl %n, %c10 : i32
  %a = llvm.add %t, %high : i32
  %d = llvm.sub %high, %t : i32
  %low = llvm.shl %n, %c9 : i32
  %b = llvm.add %t, %low : i32
  %w = llvm.add %v, %v : vector<2xi32>
  llvm.store %w, %p : vector<2xi32>, !llvm.ptr<1>
  llvm.store %a, %p : i32, !llvm.ptr<1>
  llvm.store %b, %p : i32, !llvm.ptr<1>
  llvm.store %d, %p : i32, !llvm.ptr<1>
  llvm.return
}
