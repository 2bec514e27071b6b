// RUN: nvvm-opt %s -p 'globaldce' | filecheck %s

// CHECK-NOT: @unused
// CHECK:     llvm.mlir.global internal constant @table
// CHECK-NOT: @unused
// CHECK:     llvm.mlir.global external @visible
// CHECK:     llvm.func internal @leaf
// CHECK:     llvm.func @kernel
// CHECK-NOT: @unused
llvm.mlir.global internal constant @unused_data(1 : i32) {addr_space = 4 : i32} : i32
llvm.mlir.global internal constant @table() {addr_space = 4 : i32} : !llvm.ptr {
  %0 = llvm.mlir.addressof @leaf : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global external @visible(2 : i32) {addr_space = 1 : i32} : i32
llvm.func @unused_declaration(i32)
llvm.func internal @unused_pair_a() {
  llvm.call @unused_pair_b() : () -> ()
  llvm.return
}
llvm.func internal @unused_pair_b() {
  llvm.call @unused_pair_a() : () -> ()
  llvm.return
}
llvm.func internal @leaf() {
  llvm.return
}
llvm.func @kernel(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %f = llvm.load %t : !llvm.ptr<4> -> !llvm.ptr
  llvm.store %f, %p : !llvm.ptr, !llvm.ptr
  llvm.return
}
