// RUN: nvvm-opt %s -p licm | filecheck %s
// RUN: nvvm-opt %s -p 'licm<allowspeculation>' | filecheck %s --check-prefix SPEC
// RUN: nvvm-opt %s -p 'licm{disable-licm-promotion}' | filecheck %s --check-prefix MEMORY
// RUN: nvvm-opt %s -p 'licm{licm-insn-limit=3}' | filecheck %s --check-prefix FEW

// A sum in memory becomes a value.
// CHECK-LABEL: llvm.func @sum
// CHECK:         %m = llvm.mul %x, %y
// CHECK-NEXT:    %[[A:.*]] = llvm.load %sum
// CHECK-NEXT:    llvm.br ^loop(%c0, %[[A]] : i32, i32)
// CHECK:       ^loop(%i: i32, %a: i32):
// CHECK-NEXT:    %b = llvm.add %a, %m
// CHECK:         llvm.cond_br %c, ^loop(%j, %b : i32, i32), ^exit(%b : i32)
// CHECK-NEXT:  ^exit(%[[R:.*]]: i32):
// CHECK-NEXT:    llvm.store %[[R]], %sum
// MEMORY-LABEL: llvm.func @sum
// MEMORY:         %m = llvm.mul
// MEMORY:       ^loop(%i
// MEMORY-NEXT:    %{{.*}} = llvm.load
// MEMORY:         llvm.store
// FEW-LABEL:    llvm.func @sum
// FEW:          ^loop(%i
// FEW-NEXT:       %{{.*}} = llvm.mul
llvm.func @sum(%sum: !llvm.ptr, %x: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %x, %y : i32
  %a = llvm.load %sum : !llvm.ptr -> i32
  %b = llvm.add %a, %m : i32
  llvm.store %b, %sum : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// The annotation disables the pass for a loop.
// CHECK-LABEL: llvm.func @annotated
// CHECK:       ^loop(%i
// CHECK-NEXT:    %{{.*}} = llvm.mul
llvm.func @annotated(%x: i32, %p: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c1 : i32)
^loop(%i: i32):
  %m = llvm.mul %x, %x : i32
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %x : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit {loop_annotation = #llvm.loop_annotation<licm = <disable = true>>}
^exit:
  llvm.return
}

// A store that may alias keeps a load. A store to other memory does not: another address space, and memory
// that only the kernel's own argument points to.
// CHECK-LABEL: llvm.func @other_memory
// CHECK:         llvm.load %p
// CHECK:         llvm.load %s
// CHECK:       ^loop(%i
// CHECK-NEXT:    %{{.*}} = llvm.load %g
llvm.func @other_memory(%p: !llvm.ptr<1> {llvm.noalias}, %g: !llvm.ptr<1>, %q: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %s : !llvm.ptr<3> -> i32
  %d = llvm.load %g : !llvm.ptr<1> -> i32
  %t = llvm.add %a, %b : i32
  %u = llvm.add %t, %d : i32
  %e = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %u, %e : i32, !llvm.ptr<1>
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// Only loads of read-only memory move across a barrier.
// CHECK-LABEL: llvm.func @barrier
// CHECK:         llvm.load %p
// CHECK:         llvm.load %k
// CHECK:         llvm.load %v invariant
// CHECK:       ^loop(%i
// CHECK:         llvm.load %s
// CHECK:         llvm.load %g
// CHECK:         llvm.store
llvm.func @barrier(%p: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %k: !llvm.ptr<4>, %v: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  nvvm.barrier0
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %k : !llvm.ptr<4> -> i32
  %e = llvm.load %v invariant : !llvm.ptr<1> -> i32
  %d = llvm.load %s : !llvm.ptr<3> -> i32
  %f = llvm.load %g : !llvm.ptr<1> -> i32
  %t = llvm.add %a, %b : i32
  %u = llvm.add %t, %d : i32
  %w = llvm.add %u, %e : i32
  %x = llvm.add %w, %f : i32
  llvm.store %x, %g : i32, !llvm.ptr<1>
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// Ops that some iterations skip: no load, no division, and no store that might not have happened.
// CHECK-LABEL: llvm.func @sometimes
// CHECK:         llvm.br ^loop
// CHECK:       ^then:
// CHECK-NEXT:    %{{.*}} = llvm.load %p
// CHECK-NEXT:    %{{.*}} = llvm.add %x, %y
// CHECK-NEXT:    %{{.*}} = llvm.sdiv %x, %y
// CHECK:         llvm.store
// SPEC-LABEL: llvm.func @sometimes
// SPEC:         llvm.add %x, %y
// SPEC-NEXT:    llvm.br ^loop
// SPEC:       ^then:
// SPEC-NEXT:    %{{.*}} = llvm.load %p
// SPEC-NEXT:    %{{.*}} = llvm.sdiv %x, %y
// SPEC:         llvm.store
llvm.func @sometimes(%p: !llvm.ptr, %x: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %k = llvm.icmp "eq" %i, %y : i32
  llvm.cond_br %k, ^then, ^end
^then:
  %a = llvm.load %p : !llvm.ptr -> i32
  %s = llvm.add %x, %y : i32
  %d = llvm.sdiv %x, %y : i32
  %b = llvm.add %a, %d : i32
  %e = llvm.add %b, %s : i32
  llvm.store %e, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// An outer loop: the sum runs if the outer loop's test permits it, before either loop.
// CHECK-LABEL: llvm.func @outer
// CHECK:       ^then:
// CHECK-NEXT:    %{{.*}} = llvm.add %x, %y
// SPEC-LABEL: llvm.func @outer
// SPEC:         llvm.add %x, %y
// SPEC-NEXT:    llvm.br ^outer
llvm.func @outer(%p: !llvm.ptr, %x: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^outer(%c0 : i32)
^outer(%i: i32):
  %k = llvm.icmp "eq" %i, %y : i32
  llvm.cond_br %k, ^then, ^end
^then:
  %s = llvm.add %x, %y : i32
  llvm.br ^inner(%c0 : i32)
^inner(%m: i32):
  llvm.store volatile %s, %p : i32, !llvm.ptr
  %o = llvm.add %m, %c1 : i32
  %d = llvm.icmp "slt" %o, %n : i32
  llvm.cond_br %d, ^inner(%o : i32), ^left
^left:
  llvm.br ^end
^end:
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^outer(%j : i32), ^exit
^exit:
  llvm.return
}

// Always loaded and sometimes stored: another thread's store must not be undone.
// CHECK-LABEL: llvm.func @reads_always
// CHECK:       ^loop(%i
// CHECK:         llvm.load %p
// CHECK:       ^then:
// CHECK-NEXT:    llvm.store
llvm.func @reads_always(%p: !llvm.ptr, %x: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %a = llvm.load %p : !llvm.ptr -> i32
  %k = llvm.icmp "eq" %a, %x : i32
  llvm.cond_br %k, ^then, ^end
^then:
  llvm.store %i, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// Volatile and atomic accesses, convergent ops, and inline assembly with side effects are kept.
// CHECK-LABEL: llvm.func @kept
// CHECK:       ^loop(%i
// CHECK-NEXT:    %{{.*}} = llvm.load volatile
// CHECK-NEXT:    %{{.*}} = llvm.load %q atomic
// CHECK-NEXT:    %{{.*}} = llvm.atomicrmw
// CHECK-NEXT:    %{{.*}} = nvvm.shfl.sync
// CHECK-NEXT:    %{{.*}} = nvvm.vote.sync
// CHECK-NEXT:    %{{.*}} = llvm.call_intrinsic "llvm.nvvm.activemask"
// CHECK-NEXT:    %{{.*}} = nvvm.read.ptx.sreg.clock
// CHECK-NEXT:    llvm.inline_asm has_side_effects
// CHECK-NEXT:    %{{.*}} = llvm.inline_asm "shfl.sync.bfly.b32
llvm.func @kept(%p: !llvm.ptr, %q: !llvm.ptr, %x: i32, %b: i1, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %a = llvm.load %q atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %r = llvm.atomicrmw add %q, %x monotonic : !llvm.ptr, i32
  %s = nvvm.shfl.sync bfly %x, %x, %x, %x : i32 -> i32
  %t = nvvm.vote.sync any %x, %b -> i1
  %m = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
  %k = nvvm.read.ptx.sreg.clock : i32
  llvm.inline_asm has_side_effects "nanosleep.u32 $0;", "r" %x : (i32) -> ()
  %z = llvm.inline_asm "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r" %x : (i32) -> i32
  %u = llvm.add %v, %a : i32
  llvm.store volatile %u, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// After a call that may not return an op may not be executed; before it, it is.
// CHECK-LABEL: llvm.func @stops
// CHECK:         %before = llvm.sdiv
// CHECK:       ^loop(%i
// CHECK:         llvm.call @maybe
// CHECK-NEXT:    %behind = llvm.sdiv
llvm.func @maybe()
llvm.func @stops(%p: !llvm.ptr, %x: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %before = llvm.sdiv %x, %n : i32
  llvm.call @maybe() : () -> ()
  %behind = llvm.sdiv %x, %y : i32
  %b = llvm.add %before, %behind : i32
  %e = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %b, %e : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func @stops_before
// CHECK:       ^rest:
// CHECK-NEXT:    %{{.*}} = llvm.sdiv %x, %y
// CHECK:         llvm.store
llvm.func @stops_before(%p: !llvm.ptr, %x: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  llvm.call @maybe() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : () -> ()
  llvm.br ^rest
^rest:
  %d = llvm.sdiv %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// One access that must not be changed keeps all accesses in memory.
// CHECK-LABEL: llvm.func @partly_volatile
// CHECK:       ^loop(%i
// CHECK:         llvm.load %p
// CHECK:         llvm.store volatile
llvm.func @partly_volatile(%p: !llvm.ptr, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %a = llvm.load %p : !llvm.ptr -> i32
  %b = llvm.add %a, %i : i32
  llvm.store volatile %b, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return
}

// A value passed to only one of two exits is not sunk.
// CHECK-LABEL: llvm.func @two_exits
// CHECK:       ^loop(%i
// CHECK-NEXT:    %m = llvm.mul
llvm.func @two_exits(%x: i32, %n: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %i, %x : i32
  %b = llvm.icmp "eq" %i, %x : i32
  llvm.cond_br %b, ^exit(%c1 : i32), ^rest
^rest:
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit(%m : i32)
^exit(%r: i32):
  llvm.return %r : i32
}

// Only the last product is used.
// CHECK-LABEL: llvm.func @sunk
// CHECK:       ^loop(%i: i32):
// CHECK-NEXT:    %j = llvm.add
// CHECK:         llvm.cond_br %c, ^loop(%j : i32), ^exit(%i : i32)
// CHECK-NEXT:  ^exit(%[[I:.*]]: i32):
// CHECK-NEXT:    %[[M:.*]] = llvm.mul %[[I]], %x
// CHECK-NEXT:    llvm.return %[[M]]
llvm.func @sunk(%x: i32, %n: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %i, %x : i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^exit
^exit:
  llvm.return %m : i32
}

// A sum over two loops is loaded and stored once.
// CHECK-LABEL: llvm.func @nested
// CHECK-COUNT-1: llvm.load %sum
// CHECK-NOT:     llvm.load
// CHECK-COUNT-1: llvm.store
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return
llvm.func @nested(%sum: !llvm.ptr, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^outer(%c0 : i32)
^outer(%k: i32):
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %a = llvm.load %sum : !llvm.ptr -> i32
  %b = llvm.add %a, %i : i32
  llvm.store %b, %sum : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^latch
^latch:
  %l = llvm.add %k, %c1 : i32
  %d = llvm.icmp "slt" %l, %n : i32
  llvm.cond_br %d, ^outer(%l : i32), ^exit
^exit:
  llvm.return
}
