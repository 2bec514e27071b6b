// RUN: nvvm-opt %s -p loop-deletion | filecheck %s

// A counted loop with an unused load and addition, and a loop in it.
// CHECK-LABEL: llvm.func @dead
// CHECK-NOT:     llvm.icmp
// CHECK:         llvm.br ^exit(%x : f32)
// CHECK-NEXT:  ^exit(%r: f32):
llvm.func @dead(%p: !llvm.ptr, %m: i32, %x: f32) -> f32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  llvm.br ^inner(%c0 : i32)
^inner(%j: i32):
  %v = llvm.load %p : !llvm.ptr -> i32
  %k = llvm.add %j, %c1 overflow<nsw> : i32
  %d = llvm.icmp "slt" %k, %m : i32
  llvm.cond_br %d, ^inner(%k : i32), ^latch
^latch:
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit(%x : f32)
^exit(%r: f32):
  llvm.return %r : f32
}

// The loop's result is used, it stores, or an op in it must be executed: it is kept.
// CHECK-LABEL: llvm.func @used
// CHECK:         llvm.icmp
// CHECK-LABEL: llvm.func @writes
// CHECK:         llvm.icmp
// CHECK-LABEL: llvm.func @waits
// CHECK:         llvm.icmp
// CHECK-LABEL: llvm.func @votes
// CHECK:         llvm.icmp
// CHECK-LABEL: llvm.func @reads_volatile
// CHECK:         llvm.icmp
llvm.func @used(%m: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return %n : i32
}
llvm.func @writes(%p: !llvm.ptr, %m: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  llvm.store %m, %p : i32, !llvm.ptr
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
llvm.func @waits(%m: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  nvvm.barrier0
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
llvm.func @votes(%m: i32, %b: i1) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %t = nvvm.vote.sync any %m, %b -> i1
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
llvm.func @reads_volatile(%p: !llvm.ptr, %m: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %t = llvm.load volatile %p : !llvm.ptr -> i32
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}

// A loop that may be infinite is kept, unless it must make progress, and so is one whose two exits pass two
// values.
// CHECK-LABEL: llvm.func @endless
// CHECK:         llvm.icmp
// CHECK-LABEL: llvm.func @must_progress
// CHECK-NOT:     llvm.icmp
// CHECK-LABEL: llvm.func @two_values
// CHECK:         llvm.icmp
llvm.func @endless(%m: i32, %x: i32) {
  llvm.br ^loop(%m : i32)
^loop(%i: i32):
  %n = llvm.mul %i, %i : i32
  %c = llvm.icmp "eq" %n, %x : i32
  llvm.cond_br %c, ^exit, ^loop(%n : i32)
^exit:
  llvm.return
}
llvm.func @must_progress(%m: i32, %x: i32) attributes {passthrough = ["mustprogress"]} {
  llvm.br ^loop(%m : i32)
^loop(%i: i32):
  %n = llvm.mul %i, %i : i32
  %c = llvm.icmp "eq" %n, %x : i32
  llvm.cond_br %c, ^exit, ^loop(%n : i32)
^exit:
  llvm.return
}
llvm.func @two_values(%m: i32, %x: i32, %y: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %b = llvm.icmp "eq" %i, %x : i32
  llvm.cond_br %b, ^exit(%x : i32), ^rest
^rest:
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit(%y : i32)
^exit(%r: i32):
  llvm.return %r : i32
}

// One iteration: the loop becomes straight-line code.
// CHECK-LABEL: llvm.func @one_round
// CHECK:         llvm.store
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.return
llvm.func @one_round(%p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  llvm.store %i, %p : i32, !llvm.ptr
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %c1 : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func @endless_inside
// CHECK:         llvm.icmp "eq"
llvm.func @endless_inside(%m: i32, %x: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  llvm.br ^inner(%m : i32)
^inner(%j: i32):
  %k = llvm.mul %j, %j : i32
  %d = llvm.icmp "eq" %k, %x : i32
  llvm.cond_br %d, ^latch, ^inner(%k : i32)
^latch:
  %n = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
