// RUN: nvvm-opt %s -p 'scev-cgp' | filecheck %s
// RUN: nvvm-opt %s -p 'scev-cgp<do-scev-cgp=0>' | filecheck %s --check-prefix=LOOPS
// RUN: nvvm-opt %s -p 'scev-cgp<do-function-scev-cgp=0>' | filecheck %s --check-prefix=NOLOOPS
// RUN: nvvm-opt %s -p 'scev-cgp<no-do-scev-cgp-aggresively>' | filecheck %s --check-prefix=PATH
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-old-base>' | filecheck %s --check-prefix=OLD
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-idom-level-limit=1>' | filecheck %s --check-prefix=LEVEL
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-cross-block-limit=1>' | filecheck %s --check-prefix=BLOCK
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-control=1>' | filecheck %s --check-prefix=CONTROL
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-check-latency=2>' | filecheck %s --check-prefix=LATENCY
// RUN: nvvm-opt %s -p 'scev-cgp<do-scev-cgp=1;scev-cgp-check-latency=9>' | filecheck %s --check-prefix=ALWAYS
// RUN: nvvm-opt %s -p 'scev-cgp<scev-cgp-inst-limit=1>' | filecheck %s --check-prefix=DEPTH

// &p[i + 2] is at a distance of 4 from &p[i + 1]. The index of the base has no flags.
// CHECK-LABEL: llvm.func @if_then_if
// CHECK:         %[[E:.*]] = llvm.sext %i : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %p[%[[E]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[B:.*]] = llvm.getelementptr %[[P]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.cond_br %c
// CHECK:       ^a:
// CHECK-NEXT:    llvm.store %x, %[[B]]
// CHECK:       ^e:
// CHECK-NEXT:    %[[R:.*]] = llvm.getelementptr %[[B]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %x, %[[R]]

// LOOPS-LABEL: llvm.func @if_then_if
// LOOPS:       ^a:
// LOOPS-NEXT:    llvm.add
// LOOPS-LABEL: llvm.func @after_a_loop
// LOOPS:         llvm.getelementptr %p[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// LOOPS:       ^loop

// NOLOOPS-LABEL: llvm.func @after_a_loop
// NOLOOPS:     ^loop
// NOLOOPS:       llvm.getelementptr %p[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i32

// OLD-LABEL: llvm.func @if_then_if
// OLD:         %[[P:.*]] = llvm.getelementptr %p[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// OLD-NEXT:    llvm.cond_br
// OLD:         llvm.getelementptr %[[P]][4]
// OLD:         llvm.getelementptr %[[P]][8]

// The second address is two levels below the branch.
// LEVEL-LABEL: llvm.func @if_then_if
// LEVEL:       ^a:
// LEVEL-NEXT:    llvm.add

// LATENCY-LABEL: llvm.func @if_then_if
// LATENCY:       ^a:
// LATENCY-NEXT:    llvm.add
// ALWAYS-LABEL: llvm.func @if_then_if
// ALWAYS:       ^a:
// ALWAYS-NEXT:    llvm.store

// The addition is the second op from the address.
// DEPTH-LABEL: llvm.func @if_then_if
// DEPTH:       ^a:
// DEPTH-NEXT:    llvm.add
llvm.func @if_then_if(%p: !llvm.ptr, %i: i32, %c: i1, %d: i1, %x: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.cond_br %c, ^a, ^b
^a:
  %i1 = llvm.add %i, %one overflow<nsw> : i32
  %e1 = llvm.sext %i1 : i32 to i64
  %q = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^b
^b:
  llvm.cond_br %d, ^e, ^f
^e:
  %i2 = llvm.add %i, %two overflow<nsw> : i32
  %e2 = llvm.sext %i2 : i32 to i64
  %r = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %r : i32, !llvm.ptr
  llvm.br ^f
^f:
  llvm.return
}

// No path executes both addresses.
// CHECK-LABEL: llvm.func @if_else
// CHECK:         llvm.getelementptr %p
// CHECK:         llvm.cond_br
// PATH-LABEL:  llvm.func @if_then_if
// PATH:          llvm.getelementptr %p
// PATH:          llvm.cond_br
// PATH-LABEL:  llvm.func @if_else
// PATH-NEXT:     llvm.sext %i
// PATH-NEXT:     llvm.cond_br
llvm.func @if_else(%p: !llvm.ptr, %i: i32, %c: i1, %x: i32) attributes {nvvm.kernel} {
  %e = llvm.sext %i : i32 to i64
  llvm.cond_br %c, ^a, ^b
^a:
  %q = llvm.getelementptr %p[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^f
^b:
  %r = llvm.getelementptr %p[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %i, %r : i32, !llvm.ptr
  llvm.br ^f
^f:
  llvm.return
}

// The symbol has an op in each block, and the root of the second family is an address of the first.
// CHECK-LABEL: llvm.func @symbol_and_chain
// CHECK:         %[[S:.*]] = llvm.mlir.addressof @table : !llvm.ptr<1>
// CHECK-NEXT:    %[[E:.*]] = llvm.sext %i
// CHECK-NEXT:    %[[B:.*]] = llvm.getelementptr %[[S]][%[[E]]]
// CHECK-NEXT:    llvm.cond_br
// CHECK:         llvm.store %x, %[[B]]
// CHECK-NEXT:    %[[F:.*]] = llvm.sext %j
// CHECK-NEXT:    %[[C:.*]] = llvm.getelementptr %[[B]][%[[F]]]
// CHECK-NEXT:    llvm.store %x, %[[C]]
// CHECK:       ^b:
// CHECK-NEXT:    llvm.store %i, %[[C]]
llvm.mlir.global external @table() {addr_space = 1 : i32} : !llvm.array<64 x i32>
llvm.func @symbol_and_chain(%i: i32, %j: i32, %c: i1, %x: i32) attributes {nvvm.kernel} {
  llvm.cond_br %c, ^a, ^f
^a:
  %s1 = llvm.mlir.addressof @table : !llvm.ptr<1>
  %e1 = llvm.sext %i : i32 to i64
  %q = llvm.getelementptr %s1[%e1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %x, %q : i32, !llvm.ptr<1>
  %e2 = llvm.sext %j : i32 to i64
  %t = llvm.getelementptr %q[%e2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %x, %t : i32, !llvm.ptr<1>
  llvm.cond_br %c, ^b, ^f
^b:
  %u = llvm.getelementptr %q[%e2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %i, %u : i32, !llvm.ptr<1>
  llvm.br ^f
^f:
  %s2 = llvm.mlir.addressof @table : !llvm.ptr<1>
  %e3 = llvm.sext %i : i32 to i64
  %v = llvm.getelementptr %s2[%e3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %j, %v : i32, !llvm.ptr<1>
  llvm.return
}

// BLOCK-LABEL: llvm.func @two_families
// BLOCK:         llvm.getelementptr %p[
// BLOCK-NEXT:    llvm.cond_br
// CONTROL-LABEL: llvm.func @two_families
// CONTROL:       llvm.getelementptr %p[
// CONTROL-NEXT:  llvm.cond_br
// CHECK-LABEL: llvm.func @two_families
// CHECK:         llvm.getelementptr %p[
// CHECK-NEXT:    llvm.getelementptr %o[
// CHECK-NEXT:    llvm.cond_br
llvm.func @two_families(%p: !llvm.ptr, %o: !llvm.ptr, %i: i64, %c: i1, %x: i32) attributes {nvvm.kernel} {
  llvm.cond_br %c, ^a, ^f
^a:
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %q : i32, !llvm.ptr
  %r = llvm.getelementptr %o[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %r : i32, !llvm.ptr
  llvm.br ^f
^f:
  %s = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %s : i32, !llvm.ptr
  %t = llvm.getelementptr %o[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %t : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @after_a_loop
// CHECK:         llvm.getelementptr %p[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:       ^loop
llvm.func @after_a_loop(%p: !llvm.ptr, %i: i32, %n: i32, %x: i32, %c: i1) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %c, ^pre, ^end
^pre:
  llvm.br ^loop(%zero : i32)
^loop(%k: i32):
  %e1 = llvm.sext %i : i32 to i64
  %q = llvm.getelementptr %p[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store volatile %x, %q : i32, !llvm.ptr
  %k1 = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %k1, %n : i32
  llvm.cond_br %more, ^loop(%k1 : i32), ^end
^end:
  %e2 = llvm.sext %i : i32 to i64
  %r = llvm.getelementptr %p[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %n, %r : i32, !llvm.ptr
  llvm.return
}

// Kept: a negative factor; a factor that a multiplication with an addition cannot have; a distance of more than 32 bits;
// a symbol in another address space, whose cast has an op for each use; equal addresses in one block.
// CHECK-LABEL: llvm.func @kept
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^b:
// CHECK:         llvm.getelementptr %p[%{{.*}} -> !llvm.ptr, i32
// CHECK:         llvm.getelementptr %p[%{{.*}} -> !llvm.ptr, !llvm.array<2147483648 x i8>
// CHECK:         llvm.getelementptr %p[%{{.*}} -> !llvm.ptr, i16
// CHECK:         llvm.getelementptr %g1[%{{.*}} -> !llvm.ptr, i32
// CHECK:         llvm.getelementptr %p[%{{.*}} -> !llvm.ptr, i64
// CHECK:         llvm.getelementptr %p[%{{.*}} -> !llvm.ptr, i64
llvm.func @kept(%p: !llvm.ptr, %c: i1, %i: i64, %x: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %far = llvm.mlir.constant(2147483648 : i64) : i64
  llvm.cond_br %c, ^b, ^f
^b:
  %m1 = llvm.sub %zero, %i : i64
  %q1 = llvm.getelementptr %p[%m1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %q1 : i32, !llvm.ptr
  %r1 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2147483648 x i8>
  llvm.store %x, %r1 : i32, !llvm.ptr
  %f1 = llvm.add %i, %far : i64
  %s1 = llvm.getelementptr %p[%f1] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  llvm.store %x, %s1 : i32, !llvm.ptr
  %a1 = llvm.mlir.addressof @table : !llvm.ptr<1>
  %g1 = llvm.addrspacecast %a1 : !llvm.ptr<1> to !llvm.ptr
  %t1 = llvm.getelementptr %g1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %t1 : i32, !llvm.ptr
  %u1 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %x, %u1 : i32, !llvm.ptr
  %u2 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %x, %u2 : i32, !llvm.ptr
  %v1 = llvm.getelementptr %p[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  llvm.store %x, %v1 : i32, !llvm.ptr
  %w1 = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i16
  llvm.store %x, %w1 : i32, !llvm.ptr
  llvm.br ^f
^f:
  %m2 = llvm.sub %zero, %i : i64
  %q2 = llvm.getelementptr %p[%m2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %q2 : i32, !llvm.ptr
  %r2 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2147483648 x i8>
  llvm.store %x, %r2 : i32, !llvm.ptr
  %s2 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  llvm.store %x, %s2 : i32, !llvm.ptr
  %a2 = llvm.mlir.addressof @table : !llvm.ptr<1>
  %g2 = llvm.addrspacecast %a2 : !llvm.ptr<1> to !llvm.ptr
  %t2 = llvm.getelementptr %g2[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %t2 : i32, !llvm.ptr
  %y1 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
  llvm.store %x, %y1 : i32, !llvm.ptr
  %y2 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
  llvm.store %x, %y2 : i32, !llvm.ptr
  %v2 = llvm.getelementptr %p[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  llvm.store %x, %v2 : i32, !llvm.ptr
  %w2 = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i16
  llvm.store %x, %w2 : i32, !llvm.ptr
  llvm.return
}
