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
