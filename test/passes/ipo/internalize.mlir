// RUN: nvvm-opt %s -p 'internalize<api=api>' | filecheck %s

// CHECK: llvm.mlir.global external @device
llvm.mlir.global external @device(1 : i32) {addr_space = 1 : i32} : i32
// CHECK: llvm.mlir.global external constant @constant
llvm.mlir.global external constant @constant(1 : i32) {addr_space = 4 : i32} : i32
// CHECK: llvm.mlir.global internal @shared
llvm.mlir.global external @shared() {addr_space = 3 : i32} : !llvm.array<4 x i32> {
  %0 = llvm.mlir.undef : !llvm.array<4 x i32>
  llvm.return %0 : !llvm.array<4 x i32>
}
// CHECK: llvm.mlir.global external @dynamic
llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i32>
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
  %0 = llvm.mlir.addressof @used : !llvm.ptr
  %1 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.array<1 x ptr>
  llvm.return %2 : !llvm.array<1 x ptr>
}
// CHECK: llvm.func @declared
llvm.func @declared()
// CHECK: llvm.func internal @helper
llvm.func @helper() {
  llvm.return
}
// CHECK: llvm.func internal @weak
llvm.func weak @weak() {
  llvm.return
}
// CHECK: llvm.func @used
llvm.func @used() {
  llvm.return
}
// CHECK: llvm.func @api
llvm.func @api() {
  llvm.return
}
// CHECK: llvm.func @kernel
llvm.func @kernel() attributes {nvvm.kernel} {
  llvm.return
}
