// RUN: nvvm-opt %s -p 'constmerge' | filecheck %s

// CHECK: @a(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, alignment = 16 : i64
// CHECK-NOT: @b(
llvm.mlir.global private unnamed_addr constant @a(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, alignment = 4 : i64} : !llvm.array<2 x i32>
llvm.mlir.global internal unnamed_addr constant @b(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, alignment = 16 : i64} : !llvm.array<2 x i32>
// Other contents, another space, a variable, one that the host sets, one of a section, one that is visible
// outside.
// CHECK: @c(
// CHECK: @d(
// CHECK: @e(
// CHECK: @f(
// CHECK: @g(
// CHECK: @h(
llvm.mlir.global private unnamed_addr constant @c(dense<[1, 3]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
llvm.mlir.global private unnamed_addr constant @d(dense<[1, 2]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
llvm.mlir.global private unnamed_addr @e(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
llvm.mlir.global private unnamed_addr constant @f(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, llvm.externally_initialized} : !llvm.array<2 x i32>
llvm.mlir.global private unnamed_addr constant @g(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, section = "s"} : !llvm.array<2 x i32>
llvm.mlir.global weak unnamed_addr constant @h(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
// CHECK: @f2(
llvm.mlir.global private unnamed_addr constant @f2(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32, llvm.externally_initialized} : !llvm.array<2 x i32>
// The addresses of both may be compared.
// CHECK: @i(
// CHECK: @j(
llvm.mlir.global internal constant @i(5 : i64) {addr_space = 1 : i32} : i64
llvm.mlir.global internal constant @j(5 : i64) {addr_space = 1 : i32} : i64
// Equal once the constants that they point to are merged. The address of the first may be compared.
// CHECK: llvm.mlir.global internal constant @k()
// CHECK-NOT: @l()
llvm.mlir.global internal constant @k() {addr_space = 1 : i32} : !llvm.ptr<4> {
  %0 = llvm.mlir.addressof @a : !llvm.ptr<4>
  llvm.return %0 : !llvm.ptr<4>
}
llvm.mlir.global internal unnamed_addr constant @l() {addr_space = 1 : i32} : !llvm.ptr<4> {
  %0 = llvm.mlir.addressof @b : !llvm.ptr<4>
  llvm.return %0 : !llvm.ptr<4>
}
// CHECK: @m(
// CHECK: @n(
llvm.mlir.global private unnamed_addr constant @m(6 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global private unnamed_addr constant @n(6 : i32) {addr_space = 1 : i32} : i32
// CHECK: @o(
llvm.mlir.global private unnamed_addr constant @o(6 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<2 x ptr<1>> {
  %0 = llvm.mlir.addressof @m : !llvm.ptr<1>
  %1 = llvm.mlir.undef : !llvm.array<2 x ptr<1>>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.array<2 x ptr<1>>
  %3 = llvm.mlir.addressof @n : !llvm.ptr<1>
  %4 = llvm.insertvalue %3, %2[1] : !llvm.array<2 x ptr<1>>
  llvm.return %4 : !llvm.array<2 x ptr<1>>
}

// CHECK-LABEL: llvm.func @f1
// CHECK: llvm.mlir.addressof @a : !llvm.ptr<4>
// CHECK: llvm.mlir.addressof @k : !llvm.ptr<1>
llvm.func @f1() -> !llvm.ptr<4> {
  %0 = llvm.mlir.addressof @b : !llvm.ptr<4>
  %1 = llvm.mlir.addressof @l : !llvm.ptr<1>
  llvm.return %0 : !llvm.ptr<4>
}
