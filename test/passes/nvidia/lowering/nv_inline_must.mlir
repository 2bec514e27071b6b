// RUN: nvvm-opt %s -p 'nv-inline-must' | filecheck %s

llvm.mlir.global internal @image(0 : i64) {addr_space = 1 : i32, nvvm.texture} : i64

// CHECK: llvm.func internal @sample(%t: !llvm.ptr<1>) -> i64 attributes {always_inline} {
llvm.func internal @sample(%t: !llvm.ptr<1>) -> i64 attributes {no_inline} {
  %h = llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal.p1"(%t) : (!llvm.ptr<1>) -> i64
  llvm.return %h : i64
}
// CHECK: llvm.func internal @plain(%x: i32) -> i32 {
llvm.func internal @plain(%x: i32) -> i32 {
  llvm.return %x : i32
}
// CHECK: llvm.func internal @forced
llvm.func internal @forced(%x: i32) -> i32 attributes {always_inline} {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
}
// CHECK: llvm.func @k
// CHECK-NOT: llvm.call @sample
// CHECK: llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal.p1"
// CHECK: llvm.call @plain
// CHECK-NOT: llvm.call @forced
llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @image : !llvm.ptr<1>
  %h = llvm.call @sample(%t) : (!llvm.ptr<1>) -> i64
  llvm.store %h, %p : i64, !llvm.ptr<1>
  %a = llvm.call @plain(%x) : (i32) -> i32
  %b = llvm.call @forced(%a) : (i32) -> i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  llvm.return
}
