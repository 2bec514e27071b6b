// RUN: nvvm-opt %s -p 'aggressive-instcombine' --verify-each | filecheck %s

// CHECK-LABEL: llvm.func @bytes
// CHECK:         %[[R:.*]] = llvm.intr.bswap(%x) : (i32) -> i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @bytes(%x: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %high = llvm.mlir.constant(16711680 : i32) : i32
  %low = llvm.mlir.constant(65280 : i32) : i32
  %a = llvm.shl %x, %c24 : i32
  %b = llvm.shl %x, %c8 : i32
  %c = llvm.and %b, %high : i32
  %d = llvm.lshr %x, %c8 : i32
  %e = llvm.and %d, %low : i32
  %f = llvm.lshr %x, %c24 : i32
  %g = llvm.or disjoint %a, %c : i32
  %h = llvm.or %g, %e : i32
  %r = llvm.or %h, %f : i32
  llvm.return %r : i32
}

// Swapped halves, and bytes within them.
// CHECK-LABEL: llvm.func @rotated_halves
// CHECK:         llvm.intr.bswap(%x) : (i32) -> i32
// CHECK-NEXT:    llvm.return
llvm.func @rotated_halves(%x: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %m = llvm.mlir.constant(16711935 : i32) : i32
  %n = llvm.mlir.constant(-16711936 : i32) : i32
  %t = llvm.intr.fshl(%x, %x, %c16) : (i32, i32, i32) -> i32
  %a = llvm.lshr %t, %c8 : i32
  %b = llvm.and %a, %m : i32
  %c = llvm.shl %t, %c8 : i32
  %d = llvm.and %c, %n : i32
  %r = llvm.or %b, %d : i32
  llvm.return %r : i32
}

// Of 64 bits, by words of 32.
// CHECK-LABEL: llvm.func @words
// CHECK:         llvm.intr.bswap(%x) : (i64) -> i64
// CHECK-NEXT:    llvm.return
llvm.func @words(%x: i64) -> i64 {
  %c32 = llvm.mlir.constant(32 : i64) : i64
  %l = llvm.trunc %x : i64 to i32
  %s = llvm.lshr %x, %c32 : i64
  %h = llvm.trunc %s : i64 to i32
  %a = llvm.intr.bswap(%l) : (i32) -> i32
  %b = llvm.intr.bswap(%h) : (i32) -> i32
  %c = llvm.zext %a : i32 to i64
  %d = llvm.zext %b : i32 to i64
  %e = llvm.shl %c, %c32 : i64
  %r = llvm.or disjoint %d, %e : i64
  llvm.return %r : i64
}

// No byte swap: a byte in the wrong position, another source for one, and a bit that both sides may set.
// CHECK-LABEL: llvm.func @no_order
// CHECK-NOT:     llvm.intr
// CHECK:         llvm.return
llvm.func @no_order(%x: i32, %y: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %high = llvm.mlir.constant(16711680 : i32) : i32
  %low = llvm.mlir.constant(65280 : i32) : i32
  %a = llvm.shl %x, %c24 : i32
  %b = llvm.shl %x, %c8 : i32
  %c = llvm.and %b, %high : i32
  %d = llvm.lshr %x, %c8 : i32
  %e = llvm.and %d, %low : i32
  %f = llvm.lshr %x, %c24 : i32
  %f2 = llvm.lshr %y, %c24 : i32
  %g = llvm.or %a, %c : i32
  %h = llvm.or %g, %d : i32
  %r = llvm.or %h, %f : i32
  %h2 = llvm.or %g, %e : i32
  %r2 = llvm.or %h2, %f2 : i32
  %s = llvm.xor %r, %r2 : i32
  llvm.return %s : i32
}

// CHECK-LABEL: llvm.func @ones
// CHECK:         %[[R:.*]] = llvm.intr.ctpop(%x) : (i32) -> i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @ones(%x: i32) -> i32 {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %m1 = llvm.mlir.constant(1431655765 : i32) : i32
  %m2 = llvm.mlir.constant(858993459 : i32) : i32
  %m4 = llvm.mlir.constant(252645135 : i32) : i32
  %all = llvm.mlir.constant(16843009 : i32) : i32
  %a = llvm.lshr %x, %c1 : i32
  %b = llvm.and %a, %m1 : i32
  %c = llvm.sub %x, %b : i32
  %d = llvm.and %c, %m2 : i32
  %e = llvm.lshr %c, %c2 : i32
  %f = llvm.and %e, %m2 : i32
  %g = llvm.add %f, %d : i32
  %h = llvm.lshr %g, %c4 : i32
  %i = llvm.add %g, %h : i32
  %j = llvm.and %i, %m4 : i32
  %k = llvm.mul %j, %all : i32
  %r = llvm.lshr %k, %c24 : i32
  llvm.return %r : i32
}

// One mask is wrong: this is no population count.
// CHECK-LABEL: llvm.func @no_ones
// CHECK-NOT:     llvm.intr
// CHECK:         llvm.return
llvm.func @no_ones(%x: i32) -> i32 {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %m1 = llvm.mlir.constant(1431655765 : i32) : i32
  %m2 = llvm.mlir.constant(858993457 : i32) : i32
  %m4 = llvm.mlir.constant(252645135 : i32) : i32
  %all = llvm.mlir.constant(16843009 : i32) : i32
  %a = llvm.lshr %x, %c1 : i32
  %b = llvm.and %a, %m1 : i32
  %c = llvm.sub %x, %b : i32
  %d = llvm.and %c, %m2 : i32
  %e = llvm.lshr %c, %c2 : i32
  %f = llvm.and %e, %m2 : i32
  %g = llvm.add %f, %d : i32
  %h = llvm.lshr %g, %c4 : i32
  %i = llvm.add %g, %h : i32
  %j = llvm.and %i, %m4 : i32
  %k = llvm.mul %j, %all : i32
  %r = llvm.lshr %k, %c24 : i32
  llvm.return %r : i32
}
