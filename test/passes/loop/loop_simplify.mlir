// RUN: nvvm-opt %s -p loop-simplify -o - | filecheck %s

// CHECK-LABEL: llvm.func @f
llvm.func @f(%a: i1, %b: i1, %c: i1, %x: i32, %y: i32) -> i32 {
  // CHECK:      llvm.cond_br %a, ^[[PRE:.*]](%x : i32), ^[[EXIT:.*]](%x : i32)
  llvm.cond_br %a, ^loop(%x : i32), ^exit(%x : i32)
^loop(%i: i32):
  // CHECK:      ^[[PRE]](%[[P:.*]]: i32):
  // CHECK-NEXT:   llvm.br ^[[LOOP:.*]](%[[P]] : i32)
  // CHECK:      ^[[LOOP]](%i: i32):
  // CHECK-NEXT:   %n = llvm.add %i, %y : i32
  // CHECK-NEXT:   llvm.cond_br %b, ^[[BACK:.*]](%n : i32), ^[[MORE:.*]]
  %n = llvm.add %i, %y : i32
  llvm.cond_br %b, ^loop(%n : i32), ^more
^more:
  // CHECK:        llvm.cond_br %c, ^[[BACK]](%i : i32), ^[[OUT:.*]](%n : i32)
  // CHECK:      ^[[OUT]](%[[O:.*]]: i32):
  // CHECK-NEXT:   llvm.br ^[[EXIT]](%[[O]] : i32)
  // CHECK:      ^[[BACK]](%[[V:.*]]: i32):
  // CHECK-NEXT:   llvm.br ^[[LOOP]](%[[V]] : i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  // CHECK:      ^[[EXIT]](%r: i32):
  llvm.cond_br %c, ^loop(%i : i32), ^exit(%n : i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^exit(%r: i32):
  llvm.return %r : i32
}

// An unreachable block with an edge into a loop is removed. Otherwise, LCSSA form would need an
// argument of the join for %v, whose use follows the loop.
// CHECK-LABEL: llvm.func @unreachable
// CHECK-NOT:   ^dead
// CHECK-NOT:   llvm.store %b
llvm.func @unreachable(%n: i32, %p: !llvm.ptr, %b: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  llvm.br ^first(%c0 : i32)
^first(%i: i32):
  %v = llvm.mul %i, %n : i32
  %i2 = llvm.add %i, %c1 : i32
  %t = llvm.icmp "ult" %i2, %c4 : i32
  llvm.cond_br %t, ^first(%i2 : i32), ^second(%c0 : i32)
^second(%j: i32):
  llvm.store %j, %p : i32, !llvm.ptr
  llvm.br ^join
^dead:
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  %j2 = llvm.add %j, %c1 : i32
  %u = llvm.icmp "ult" %j2, %c4 : i32
  llvm.cond_br %u, ^second(%j2 : i32), ^exit
^exit:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}
