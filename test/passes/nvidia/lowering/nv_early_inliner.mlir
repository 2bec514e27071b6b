// RUN: nvvm-opt %s -p 'nv-early-inliner' | filecheck %s
// RUN: nvvm-opt %s -p 'nv-early-inliner<threshold=60>' | filecheck %s --check-prefix=MORE

llvm.func internal @small(%x: i32) -> i32 {
  %a = llvm.mul %x, %x : i32
  %b = llvm.mul %a, %x : i32
  llvm.return %b : i32
}
llvm.func internal @larger(%x: i32) -> i32 {
  %a = llvm.mul %x, %x : i32
  %b = llvm.mul %a, %x : i32
  %c = llvm.mul %b, %x : i32
  %d = llvm.mul %c, %x : i32
  %e = llvm.mul %d, %x : i32
  %f = llvm.mul %e, %x : i32
  %g = llvm.mul %f, %x : i32
  %h = llvm.mul %g, %x : i32
  %i = llvm.mul %h, %x : i32
  %j = llvm.mul %i, %x : i32
  %k = llvm.mul %j, %x : i32
  %l = llvm.mul %k, %x : i32
  %m = llvm.mul %l, %x : i32
  %n = llvm.mul %m, %x : i32
  %o = llvm.mul %n, %x : i32
  %p = llvm.mul %o, %x : i32
  llvm.return %p : i32
}
// CHECK-LABEL: llvm.func @k
// CHECK-NOT: llvm.call @small
// CHECK: llvm.call @larger
// MORE-LABEL: llvm.func @k
// MORE-NOT: llvm.call
// MORE: llvm.return
llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.call @small(%x) : (i32) -> i32
  %b = llvm.call @larger(%a) : (i32) -> i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  llvm.return
}
