// RUN: nvvm-opt %s -p nvvm-late-opt | filecheck %s
// RUN: nvvm-opt %s -p 'print-module,nvvm-late-opt' 2>&1 | filecheck %s --check-prefix=PRINT
// RUN: nvvm-opt %s -p 'print-module<no-shown>' 2>&1 | filecheck %s --check-prefix=ONCE

// PRINT-COUNT-4: nvvm.barrier0
// ONCE-COUNT-3: nvvm.barrier0
// ONCE-NOT:     nvvm.barrier0

// CHECK-LABEL: llvm.func @k
// CHECK-COUNT-1: nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.return
llvm.func @k(%p: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {
  nvvm.barrier0
  llvm.store %x, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  nvvm.barrier0
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.return
}
