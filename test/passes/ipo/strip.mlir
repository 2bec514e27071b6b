// RUN: nvvm-opt %s -p strip --print-debuginfo | filecheck %s
// RUN: nvvm-opt %s -p strip-nondebug --print-debuginfo | filecheck %s --check-prefix NAMES
// RUN: nvvm-opt %s -p strip-dead-prototypes | filecheck %s --check-prefix DEAD

// DEAD-NOT: @nobody
// DEAD: llvm.func @somebody
// DEAD-NOT: @unused
// DEAD: llvm.mlir.global external @defined
// DEAD: llvm.func @kernel
llvm.func @nobody(i32) -> i32
llvm.func @somebody(i32) -> i32
llvm.mlir.global external @unused() {addr_space = 1 : i32} : i32
llvm.mlir.global external @defined(3 : i32) {addr_space = 1 : i32} : i32

// CHECK-LABEL: llvm.func @kernel(%0: i32
// CHECK-NOT: k.cu
// CHECK: llvm.br ^bb1(%0 : i32)
// CHECK: ^bb1(%1: i32
// CHECK: %2 = llvm.call @somebody(%1)
// CHECK-NOT: k.cu
// NAMES-LABEL: llvm.func @kernel(%0: i32
// NAMES: %2 = llvm.call @somebody(%1) : (i32) -> i32 loc("k.cu":3:7)
llvm.func @kernel(%count: i32) attributes {nvvm.kernel} {
  llvm.br ^next(%count : i32)
^next(%sum: i32):
  %more = llvm.call @somebody(%sum) : (i32) -> i32 loc("k.cu":3:7)
  llvm.return
}
