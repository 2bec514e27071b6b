// RUN: nvvm-opt %s -p 'mergefunc' | filecheck %s

// Recursive functions.
// CHECK: llvm.func internal @a(
// CHECK-NOT: @b(
llvm.func internal @a(%x: i32) -> i32 {
  %c = llvm.mlir.constant(0 : i32) : i32
  %z = llvm.icmp "eq" %x, %c : i32
  llvm.cond_br %z, ^yes, ^no
^yes:
  llvm.return %x : i32
^no:
  %r = llvm.call @a(%c) : (i32) -> i32
  llvm.return %r : i32
}
llvm.func internal @b(%y: i32) -> i32 {
  %c = llvm.mlir.constant(0 : i32) : i32
  %z = llvm.icmp "eq" %y, %c : i32
  llvm.cond_br %z, ^yes, ^no
^yes:
  llvm.return %y : i32
^no:
  %r = llvm.call @b(%c) : (i32) -> i32
  llvm.return %r : i32
}
// Another constant; another attribute.
// CHECK: llvm.func internal @c(
// CHECK: llvm.func internal @d(
llvm.func internal @c(%y: i32) -> i32 {
  %c = llvm.mlir.constant(5 : i32) : i32
  llvm.return %c : i32
}
llvm.func internal @d(%y: i32) -> i32 attributes {no_inline} {
  %c = llvm.mlir.constant(5 : i32) : i32
  llvm.return %c : i32
}
// Equal once @a and @b are merged.
// CHECK: llvm.func internal @e(
// CHECK-NOT: llvm.func internal @f(
llvm.func internal @e(%y: i32) -> i32 {
  %r = llvm.call @a(%y) : (i32) -> i32
  llvm.return %r : i32
}
llvm.func internal @f(%y: i32) -> i32 {
  %r = llvm.call @b(%y) : (i32) -> i32
  llvm.return %r : i32
}
// Visible outside, and large; too small.
// CHECK: llvm.func @g(
// CHECK: llvm.func @h(%x: i32) -> i32 {
// CHECK-NEXT: [[r:%.*]] = llvm.call @g(%x)
// CHECK-NEXT: llvm.return [[r]]
// CHECK: llvm.func @i(%x: i32) -> i32 {
// CHECK-NEXT: llvm.return %x
// CHECK: llvm.func @j(%x: i32) -> i32 {
// CHECK-NEXT: llvm.return %x
llvm.func @g(%x: i32) -> i32 {
  %0 = llvm.mul %x, %x : i32
  %1 = llvm.add %0, %x : i32
  %2 = llvm.xor %0, %1 : i32
  %3 = llvm.mul %1, %2 : i32
  %4 = llvm.add %2, %3 : i32
  %5 = llvm.xor %3, %4 : i32
  %6 = llvm.mul %4, %5 : i32
  %7 = llvm.add %5, %6 : i32
  %8 = llvm.xor %6, %7 : i32
  %9 = llvm.mul %7, %8 : i32
  %10 = llvm.add %8, %9 : i32
  llvm.return %10 : i32
}
llvm.func @h(%x: i32) -> i32 {
  %0 = llvm.mul %x, %x : i32
  %1 = llvm.add %0, %x : i32
  %2 = llvm.xor %0, %1 : i32
  %3 = llvm.mul %1, %2 : i32
  %4 = llvm.add %2, %3 : i32
  %5 = llvm.xor %3, %4 : i32
  %6 = llvm.mul %4, %5 : i32
  %7 = llvm.add %5, %6 : i32
  %8 = llvm.xor %6, %7 : i32
  %9 = llvm.mul %7, %8 : i32
  %10 = llvm.add %8, %9 : i32
  llvm.return %10 : i32
}
llvm.func @i(%x: i32) -> i32 {
  llvm.return %x : i32
}
llvm.func @j(%x: i32) -> i32 {
  llvm.return %x : i32
}
// Kernels are kept, and functions that may be replaced at link time.
// CHECK: llvm.func @k(
// CHECK: llvm.call @a(%{{.*}})
// CHECK: llvm.call @e(%{{.*}})
// CHECK: llvm.func @l(
// CHECK: llvm.call @a(%{{.*}})
// CHECK: llvm.func weak @m(
// CHECK: llvm.mul
// CHECK: llvm.func weak @n(
// CHECK: llvm.mul
llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  %a = llvm.call @b(%x) : (i32) -> i32
  %b = llvm.call @f(%x) : (i32) -> i32
  %m0 = llvm.mul %x, %x : i32
  %m1 = llvm.mul %m0, %x : i32
  %m2 = llvm.mul %m1, %x : i32
  %m3 = llvm.mul %m2, %x : i32
  %m4 = llvm.mul %m3, %x : i32
  %m5 = llvm.mul %m4, %x : i32
  %m6 = llvm.mul %m5, %x : i32
  %m7 = llvm.mul %m6, %x : i32
  %m8 = llvm.mul %m7, %x : i32
  %m9 = llvm.mul %m8, %x : i32
  %m10 = llvm.mul %m9, %x : i32
  %m11 = llvm.mul %m10, %x : i32
  llvm.store %m11, %p : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @l(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  %a = llvm.call @b(%x) : (i32) -> i32
  %b = llvm.call @f(%x) : (i32) -> i32
  %m0 = llvm.mul %x, %x : i32
  %m1 = llvm.mul %m0, %x : i32
  %m2 = llvm.mul %m1, %x : i32
  %m3 = llvm.mul %m2, %x : i32
  %m4 = llvm.mul %m3, %x : i32
  %m5 = llvm.mul %m4, %x : i32
  %m6 = llvm.mul %m5, %x : i32
  %m7 = llvm.mul %m6, %x : i32
  %m8 = llvm.mul %m7, %x : i32
  %m9 = llvm.mul %m8, %x : i32
  %m10 = llvm.mul %m9, %x : i32
  %m11 = llvm.mul %m10, %x : i32
  llvm.store %m11, %p : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func weak @m(%x: i32) -> i32 {
  %m0 = llvm.mul %x, %x : i32
  %m1 = llvm.mul %m0, %x : i32
  %m2 = llvm.mul %m1, %x : i32
  %m3 = llvm.mul %m2, %x : i32
  %m4 = llvm.mul %m3, %x : i32
  %m5 = llvm.mul %m4, %x : i32
  %m6 = llvm.mul %m5, %x : i32
  %m7 = llvm.mul %m6, %x : i32
  %m8 = llvm.mul %m7, %x : i32
  %m9 = llvm.mul %m8, %x : i32
  %m10 = llvm.mul %m9, %x : i32
  %m11 = llvm.mul %m10, %x : i32
  llvm.return %m11 : i32
}
llvm.func weak @n(%x: i32) -> i32 {
  %m0 = llvm.mul %x, %x : i32
  %m1 = llvm.mul %m0, %x : i32
  %m2 = llvm.mul %m1, %x : i32
  %m3 = llvm.mul %m2, %x : i32
  %m4 = llvm.mul %m3, %x : i32
  %m5 = llvm.mul %m4, %x : i32
  %m6 = llvm.mul %m5, %x : i32
  %m7 = llvm.mul %m6, %x : i32
  %m8 = llvm.mul %m7, %x : i32
  %m9 = llvm.mul %m8, %x : i32
  %m10 = llvm.mul %m9, %x : i32
  %m11 = llvm.mul %m10, %x : i32
  llvm.return %m11 : i32
}

// Functions that store their own addresses, which differ.
// CHECK: llvm.func @own1(
// CHECK: llvm.mlir.addressof @own1
// CHECK: llvm.func @own2(
// CHECK: llvm.mlir.addressof @own2
llvm.func @own1(%x: i32, %p: !llvm.ptr) -> i32 {
  %f = llvm.mlir.addressof @own1 : !llvm.ptr
  llvm.store %f, %p : !llvm.ptr, !llvm.ptr
  %x1 = llvm.mul %x, %x : i32
  %x2 = llvm.mul %x1, %x : i32
  %x3 = llvm.mul %x2, %x : i32
  %x4 = llvm.mul %x3, %x : i32
  %x5 = llvm.mul %x4, %x : i32
  %x6 = llvm.mul %x5, %x : i32
  %x7 = llvm.mul %x6, %x : i32
  %x8 = llvm.mul %x7, %x : i32
  %x9 = llvm.mul %x8, %x : i32
  llvm.return %x9 : i32
}
llvm.func @own2(%x: i32, %p: !llvm.ptr) -> i32 {
  %f = llvm.mlir.addressof @own2 : !llvm.ptr
  llvm.store %f, %p : !llvm.ptr, !llvm.ptr
  %x1 = llvm.mul %x, %x : i32
  %x2 = llvm.mul %x1, %x : i32
  %x3 = llvm.mul %x2, %x : i32
  %x4 = llvm.mul %x3, %x : i32
  %x5 = llvm.mul %x4, %x : i32
  %x6 = llvm.mul %x5, %x : i32
  %x7 = llvm.mul %x6, %x : i32
  %x8 = llvm.mul %x7, %x : i32
  %x9 = llvm.mul %x8, %x : i32
  llvm.return %x9 : i32
}
