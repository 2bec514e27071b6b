// RUN: nvvm-opt %s -p 'nvvm-name-blocks' | filecheck %s

// Functions with a body, and the blocks of each, count from 1. A declaration does not count.
// CHECK-LABEL: llvm.func @first
// CHECK:         llvm.cond_br %c, ^F1_B2, ^F1_B3
// CHECK-NEXT:  ^F1_B2:
// CHECK-NEXT:    llvm.br ^F1_B3
// CHECK-NEXT:  ^F1_B3:
llvm.func @first(%c: i1) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^b
^b:
  llvm.return
}
llvm.func @declared(i1)
// CHECK-LABEL: llvm.func @second
// CHECK:         llvm.br ^F2_B2
llvm.func @second() {
  llvm.br ^end
^end:
  llvm.return
}
