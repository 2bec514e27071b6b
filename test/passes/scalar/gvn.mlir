// RUN: nvvm-opt %s -p 'gvn' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'gvn<no-pre>' | filecheck %s --check-prefix=NO-PRE
// RUN: nvvm-opt %s -p 'gvn<no-load-pre>' | filecheck %s --check-prefix=NO-LOAD

// A load finds the stored value, past stores to other local arrays.
// CHECK-LABEL: llvm.func @past_other_arrays
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store %v, %out
llvm.func @past_other_arrays(%i: i64, %j: i64, %v: f32, %w: f32, %out: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  %b = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  %p = llvm.getelementptr %a[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %v, %p : f32, !llvm.ptr<5>
  %q = llvm.getelementptr %b[0, %j] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %w, %q : f32, !llvm.ptr<5>
  %p2 = llvm.getelementptr %a[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  %x = llvm.load %p2 : !llvm.ptr<5> -> f32
  llvm.store %x, %out : f32, !llvm.ptr<1>
  llvm.return
}

// A store that may alias ends the availability.
// CHECK-LABEL: llvm.func @same_array
// CHECK:         llvm.load
llvm.func @same_array(%i: i64, %j: i64, %v: f32) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  %p = llvm.getelementptr %a[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %v, %p : f32, !llvm.ptr<5>
  %q = llvm.getelementptr %a[0, %j] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %v, %q : f32, !llvm.ptr<5>
  %x = llvm.load %p : !llvm.ptr<5> -> f32
  llvm.return %x : f32
}

// Part of a stored value: an element of a vector, bytes of an integer, as another type.
// CHECK-LABEL: llvm.func @parts
// CHECK-NOT:     llvm.load
// CHECK:         llvm.extractelement %v
// CHECK:         llvm.lshr %n
// CHECK-NEXT:    llvm.trunc
// CHECK:         llvm.bitcast %n
llvm.func @parts(%p: !llvm.ptr<1>, %v: vector<4xf32>, %n: i64) -> f32 {
  llvm.store %v, %p : vector<4xf32>, !llvm.ptr<1>
  %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %a = llvm.load %p8 : !llvm.ptr<1> -> f32
  llvm.store %n, %p : i64, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %b = llvm.load %p4 : !llvm.ptr<1> -> i32
  %d = llvm.load %p : !llvm.ptr<1> -> f64
  %bf = llvm.sitofp %b : i32 to f32
  %df = llvm.fptrunc %d : f64 to f32
  %s = llvm.fadd %a, %bf : f32
  %t = llvm.fadd %s, %df : f32
  llvm.return %t : f32
}

// Bytes on both sides of the end of a store are unknown.
// CHECK-LABEL: llvm.func @overhang
// CHECK:         llvm.load
llvm.func @overhang(%p: !llvm.ptr<1>, %n: i32) -> i64 {
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %x = llvm.load %p : !llvm.ptr<1> -> i64
  llvm.return %x : i64
}

// The value of a memset; undef if there was no store.
// CHECK-LABEL: llvm.func @filled
// CHECK-DAG:     %[[BYTES:.*]] = llvm.mlir.constant(16843009 : i32)
// CHECK-DAG:     %[[UNDEF:.*]] = llvm.mlir.undef : i32
// CHECK-NOT:     llvm.load
// CHECK:         llvm.add %[[BYTES]], %[[UNDEF]]
llvm.func @filled() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %byte = llvm.mlir.constant(1 : i8) : i8
  %size = llvm.mlir.constant(32 : i64) : i64
  %a = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr<5>
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr<5>
  "llvm.intr.memset"(%a, %byte, %size) <{isVolatile = false}> : (!llvm.ptr<5>, i8, i64) -> ()
  %p = llvm.getelementptr %a[28] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i8
  %x = llvm.load %p : !llvm.ptr<5> -> i32
  %u = llvm.load %b : !llvm.ptr<5> -> i32
  %s = llvm.add %x, %u : i32
  llvm.return %s : i32
}

// A restrict argument's memory is not accessed through others, and a constant's is never written, even across
// a barrier; the same holds for the memory of invariant loads.
// CHECK-LABEL: llvm.func @restrict
// CHECK:         %[[A:.*]] = llvm.load %p
// CHECK:         %[[C:.*]] = llvm.load %c
// CHECK:         %[[I:.*]] = llvm.load %q invariant
// CHECK:         nvvm.barrier0
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
llvm.func @restrict(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1>, %c: !llvm.ptr<4>) -> i32 {
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %a, %q : i32, !llvm.ptr<1>
  %b = llvm.load %p : !llvm.ptr<1> -> i32
  %d = llvm.load %c : !llvm.ptr<4> -> i32
  %f = llvm.load %q invariant : !llvm.ptr<1> -> i32
  nvvm.barrier0
  %e = llvm.load %c : !llvm.ptr<4> -> i32
  %g = llvm.load %q invariant : !llvm.ptr<1> -> i32
  %s = llvm.add %a, %b : i32
  %t = llvm.add %d, %e : i32
  %u = llvm.add %f, %g : i32
  %v = llvm.add %s, %t : i32
  %w = llvm.add %u, %v : i32
  llvm.return %w : i32
}

// Other threads' stores are visible after a barrier, a fence and a stronger atomic.
// CHECK-LABEL: llvm.func @other_threads
// CHECK-COUNT-4: llvm.load %p
// CHECK-NOT:     llvm.load
llvm.func @other_threads(%p: !llvm.ptr<3>, %q: !llvm.ptr<1>, %n: i32) -> i32 {
  %a = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  %b = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.fence acq_rel
  %c = llvm.load %p : !llvm.ptr<3> -> i32
  %o = llvm.atomicrmw add %q, %n acq_rel : !llvm.ptr<1>, i32
  %d = llvm.load %p : !llvm.ptr<3> -> i32
  %o2 = llvm.atomicrmw add %q, %n monotonic : !llvm.ptr<1>, i32
  %e = llvm.load %p : !llvm.ptr<3> -> i32
  %s = llvm.add %a, %b : i32
  %t = llvm.add %c, %d : i32
  %u = llvm.add %s, %t : i32
  %v = llvm.add %u, %e : i32
  llvm.return %v : i32
}

// Volatile and atomic loads are all executed; so are inline assembly with side effects and shuffles.
// CHECK-LABEL: llvm.func @all_done
// CHECK-COUNT-2: llvm.load volatile
// CHECK-COUNT-2: llvm.load %p atomic
// CHECK-COUNT-2: has_side_effects "mov.u32
// CHECK-COUNT-1: llvm.inline_asm "add.u32
// CHECK-NOT:     llvm.inline_asm
// CHECK-COUNT-2: llvm.call_intrinsic
llvm.func @all_done(%p: !llvm.ptr<1>, %x: i32) -> i32 {
  %a = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %b = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %c = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %d = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %e = llvm.inline_asm has_side_effects "mov.u32 $0, %clock;", "=r" : () -> i32
  %f = llvm.inline_asm has_side_effects "mov.u32 $0, %clock;", "=r" : () -> i32
  %g = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
  %h = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
  %i = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
  %j = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
  %k = llvm.add %a, %b : i32
  %l = llvm.add %c, %d : i32
  %m = llvm.add %e, %f : i32
  %n = llvm.add %g, %h : i32
  %o = llvm.add %i, %j : i32
  %q = llvm.add %k, %l : i32
  %r = llvm.add %m, %n : i32
  %s = llvm.add %o, %q : i32
  %t = llvm.add %r, %s : i32
  llvm.return %t : i32
}

// At a join: a block argument for the stored or loaded values of each predecessor.
// CHECK-LABEL: llvm.func @both_ways
// CHECK:         llvm.br ^join(%x : i32)
// CHECK:         %[[L:.*]] = llvm.load %p
// CHECK:         llvm.br ^join(%[[L]] : i32)
// CHECK:       ^join(%[[A:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[A]]
// NO-PRE-LABEL: llvm.func @both_ways
// NO-PRE-COUNT-2: llvm.load
// NO-LOAD-LABEL: llvm.func @both_ways
// NO-LOAD-COUNT-2: llvm.load
llvm.func @both_ways(%c: i1, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^else:
  %l = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.br ^join
^join:
  %r = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.return %r : i32
}

// With a barrier on one path the load is kept, and with a barrier before it.
// CHECK-LABEL: llvm.func @both_ways_barrier
// CHECK:       ^join:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
llvm.func @both_ways_barrier(%c: i1, %p: !llvm.ptr<3>, %x: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr<3>
  llvm.br ^join
^else:
  %l = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.br ^join
^join:
  nvvm.barrier0
  %r = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.return %r : i32
}

// The predecessor without the value loads it. The address is translated.
// CHECK-LABEL: llvm.func @one_way
// CHECK:       ^else:
// CHECK-NEXT:    %[[L:.*]] = llvm.load %q
// CHECK-NEXT:    llvm.br ^join(%q, %[[L]] : !llvm.ptr<1>, i32)
// CHECK:       ^join(%a: !llvm.ptr<1>, %[[A:.*]]: i32):
// CHECK-NEXT:    llvm.store %[[A]], %a
llvm.func @one_way(%c: i1, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: i32) {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.br ^join(%p : !llvm.ptr<1>)
^else:
  llvm.br ^join(%q : !llvm.ptr<1>)
^join(%a: !llvm.ptr<1>):
  %r = llvm.load %a : !llvm.ptr<1> -> i32
  llvm.store %r, %a : i32, !llvm.ptr<1>
  llvm.return
}

// Not if the block may exit before the load, and not on an edge of a branch.
// CHECK-LABEL: llvm.func @may_not_run
// CHECK:       ^join:
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.exit"
// CHECK-NEXT:    llvm.load
llvm.func @may_not_run(%c: i1, %p: !llvm.ptr<5>, %x: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %y = llvm.load %p : !llvm.ptr<5> -> i32
  llvm.br ^join
^else:
  llvm.br ^join
^join:
  llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  %r = llvm.load %p : !llvm.ptr<5> -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @critical_edge
// CHECK:       ^join:
// CHECK-NEXT:    llvm.load
llvm.func @critical_edge(%c: i1, %p: !llvm.ptr<1>, %x: i32) -> i32 {
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %r = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.return %r : i32
}

// A loop carries the sum that it keeps in memory, and the element of the next iteration.
// CHECK-LABEL: llvm.func @loop
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%start]
// CHECK-NEXT:    %[[A0:.*]] = llvm.load %[[P]]
// CHECK-NEXT:    %[[S0:.*]] = llvm.load %sum
// CHECK-NEXT:    llvm.br ^loop(%start, %[[A0]], %[[S0]] : i64, f32, f32)
// CHECK:       ^loop(%i: i64, %[[A:.*]]: f32, %[[S:.*]]: f32):
// CHECK-COUNT-1: llvm.load
// CHECK-NOT:     llvm.load
llvm.func @loop(%a: !llvm.ptr<1> {llvm.noalias}, %sum: !llvm.ptr<1> {llvm.noalias}, %start: i64, %n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%start : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %next = llvm.add %i, %one : i64
  %q = llvm.getelementptr %a[%next] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %y = llvm.load %q : !llvm.ptr<1> -> f32
  %m = llvm.fmul %x, %y : f32
  %s = llvm.load %sum : !llvm.ptr<1> -> f32
  %t = llvm.fadd %s, %m : f32
  llvm.store %t, %sum : f32, !llvm.ptr<1>
  %c = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %c, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// Not in a loop with a barrier: its iterations see other threads' stores.
// CHECK-LABEL: llvm.func @loop_barrier
// CHECK:       ^loop(%i: i64):
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
llvm.func @loop_barrier(%p: !llvm.ptr<3>, %n: i64) -> i32 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  nvvm.barrier0
  %x = llvm.load %p : !llvm.ptr<3> -> i32
  %next = llvm.add %i, %one : i64
  %c = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %c, ^loop(%next : i64), ^exit
^exit:
  llvm.return %x : i32
}

// The iteration before stored to the address on one path only. The value at the join inside the loop is an
// argument of the join.
// CHECK-LABEL: llvm.func @loop_conditional_store
// CHECK:         llvm.br ^loop(%start, %first : i64, f32)
// CHECK:       ^loop(%i: i64, %[[M:.*]]: f32):
// CHECK:         %x = llvm.load
// CHECK-NEXT:    %c = llvm.fcmp "ogt" %x, %[[M]]
// CHECK-NEXT:    llvm.cond_br %c, ^store, ^join(%[[M]] : f32)
// CHECK:       ^store:
// CHECK-NEXT:    llvm.store %x, %max
// CHECK-NEXT:    llvm.br ^join(%x : f32)
// CHECK:       ^join(%[[N:.*]]: f32):
// CHECK:         llvm.cond_br %{{.*}}, ^loop(%next, %[[N]] : i64, f32), ^exit
llvm.func @loop_conditional_store(%a: !llvm.ptr<1>, %max: !llvm.ptr<1>, %start: i64, %n: i64, %first: f32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.store %first, %max : f32, !llvm.ptr<1>
  llvm.br ^loop(%start : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %m = llvm.load %max : !llvm.ptr<1> -> f32
  %c = llvm.fcmp "ogt" %x, %m : f32
  llvm.cond_br %c, ^store, ^join
^store:
  llvm.store %x, %max : f32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %next = llvm.add %i, %one : i64
  %d = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %d, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// Not if the address differs in each iteration: the store was to another address.
// CHECK-LABEL: llvm.func @loop_moving_address
// CHECK:       ^loop(%i: i64):
// CHECK:         llvm.load
llvm.func @loop_moving_address(%a: !llvm.ptr<1>, %start: i64, %n: i64, %first: f32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^loop(%start : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %m = llvm.load %p : !llvm.ptr<1> -> f32
  %c = llvm.fcmp "ogt" %first, %m : f32
  llvm.cond_br %c, ^store, ^join
^store:
  llvm.store %first, %p : f32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %next = llvm.add %i, %one : i64
  %d = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %d, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// Facts from a branch: the condition, its inverse, and a value that equals a constant.
// CHECK-LABEL: llvm.func @learned
// CHECK:       ^equal:
// CHECK-NEXT:    llvm.store %seven, %p
// CHECK-NEXT:    llvm.store %{{.*}}, %q
// CHECK-NEXT:    llvm.return
// CHECK:       ^case:
// CHECK-NEXT:    llvm.store %three, %p
llvm.func @learned(%x: i32, %y: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %seven = llvm.mlir.constant(7 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %other = llvm.mlir.constant(9 : i32) : i32
  %c = llvm.icmp "eq" %x, %seven : i32
  llvm.cond_br %c, ^equal, ^else
^equal:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  %d = llvm.icmp "ne" %seven, %x : i32
  llvm.store %d, %q : i1, !llvm.ptr<1>
  llvm.return
^else:
  llvm.switch %y : i32, ^end [
    3: ^case,
    9: ^both,
    10: ^both
  ]
^case:
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.return
// CHECK:       ^both:
// CHECK-NEXT:    llvm.store %y, %p
^both:
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.return
^end:
  llvm.return
}

// Equal pointers may be derived from different objects; zeros of both signs are equal.
// CHECK-LABEL: llvm.func @not_learned
// CHECK:         llvm.store %f, %p
// CHECK:         llvm.store %f, %q
llvm.func @not_learned(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %f: f32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %c = llvm.fcmp "oeq" %f, %zero : f32
  llvm.cond_br %c, ^equal, ^end
^equal:
  llvm.store %f, %p : f32, !llvm.ptr<1>
  %d = llvm.icmp "eq" %p, %q : !llvm.ptr<1>
  llvm.cond_br %d, ^same, ^end
^same:
  llvm.store %f, %q : f32, !llvm.ptr<1>
  llvm.return
^end:
  llvm.return
}

// Expressions that cost more than a move: available on both paths, or on one and then computed on the other.
// The merged expression keeps the common flags.
// CHECK-LABEL: llvm.func @division
// CHECK:         %{{.*}} = llvm.sdiv %x, %y : i32
// CHECK:         %[[D:.*]] = llvm.sdiv %x, %y : i32
// CHECK-NEXT:    llvm.br ^join(%[[D]] : i32)
// CHECK:       ^join(%[[A:.*]]: i32):
// CHECK-NOT:     llvm.sdiv
llvm.func @division(%c: i1, %x: i32, %y: i32, %p: !llvm.ptr<1>) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %d = llvm.sdiv exact %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^else:
  llvm.br ^join
^join:
  %e = llvm.sdiv %x, %y : i32
  llvm.return %e : i32
}

// Equal expressions are merged, with the common flags; comparisons with swapped operands, too.
// CHECK-LABEL: llvm.func @equal
// CHECK-NEXT:    %a = llvm.add %x, %y : i32
// CHECK-NEXT:    %c = llvm.icmp "slt" %a, %y : i32
// CHECK-NEXT:    %s = llvm.select %c, %a, %x
// CHECK-NEXT:    llvm.return %s
llvm.func @equal(%x: i32, %y: i32) -> i32 {
  %a = llvm.add %x, %y overflow<nsw> : i32
  %c = llvm.icmp "slt" %a, %y : i32
  %b = llvm.add %y, %x : i32
  %d = llvm.icmp "sgt" %y, %b : i32
  %s = llvm.select %c, %b, %x : i1, i32
  %t = llvm.select %d, %a, %x : i1, i32
  %u = llvm.select %c, %s, %t : i1, i32
  %e = llvm.icmp "eq" %s, %t : i32
  %v = llvm.select %e, %s, %u : i1, i32
  llvm.return %v : i32
}

// Block arguments with equal values on every edge are merged.
// CHECK-LABEL: llvm.func @arguments
// CHECK:       ^join(%a: i32):
// CHECK-NEXT:    %s = llvm.add %a, %a
llvm.func @arguments(%c: i1, %x: i32, %y: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %m = llvm.mul %x, %y : i32
  %n = llvm.mul %y, %x : i32
  llvm.br ^join(%m, %n : i32, i32)
^else:
  llvm.br ^join(%x, %x : i32, i32)
^join(%a: i32, %b: i32):
  %s = llvm.add %a, %b : i32
  llvm.return %s : i32
}

// The replacement of a load is abandoned because a value is unknown in ^other, whose edge is critical. The block arguments
// of the loop, which pass each other on, are removed.
// CHECK-LABEL: llvm.func @abandoned
// CHECK:       ^head:
// CHECK:       ^latch:
// CHECK:       ^join:
// CHECK-NEXT:    %r = llvm.load %p
llvm.func @clobbers_all()
llvm.func @abandoned(%p: !llvm.ptr, %c: i1, %d: i1, %e: i1, %v: i32, %w: i32) -> i32 {
  llvm.cond_br %c, ^pre, ^other
^pre:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.br ^head
^head:
  llvm.cond_br %d, ^then, ^latch
^then:
  llvm.store %w, %p : i32, !llvm.ptr
  llvm.br ^latch
^latch:
  llvm.cond_br %e, ^head, ^join
^other:
  llvm.call @clobbers_all() : () -> ()
  llvm.cond_br %d, ^join, ^out
^out:
  llvm.return %v : i32
^join:
  %r = llvm.load %p : !llvm.ptr -> i32
  llvm.return %r : i32
}
