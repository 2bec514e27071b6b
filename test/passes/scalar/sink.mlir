// RUN: nvvm-opt %s -p 'sink' --verify-each | filecheck %s

// A value used on one side sinks there, and its operands after it.
// CHECK-LABEL: llvm.func @one_side
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^then:
// CHECK-NEXT:    %m = llvm.mul
// CHECK-NEXT:    %a = llvm.add %m
// CHECK-NEXT:    %l = llvm.load %q
// CHECK-NEXT:    llvm.store %a
llvm.func @one_side(%c: i1, %x: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %m = llvm.mul %x, %x : i32
  %a = llvm.add %m, %x : i32
  %l = llvm.load %q : !llvm.ptr<1> -> i32
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %a, %p : i32, !llvm.ptr<1>
  llvm.store %l, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Not a load past a store or a barrier, not convergent, volatile or inline assembly ops, not values used on
// both sides.
// CHECK-LABEL: llvm.func @stays
// CHECK-NEXT:    llvm.load %q
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.inline_asm
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.shfl
// CHECK-NEXT:    llvm.mul
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
llvm.func @stays(%c: i1, %x: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) -> i32 {
  %l = llvm.load %q : !llvm.ptr<3> -> i32
  %v = llvm.load volatile %q : !llvm.ptr<3> -> i32
  %s = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
  %i = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
  %m = llvm.mul %x, %x : i32
  nvvm.barrier0
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %l, %p : i32, !llvm.ptr<1>
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.store %i, %p : i32, !llvm.ptr<1>
  llvm.store %m, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return %m : i32
}

// Not into a loop, but out of one.
// CHECK-LABEL: llvm.func @loops
// CHECK-NEXT:    %m = llvm.mul
// CHECK:       ^loop(
// CHECK-NOT:     llvm.xor
// CHECK:       ^exit:
// CHECK-NEXT:    %o = llvm.xor
llvm.func @loops(%c: i1, %x: i32, %p: !llvm.ptr<1>) -> i32 {
  %m = llvm.mul %x, %x : i32
  llvm.cond_br %c, ^loop(%x : i32), ^end
^loop(%y: i32):
  %n = llvm.add %y, %m : i32
  %o = llvm.xor %n, %y : i32
  %d = llvm.icmp "slt" %n, %x : i32
  llvm.cond_br %d, ^loop(%n : i32), ^exit
^exit:
  llvm.return %o : i32
^end:
  llvm.return %x : i32
}

// An op of values from outside the loop that each iteration computes stays, and so do ops of its result: `licm` moves it
// to the preheader. An op that depends on the iteration is sunk, and so are loads, and ops that some iterations skip.
// CHECK-LABEL: llvm.func @invariant
// CHECK:       ^loop(%i: i32):
// CHECK-NEXT:    %m = llvm.mul %x, %x
// CHECK-NEXT:    %n = llvm.add %m, %y
// CHECK-NEXT:    %even = llvm.trunc
// CHECK-NEXT:    llvm.cond_br %even
// CHECK-NEXT:  ^one:
// CHECK-NEXT:    %v = llvm.mul %i, %x
// CHECK-NEXT:    %l = llvm.load %q
// CHECK-NEXT:    llvm.store %v
// CHECK-NEXT:    llvm.store %n
// CHECK-NEXT:    llvm.store %l
// CHECK-NEXT:    llvm.cond_br %d
// CHECK-NEXT:  ^some:
// CHECK-NEXT:    %w = llvm.mul %y, %y
// CHECK-NEXT:    llvm.store %w
llvm.func @invariant(%d: i1, %x: i32, %y: i32, %k: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %x, %x : i32
  %n = llvm.add %m, %y : i32
  %v = llvm.mul %i, %x : i32
  %l = llvm.load %q : !llvm.ptr<1> -> i32
  %even = llvm.trunc %i : i32 to i1
  llvm.cond_br %even, ^one, ^latch
^one:
  %w = llvm.mul %y, %y : i32
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.store %l, %p : i32, !llvm.ptr<1>
  llvm.cond_br %d, ^some, ^latch
^some:
  llvm.store %w, %p : i32, !llvm.ptr<1>
  llvm.br ^latch
^latch:
  %next = llvm.add %i, %c1 : i32
  %more = llvm.icmp "slt" %next, %k : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}
