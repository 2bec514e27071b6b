// RUN: nvvm-opt %s -p 'gvn-hoist' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-max-hoisted=0>' | filecheck %s --check-prefix NONE
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-chain-length=1>' | filecheck %s --check-prefix CHAIN
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-bbs=0>' | filecheck %s --check-prefix NEAR
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-depth=1>' --verify-each | filecheck %s --check-prefix SHALLOW
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-max-hoisted=1>' | filecheck %s --check-prefix ONE
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-bbs=-1;gvn-hoist-max-depth=-1;gvn-hoist-max-chain-length=-1>' | filecheck %s --check-prefix ALL

llvm.func @stop()

// In any order, together with its operands; common flags are kept, a product of other numbers
// stays.
// CHECK-LABEL: llvm.func @both
// CHECK-NEXT:    %q1 = llvm.sdiv %x, %y : i32
// CHECK-NEXT:    %s1 = llvm.add %q1, %y overflow<nsw> : i32
// CHECK-NEXT:    %v1 = llvm.load %p : !llvm.ptr -> i32
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.mul %s1, %v1
// CHECK:       ^else:
// CHECK-NEXT:    llvm.mul %s1, %x
// NONE-LABEL:  llvm.func @both
// NONE-NEXT:     llvm.cond_br
// CHAIN-LABEL: llvm.func @both
// CHAIN-NEXT:    llvm.sdiv
// CHAIN-NEXT:    llvm.load
// CHAIN-NEXT:    llvm.add
// CHAIN-NEXT:    llvm.cond_br
// NEAR-LABEL:  llvm.func @both
// NEAR-NEXT:     llvm.sdiv
// SHALLOW-LABEL: llvm.func @both
// SHALLOW-NEXT:  llvm.cond_br
// ONE-LABEL:   llvm.func @both
// ONE-NEXT:      llvm.sdiv
// ONE-NEXT:      llvm.cond_br
// ALL-LABEL:   llvm.func @both
// ALL-NEXT:      llvm.sdiv
// ALL-NEXT:      llvm.add
// ALL-NEXT:      llvm.load
// ALL-NEXT:      llvm.cond_br
llvm.func @both(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %q1 = llvm.sdiv %x, %y : i32
  %s1 = llvm.add %q1, %y overflow<nsw, nuw> : i32
  %v1 = llvm.load %p : !llvm.ptr -> i32
  %a = llvm.mul %s1, %v1 : i32
  llvm.return %a : i32
^else:
  %v2 = llvm.load %p : !llvm.ptr -> i32
  %q2 = llvm.sdiv %x, %y : i32
  %s2 = llvm.add %q2, %y overflow<nsw> : i32
  %b = llvm.mul %s2, %x : i32
  llvm.return %b : i32
}

// A value that every path computes further on, in different blocks, is hoisted; one that a path lacks, or
// that a loop may prevent, stays.
// CHECK-LABEL: llvm.func @further
// CHECK-NEXT:    llvm.sdiv %x, %y
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^once:
// CHECK-NEXT:    llvm.udiv
// NEAR-LABEL:  llvm.func @further
// NEAR-NEXT:     llvm.cond_br
llvm.func @further(%x: i32, %y: i32, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^near, ^far
^near:
  %a = llvm.sdiv %x, %y : i32
  llvm.return %a : i32
^far:
  llvm.cond_br %d, ^once, ^join
^once:
  %u = llvm.udiv %x, %y : i32
  llvm.br ^join
^join:
  %b = llvm.sdiv %x, %y : i32
  %s = llvm.add %b, %x : i32
  llvm.return %s : i32
}

// CHECK-LABEL: llvm.func @endless
// CHECK-NEXT:    llvm.cond_br
llvm.func @endless(%x: i32, %y: i32, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^near, ^spin
^near:
  %a = llvm.sdiv %x, %y : i32
  llvm.return %a : i32
^spin:
  llvm.cond_br %d, ^spin, ^out
^out:
  %b = llvm.sdiv %x, %y : i32
  llvm.return %b : i32
}

// No op after a loop is hoisted into it.
// CHECK-LABEL: llvm.func @exit
// CHECK:       ^head(%i: i32):
// CHECK-NEXT:    %again = llvm.icmp
// CHECK-NEXT:    llvm.cond_br
llvm.func @exit(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %again = llvm.icmp "sgt" %i, %one : i32
  llvm.cond_br %again, ^body, ^out
^body:
  %next = llvm.sub %i, %one : i32
  llvm.br ^head(%next : i32)
^out:
  %last = llvm.sub %i, %one : i32
  llvm.return %last : i32
}

// A load stays after a possibly aliasing store and after a barrier, and a load or division after a call that
// may not return, above which a sum may move; volatile loads stay. A sum with different poison conditions is
// different.
// CHECK-LABEL: llvm.func @behind
// CHECK-NEXT:    %w = llvm.add %x, %y overflow<nsw>
// CHECK-NEXT:    %sum = llvm.add %x, %x
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^else:
// CHECK-NEXT:    llvm.store
// CHECK:         nvvm.barrier0
// CHECK:         llvm.call @stop
llvm.func @behind(%x: i32, %y: i32, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %c: i1) -> i32 {
  %w = llvm.add %x, %y overflow<nsw> : i32
  llvm.cond_br %c, ^then, ^else
^then:
  %l1 = llvm.load %p : !llvm.ptr -> i32
  %m1 = llvm.load volatile %q : !llvm.ptr -> i32
  %b1 = llvm.load %r : !llvm.ptr -> i32
  %d1 = llvm.sdiv %x, %y : i32
  %sum = llvm.add %x, %x : i32
  %t1 = llvm.mul %w, %x : i32
  %1 = llvm.add %l1, %m1 : i32
  %2 = llvm.add %1, %b1 : i32
  %3 = llvm.add %2, %d1 : i32
  %4 = llvm.add %3, %sum : i32
  %5 = llvm.add %4, %t1 : i32
  llvm.return %5 : i32
^else:
  llvm.store %x, %q : i32, !llvm.ptr
  %l2 = llvm.load %p : !llvm.ptr -> i32
  %m2 = llvm.load volatile %q : !llvm.ptr -> i32
  nvvm.barrier0
  %b2 = llvm.load %r : !llvm.ptr -> i32
  llvm.call @stop() : () -> ()
  %d2 = llvm.sdiv %x, %y : i32
  %sum2 = llvm.add %x, %x : i32
  %w2 = llvm.add %x, %y : i32
  %t2 = llvm.mul %w2, %x : i32
  %6 = llvm.sub %l2, %m2 : i32
  %7 = llvm.sub %6, %b2 : i32
  %8 = llvm.sub %7, %d2 : i32
  %9 = llvm.sub %8, %sum2 : i32
  %10 = llvm.sub %9, %t2 : i32
  llvm.return %10 : i32
}

// A store is hoisted if it is the first memory access on both paths; a shuffle never is.
// CHECK-LABEL: llvm.func @stores
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    nvvm.shfl.sync
// CHECK-NEXT:    llvm.store %y, %p
// CHECK:       ^else:
// CHECK:         nvvm.shfl.sync
// CHECK-NEXT:    llvm.store %y, %p
llvm.func @stores(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  %s1 = nvvm.shfl.sync bfly %x, %y, %x, %y : i32 -> i32
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^else:
  llvm.store %x, %p : i32, !llvm.ptr
  %s2 = nvvm.shfl.sync bfly %x, %y, %x, %y : i32 -> i32
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
}

// Volatile stores stay, and so does an expression that is computed once already, at the join.
// CHECK-LABEL: llvm.func @stays
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store volatile
// CHECK:       ^else:
// CHECK-NEXT:    llvm.store volatile
// CHECK:       ^join:
// CHECK-NEXT:    llvm.mul
llvm.func @stays(%x: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^join
^else:
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  %m = llvm.mul %x, %x : i32
  llvm.return %m : i32
}

// A store stays if another of its class may follow it on the same path: a store between the two may change
// the memory.
// CHECK-LABEL: llvm.func @two_on_a_path
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.store %y, %p
// CHECK:       ^join:
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @two_on_a_path(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @loop_between
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^body:
// CHECK-NEXT:    llvm.store %y, %p
// CHECK:       ^join:
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @loop_between(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1, %d: i1, %e: i1) {
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^head
^head:
  llvm.cond_br %d, ^body, ^latch
^body:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.br ^latch
^latch:
  llvm.cond_br %e, ^head, ^join
^join:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}

// The join does not post-dominate the branch.
// CHECK-LABEL: llvm.func @some_paths_join
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^join:
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @some_paths_join(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1, %d: i1) {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.cond_br %d, ^join, ^end
^else:
  llvm.cond_br %d, ^join, ^other
^join:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
^end:
  llvm.return
}

// A store in an inner loop is executed once per iteration.
// CHECK-LABEL: llvm.func @store_in_a_loop
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^loop:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^else:
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @store_in_a_loop(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1, %d: i1, %e: i1) {
  llvm.cond_br %c, ^loop, ^else
^loop:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.cond_br %d, ^again, ^end
^again:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.cond_br %e, ^loop, ^end
^else:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
^end:
  llvm.return
}

// One store per path, in different blocks, in a loop with the branch.
// CHECK-LABEL: llvm.func @one_on_each_path
// CHECK:       ^head:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.cond_br
// CHECK-NOT:     llvm.store %x
// CHECK:         llvm.return
llvm.func @one_on_each_path(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1, %d: i1, %e: i1) {
  llvm.br ^head
^head:
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^latch
^else:
  llvm.cond_br %d, ^near, ^far
^near:
  llvm.br ^join
^far:
  llvm.br ^join
^join:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^latch
^latch:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.cond_br %e, ^head, ^end
^end:
  llvm.return
}

// A block in between anticipates the store, too.
// CHECK-LABEL: llvm.func @block_between
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^join:
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @block_between(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.br ^between
^between:
  llvm.br ^join
^join:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}

// Of expressions, a path may execute two.
// CHECK-LABEL: llvm.func @quotients_on_a_path
// CHECK-NEXT:    llvm.sdiv %x, %y
// CHECK-NEXT:    llvm.cond_br
// CHECK-NOT:     llvm.sdiv
// CHECK:         llvm.return
llvm.func @quotients_on_a_path(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^join
^then:
  %q1 = llvm.sdiv %x, %y : i32
  llvm.store %q1, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  %q2 = llvm.sdiv %x, %y : i32
  llvm.return %q2 : i32
}

// A store stays after a load, a store, and a call that may not return.
// CHECK-LABEL: llvm.func @store_behind
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^a:
// CHECK-NEXT:    llvm.load %q
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^b1:
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^d:
// CHECK-NEXT:    llvm.store %y, %q
// CHECK-NEXT:    llvm.store %x, %p
// CHECK:       ^b2:
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^f:
// CHECK-NEXT:    llvm.call @stop
// CHECK-NEXT:    llvm.store %x, %p
llvm.func @store_behind(%x: i32, %y: i32, %p: !llvm.ptr, %q: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  %v = llvm.load %q : !llvm.ptr -> i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %v : i32
^b:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^b1, ^b2
^b1:
  llvm.cond_br %c, ^d, ^e
^d:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %x : i32
^e:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %y : i32
^b2:
  llvm.cond_br %c, ^f, ^g
^f:
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %x : i32
^g:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %y : i32
}

// Values that were loaded before and after a store differ.
// CHECK-LABEL: llvm.func @loaded_twice
// CHECK:         llvm.cond_br
// CHECK:         llvm.mul %l1, %l1
// CHECK:         llvm.mul %l2, %l2
llvm.func @loaded_twice(%x: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  %l1 = llvm.load %p : !llvm.ptr -> i32
  llvm.store %x, %p : i32, !llvm.ptr
  %l2 = llvm.load %p : !llvm.ptr -> i32
  llvm.cond_br %c, ^then, ^else
^then:
  %m1 = llvm.mul %l1, %l1 : i32
  llvm.return %m1 : i32
^else:
  %m2 = llvm.mul %l2, %l2 : i32
  llvm.return %m2 : i32
}

// A load does not move above the loop that stores to its address: in the first function it sees the header's
// phi, in the second a store of the header.
// CHECK-LABEL: llvm.func @above_a_phi
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^head:
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^body:
// CHECK-NEXT:    llvm.load
// CHECK:       ^out:
// CHECK-NEXT:    llvm.load
llvm.func @above_a_phi(%p: !llvm.ptr, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^head
^b:
  llvm.br ^head
^head:
  llvm.cond_br %d, ^body, ^out
^body:
  %v = llvm.load %p : !llvm.ptr -> i32
  %w = llvm.add %v, %v : i32
  llvm.store %w, %p : i32, !llvm.ptr
  llvm.br ^head
^out:
  %r = llvm.load %p : !llvm.ptr -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @above_a_store
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^head:
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^body:
// CHECK-NEXT:    llvm.load
// CHECK:       ^out:
// CHECK-NEXT:    llvm.load
llvm.func @above_a_store(%p: !llvm.ptr, %x: i32, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^head
^b:
  llvm.br ^head
^head:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.cond_br %d, ^body, ^out
^body:
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.store volatile %v, %p : i32, !llvm.ptr
  llvm.br ^head
^out:
  %r = llvm.load %p : !llvm.ptr -> i32
  llvm.return %r : i32
}

// No op is hoisted to a block with one successor.
// CHECK-LABEL: llvm.func @above_a_loop
// CHECK-NEXT:    llvm.br
// CHECK:       ^body:
// CHECK-NEXT:    llvm.sdiv
// CHECK:       ^out:
// CHECK-NEXT:    llvm.sdiv
llvm.func @above_a_loop(%p: !llvm.ptr, %x: i32, %y: i32, %d: i1) -> i32 {
  llvm.br ^head
^head:
  llvm.cond_br %d, ^body, ^out
^body:
  %v = llvm.sdiv %x, %y : i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.br ^head
^out:
  %r = llvm.sdiv %x, %y : i32
  llvm.return %r : i32
}

// An op is hoisted only if every successor executes it, and only from blocks that the branch dominates.
// CHECK-LABEL: llvm.func @one_successor_lacks
// CHECK-NEXT:    llvm.switch
llvm.func @one_successor_lacks(%x: i32, %y: i32) -> i32 {
  llvm.switch %x : i32, ^a [
    1: ^b,
    2: ^d
  ]
^a:
  %q1 = llvm.sdiv %x, %y : i32
  llvm.return %q1 : i32
^b:
  %q2 = llvm.sdiv %x, %y : i32
  llvm.return %q2 : i32
^d:
  %s = llvm.mul %x, %y : i32
  %t = llvm.mul %x, %s : i32
  %u = llvm.mul %y, %t : i32
  llvm.return %u : i32
}

// CHECK-LABEL: llvm.func @not_dominated
// CHECK:       ^branch:
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.sdiv
// CHECK:       ^join:
// CHECK-NEXT:    llvm.sdiv
llvm.func @not_dominated(%x: i32, %y: i32, %c: i1, %d: i1, %e: i1) -> i32 {
  llvm.cond_br %d, ^branch, ^other
^other:
  llvm.cond_br %e, ^join, ^out
^out:
  llvm.return %x : i32
^branch:
  llvm.cond_br %c, ^then, ^join
^then:
  %q1 = llvm.sdiv %x, %y : i32
  llvm.return %q1 : i32
^join:
  %q2 = llvm.sdiv %x, %y : i32
  llvm.return %q2 : i32
}

// A quotient does not move above a call that may not return in a block above it, even after ops that are not
// counted; a sum does.
// CHECK-LABEL: llvm.func @above_a_call
// CHECK-NEXT:    llvm.add
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^call:
// CHECK-NEXT:    llvm.call @stop
// CHECK-NEXT:    llvm.br
// CHECK:       ^behind:
// CHECK-NEXT:    llvm.sdiv
// SHALLOW-LABEL: llvm.func @above_a_call
// SHALLOW:       ^else:
// SHALLOW-NEXT:    llvm.sdiv
llvm.func @above_a_call(%x: i32, %y: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^call, ^else
^call:
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  llvm.br ^behind
^behind:
  %q1 = llvm.sdiv %x, %y : i32
  %s1 = llvm.add %x, %y : i32
  %u = llvm.mul %q1, %s1 : i32
  llvm.return %u : i32
^else:
  %q2 = llvm.sdiv %x, %y : i32
  %s2 = llvm.add %x, %y : i32
  %v = llvm.sub %q2, %s2 : i32
  llvm.return %v : i32
}

// SHALLOW-LABEL: llvm.func @call_not_counted
// SHALLOW:       ^else:
// SHALLOW-NEXT:    llvm.sdiv
llvm.func @call_not_counted(%x: i32, %y: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^call, ^else
^call:
  %s = llvm.add %x, %y : i32
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  llvm.br ^behind
^behind:
  %q1 = llvm.sdiv %x, %y : i32
  %u = llvm.mul %q1, %s : i32
  llvm.return %u : i32
^else:
  %q2 = llvm.sdiv %x, %y : i32
  llvm.return %q2 : i32
}

// The first of equal ops is hoisted; of nested branches, the op of the outer one.
// CHECK-LABEL: llvm.func @first
// CHECK-NEXT:    [[Q:%.*]] = llvm.sdiv
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    %q2 = llvm.sdiv
// CHECK-NEXT:    llvm.mul [[Q]], %q2
// CHECK:       ^else:
// CHECK-NEXT:    llvm.return [[Q]]
llvm.func @first(%x: i32, %y: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %q1 = llvm.sdiv %x, %y : i32
  %q2 = llvm.sdiv %x, %y : i32
  %s = llvm.mul %q1, %q2 : i32
  llvm.return %s : i32
^else:
  %q3 = llvm.sdiv %x, %y : i32
  llvm.return %q3 : i32
}

// CHECK-LABEL: llvm.func @nested
// CHECK-NEXT:    [[Q:%.*]] = llvm.sdiv
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    [[R:%.*]] = llvm.sdiv
// CHECK-NEXT:    llvm.cond_br
// CHECK:         llvm.mul [[Q]], [[R]]
llvm.func @nested(%x: i32, %y: i32, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %q1 = llvm.sdiv %x, %y : i32
  llvm.cond_br %d, ^a, ^b
^a:
  %q2 = llvm.sdiv %x, %y : i32
  %s = llvm.mul %q1, %q2 : i32
  llvm.return %s : i32
^b:
  %q3 = llvm.sdiv %x, %y : i32
  %t = llvm.sub %q1, %q3 : i32
  llvm.return %t : i32
^else:
  %q4 = llvm.sdiv %x, %y : i32
  llvm.return %q4 : i32
}

// The block's own op is the second: the hoisted one is beyond the depth and stays there.
// SHALLOW-LABEL: llvm.func @hoisted_too_deep
// SHALLOW-NEXT:    llvm.cond_br
// SHALLOW:       ^then:
// SHALLOW-NEXT:    llvm.mul
// SHALLOW-NEXT:    llvm.sdiv
// SHALLOW-NEXT:    llvm.cond_br
llvm.func @hoisted_too_deep(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1, %d: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %m = llvm.mul %x, %y : i32
  llvm.cond_br %d, ^a, ^b
^a:
  %q2 = llvm.sdiv %x, %y : i32
  %s = llvm.mul %m, %q2 : i32
  llvm.return %s : i32
^b:
  %q3 = llvm.sdiv %x, %y : i32
  %t = llvm.sub %m, %q3 : i32
  llvm.return %t : i32
^else:
  %q4 = llvm.sdiv %x, %y : i32
  llvm.return %q4 : i32
}

// An op whose operand is not hoisted stays.
// CHECK-LABEL: llvm.func @operand_stays
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.sdiv
// CHECK-NEXT:    llvm.add
// CHECK:       ^else:
// CHECK-NEXT:    llvm.call
// CHECK-NEXT:    llvm.sdiv
// CHECK-NEXT:    llvm.add
llvm.func @operand_stays(%x: i32, %y: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %q1 = llvm.sdiv %x, %y : i32
  %s1 = llvm.add %q1, %x : i32
  llvm.return %s1 : i32
^else:
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  %q2 = llvm.sdiv %x, %y : i32
  %s2 = llvm.add %q2, %x : i32
  llvm.store %s2, %p : i32, !llvm.ptr
  llvm.return %x : i32
}

// Constants stay; a hoisted op gets a copy of its constant if none is available above.
// CHECK-LABEL: llvm.func @constants
// CHECK-NEXT:    %three = llvm.mlir.constant(3
// CHECK-NEXT:    [[K:%.*]] = llvm.mlir.constant(5
// CHECK-NEXT:    %m1 = llvm.mul %x, [[K]]
// CHECK-NEXT:    %n1 = llvm.mul %m1, %three
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^then:
// CHECK-NEXT:    llvm.mlir.constant(5
// CHECK-NEXT:    llvm.mlir.constant(9
// CHECK:       ^else:
// CHECK-NEXT:    llvm.mlir.constant(5
// CHECK-NEXT:    llvm.mlir.constant(9
llvm.func @constants(%x: i32, %p: !llvm.ptr, %c: i1) -> i32 {
  %three = llvm.mlir.constant(3 : i32) : i32
  llvm.cond_br %c, ^then, ^else
^then:
  %five1 = llvm.mlir.constant(5 : i32) : i32
  %nine1 = llvm.mlir.constant(9 : i32) : i32
  %m1 = llvm.mul %x, %five1 : i32
  %n1 = llvm.mul %m1, %three : i32
  llvm.store volatile %nine1, %p : i32, !llvm.ptr
  llvm.return %n1 : i32
^else:
  %five2 = llvm.mlir.constant(5 : i32) : i32
  %nine2 = llvm.mlir.constant(9 : i32) : i32
  %m2 = llvm.mul %x, %five2 : i32
  %n2 = llvm.mul %m2, %three : i32
  llvm.store volatile %n2, %p : i32, !llvm.ptr
  llvm.return %nine2 : i32
}

// Values with different facts differ, and so do values computed from them.
// CHECK-LABEL: llvm.func @facts
// CHECK:         llvm.cond_br
// CHECK:         llvm.mul %v, %x
// CHECK:         llvm.mul %w, %x
llvm.func @facts(%x: i32, %y: i32, %c: i1) -> i32 {
  %v = llvm.add %x, %y {test.fact} : i32
  %w = llvm.add %x, %y : i32
  llvm.cond_br %c, ^then, ^else
^then:
  %m1 = llvm.mul %v, %x : i32
  %s1 = llvm.sub %m1, %w : i32
  llvm.return %s1 : i32
^else:
  %m2 = llvm.mul %w, %x : i32
  llvm.return %m2 : i32
}
