// RUN: nvvm-opt %s -p 'break-crit-edges' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'break-crit-edges<max-ways=2>' --verify-each | filecheck %s --check-prefix=WIDE

// The edge of the test has its own block, which passes the values of the edge.
// CHECK-LABEL: llvm.func @past_body
// CHECK:         llvm.cond_br %c, ^body, ^[[EDGE:.*]]
// CHECK:       ^body:
// CHECK-NEXT:    llvm.br ^exit(%b : i32)
// CHECK:       ^exit(%r: i32):
// CHECK-NEXT:    llvm.return %r : i32
// CHECK:       ^[[EDGE]]:
// CHECK-NEXT:    llvm.br ^exit(%a : i32)
llvm.func @past_body(%c: i1, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^body, ^exit(%a : i32)
^body:
  llvm.br ^exit(%b : i32)
^exit(%r: i32):
  llvm.return %r : i32
}

// Two edges to one block get a block each; a switch edge to a block with another predecessor is split. With
// three predecessors the limit of the second RUN line is exceeded.
// WIDE-LABEL:  llvm.func @several
// WIDE:          llvm.switch %x : i32, ^join(%x : i32) [
// WIDE-NEXT:       1: ^join(%y : i32),
// CHECK-LABEL: llvm.func @several
// CHECK:         llvm.switch %x : i32, ^[[DEFAULT:.*]] [
// CHECK-NEXT:      1: ^[[ONE:.*]],
// CHECK-NEXT:      2: ^alone
// CHECK:       ^[[DEFAULT]]:
// CHECK-NEXT:    llvm.br ^join(%x : i32)
// CHECK:       ^[[ONE]]:
// CHECK-NEXT:    llvm.br ^join(%y : i32)
llvm.func @several(%x: i32, %y: i32) -> i32 {
  llvm.switch %x : i32, ^join(%x : i32) [
    1: ^join(%y : i32),
    2: ^alone
  ]
^alone:
  llvm.return %x : i32
^join(%r: i32):
  llvm.return %r : i32
}

// The loop's annotation moves to the backedge; an edge to a block with one predecessor is kept.
// CHECK-LABEL: llvm.func @loop
// CHECK:         llvm.cond_br %again, ^[[BACK:.*]], ^exit
// CHECK-NOT:     loop_annotation
// CHECK:       ^[[BACK]]:
// CHECK-NEXT:    llvm.br ^head(%next : i32) {loop_annotation = {{.*}}}
llvm.func @loop(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %next = llvm.sub %i, %one : i32
  %again = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %again, ^head(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^exit:
  llvm.return %next : i32
}
