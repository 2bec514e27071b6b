// RUN: nvvm-opt %s -p 'tailcallelim' --verify-each | filecheck %s

// A loop instead of a call; through a block that only returns, too.
// CHECK-LABEL: llvm.func internal @gcd
// CHECK:         llvm.br ^tailrecurse(%a, %b : i32, i32)
// CHECK-NEXT:  ^tailrecurse([[X:%.*]]: i32, [[Y:%.*]]: i32):
// CHECK:         [[R:%.*]] = llvm.urem [[X]], [[Y]] : i32
// CHECK-NEXT:    llvm.br ^tailrecurse([[Y]], [[R]] : i32, i32)
// CHECK-NOT:     llvm.call
llvm.func internal @gcd(%a: i32, %b: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %done = llvm.icmp "eq" %b, %zero : i32
  llvm.cond_br %done, ^out(%a : i32), ^more
^more:
  %r = llvm.urem %a, %b : i32
  %g = llvm.call @gcd(%b, %r) : (i32, i32) -> i32
  llvm.br ^out(%g : i32)
^out(%x: i32):
  llvm.return %x : i32
}

// A term that is added to the result is accumulated.
// CHECK-LABEL: llvm.func internal @sum
// CHECK:         llvm.br ^tailrecurse(%n, %{{.*}} : i32, i32)
// CHECK-NEXT:  ^tailrecurse([[N:%.*]]: i32, [[A:%.*]]: i32):
// CHECK:         [[M:%.*]] = llvm.sub [[N]],
// CHECK-NEXT:    [[B:%.*]] = llvm.add [[A]], [[N]] : i32
// CHECK-NEXT:    llvm.br ^tailrecurse([[M]], [[B]] : i32, i32)
// CHECK:         [[E:%.*]] = llvm.add [[A]], %{{.*}} : i32
// CHECK-NEXT:    llvm.return [[E]]
llvm.func internal @sum(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %done = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %done, ^out, ^more
^more:
  %m = llvm.sub %n, %one : i32
  %r = llvm.call @sum(%m) : (i32) -> i32
  %s = llvm.add %r, %n : i32
  llvm.return %s : i32
^out:
  llvm.return %one : i32
}

// Not if the result has other uses, if a slot's address is passed, or with convergent
// ops.
// CHECK-LABEL: llvm.func internal @difference
// CHECK:         llvm.call @difference
llvm.func internal @difference(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %done = llvm.icmp "eq" %n, %one : i32
  llvm.cond_br %done, ^out, ^more
^more:
  %m = llvm.sub %n, %one : i32
  %r = llvm.call @difference(%m) : (i32) -> i32
  %s = llvm.sub %n, %r : i32
  llvm.return %s : i32
^out:
  llvm.return %one : i32
}

// CHECK-LABEL: llvm.func internal @slot
// CHECK:         llvm.call @slot
llvm.func internal @slot(%p: !llvm.ptr, %n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %q = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %q : i32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  %done = llvm.icmp "eq" %v, %one : i32
  llvm.cond_br %done, ^out, ^more
^more:
  %m = llvm.sub %n, %one : i32
  llvm.call @slot(%q, %m) : (!llvm.ptr, i32) -> ()
  llvm.return
^out:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @together
// CHECK:         llvm.call @together
llvm.func internal @together(%n: i32, %p: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  nvvm.barrier0
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %done = llvm.icmp "eq" %v, %one : i32
  llvm.cond_br %done, ^out, ^more
^more:
  llvm.call @together(%v, %p) : (i32, !llvm.ptr<1>) -> ()
  llvm.return
^out:
  llvm.return
}

// Volatile accesses, atomics and assembly execute in each iteration as they did in each call.
// CHECK-LABEL: llvm.func internal @each_round
// CHECK:       ^tailrecurse
// CHECK:         llvm.load volatile
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.inline_asm has_side_effects
// CHECK:         llvm.br ^tailrecurse
llvm.func internal @each_round(%n: i32, %p: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  llvm.inline_asm has_side_effects "// $0", "r" %v : (i32) -> ()
  %done = llvm.icmp "eq" %v, %one : i32
  llvm.cond_br %done, ^out, ^more
^more:
  llvm.call @each_round(%v, %p) : (i32, !llvm.ptr<1>) -> ()
  llvm.return
^out:
  llvm.return
}
