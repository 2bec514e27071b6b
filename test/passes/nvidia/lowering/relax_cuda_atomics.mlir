// RUN: nvvm-opt %s -p relax-cuda-atomics | filecheck %s
// RUN: xdsl-opt %s -p relax-cuda-atomics | filecheck %s
// RUN: nvvm-opt %s -p 'repeat<2>(relax-cuda-atomics)' --print-changed 2>&1 | filecheck %s --check-prefix=ONCE

// ONCE: relax-cuda-atomics
// ONCE: relax-cuda-atomics{{.*}}omitted because no change

// clang 22's code for atomicAdd and atomicCAS.
// CHECK-LABEL: @cuda
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic {alignment = 4 : i64} :
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic :
llvm.func @cuda(%p: !llvm.ptr, %n: i32) {
  %0 = llvm.atomicrmw add %p, %n seq_cst {alignment = 4 : i64} : !llvm.ptr, i32
  %1 = llvm.cmpxchg %p, %n, %0 seq_cst seq_cst : !llvm.ptr, i32
  llvm.return
}

// A scope, another ordering, a load, a store or a fence: not CUDA's atomic functions.
// CHECK-LABEL: @others
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") seq_cst
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("block") seq_cst seq_cst
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} seq_cst monotonic
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acquire seq_cst
// CHECK: llvm.load %{{.*}} atomic seq_cst
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic seq_cst
// CHECK: llvm.fence seq_cst
llvm.func @others(%p: !llvm.ptr, %n: i32) {
  %0 = llvm.atomicrmw add %p, %n syncscope("device") seq_cst : !llvm.ptr, i32
  %1 = llvm.cmpxchg %p, %n, %0 syncscope("block") seq_cst seq_cst : !llvm.ptr, i32
  %2 = llvm.atomicrmw add %p, %n acq_rel : !llvm.ptr, i32
  %3 = llvm.cmpxchg %p, %n, %0 seq_cst monotonic : !llvm.ptr, i32
  %4 = llvm.cmpxchg %p, %n, %0 acquire seq_cst : !llvm.ptr, i32
  %5 = llvm.load %p atomic seq_cst {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.store %5, %p atomic seq_cst {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.fence seq_cst
  llvm.return
}
