// RUN: nvvm-opt %s -p 'gvn-hoist' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-max-hoisted=0>' | filecheck %s --check-prefix NONE
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-chain-length=1>' | filecheck %s --check-prefix CHAIN
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-bbs=0>' | filecheck %s --check-prefix NEAR
// RUN: nvvm-opt %s -p 'gvn-hoist<gvn-hoist-max-depth=1>' | filecheck %s --check-prefix SHALLOW

// In whatever order, with what it is computed from; common flags are kept, a product of other
// numbers stays.
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

// A value that every way computes further on, in different blocks, goes up; what one way
// lacks, or a loop may keep from being reached, stays.
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

// Nothing is hoisted from behind a loop into it.
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

// A load stays behind a store that may change what it reads and behind a barrier, and a load or division
// behind a call that may not return, in front of which a sum may go; volatile loads stay. The sum of
// a value that is poison more often is another.
// CHECK-LABEL: llvm.func @behind
// CHECK-NEXT:    %w = llvm.add %x, %y overflow<nsw>
// CHECK-NEXT:    %sum = llvm.add %x, %x
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^else:
// CHECK-NEXT:    llvm.store
// CHECK:         nvvm.barrier0
// CHECK:         llvm.call @stop
llvm.func @stop()
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

// A store is hoisted if it is the first access of memory on both ways; a shuffle never is.
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

// Volatile stores stay, and so does what is computed once already, where the ways meet.
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
