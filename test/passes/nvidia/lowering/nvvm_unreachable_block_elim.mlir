// RUN: nvvm-opt %s -p 'nvvm-unreachable-block-elim' | filecheck %s
// RUN: xdsl-opt %s -p 'nvvm-unreachable-block-elim' | filecheck %s

// An argument with one remaining value is that value.
// CHECK-LABEL: llvm.func @lost_edge
// CHECK-NEXT:    llvm.br ^join
// CHECK-NEXT:  ^join:
// CHECK-NEXT:    llvm.return %x : i32
// CHECK-NEXT:  }
llvm.func @lost_edge(%x: i32, %y: i32) -> i32 {
  llvm.br ^join(%x : i32)
^dead:
  llvm.br ^join(%y : i32)
^join(%v: i32):
  llvm.return %v : i32
}

// A cycle of dead blocks is removed as a whole.
// CHECK-LABEL: llvm.func @cycle
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
llvm.func @cycle(%c: i1) {
  llvm.return
^a(%i: i32):
  %j = llvm.add %i, %i : i32
  llvm.br ^b
^b:
  llvm.cond_br %c, ^a(%j : i32), ^out
^out:
  llvm.return
}

// A constant condition is left to other passes: both edges are kept, and so are unrelated arguments.
// CHECK-LABEL: llvm.func @reachable
// CHECK:         llvm.cond_br %yes, ^then, ^else
// CHECK:       ^join(%v: i32):
llvm.func @reachable(%x: i32) -> i32 {
  %yes = llvm.mlir.constant(true) : i1
  llvm.cond_br %yes, ^then, ^else
^then:
  llvm.br ^join(%x : i32)
^else:
  llvm.br ^join(%x : i32)
^join(%v: i32):
  llvm.return %v : i32
}
