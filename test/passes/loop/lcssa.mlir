// RUN: nvvm-opt %s -p lcssa -o - | filecheck %s

// Two exits with a common successor: the value there is one of two.
// CHECK-LABEL: llvm.func @f
llvm.func @f(%b: i1, %c: i1, %x: i32) -> i32 {
  llvm.br ^loop(%x : i32)
^loop(%i: i32):
  // CHECK:      llvm.cond_br %b, ^[[ONE:.*]](%{{.*}} : i32), ^[[MORE:.*]]
  %n = llvm.add %i, %x : i32
  llvm.cond_br %b, ^one, ^more
^more:
  // CHECK:      llvm.cond_br %c, ^{{.*}}(%n : i32), ^[[TWO:.*]](%n : i32)
  llvm.cond_br %c, ^loop(%n : i32), ^two
^one:
  // CHECK:      ^[[ONE]](%[[A:.*]]: i32):
  // CHECK-NEXT:   %d = llvm.mul %[[A]], %x : i32
  // CHECK-NEXT:   llvm.br ^[[JOIN:.*]](%[[A]] : i32)
  %d = llvm.mul %n, %x : i32
  llvm.br ^join
^two:
  // CHECK:      ^[[TWO]](%[[B:.*]]: i32):
  // CHECK-NEXT:   llvm.br ^[[JOIN]](%[[B]] : i32)
  llvm.br ^join
^join:
  // CHECK:      ^[[JOIN]](%[[R:.*]]: i32):
  // CHECK-NEXT:   llvm.return %[[R]] : i32
  llvm.return %n : i32
}

// Values without uses after the loop are kept.
// CHECK-LABEL: llvm.func @unused
llvm.func @unused(%c: i1, %x: i32) {
  llvm.br ^loop(%x : i32)
^loop(%i: i32):
  %n = llvm.add %i, %x : i32
  // CHECK:      llvm.cond_br %c, ^{{.*}}(%n : i32), ^[[EXIT:.*]]
  // CHECK-NEXT: ^[[EXIT]]:
  llvm.cond_br %c, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
