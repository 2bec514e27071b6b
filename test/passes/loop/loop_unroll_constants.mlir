// RUN: nvvm-opt %s -p loop-unroll --verify-each | filecheck %s

// Both loops are unrolled, and the second uses a constant of the first.
// CHECK-LABEL: llvm.func @f
// CHECK-COUNT-4: llvm.store volatile
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return
llvm.func @f(%p: !llvm.ptr, %x: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.br ^a(%zero : i32)
^a(%i: i32):
  %mask = llvm.mlir.constant(1023 : i32) : i32
  %m = llvm.and %i, %mask : i32
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %i1 = llvm.add %i, %one : i32
  %c = llvm.icmp "ult" %i1, %two : i32
  llvm.cond_br %c, ^a(%i1 : i32), ^b(%zero : i32)
^b(%j: i32):
  %n = llvm.and %x, %mask : i32
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %j1 = llvm.add %j, %one : i32
  %d = llvm.icmp "ult" %j1, %two : i32
  llvm.cond_br %d, ^b(%j1 : i32), ^end
^end:
  llvm.return
}
