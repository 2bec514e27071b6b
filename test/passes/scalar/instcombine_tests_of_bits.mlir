// RUN: nvvm-opt %s -p 'instcombine,dce' --verify-each | filecheck %s

// Two fields of a word: (x & 12) == 8 and (x & 3) == 1 is (x & 15) == 9.
// CHECK-LABEL: llvm.func @fields
// CHECK-DAG:     %[[M:.*]] = llvm.mlir.constant(15 : i32)
// CHECK-DAG:     %[[V:.*]] = llvm.mlir.constant(9 : i32)
// CHECK:         %[[A:.*]] = llvm.and %x, %[[M]] : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "eq" %[[A]], %[[V]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @fields(%x: i32) -> i1 {
  %c12 = llvm.mlir.constant(12 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.and %x, %c12 : i32
  %b = llvm.icmp "eq" %a, %c8 : i32
  %c = llvm.and %x, %c3 : i32
  %d = llvm.icmp "eq" %c, %c1 : i32
  %r = llvm.and %b, %d : i1
  llvm.return %r : i1
}

// The lowest bit of 3 cannot be one and zero.
// CHECK-LABEL: llvm.func @contradiction
// CHECK-NEXT:    %[[R:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @contradiction(%x: i32) -> i1 {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.and %x, %c3 : i32
  %b = llvm.icmp "eq" %a, %c1 : i32
  %c = llvm.and %x, %c5 : i32
  %d = llvm.icmp "eq" %c, %c4 : i32
  %r = llvm.and %b, %d : i1
  llvm.return %r : i1
}

// One of two flags is missing.
// CHECK-LABEL: llvm.func @flags
// CHECK:         llvm.mlir.constant(5 : i32)
// CHECK:         %[[A:.*]] = llvm.and %x, %[[M:.*]] : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "ne" %[[A]], %[[M]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @flags(%x: i32) -> i1 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.and %x, %c4 : i32
  %b = llvm.icmp "eq" %a, %c0 : i32
  %c = llvm.and %x, %c1 : i32
  %d = llvm.icmp "eq" %c, %c0 : i32
  %r = llvm.or %b, %d : i1
  llvm.return %r : i1
}

// Tests whether a number fits a byte.
// CHECK-LABEL: llvm.func @fits
// CHECK-DAG:     %[[LOW:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG:     %[[SIZE:.*]] = llvm.mlir.constant(256 : i32)
// CHECK:         %[[A:.*]] = llvm.add %x, %[[LOW]] : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "ult" %[[A]], %[[SIZE]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @fits(%x: i32) -> i1 {
  %a = llvm.trunc %x : i32 to i8
  %b = llvm.sext %a : i8 to i32
  %r = llvm.icmp "eq" %b, %x : i32
  llvm.return %r : i1
}

// A clamp within a wider one, and a select that computes a minimum.
// CHECK-LABEL: llvm.func @clamp
// CHECK:         %[[A:.*]] = llvm.intr.smin(%x, %y) : (i32, i32) -> i32
// CHECK-NEXT:    llvm.return %[[A]]
llvm.func @clamp(%x: i32, %y: i32) -> i32 {
  %a = llvm.intr.smin(%x, %y) : (i32, i32) -> i32
  %b = llvm.intr.umax(%x, %y) : (i32, i32) -> i32
  %c = llvm.intr.smin(%a, %b) : (i32, i32) -> i32
  %d = llvm.icmp "slt" %x, %y : i32
  %e = llvm.select %d, %x, %c : i1, i32
  llvm.return %e : i32
}

// ~(~x + y) is x - y.
// CHECK-LABEL: llvm.func @difference
// CHECK-NEXT:    %[[R:.*]] = llvm.sub %x, %y : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @difference(%x: i32, %y: i32) -> i32 {
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %a = llvm.xor %x, %ones : i32
  %b = llvm.add %a, %y : i32
  %r = llvm.xor %b, %ones : i32
  llvm.return %r : i32
}

// The number of ones as the sum of a loop that clears the lowest one, in a narrower type.
// CHECK-LABEL: llvm.func @ones
// CHECK:         %[[N:.*]] = llvm.intr.ctpop(%x)
// CHECK-NEXT:    %[[T:.*]] = llvm.trunc %[[N]] {{.*}}: i64 to i8
// CHECK-NEXT:    llvm.return %[[T]]
llvm.func @ones(%x: i64) -> i8 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %none = llvm.mlir.constant(0 : i8) : i8
  %c = llvm.icmp "ne" %x, %zero : i64
  %n = llvm.intr.ctpop(%x) : (i64) -> i64
  %m = llvm.intr.umax(%n, %one) : (i64, i64) -> i64
  %t = llvm.trunc %m : i64 to i8
  %r = llvm.select %c, %t, %none : i1, i8
  llvm.return %r : i8
}

// An exclusive or with bits that are zero is a sum, which an address can fold.
// CHECK-LABEL: llvm.func @xor_of_zeros
// CHECK:         %x = llvm.or disjoint %s, %{{.*}} : i32
// CHECK:         %y = llvm.xor %s, %{{.*}} : i32
llvm.func @xor_of_zeros(%n: i32) -> i32 {
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c21 = llvm.mlir.constant(21 : i32) : i32
  %s = llvm.shl %n, %c4 : i32
  %x = llvm.xor %s, %c5 : i32
  %y = llvm.xor %s, %c21 : i32
  %r = llvm.mul %x, %y : i32
  llvm.return %r : i32
}
