// RUN: nvvm-opt %s -p 'globalopt' | filecheck %s
// RUN: nvvm-opt %s -p 'globalopt<globalopt-disable-sra>' | filecheck %s --check-prefix=NOSRA

// Path A, then path B on its result; each field keeps its space, initializer and alignment.
// CHECK-DAG: llvm.mlir.global internal @pair.body.f0(42 : i32) {addr_space = 1 : i32, alignment = 8 : i64} : i32
// CHECK-DAG: llvm.mlir.global internal @pair.body.f1(7 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
// NOSRA-DAG: llvm.mlir.global internal @pair.body() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.struct<(i32, i32)>
llvm.mlir.global internal @pair() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.struct<(i32, i32)> {
  %a = llvm.mlir.constant(42 : i32) : i32
  %b = llvm.mlir.constant(7 : i32) : i32
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %0 = llvm.insertvalue %a, %u[0] : !llvm.struct<(i32, i32)>
  %1 = llvm.insertvalue %b, %0[1] : !llvm.struct<(i32, i32)>
  llvm.return %1 : !llvm.struct<(i32, i32)>
}
// CHECK-DAG: llvm.mlir.global internal @shared.body.f0() {addr_space = 3 : i32, alignment = 16 : i64} : i32 {
// CHECK-DAG: llvm.mlir.global internal @shared.body.f1() {addr_space = 3 : i32, alignment = 4 : i64} : f32 {
llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.struct<(i32, f32)> {
  %u = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  llvm.return %u : !llvm.struct<(i32, f32)>
}
// Nested: the struct that is a field is split in its turn.
// CHECK-DAG: llvm.mlir.global internal @nested.body.f1.body.f0(0 : i32)
// CHECK-DAG: llvm.mlir.global internal @nested.body.f1.body.f1(0 : i64)
llvm.mlir.global internal @nested() {addr_space = 1 : i32} : !llvm.struct<(i32, struct<(i32, i64)>)> {
  %u = llvm.mlir.zero : !llvm.struct<(i32, struct<(i32, i64)>)>
  llvm.return %u : !llvm.struct<(i32, struct<(i32, i64)>)>
}
// The host sees it; the host may set it; its address escapes; it is listed; it is accessed at a variable
// index.
// CHECK-DAG: @visible(
// CHECK-DAG: @set(
// CHECK-DAG: @escapes(
// CHECK-DAG: @listed(
// CHECK-DAG: @indexed(
llvm.mlir.global external @visible() {addr_space = 1 : i32} : !llvm.struct<(i32, i32)> {
  %u = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  llvm.return %u : !llvm.struct<(i32, i32)>
}
llvm.mlir.global internal @set() {addr_space = 1 : i32, llvm.externally_initialized} : !llvm.struct<(i32, i32)> {
  %u = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  llvm.return %u : !llvm.struct<(i32, i32)>
}
llvm.mlir.global internal @escapes() {addr_space = 1 : i32} : !llvm.struct<(i32, i32)> {
  %u = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  llvm.return %u : !llvm.struct<(i32, i32)>
}
llvm.mlir.global internal @listed() {addr_space = 1 : i32} : !llvm.struct<(i32, i32)> {
  %u = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  llvm.return %u : !llvm.struct<(i32, i32)>
}
llvm.mlir.global internal @indexed() {addr_space = 1 : i32} : !llvm.struct<(array<4 x i32>, i32)> {
  %u = llvm.mlir.zero : !llvm.struct<(array<4 x i32>, i32)>
  llvm.return %u : !llvm.struct<(array<4 x i32>, i32)>
}
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr<1>> {
  %0 = llvm.mlir.addressof @listed : !llvm.ptr<1>
  %1 = llvm.mlir.undef : !llvm.array<1 x ptr<1>>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.array<1 x ptr<1>>
  llvm.return %2 : !llvm.array<1 x ptr<1>>
}
// Never loaded: removed with its stores. Never stored to: a constant. Two values: a bool.
// CHECK-NOT: @never_read
// CHECK-DAG: llvm.mlir.global internal constant @never_written(5 : i32)
// CHECK-DAG: llvm.mlir.global internal @two_values.b(false) {addr_space = 1 : i32} : i1
// CHECK-DAG: llvm.mlir.global internal @three_values(0 : i32)
llvm.mlir.global internal @never_read(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @never_written(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @two_values(3 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @three_values(0 : i32) {addr_space = 1 : i32} : i32
// CHECK-NOT: @unused
// CHECK-NOT: @alias
llvm.mlir.global internal @unused(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.alias internal @alias : i32 {
  %0 = llvm.mlir.addressof @three_values : !llvm.ptr<1>
  llvm.return %0 : !llvm.ptr<1>
}

// CHECK-LABEL: llvm.func @pairs
// CHECK: [[f0:%.*]] = llvm.mlir.addressof @pair.body.f0
// CHECK: [[a:%.*]] = llvm.load [[f0]]
// CHECK: [[f1:%.*]] = llvm.mlir.addressof @pair.body.f1
// CHECK: [[b:%.*]] = llvm.load [[f1]]
// CHECK-NOT: extractvalue
// CHECK: llvm.add [[a]], [[b]]
// NOSRA-LABEL: llvm.func @pairs
// NOSRA: %newgv = llvm.mlir.addressof @pair.body
// NOSRA: %val = llvm.load %newgv
// NOSRA-NOT: extractvalue
// NOSRA: llvm.return
llvm.func @pairs(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %g = llvm.mlir.addressof @pair : !llvm.ptr<1>
  %w = llvm.load %g : !llvm.ptr<1> -> !llvm.struct<(i32, i32)>
  %a = llvm.extractvalue %w[0] : !llvm.struct<(i32, i32)>
  %b = llvm.extractvalue %w[1] : !llvm.struct<(i32, i32)>
  %r = llvm.add %a, %b : i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %0 = llvm.insertvalue %x, %u[0] : !llvm.struct<(i32, i32)>
  %1 = llvm.insertvalue %r, %0[1] : !llvm.struct<(i32, i32)>
  llvm.store %1, %g : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @others(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.barrier0
  %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %sg = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
  %s1 = llvm.getelementptr inbounds %sg[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  %f = llvm.load %s1 : !llvm.ptr -> f32
  llvm.store %x, %s : i32, !llvm.ptr<3>
  %i = llvm.load %s : !llvm.ptr<3> -> i32
  llvm.store %i, %p : i32, !llvm.ptr<1>
  llvm.store %f, %p : f32, !llvm.ptr<1>
  llvm.store %f, %s1 : f32, !llvm.ptr
  %n = llvm.mlir.addressof @nested : !llvm.ptr<1>
  %n1 = llvm.getelementptr inbounds %n[0, 1, 1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, struct<(i32, i64)>)>
  %l = llvm.load %n1 : !llvm.ptr<1> -> i64
  %m = llvm.add %l, %l : i64
  llvm.store %m, %n1 : i64, !llvm.ptr<1>
  %n0 = llvm.getelementptr inbounds %n[0, 1, 0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, struct<(i32, i64)>)>
  %k = llvm.load %n0 : !llvm.ptr<1> -> i32
  llvm.store %k, %p : i32, !llvm.ptr<1>
  llvm.store %x, %n0 : i32, !llvm.ptr<1>
  %v = llvm.mlir.addressof @visible : !llvm.ptr<1>
  %v0 = llvm.load %v : !llvm.ptr<1> -> i32
  %e = llvm.mlir.addressof @set : !llvm.ptr<1>
  %e0 = llvm.load %e : !llvm.ptr<1> -> i32
  %c = llvm.mlir.addressof @escapes : !llvm.ptr<1>
  llvm.store %c, %p : !llvm.ptr<1>, !llvm.ptr<1>
  %y = llvm.mlir.addressof @listed : !llvm.ptr<1>
  %y0 = llvm.load %y : !llvm.ptr<1> -> i32
  %d = llvm.mlir.addressof @indexed : !llvm.ptr<1>
  %d0 = llvm.getelementptr %d[0, 0, %x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.struct<(array<4 x i32>, i32)>
  %d1 = llvm.load %d0 : !llvm.ptr<1> -> i32
  llvm.store %d1, %d0 : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @scalars
// CHECK-NOT: @never_read
// CHECK: [[flag:%.*]] = llvm.load {{.*}} -> i1
// CHECK: llvm.select [[flag]], %{{.*}}, %{{.*}} : i1, i32
// CHECK: llvm.return
llvm.func @scalars(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %three = llvm.mlir.constant(3 : i32) : i32
  %nine = llvm.mlir.constant(9 : i32) : i32
  %a = llvm.mlir.addressof @never_read : !llvm.ptr<1>
  llvm.store %x, %a : i32, !llvm.ptr<1>
  %b = llvm.mlir.addressof @never_written : !llvm.ptr<1>
  %b0 = llvm.load %b : !llvm.ptr<1> -> i32
  llvm.store %b0, %p : i32, !llvm.ptr<1>
  %c = llvm.mlir.addressof @two_values : !llvm.ptr<1>
  %c0 = llvm.load %c : !llvm.ptr<1> -> i32
  llvm.store %c0, %p : i32, !llvm.ptr<1>
  llvm.store %three, %c : i32, !llvm.ptr<1>
  llvm.store %nine, %c : i32, !llvm.ptr<1>
  %d = llvm.mlir.addressof @alias : !llvm.ptr<1>
  %d0 = llvm.load %d : !llvm.ptr<1> -> i32
  llvm.store %d0, %p : i32, !llvm.ptr<1>
  llvm.store %three, %d : i32, !llvm.ptr<1>
  llvm.store %nine, %d : i32, !llvm.ptr<1>
  llvm.return
}
