// RUN: nvvm-opt %s -p 'instcombine' --verify-each | filecheck %s

llvm.mlir.global internal constant @table(dense<[3, -1, 0, 7]> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal constant @zeros(dense<0.000000e+00> : tensor<4xf32>) {addr_space = 0 : i32} : !llvm.array<4 x f32>
llvm.mlir.global internal constant @splat(dense<11> : tensor<2x3xi16>) {addr_space = 0 : i32} : !llvm.array<2 x array<3 x i16>>
llvm.mlir.global internal constant @nans(dense<-1> : tensor<2xi32>) {addr_space = 0 : i32} : !llvm.array<2 x i32>
llvm.mlir.global internal constant @text("abcd") {addr_space = 0 : i32}
llvm.mlir.global internal constant @nested() {addr_space = 0 : i32} : !llvm.struct<(i8, f32, array<2 x i16>)> {
  %a = llvm.mlir.constant(5 : i8) : i8
  %b = llvm.mlir.constant(2.5 : f32) : f32
  %c = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi16>) : !llvm.array<2 x i16>
  %d = llvm.mlir.undef : !llvm.struct<(i8, f32, array<2 x i16>)>
  %e = llvm.insertvalue %a, %d[0] : !llvm.struct<(i8, f32, array<2 x i16>)>
  %f = llvm.insertvalue %b, %e[1] : !llvm.struct<(i8, f32, array<2 x i16>)>
  %g = llvm.insertvalue %c, %f[2] : !llvm.struct<(i8, f32, array<2 x i16>)>
  llvm.return %g : !llvm.struct<(i8, f32, array<2 x i16>)>
}
llvm.mlir.global internal @variable(9 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global weak constant @replaced(9 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global external constant @elsewhere() {addr_space = 1 : i32} : i32
llvm.mlir.global external constant @filled(9 : i32) {addr_space = 4 : i32, externally_initialized} : i32
llvm.mlir.global external constant @filled_too(9 : i32) {addr_space = 4 : i32, llvm.externally_initialized} : i32
llvm.mlir.global internal constant @address() {addr_space = 0 : i32} : !llvm.struct<(i64, ptr)> {
  %a = llvm.mlir.constant(5 : i64) : i64
  %b = llvm.mlir.addressof @text : !llvm.ptr
  %d = llvm.mlir.undef : !llvm.struct<(i64, ptr)>
  %e = llvm.insertvalue %a, %d[0] : !llvm.struct<(i64, ptr)>
  %f = llvm.insertvalue %b, %e[1] : !llvm.struct<(i64, ptr)>
  llvm.return %f : !llvm.struct<(i64, ptr)>
}

// A load from a known address of a constant is the constant's value.
// CHECK-LABEL: llvm.func @known
// CHECK-DAG:     [[SEVEN:%.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG:     [[ZERO:%.*]] = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-DAG:     [[CB:%.*]] = llvm.mlir.constant(25442 : i16) : i16
// CHECK-DAG:     [[TWO:%.*]] = llvm.mlir.constant(2.500000e+00 : f32) : f32
// CHECK-DAG:     [[HALF:%.*]] = llvm.mlir.constant(2 : i16) : i16
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store [[SEVEN]], %p
// CHECK-NEXT:    llvm.store [[ZERO]], %p
// CHECK-NEXT:    llvm.store [[CB]], %p
// CHECK-NEXT:    llvm.store [[TWO]], %p
// CHECK-NEXT:    llvm.store [[HALF]], %p
llvm.func @known(%p: !llvm.ptr<1>) {
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %t3 = llvm.getelementptr %t[12] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
  %a = llvm.load %t3 : !llvm.ptr<4> -> i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  %z = llvm.mlir.addressof @zeros : !llvm.ptr
  %z1 = llvm.getelementptr %z[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f32>
  %b = llvm.load %z1 : !llvm.ptr -> f32
  llvm.store %b, %p : f32, !llvm.ptr<1>
  %s = llvm.mlir.addressof @text : !llvm.ptr
  %s1 = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %c = llvm.load %s1 {alignment = 1 : i64} : !llvm.ptr -> i16
  llvm.store %c, %p : i16, !llvm.ptr<1>
  %n = llvm.mlir.addressof @nested : !llvm.ptr
  %n4 = llvm.getelementptr %n[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %d = llvm.load %n4 : !llvm.ptr -> f32
  llvm.store %d, %p : f32, !llvm.ptr<1>
  %n10 = llvm.getelementptr %n[10] : (!llvm.ptr) -> !llvm.ptr, i8
  %e = llvm.load %n10 : !llvm.ptr -> i16
  llvm.store %e, %p : i16, !llvm.ptr<1>
  llvm.return
}

// Each element of a splat is the same number.
// CHECK-LABEL: llvm.func @splats
// CHECK:         [[PAIR:%.*]] = llvm.mlir.constant(720907 : i32) : i32
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return [[PAIR]]
llvm.func @splats() -> i32 {
  %s = llvm.mlir.addressof @splat : !llvm.ptr
  %s4 = llvm.getelementptr %s[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.load %s4 : !llvm.ptr -> i32
  llvm.return %a : i32
}

// The bits of a NaN cannot be represented by a float constant.
// CHECK-LABEL: llvm.func @not_a_number
// CHECK:         llvm.load {{.*}} -> f32
llvm.func @not_a_number() -> f32 {
  %s = llvm.mlir.addressof @nans : !llvm.ptr
  %a = llvm.load %s : !llvm.ptr -> f32
  llvm.return %a : f32
}

// Not from a variable, a replaceable definition, one defined elsewhere or initialized by the host, an
// address, beyond the end, or a volatile load.
// CHECK-LABEL: llvm.func @unknown
// CHECK-COUNT-9: llvm.load
llvm.func @unknown(%p: !llvm.ptr<1>, %i: i64) {
  %v = llvm.mlir.addressof @variable : !llvm.ptr<1>
  %a = llvm.load %v : !llvm.ptr<1> -> i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  %r = llvm.mlir.addressof @replaced : !llvm.ptr<1>
  %b = llvm.load %r : !llvm.ptr<1> -> i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  %e = llvm.mlir.addressof @elsewhere : !llvm.ptr<1>
  %c = llvm.load %e : !llvm.ptr<1> -> i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  %f = llvm.mlir.addressof @filled : !llvm.ptr<4>
  %d = llvm.load %f : !llvm.ptr<4> -> i32
  llvm.store %d, %p : i32, !llvm.ptr<1>
  %f2 = llvm.mlir.addressof @filled_too : !llvm.ptr<4>
  %d2 = llvm.load %f2 : !llvm.ptr<4> -> i32
  llvm.store %d2, %p : i32, !llvm.ptr<1>
  %g = llvm.mlir.addressof @address : !llvm.ptr
  %g8 = llvm.getelementptr %g[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %h = llvm.load %g8 : !llvm.ptr -> i64
  llvm.store %h, %p : i64, !llvm.ptr<1>
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %ti = llvm.getelementptr %t[%i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, i32
  %k = llvm.load %ti : !llvm.ptr<4> -> i32
  llvm.store %k, %p : i32, !llvm.ptr<1>
  %t16 = llvm.getelementptr %t[14] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
  %l = llvm.load %t16 {alignment = 1 : i64} : !llvm.ptr<4> -> i32
  llvm.store %l, %p : i32, !llvm.ptr<1>
  %m = llvm.load volatile %t : !llvm.ptr<4> -> i32
  llvm.store %m, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Comparisons of one value with constants, combined.
// CHECK-LABEL: llvm.func @ranges
// CHECK:         [[O:%.*]] = llvm.add %x, %{{.*}} : i32
// CHECK-NEXT:    [[C:%.*]] = llvm.icmp "ult" [[O]], %{{.*}} : i32
// CHECK-NEXT:    llvm.store [[C]], %p
// CHECK-NEXT:    [[D:%.*]] = llvm.icmp "ugt" %x, %c5 : i32
// CHECK-NEXT:    llvm.store [[D]], %p
// CHECK-NEXT:    [[E:%.*]] = llvm.icmp "eq" %x, %{{.*}} : i32
// CHECK-NEXT:    llvm.store [[E]], %p
// CHECK-NEXT:    [[S:%.*]] = llvm.add %x, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    llvm.icmp "ult" [[S]]
// CHECK-NEXT:    llvm.icmp "slt" %x
// CHECK-NEXT:    llvm.select
llvm.func @ranges(%x: i32, %p: !llvm.ptr<1>) {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %false = llvm.mlir.constant(false) : i1
  %above = llvm.icmp "ugt" %x, %c3 : i32
  %below = llvm.icmp "ult" %x, %c9 : i32
  %both = llvm.select %above, %below, %false : i1, i1
  llvm.store %both, %p : i1, !llvm.ptr<1>
  %five = llvm.icmp "sgt" %x, %c5 : i32
  %negative = llvm.icmp "ugt" %x, %c9 : i32
  %either = llvm.or %five, %negative : i1
  llvm.store %either, %p : i1, !llvm.ptr<1>
  %y = llvm.add %x, %c3 : i32
  %small = llvm.icmp "ult" %y, %c9 : i32
  %large = llvm.icmp "sgt" %x, %c3 : i32
  %below6 = llvm.icmp "slt" %x, %c5 : i32
  %one = llvm.and %large, %below6 : i1
  %two = llvm.and %one, %small : i1
  llvm.store %two, %p : i1, !llvm.ptr<1>
  %w = llvm.add %x, %c3 overflow<nsw> : i32
  %up = llvm.icmp "ult" %w, %c5 : i32
  %down = llvm.icmp "slt" %x, %c9 : i32
  %inside = llvm.select %down, %up, %false : i1, i1
  llvm.store %inside, %p : i1, !llvm.ptr<1>
  llvm.return
}

// An extension of a block argument moves into the block, unless it has other users or the value does not fit.
// CHECK-LABEL: llvm.func @extended
// CHECK:         llvm.cond_br %c, ^a, ^join(%{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i32)
// CHECK:         llvm.br ^join(%{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i32)
// CHECK:       ^join([[Y:%.*]]: i64, [[Z:%.*]]: i64, [[X:%.*]]: i32):
// CHECK-NEXT:    [[W:%.*]] = llvm.sext [[X]] : i32 to i64
// CHECK-NEXT:    llvm.store [[W]], %p
llvm.func @extended(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %seven = llvm.mlir.constant(-7 : i64) : i64
  %large = llvm.mlir.constant(4294967296 : i64) : i64
  llvm.cond_br %c, ^a, ^join(%seven, %seven, %large : i64, i64, i64)
^a:
  %x = llvm.sext %n : i32 to i64
  %y = llvm.sext %m : i32 to i64
  llvm.store %y, %q : i64, !llvm.ptr<3>
  %z = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %w = llvm.sext %z : i32 to i64
  llvm.br ^join(%x, %y, %w : i64, i64, i64)
^join(%r: i64, %s: i64, %t: i64):
  llvm.store %r, %p : i64, !llvm.ptr<1>
  llvm.store %s, %p : i64, !llvm.ptr<1>
  llvm.store %t, %p : i64, !llvm.ptr<1>
  llvm.return
}
