// RUN: nvvm-opt %s -p 'early-cse' | filecheck %s
// RUN: nvvm-opt %s -p 'early-cse<memssa>' --verify-each | filecheck %s --check-prefix=MEMSSA

// Commuted operands are equal; the common flags are kept.
// CHECK-LABEL: llvm.func @expressions
// CHECK-NEXT:    %a = llvm.add %x, %y overflow<nuw> : i32
// CHECK-NEXT:    %s = llvm.mul %a, %a : i32
// CHECK-NEXT:    llvm.return %s
llvm.func @expressions(%x: i32, %y: i32) -> i32 {
  %a = llvm.add %x, %y overflow<nsw, nuw> : i32
  %b = llvm.add %y, %x overflow<nuw> : i32
  %s = llvm.mul %a, %b : i32
  llvm.return %s : i32
}

// A comparison equals the one with swapped operands; the first two operands of an fma commute, the third does not.
// CHECK-LABEL: llvm.func @other_order
// CHECK-NEXT:    %a = llvm.icmp "slt" %x, %y : i32
// CHECK-NEXT:    %c = llvm.icmp "slt" %y, %x : i32
// CHECK-NEXT:    %d = llvm.fcmp "olt" %f, %g : f32
// CHECK-NEXT:    %h = llvm.intr.fma(%f, %g, %f) : (f32, f32, f32) -> f32
// CHECK-NEXT:    %j = llvm.intr.fma(%f, %f, %g) : (f32, f32, f32) -> f32
// CHECK-NEXT:    %m = llvm.intr.maxnum(%f, %g) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.call @use(%a, %a, %c, %d, %d, %h, %h, %j, %m, %m)
llvm.func @use(i1, i1, i1, i1, i1, f32, f32, f32, f32, f32)
llvm.func @other_order(%x: i32, %y: i32, %f: f32, %g: f32) {
  %a = llvm.icmp "slt" %x, %y : i32
  %b = llvm.icmp "sgt" %y, %x : i32
  %c = llvm.icmp "slt" %y, %x : i32
  %d = llvm.fcmp "olt" %f, %g : f32
  %e = llvm.fcmp "ogt" %g, %f : f32
  %h = llvm.intr.fma(%f, %g, %f) : (f32, f32, f32) -> f32
  %i = llvm.intr.fma(%g, %f, %f) : (f32, f32, f32) -> f32
  %j = llvm.intr.fma(%f, %f, %g) : (f32, f32, f32) -> f32
  %m = llvm.intr.maxnum(%f, %g) : (f32, f32) -> f32
  %n = llvm.intr.maxnum(%g, %f) : (f32, f32) -> f32
  llvm.call @use(%a, %b, %c, %d, %e, %h, %i, %j, %m, %n) : (i1, i1, i1, i1, i1, f32, f32, f32, f32, f32) -> ()
  llvm.return
}

// A value computed in one arm of a branch is not available in the other.
// CHECK-LABEL: llvm.func @scopes
// CHECK-COUNT-2: llvm.mul %x, %x
// CHECK-NOT:     llvm.mul
llvm.func @scopes(%c: i1, %x: i32) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  %p = llvm.mul %x, %x : i32
  %q = llvm.mul %x, %x : i32
  %r = llvm.add %p, %q : i32
  llvm.return %r : i32
^b:
  %s = llvm.mul %x, %x : i32
  llvm.return %s : i32
}

// A load is available until a possible store; a store makes its value available.
// CHECK-LABEL: llvm.func @memory
// CHECK-NEXT:    %a = llvm.load %p
// CHECK-NEXT:    llvm.store %a, %q
// CHECK-NEXT:    %c = llvm.load %p
// CHECK-NEXT:    %s = llvm.add %a, %a
// CHECK-NEXT:    %t = llvm.add %s, %c
// CHECK-NEXT:    llvm.store %t, %q
// CHECK-NEXT:    llvm.return %t
llvm.func @memory(%p: !llvm.ptr, %q: !llvm.ptr) -> i32 {
  %a = llvm.load %p : !llvm.ptr -> i32
  %b = llvm.load %p : !llvm.ptr -> i32
  llvm.store %a, %q : i32, !llvm.ptr
  %c = llvm.load %p : !llvm.ptr -> i32
  %s = llvm.add %a, %b : i32
  %t = llvm.add %s, %c : i32
  llvm.store %s, %q : i32, !llvm.ptr
  llvm.store %t, %q : i32, !llvm.ptr
  llvm.return %t : i32
}

// Other threads may store at a barrier; volatile and atomic accesses are all executed.
// CHECK-LABEL: llvm.func @barrier
// CHECK-COUNT-2: llvm.load %p : !llvm.ptr<3> -> i32
// CHECK-COUNT-2: llvm.load volatile
// CHECK-COUNT-2: llvm.load %p atomic
llvm.func @barrier(%p: !llvm.ptr<3>) -> i32 {
  %a = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  %b = llvm.load %p : !llvm.ptr<3> -> i32
  %c = llvm.load volatile %p : !llvm.ptr<3> -> i32
  %d = llvm.load volatile %p : !llvm.ptr<3> -> i32
  %e = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  %f = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  %g = llvm.add %a, %b : i32
  %h = llvm.add %c, %d : i32
  %i = llvm.add %e, %f : i32
  %j = llvm.add %g, %h : i32
  %k = llvm.add %i, %j : i32
  llvm.return %k : i32
}

// In a loop the previous iteration's value is not available, except from read-only memory.
// CHECK-LABEL: llvm.func @loop
// CHECK:       ^head
// CHECK:         llvm.load %p :
// CHECK-NOT:     llvm.load %q
llvm.func @loop(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1) {
  %a = llvm.load %p : !llvm.ptr -> i32
  %x = llvm.load %q invariant : !llvm.ptr -> i32
  llvm.br ^head
^head:
  %b = llvm.load %p : !llvm.ptr -> i32
  %y = llvm.load %q invariant : !llvm.ptr -> i32
  %d = llvm.add %b, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^head, ^exit
^exit:
  llvm.return
}

// Shuffles depend on other threads: two of them are not merged.
// CHECK-LABEL: llvm.func @convergent
// CHECK-COUNT-2: nvvm.shfl.sync
llvm.func @convergent(%m: i32, %x: i32, %l: i32, %k: i32) -> i32 {
  %a = nvvm.shfl.sync bfly %m, %x, %l, %k : i32 -> i32
  %b = nvvm.shfl.sync bfly %m, %x, %l, %k : i32 -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// If memory was written on one path, only MemorySSA shows whether it was the same memory; each query checks
// the writes of the loop.
// CHECK-LABEL:  llvm.func @written_elsewhere
// CHECK:        ^behind:
// CHECK-NEXT:     llvm.load %p
// MEMSSA-LABEL: llvm.func @written_elsewhere
// MEMSSA:       ^behind:
// MEMSSA-NEXT:    %s = llvm.add %a, %a
// MEMSSA-NEXT:    llvm.load %q
// MEMSSA-LABEL: llvm.func @written_in_the_loop
// MEMSSA:       ^loop(%i: i32):
// MEMSSA-NEXT:    llvm.load %p
llvm.func @written_elsewhere(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias}, %c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %x = llvm.load %q : !llvm.ptr<1> -> i32
  llvm.cond_br %c, ^writes, ^behind
^writes:
  llvm.store %one, %q : i32, !llvm.ptr<1>
  llvm.br ^behind
^behind:
  %b = llvm.load %p : !llvm.ptr<1> -> i32
  %s = llvm.add %a, %b : i32
  %y = llvm.load %q : !llvm.ptr<1> -> i32
  llvm.store %s, %q : i32, !llvm.ptr<1>
  %t = llvm.add %s, %x : i32
  %u = llvm.add %t, %y : i32
  llvm.return %u : i32
}
llvm.func @written_in_the_loop(%p: !llvm.ptr<1>, %n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.br ^loop(%a : i32)
^loop(%i: i32):
  %b = llvm.load %p : !llvm.ptr<1> -> i32
  %next = llvm.add %b, %one : i32
  llvm.store %next, %p : i32, !llvm.ptr<1>
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}
