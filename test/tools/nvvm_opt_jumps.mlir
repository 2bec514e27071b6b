// RUN: nvvm-opt %s -p 'jump-threading,gvn,simplifycfg' --verify-each | filecheck %s
// RUN: nvvm-opt %s | filecheck %s --check-prefix=KEPT

// Indirect branches and invokes become branches and calls before the first pass.
// CHECK-LABEL: llvm.func @indirect
// CHECK-NOT:     llvm.indirectbr
// CHECK:         llvm.return
// KEPT-LABEL:  llvm.func @indirect
// KEPT:          llvm.indirectbr
llvm.func @indirect(%p: !llvm.ptr) -> i32 {
  %true = llvm.mlir.constant(true) : i1
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.indirectbr %p : !llvm.ptr, [
  ^merge(%true : i1),
  ^open
  ]
^open:
  llvm.blocktag <id = 1>
  %v = llvm.load %p : !llvm.ptr -> i1
  llvm.br ^merge(%v : i1)
^merge(%z: i1):
  llvm.blocktag <id = 2>
  llvm.cond_br %z, ^a, ^b
^a:
  llvm.return %one : i32
^b:
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @invoke
// CHECK-NEXT:    %r = llvm.call @g(%x)
// CHECK-NEXT:    llvm.return %r
// KEPT-LABEL:  llvm.func @invoke
// KEPT:          llvm.invoke
llvm.func @invoke(%x: i32) -> i32 {
  %r = llvm.invoke @g(%x) to ^a(%x : i32) unwind ^b : (i32) -> i32
^a(%y: i32):
  llvm.return %r : i32
^b:
  llvm.return %x : i32
}
llvm.func @g(i32) -> i32

// A call of a function that must not be duplicated is not copied.
// CHECK-LABEL: llvm.func @once
// CHECK-COUNT-1: llvm.call @single
// CHECK-NOT:     llvm.call @single
// CHECK:         llvm.return
llvm.func @once(%n: i32, %p: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %three = llvm.mlir.constant(3 : i32) : i32
  %q = llvm.icmp "slt" %n, %three : i32
  llvm.cond_br %q, ^known, ^open
^known:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^merge(%true : i1)
^open:
  %v = llvm.load %p : !llvm.ptr -> i1
  llvm.br ^merge(%v : i1)
^merge(%z: i1):
  llvm.call @single() {nvvm.noconvergent} : () -> ()
  llvm.cond_br %z, ^a, ^b
^a:
  llvm.store %three, %p : i32, !llvm.ptr
  llvm.return
^b:
  llvm.return
}
llvm.func @single() attributes {passthrough = ["noduplicate"], no_unwind, will_return}
