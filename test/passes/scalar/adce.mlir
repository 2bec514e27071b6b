// RUN: nvvm-opt %s -p 'adce' --verify-each | filecheck %s

// A branch that controls only unused values goes to its reconvergence point.
// CHECK-LABEL: llvm.func @diamond
// CHECK-NEXT:    llvm.br ^join
// CHECK-NEXT:  ^join:
// CHECK-NEXT:    llvm.return %x
llvm.func @diamond(%x: i32, %p: !llvm.ptr<1>) -> i32 {
  %c = llvm.load %p : !llvm.ptr<1> -> i1
  llvm.cond_br %c, ^then, ^else
^then:
  %a = llvm.mul %x, %x : i32
  llvm.br ^join(%a : i32)
^else:
  llvm.br ^join(%x : i32)
^join(%y: i32):
  %b = llvm.add %y, %x : i32
  llvm.return %x : i32
}

// Branches that control a used op are kept: a store, a value that depends on the path, a barrier, an exit,
// and a loop, which may not terminate.
// CHECK-LABEL: llvm.func @needed
// CHECK-COUNT-5: llvm.cond_br
llvm.func @needed(%c: i1, %d: i1, %x: i32, %p: !llvm.ptr<1>) -> i32 {
  llvm.cond_br %c, ^store, ^second
^store:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.br ^second
^second:
  llvm.cond_br %d, ^then, ^third(%x : i32)
^then:
  %a = llvm.mul %x, %x : i32
  llvm.br ^third(%a : i32)
^third(%y: i32):
  llvm.cond_br %c, ^barrier, ^fourth
^barrier:
  nvvm.barrier0
  llvm.br ^fourth
^fourth:
  llvm.cond_br %d, ^exit, ^loop
^exit:
  llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  llvm.br ^loop
^loop:
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.return %y : i32
}

// A shuffle with an unused result still synchronizes threads.
// CHECK-LABEL: llvm.func @shuffle
// CHECK:         llvm.cond_br
// CHECK:         llvm.nvvm.shfl
llvm.func @shuffle(%c: i1, %x: i32) {
  llvm.cond_br %c, ^then, ^end
^then:
  %a = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
  llvm.br ^end
^end:
  llvm.return
}
