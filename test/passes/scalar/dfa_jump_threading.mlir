// RUN: nvvm-opt %s -p dfa-jump-threading | filecheck %s
// RUN: nvvm-opt %s -p 'dfa-jump-threading{no-dfa-early-exit-heuristic}' | filecheck %s --check-prefix ALL

// From state to state without the switch; the select that sets the state becomes a branch.
// CHECK-LABEL: llvm.func @ring
// CHECK-NOT:     llvm.switch
// CHECK-NOT:     llvm.select
// CHECK-LABEL: llvm.func @both
llvm.func @ring(%n: i32, %p: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  llvm.br ^loop(%c0, %c0 : i32, i32)
^loop(%state: i32, %i: i32):
  %e = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %e, ^body, ^out
^body:
  llvm.switch %state : i32, ^out [0: ^a, 1: ^b]
^a:
  llvm.store %i, %p : i32, !llvm.ptr
  %f = llvm.icmp "eq" %i, %c2 : i32
  %s = llvm.select %f, %c1, %c2 : i1, i32
  llvm.br ^next(%s : i32)
^b:
  llvm.br ^next(%c0 : i32)
^next(%to: i32):
  %j = llvm.add %i, %c1 : i32
  llvm.br ^loop(%to, %j : i32, i32)
^out:
  llvm.return %i : i32
}

// Two states that set each other, both reachable from outside: the loop would have two entries.
// CHECK:         llvm.switch
// CHECK-LABEL: llvm.func @unknown
llvm.func @both(%n: i32, %first: i32, %p: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%first, %c0 : i32, i32)
^loop(%state: i32, %i: i32):
  llvm.switch %state : i32, ^out [0: ^a, 1: ^b]
^a:
  llvm.store %i, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  llvm.br ^loop(%c1, %j : i32, i32)
^b:
  %k = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^loop(%c0, %k : i32, i32)
^out:
  llvm.return %i : i32
}

// One state that is unknown in the loop stops the pass, unless the heuristic is disabled.
// CHECK:         llvm.br ^loop(%c0
// CHECK:         llvm.switch
// CHECK-NOT:     thread
// CHECK:         llvm.return
// ALL-LABEL:   llvm.func @unknown
// ALL:           llvm.br ^a
// ALL:           llvm.switch
// ALL:           llvm.return
llvm.func @unknown(%n: i32, %p: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%state: i32):
  llvm.switch %state : i32, ^out [0: ^a, 1: ^b]
^a:
  %k = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^loop(%k : i32)
^b:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^loop(%c1 : i32)
^out:
  llvm.return %n : i32
}
