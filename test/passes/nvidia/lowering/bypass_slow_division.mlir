// RUN: nvvm-opt %s -p 'bypass-slow-division' | filecheck %s
// RUN: nvvm-opt %s -p 'bypass-slow-division,bypass-slow-division' | filecheck %s
// RUN: xdsl-opt %s -p 'bypass-slow-division' | filecheck %s

// CHECK-LABEL: llvm.func @unsigned
// CHECK:         %[[A:.*]] = llvm.freeze %a : i64
// CHECK-NEXT:    %[[B:.*]] = llvm.freeze %b : i64
// CHECK-NEXT:    %[[O:.*]] = llvm.or %[[A]], %[[B]] : i64
// CHECK-NEXT:    %[[H:.*]] = llvm.lshr %[[O]], %{{.*}} : i64
// CHECK-NEXT:    %[[C:.*]] = llvm.icmp "eq" %[[H]], %{{.*}} : i64
// CHECK-NEXT:    llvm.cond_br %[[C]], ^fast, ^slow
// CHECK-NEXT:  ^slow:
// CHECK-NEXT:    %[[Q:.*]] = llvm.udiv %[[A]], %[[B]] : i64
// CHECK-NEXT:    llvm.br ^join(%[[Q]] : i64)
// CHECK-NEXT:  ^fast:
// CHECK-NEXT:    %[[X:.*]] = llvm.trunc %[[A]] : i64 to i32
// CHECK-NEXT:    %[[Y:.*]] = llvm.trunc %[[B]] : i64 to i32
// CHECK-NEXT:    %[[D:.*]] = llvm.udiv %[[X]], %[[Y]] : i32
// CHECK-NEXT:    %[[Z:.*]] = llvm.zext %[[D]] : i32 to i64
// CHECK-NEXT:    llvm.br ^join(%[[Z]] : i64)
// CHECK-NEXT:  ^join(%q: i64):
// CHECK-NEXT:    llvm.return %q : i64
llvm.func @unsigned(%a: i64, %b: i64) -> i64 {
  %q = llvm.udiv %a, %b : i64
  llvm.return %q : i64
}

// Quotient and remainder together; non-negative operands of signed divisions.
// CHECK-LABEL: llvm.func @both
// CHECK:       ^slow:
// CHECK-NEXT:    %[[Q:.*]] = llvm.sdiv %[[A:.*]], %[[B:.*]] : i64
// CHECK-NEXT:    %[[P:.*]] = llvm.mul %[[Q]], %[[B]] : i64
// CHECK-NEXT:    %[[R:.*]] = llvm.sub %[[A]], %[[P]] : i64
// CHECK-NEXT:    llvm.br ^join(%[[Q]], %[[R]] : i64, i64)
// CHECK:       ^fast:
// CHECK:         llvm.udiv {{.*}} : i32
// CHECK-NOT:     llvm.urem
// CHECK:       ^join(%q: i64, %r: i64):
llvm.func @both(%a: i64, %b: i64) -> i64 {
  %r = llvm.srem %a, %b : i64
  %q = llvm.sdiv %a, %b : i64
  %s = llvm.add %q, %r : i64
  llvm.return %s : i64
}

// Known to fit: no test.
// CHECK-LABEL: llvm.func @known
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.urem {{.*}} : i32
// CHECK-LABEL: llvm.func @one_known
// CHECK:         %[[D:.*]] = llvm.freeze %b : i64
// CHECK-NEXT:    llvm.lshr %[[D]], %{{.*}} : i64
llvm.func @known(%a: i32, %b: i32) -> i64 {
  %x = llvm.zext %a : i32 to i64
  %y = llvm.zext %b : i32 to i64
  %r = llvm.srem %x, %y : i64
  llvm.return %r : i64
}
llvm.func @one_known(%a: i32, %b: i64) -> i64 {
  %x = llvm.zext %a : i32 to i64
  %q = llvm.sdiv %x, %b : i64
  llvm.return %q : i64
}

// Remainders computed from a quotient by `div-rem-pairs`, also if the quotient has other users.
// CHECK-LABEL: llvm.func @from_quotient
// CHECK:       ^slow:
// CHECK-NEXT:    %[[Q:.*]] = llvm.udiv %[[A:.*]], %[[B:.*]] : i64
// CHECK-NEXT:    %[[P:.*]] = llvm.mul %[[Q]], %[[B]] : i64
// CHECK-NEXT:    %[[R:.*]] = llvm.sub %[[A]], %[[P]] : i64
// CHECK-NEXT:    llvm.br ^join(%[[Q]], %[[R]] : i64, i64)
// CHECK:       ^fast:
// CHECK:         llvm.udiv {{.*}} : i32
// CHECK-NEXT:    llvm.mul {{.*}} : i32
// CHECK-NEXT:    llvm.sub {{.*}} : i32
// CHECK:       ^join(%q: i64, %r: i64):
// CHECK-NOT:     llvm.sub
// CHECK:         llvm.add %q, %r : i64
llvm.func @from_quotient(%a: i64, %b: i64) -> i64 {
  %q = llvm.udiv %a, %b : i64
  %p = llvm.mul %b, %q : i64
  %r = llvm.sub %a, %p : i64
  %s = llvm.add %q, %r : i64
  llvm.return %s : i64
}

// No remainders: of another number or factor, a square, reversed operands, a sum, a product of the remainder,
// and a subtraction that only some threads execute.
// CHECK-LABEL: llvm.func @no_remainders
// CHECK:       ^slow:
// CHECK-NEXT:    llvm.udiv
// CHECK-NEXT:    llvm.br ^join(%{{.*}} : i64)
// CHECK:       ^join(%q: i64):
// CHECK:         llvm.sub %c, %{{.*}} : i64
// CHECK:         llvm.sub %a, %{{.*}} : i64
// CHECK:         llvm.sub %a, %{{.*}} : i64
// CHECK:         llvm.sub %{{.*}}, %a : i64
// CHECK:         llvm.add %a, %{{.*}} : i64
// CHECK:         llvm.cond_br
// CHECK:         llvm.sub %a, %{{.*}} : i64
// CHECK-LABEL: llvm.func @product_of_remainder
// CHECK:       ^join(%{{.*}}: i64):
// CHECK-NEXT:    %{{.*}} = llvm.mul
// CHECK-NEXT:    %{{.*}} = llvm.sub
llvm.func @no_remainders(%a: i64, %b: i64, %c: i64, %f: i1, %out: !llvm.ptr) {
  %q = llvm.udiv %a, %b : i64
  %p = llvm.mul %q, %b : i64
  %r1 = llvm.sub %c, %p : i64
  llvm.store volatile %r1, %out : i64, !llvm.ptr
  %pc = llvm.mul %q, %c : i64
  %r2 = llvm.sub %a, %pc : i64
  llvm.store volatile %r2, %out : i64, !llvm.ptr
  %pq = llvm.mul %q, %q : i64
  %r3 = llvm.sub %a, %pq : i64
  llvm.store volatile %r3, %out : i64, !llvm.ptr
  %r4 = llvm.sub %p, %a : i64
  llvm.store volatile %r4, %out : i64, !llvm.ptr
  %r5 = llvm.add %a, %p : i64
  llvm.store volatile %r5, %out : i64, !llvm.ptr
  llvm.cond_br %f, ^then, ^exit
^then:
  %r6 = llvm.sub %a, %p : i64
  llvm.store volatile %r6, %out : i64, !llvm.ptr
  llvm.br ^exit
^exit:
  llvm.return
}
llvm.func @product_of_remainder(%a: i64, %b: i64) -> i64 {
  %m = llvm.urem %a, %b : i64
  %p = llvm.mul %m, %b : i64
  %s = llvm.sub %a, %p : i64
  llvm.return %s : i64
}

// A dividend that fits, unsigned: a larger divisor gives zero and the dividend as remainder.
// CHECK-LABEL: llvm.func @short_dividend
// CHECK:         %[[C:.*]] = llvm.icmp "ule" %[[B:.*]], %[[A:.*]] : i64
// CHECK-NEXT:    llvm.cond_br %[[C]], ^fast, ^join(%{{.*}}, %[[A]] : i64, i64)
// CHECK-NOT:     ^slow
// CHECK-LABEL: llvm.func @left_alone
llvm.func @short_dividend(%a: i32, %b: i64) -> i64 {
  %x = llvm.zext %a : i32 to i64
  %q = llvm.udiv %x, %b : i64
  %r = llvm.urem %x, %b : i64
  %s = llvm.add %q, %r : i64
  llvm.return %s : i64
}

// Constant divisors, numbers that are large or look like hashes, other widths.
// CHECK-NOT:     ^fast
// CHECK:         llvm.return
llvm.func @left_alone(%a: i64, %b: i64, %c: i32, %d: i128) {
  %k = llvm.mlir.constant(10 : i64) : i64
  %big = llvm.mlir.constant(4294967296 : i64) : i64
  %prime = llvm.mlir.constant(1099511628211 : i64) : i64
  %q1 = llvm.udiv %a, %k : i64
  %large = llvm.or %a, %big : i64
  %q2 = llvm.udiv %b, %large : i64
  %x = llvm.xor %a, %b : i64
  %q3 = llvm.urem %x, %b : i64
  %h = llvm.mul %a, %prime : i64
  %q4 = llvm.urem %h, %b : i64
  %q5 = llvm.udiv %c, %c : i32
  %q6 = llvm.udiv %d, %d : i128
  llvm.return
}
