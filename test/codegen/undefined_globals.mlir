// RUN: nvvm-cc %s -arch sm_90 -O0 | filecheck %s

// A variable of this module without an initializer is uninitialized; it is defined only if another module can
// access it.
// CHECK-DAG: {{^}}.shared .align 4 .b8 tile[64];
// CHECK-DAG: {{^}}.global .align 4 .b8 own[64];
// CHECK-DAG: .visible .entry k
// CHECK-DAG: .extern .shared .align 4 .b8 dynamic[];
// CHECK-DAG: .extern .global .align 4 .b8 other[64];
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<16 x i32>
llvm.mlir.global private @own() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<16 x i32>
llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i32>
llvm.mlir.global external @other() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<16 x i32>
llvm.func @k(%v: i32) attributes {nvvm.kernel} {
  %0 = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.store volatile %v, %0 : i32, !llvm.ptr<3>
  %1 = llvm.mlir.addressof @own : !llvm.ptr<1>
  llvm.store volatile %v, %1 : i32, !llvm.ptr<1>
  %2 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
  llvm.store volatile %v, %2 : i32, !llvm.ptr<3>
  %3 = llvm.mlir.addressof @other : !llvm.ptr<1>
  llvm.store volatile %v, %3 : i32, !llvm.ptr<1>
  llvm.return
}
