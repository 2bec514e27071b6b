// RUN: nvvm-opt %s -p 'inline' | filecheck %s
// RUN: nvvm-opt %s -p 'inline<threshold=0>' | filecheck %s --check-prefix=NONE

llvm.func @small(%x: i32) -> i32 {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
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
// NONE:          llvm.call @small
// NONE-NOT:      llvm.call @once
llvm.func @caller(%x: i32) -> i32 {
  %a = llvm.call @small(%x) : (i32) -> i32
  %b = llvm.call @once(%a) : (i32) -> i32
  %c = llvm.call @kept(%b) : (i32) -> i32
  %d = llvm.call @replaceable(%c) : (i32) -> i32
  llvm.return %d : i32
}
