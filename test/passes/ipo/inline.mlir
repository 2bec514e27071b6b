// RUN: nvvm-opt %s -p 'inline' | filecheck %s
// RUN: nvvm-opt %s -p 'inline<threshold=0>' | filecheck %s --check-prefix=NONE

llvm.func @small(%x: i32) -> i32 {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
}
// The call overhead is saved regardless of the threshold: it exceeds the cost of the body.
llvm.func @larger(%x: i32) -> i32 {
  %a = llvm.mul %x, %x : i32
  %b = llvm.mul %a, %x : i32
  %c = llvm.mul %b, %x : i32
  %d = llvm.mul %c, %x : i32
  %e = llvm.mul %d, %x : i32
  %f = llvm.mul %e, %x : i32
  %g = llvm.mul %f, %x : i32
  %h = llvm.mul %g, %x : i32
  %i = llvm.mul %h, %x : i32
  llvm.return %i : i32
}
llvm.func internal @once(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
llvm.func @kept(%x: i32) -> i32 attributes {no_inline} {
  %r = llvm.sub %x, %x : i32
  llvm.return %r : i32
}
llvm.func weak @replaceable(%x: i32) -> i32 {
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @caller
// CHECK-NOT:     llvm.call @small
// CHECK-NOT:     llvm.call @once
// CHECK:         llvm.call @kept
// CHECK:         llvm.call @replaceable
// NONE-LABEL:  llvm.func @caller
// NONE-NOT:      llvm.call @small
// NONE:          llvm.call @larger
// NONE-NOT:      llvm.call @once
llvm.func @caller(%x: i32) -> i32 {
  %a = llvm.call @small(%x) : (i32) -> i32
  %l = llvm.call @larger(%a) : (i32) -> i32
  %b = llvm.call @once(%l) : (i32) -> i32
  %c = llvm.call @kept(%b) : (i32) -> i32
  %d = llvm.call @replaceable(%c) : (i32) -> i32
  llvm.return %d : i32
}
