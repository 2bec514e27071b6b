// RUN: nvvm-opt %s -p nvvm-lower-barriers | filecheck %s
// RUN: nvvm-opt %s -p 'nvvm-lower-barriers<warp>' | filecheck %s --check-prefix=WARP

// A reduction without uses, barrier 0 of all threads under two names, and one with the block's thread count.
// CHECK-LABEL: llvm.func @plain
// CHECK:         llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.return
llvm.func @plain(%p: !llvm.ptr<3>, %c: i1) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 2>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  llvm.store %zero, %p : i32, !llvm.ptr<3>
  nvvm.barrier id = %zero number_of_threads = %size
  %a = llvm.load %p : !llvm.ptr<3> -> i32
  %n = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.aligned.all"(%zero, %c) : (i32, i1) -> i32
  nvvm.barrier0
  %b = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier id = %zero
  llvm.return
}

// Other numbers, other counts, used results.
// CHECK-LABEL: llvm.func @others
// CHECK:         nvvm.barrier id
// CHECK-NEXT:    nvvm.barrier id
// CHECK-NEXT:    llvm.call_intrinsic
// CHECK-NOT:     nvvm.barrier0
// CHECK-LABEL: llvm.func @warp
llvm.func @others(%p: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 2>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  nvvm.barrier id = %one
  nvvm.barrier id = %zero number_of_threads = %half
  %n = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.aligned.all"(%zero, %c) : (i32, i1) -> i32
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Warp barriers are removed only on request.
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK-NEXT:    nvvm.barrier0
// WARP-LABEL: llvm.func @warp
// WARP-NEXT:    nvvm.barrier0
llvm.func @warp(%m: i32) attributes {nvvm.kernel} {
  nvvm.bar.warp.sync %m : i32
  nvvm.bar.warp.sync %m : i32
  nvvm.barrier0
  nvvm.barrier0
  llvm.return
}

// Lanes may synchronize at different barriers: each must reach the same number.
// WARP-LABEL: llvm.func @parted
// WARP-COUNT-4: nvvm.bar.warp.sync
llvm.func @parted(%m: i32) attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "slt" %tid, %m : i32
  llvm.cond_br %c, ^first, ^others
^first:
  nvvm.bar.warp.sync %m : i32
  nvvm.bar.warp.sync %m : i32
  llvm.br ^end
^others:
  nvvm.bar.warp.sync %m : i32
  nvvm.bar.warp.sync %m : i32
  llvm.br ^end
^end:
  llvm.return
}
