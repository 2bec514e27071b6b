// RUN: nvvm-opt %s -p 'dce' | filecheck %s

// CHECK-LABEL: llvm.func @ops
// CHECK-NEXT:    llvm.return %x
llvm.func @ops(%x: i32, %y: i32, %p: !llvm.ptr) -> i32 {
  %a = llvm.add %x, %y : i32
  %b = llvm.mul %a, %a : i32
  %l = llvm.load %p : !llvm.ptr -> i32
  llvm.return %x : i32
}

// Visible effects are kept: stores, volatile and atomic loads, calls, barriers, atomics.
// CHECK-LABEL: llvm.func @observed
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.load %p atomic
// CHECK-NEXT:    llvm.call @ops
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.return
llvm.func @observed(%x: i32, %p: !llvm.ptr) {
  llvm.store %x, %p : i32, !llvm.ptr
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %a = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %c = llvm.call @ops(%x, %x, %p) : (i32, i32, !llvm.ptr) -> i32
  nvvm.barrier0
  %r = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr, i32
  llvm.return
}

// A value used only in its own recurrence is dead, and so is its argument.
// CHECK-LABEL: llvm.func @circle
// CHECK:         llvm.br ^head(%zero : i32)
// CHECK:       ^head(%i: i32):
// CHECK-NOT:     llvm.mul
// CHECK:         llvm.br ^head(%next : i32)
llvm.func @circle(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%one, %zero : i32, i32)
^head(%dead: i32, %i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %next = llvm.add %i, %one : i32
  %worse = llvm.mul %dead, %next : i32
  llvm.br ^head(%worse, %next : i32, i32)
^exit:
  llvm.return %i : i32
}

// CHECK-LABEL: llvm.func @unreachable
// CHECK-NEXT:    llvm.return %x
// CHECK-NEXT:  }
llvm.func @unreachable(%x: i32) -> i32 {
  llvm.return %x : i32
^a(%v: i32):
  llvm.br ^b(%v : i32)
^b(%w: i32):
  llvm.br ^a(%w : i32)
}
