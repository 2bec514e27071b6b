// RUN: nvvm-opt %s -p 'simplifycfg<hoist-common-insts;sink-common-insts>' | filecheck %s
// RUN: nvvm-opt %s -p 'simplifycfg<no-speculate-blocks>' | filecheck %s --check-prefix=PLAIN

// A short branch becomes a select.
// CHECK-LABEL: llvm.func @triangle
// CHECK-NEXT:    %one = llvm.mlir.constant
// CHECK-NEXT:    %b = llvm.add %a, %one
// CHECK-NEXT:    %[[X:.*]] = llvm.select %c, %b, %a
// CHECK-NEXT:    llvm.return %[[X]]
// PLAIN-LABEL: llvm.func @triangle
// PLAIN:         llvm.cond_br
llvm.func @triangle(%c: i1, %a: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %c, ^then, ^join(%a : i32)
^then:
  %b = llvm.add %a, %one : i32
  llvm.br ^join(%b : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @diamond
// CHECK-NOT:     llvm.cond_br
// CHECK:         %[[X:.*]] = llvm.select %c, %p, %q
// CHECK-NEXT:    llvm.return %[[X]]
llvm.func @diamond(%c: i1, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %p = llvm.add %a, %b : i32
  llvm.br ^join(%p : i32)
^else:
  %q = llvm.sub %a, %b : i32
  llvm.br ^join(%q : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// A division may trap, a store is visible to others, a load may fault, a call may have any effect.
// CHECK-LABEL: llvm.func @not_speculated
// CHECK-COUNT-4: llvm.cond_br
llvm.func @not_speculated(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^division, ^j1(%a : i32)
^division:
  %d = llvm.sdiv %a, %b : i32
  llvm.br ^j1(%d : i32)
^j1(%x: i32):
  llvm.cond_br %c, ^store, ^j2
^store:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^j2
^j2:
  llvm.cond_br %c, ^load, ^j3(%x : i32)
^load:
  %l = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^j3(%l : i32)
^j3(%y: i32):
  llvm.cond_br %c, ^call, ^j4(%y : i32)
^call:
  %r = llvm.call @diamond(%c, %a, %b) : (i1, i32, i32) -> i32
  llvm.br ^j4(%r : i32)
^j4(%z: i32):
  llvm.return %z : i32
}

// A division by a constant other than 0 and -1 may be speculated.
// CHECK-LABEL: llvm.func @division_by_constant
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.sdiv
// CHECK-NEXT:    llvm.select
llvm.func @division_by_constant(%c: i1, %a: i32) -> i32 {
  %seven = llvm.mlir.constant(7 : i32) : i32
  llvm.cond_br %c, ^then, ^join(%a : i32)
^then:
  %d = llvm.sdiv %a, %seven : i32
  llvm.br ^join(%d : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @constant_branch
// CHECK-NEXT:    %true = llvm.mlir.constant
// CHECK-NEXT:    llvm.return %a
llvm.func @constant_branch(%a: i32, %b: i32) -> i32 {
  %true = llvm.mlir.constant(true) : i1
  llvm.cond_br %true, ^then, ^else
^then:
  llvm.return %a : i32
^else:
  llvm.return %b : i32
}

// Two branches to one exit become a logical and; the second condition may be poison.
// CHECK-LABEL: llvm.func @common_target
// CHECK:         %[[C:.*]] = llvm.select %c, %d, %{{.*}} : i1, i1
// CHECK-NEXT:    llvm.cond_br %[[C]], ^both, ^out
llvm.func @common_target(%c: i1, %d: i1, %p: !llvm.ptr, %v: i32) {
  llvm.cond_br %c, ^second, ^out
^second:
  llvm.cond_br %d, ^both, ^out
^both:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.br ^out
^out:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// The barrier keeps its own block and all its predecessors.
// CHECK-LABEL: llvm.func @convergent
// CHECK:         llvm.cond_br %c, ^barrier, ^out
// CHECK:       ^barrier:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.br ^out
llvm.func @convergent(%c: i1, %p: !llvm.ptr, %v: i32) {
  llvm.cond_br %c, ^barrier, ^out
^barrier:
  nvvm.barrier0
  llvm.br ^out
^out:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// Cases with the default's target are dropped; one case is a comparison.
// CHECK-LABEL: llvm.func @switch_to_branch
// CHECK:         %[[K:.*]] = llvm.mlir.constant(5 : i32)
// CHECK:         %[[E:.*]] = llvm.icmp "eq" %s, %[[K]]
// CHECK-NEXT:    llvm.select %[[E]], %a, %b
llvm.func @switch_to_branch(%s: i32, %a: i32, %b: i32) -> i32 {
  llvm.switch %s : i32, ^join(%b : i32) [
    3: ^join(%b : i32),
    5: ^join(%a : i32)
  ]
^join(%x: i32):
  llvm.return %x : i32
}

// A branch to unreachable code is removed.
// CHECK-LABEL: llvm.func @never
// CHECK-NEXT:    llvm.return %a
llvm.func @never(%c: i1, %a: i32) -> i32 {
  llvm.cond_br %c, ^no, ^yes
^no:
  llvm.unreachable
^yes:
  llvm.return %a : i32
}

// An empty block between branches is removed; a loop keeps its header and its metadata.
// CHECK-LABEL: llvm.func @loop
// CHECK:         llvm.br ^head
// CHECK:       ^head(%i: i32):
// CHECK:         llvm.cond_br %{{.*}}, ^head(%{{.*}} : i32), ^exit {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
llvm.func @loop(%n: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^pre
^pre:
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  llvm.store volatile %i, %p : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^latch, ^exit
^latch:
  llvm.br ^head(%next : i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^exit:
  llvm.return
}

// Common code of both arms is computed before the branch, with loads, and common flags are kept.
// CHECK-LABEL: llvm.func @hoist
// CHECK:         [[X:%.*]] = llvm.load %p
// CHECK-NEXT:    [[A:%.*]] = llvm.add [[X]], %n : i32
// CHECK-NEXT:    llvm.cond_br
// CHECK-NOT:     llvm.load
llvm.func @hoist(%c: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  llvm.cond_br %c, ^a, ^b
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.add %x, %n overflow<nsw> : i32
  llvm.store %y, %q : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^end
^b:
  %v = llvm.mul %n, %n : i32
  %z = llvm.load %p : !llvm.ptr<1> -> i32
  %w = llvm.add %z, %n : i32
  %u = llvm.mul %v, %w : i32
  llvm.store %u, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Not past a store, a barrier or a call that may not return; not convergent ops, atomics, volatile accesses
// and assembly.
// CHECK-LABEL: llvm.func @not_hoisted
// CHECK-NEXT:    llvm.cond_br
// CHECK:         nvvm.barrier0
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.inline_asm
// CHECK-NEXT:    nvvm.shfl.sync
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.udiv
// CHECK:       ^b:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load volatile
// CHECK-NEXT:    llvm.atomicrmw
// CHECK-NEXT:    llvm.inline_asm
// CHECK-NEXT:    nvvm.shfl.sync
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.udiv
llvm.func @not_hoisted(%c: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  llvm.cond_br %c, ^a, ^b
^a:
  nvvm.barrier0
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  %i = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %n : (i32) -> i32
  %s = nvvm.shfl.sync bfly %n, %n, %n, %n : i32 -> i32
  %l = llvm.load %p : !llvm.ptr<1> -> i32
  %d = llvm.udiv %n, %l : i32
  llvm.store %d, %q : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^end
^b:
  nvvm.barrier0
  %v2 = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o2 = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  %i2 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %n : (i32) -> i32
  %s2 = nvvm.shfl.sync bfly %n, %n, %n, %n : i32 -> i32
  %l2 = llvm.load %p : !llvm.ptr<1> -> i32
  %d2 = llvm.udiv %n, %l2 : i32
  llvm.store %d2, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// A common store at the end, with the product before it; the differing operand becomes an argument.
// CHECK-LABEL: llvm.func @sink
// CHECK:         llvm.store %n, %p
// CHECK:         llvm.store %m, %q
// CHECK:       ^end([[V:%.*]]: i32):
// CHECK-NEXT:    [[P:%.*]] = llvm.mul [[V]], %n : i32
// CHECK-NEXT:    llvm.store [[P]], %p
// CHECK-NEXT:    llvm.return
llvm.func @sink(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %x = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %y = llvm.mul %x, %n : i32
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^b:
  llvm.store %m, %q : i32, !llvm.ptr<1>
  %z = llvm.load volatile %q : !llvm.ptr<1> -> i32
  %w = llvm.mul %z, %n : i32
  llvm.store %w, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Casts and stores of values of different types stay.
// CHECK-LABEL: llvm.func @types_differ
// CHECK:         llvm.sext %a : i8 to i32
// CHECK:         llvm.sext %b : i16 to i32
// CHECK:         llvm.store %a, %p {alignment = 1 : i64} : i8
// CHECK:         llvm.store %b, %p {alignment = 1 : i64} : i16
llvm.func @types_differ(%c: i1, %a: i8, %b: i16, %p: !llvm.ptr<1>) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store volatile %a, %p : i8, !llvm.ptr<1>
  %x = llvm.sext %a : i8 to i32
  llvm.br ^join(%x : i32)
^b:
  llvm.store volatile %b, %p : i16, !llvm.ptr<1>
  %y = llvm.sext %b : i16 to i32
  llvm.br ^join(%y : i32)
^join(%z: i32):
  llvm.cond_br %c, ^d, ^e
^d:
  llvm.store %a, %p {alignment = 1 : i64} : i8, !llvm.ptr<1>
  llvm.br ^end
^e:
  llvm.store %b, %p {alignment = 1 : i64} : i16, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return %z : i32
}

// Stores to different addresses, barriers and atomics are not merged.
// CHECK-LABEL: llvm.func @not_sunk
// CHECK:         nvvm.barrier0
// CHECK:         nvvm.barrier0
// CHECK:         llvm.store %n, %p
// CHECK:         llvm.store %n, %q
// CHECK:         llvm.atomicrmw
// CHECK:         llvm.atomicrmw
llvm.func @not_sunk(%c: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %q : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^next
^b:
  nvvm.barrier0
  llvm.br ^next
^next:
  llvm.cond_br %c, ^d, ^e
^d:
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^more
^e:
  llvm.store %n, %q : i32, !llvm.ptr<1>
  llvm.br ^more
^more:
  llvm.cond_br %c, ^f, ^g
^f:
  %w = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %o = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  llvm.br ^end
^g:
  %o2 = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  llvm.br ^end
^end:
  llvm.return
}

// A chain of comparisons of one value.
// CHECK-LABEL: llvm.func @chain
// CHECK:         llvm.switch %x : i32, ^d [
// CHECK-NEXT:      1: ^a,
// CHECK-NEXT:      5: ^b,
// CHECK-NEXT:      9: ^a
// CHECK-NEXT:    ]
llvm.func @chain(%x: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %one = llvm.icmp "eq" %x, %c1 : i32
  llvm.cond_br %one, ^a, ^n
^n:
  %five = llvm.icmp "ne" %x, %c5 : i32
  llvm.cond_br %five, ^m, ^b
^m:
  %nine = llvm.icmp "eq" %x, %c9 : i32
  llvm.cond_br %nine, ^a, ^d
^a:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
^b:
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.return
^d:
  llvm.return
}

// A switch on a range, a formula, and bits of a number.
// CHECK-LABEL: llvm.func @range
// CHECK:         [[O:%.*]] = llvm.sub %x, %{{.*}} : i32
// CHECK-NEXT:    [[C:%.*]] = llvm.icmp "ult" [[O]], %{{.*}} : i32
// CHECK-NEXT:    llvm.cond_br [[C]], ^a, ^d
llvm.func @range(%x: i32, %p: !llvm.ptr<1>) {
  llvm.switch %x : i32, ^d [
    4: ^a,
    3: ^a,
    5: ^a
  ]
^a:
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
^d:
  llvm.return
}

// CHECK-LABEL: llvm.func @formula
// CHECK:         [[I:%.*]] = llvm.icmp "ult" %x, %{{.*}} : i32
// CHECK-NEXT:    [[L:%.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT:    [[A:%.*]] = llvm.add [[L]], %{{.*}} : i32
// CHECK-NEXT:    [[M:%.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT:    [[S:%.*]] = llvm.lshr %{{.*}}, [[M]] : i32
// CHECK-NEXT:    [[B:%.*]] = llvm.trunc [[S]] : i32 to i8
llvm.func @formula(%x: i32, %p: !llvm.ptr<1>) {
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c11 = llvm.mlir.constant(11 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %b1 = llvm.mlir.constant(1 : i8) : i8
  %b5 = llvm.mlir.constant(-5 : i8) : i8
  %b2 = llvm.mlir.constant(2 : i8) : i8
  llvm.switch %x : i32, ^j(%c0, %b1 : i32, i8) [
    0: ^j(%c7, %b1 : i32, i8),
    1: ^j(%c9, %b5 : i32, i8),
    2: ^j(%c11, %b2 : i32, i8)
  ]
^j(%v: i32, %w: i8):
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %w, %p : i8, !llvm.ptr<1>
  llvm.return
}

// An edge with a constant is redirected; not if a barrier precedes the reconvergence point.
// CHECK-LABEL: llvm.func @thread
// CHECK:         llvm.store %n, %p
// CHECK-NEXT:    llvm.br ^yes
// CHECK:         llvm.store %n, %q
// CHECK:         llvm.cond_br %z, ^yes, ^no
llvm.func @thread(%c: i1, %z: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %true = llvm.mlir.constant(true) : i1
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^decide(%true : i1)
^b:
  llvm.store %n, %q : i32, !llvm.ptr<3>
  llvm.br ^decide(%z : i1)
^decide(%k: i1):
  llvm.cond_br %k, ^yes, ^no
^yes:
  %l = llvm.load volatile %p : !llvm.ptr<1> -> i32
  llvm.return
^no:
  llvm.return
}

// CHECK-LABEL: llvm.func @meets
// CHECK:       ^decide(%k: i1):
// CHECK-NEXT:    llvm.cond_br %k, ^yes, ^no
llvm.func @meets(%z: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %true = llvm.mlir.constant(true) : i1
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^decide(%true : i1)
^b:
  llvm.store %n, %q : i32, !llvm.ptr<3>
  llvm.br ^decide(%z : i1)
^decide(%k: i1):
  llvm.cond_br %k, ^yes, ^no
^yes:
  nvvm.barrier0
  llvm.return
^no:
  llvm.return
}

// Four ops become selects, five do not, for uniform and divergent conditions.
// CHECK-LABEL: llvm.func @divergent
// CHECK-NOT:     llvm.cond_br %d
// CHECK:         llvm.cond_br %u
llvm.func @divergent(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %d = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %d, ^a, ^b(%n : i32)
^a:
  %a1 = llvm.mul %n, %t : i32
  %a2 = llvm.add %a1, %t : i32
  %a3 = llvm.mul %a2, %t : i32
  %a4 = llvm.add %a3, %t : i32
  llvm.br ^b(%a4 : i32)
^b(%x: i32):
  %u = llvm.icmp "ult" %n, %c1 : i32
  llvm.cond_br %u, ^c, ^e(%x : i32)
^c:
  %b1 = llvm.mul %x, %t : i32
  %b2 = llvm.add %b1, %t : i32
  %b3 = llvm.mul %b2, %t : i32
  %b4 = llvm.add %b3, %t : i32
  %b5 = llvm.mul %b4, %t : i32
  llvm.br ^e(%b5 : i32)
^e(%y: i32):
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A volatile load that comes first; a store past a load; a division past a call that may not return.
// CHECK-LABEL: llvm.func @order
// CHECK-NEXT:    llvm.cond_br
// CHECK:         llvm.load volatile
// CHECK:         llvm.load volatile
// CHECK:         llvm.cond_br
// CHECK:         llvm.load %q
// CHECK:         llvm.store %n, %p
// CHECK:         llvm.store %n, %p
// CHECK:         llvm.cond_br
// CHECK:         "llvm.nvvm.exit"
// CHECK:         llvm.udiv
// CHECK:         llvm.udiv
llvm.func @order(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  llvm.store %n, %q : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^next
^b:
  %w = llvm.load volatile %p : !llvm.ptr<1> -> i32
  nvvm.barrier0
  llvm.br ^next
^next:
  llvm.cond_br %c, ^d, ^e
^d:
  %x = llvm.load %q : !llvm.ptr<1> -> i32
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %x2 = llvm.mul %x, %n : i32
  llvm.store %x2, %q : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^more
^e:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.br ^more
^more:
  llvm.cond_br %c, ^f, ^g
^f:
  llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  %y = llvm.udiv %n, %m : i32
  nvvm.barrier0
  llvm.return %y : i32
^g:
  %z = llvm.udiv %n, %m : i32
  nvvm.barrier0
  llvm.return %z : i32
}

// Both operands of the common op differ; two comparisons are no switch; the highest bits of the number are
// zeros; an edge with the constant false.
// CHECK-LABEL: llvm.func @bounds
// CHECK:         llvm.sub
// CHECK:         llvm.sub
// CHECK:       ^end
// CHECK-NOT:     llvm.switch
// CHECK:         llvm.lshr %{{.*}}, %{{.*}} : i64
// CHECK:       ^t:
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.br ^no
llvm.func @bounds(%c: i1, %z: i1, %x: i32, %n: i32, %m: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %b7 = llvm.mlir.constant(7 : i16) : i16
  %b9 = llvm.mlir.constant(9 : i16) : i16
  %b4 = llvm.mlir.constant(4 : i16) : i16
  %b0 = llvm.mlir.constant(0 : i16) : i16
  %false = llvm.mlir.constant(false) : i1
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %s = llvm.sub %v, %m : i32
  llvm.br ^end(%s : i32)
^b:
  %w = llvm.load volatile %q : !llvm.ptr<3> -> i32
  %u = llvm.sub %w, %n : i32
  llvm.br ^end(%u : i32)
^end(%r: i32):
  llvm.store %r, %p : i32, !llvm.ptr<1>
  %one = llvm.icmp "eq" %x, %c1 : i32
  llvm.cond_br %one, ^yes, ^next
^next:
  %five = llvm.icmp "eq" %x, %c5 : i32
  llvm.cond_br %five, ^no, ^last
^last:
  llvm.switch %n : i32, ^j(%b7 : i16) [
    0: ^j(%b9 : i16),
    1: ^j(%b4 : i16),
    2: ^j(%b0 : i16)
  ]
^j(%k: i16):
  llvm.store %k, %p : i16, !llvm.ptr<1>
  llvm.cond_br %c, ^t, ^o
^t:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^decide(%false : i1)
^o:
  llvm.store %n, %q : i32, !llvm.ptr<3>
  llvm.br ^decide(%z : i1)
^decide(%d: i1):
  llvm.cond_br %d, ^yes, ^no
^yes:
  %l = llvm.load volatile %p : !llvm.ptr<1> -> i32
  llvm.return
^no:
  llvm.return
}

// After the comparisons of a switch there is a block whose own comparison is unused.
// CHECK-LABEL: @comparison_of_no_use
// CHECK:       llvm.switch
llvm.func @comparison_of_no_use(%x: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %a = llvm.icmp "eq" %x, %zero : i32
  llvm.cond_br %a, ^first, ^next
^next:
  %b = llvm.icmp "eq" %x, %one : i32
  llvm.cond_br %b, ^second, ^after
^after:
  %c = llvm.icmp "eq" %x, %two : i32
  llvm.cond_br %c, ^third, ^last
^last:
  %d = llvm.icmp "eq" %x, %three : i32
  llvm.br ^join
^join:
  "test.op"() : () -> ()
  llvm.return %x : i32
^first:
  llvm.return %one : i32
^second:
  llvm.return %two : i32
^third:
  llvm.return %three : i32
}

// Each condition has its own empty block. The conditions are merged one after another, from the first.
// CHECK-LABEL: llvm.func @four_conditions
// CHECK:         %[[AB:.*]] = llvm.select %a, %b, %{{.*}} : i1, i1
// CHECK-NEXT:    %[[X:.*]] = llvm.icmp "slt" %n, %m : i32
// CHECK-NEXT:    %[[ABX:.*]] = llvm.select %[[AB]], %[[X]], %{{.*}} : i1, i1
// CHECK-NEXT:    %[[Y:.*]] = llvm.icmp "ne" %n, %m : i32
// CHECK-NEXT:    %[[ABXY:.*]] = llvm.select %[[ABX]], %[[Y]], %{{.*}} : i1, i1
// CHECK-NEXT:    llvm.cond_br %[[ABXY]]
llvm.func @four_conditions(%p: !llvm.ptr<1>, %a: i1, %b: i1, %n: i32, %m: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.cond_br %a, ^second, ^first_false
^second:
  llvm.cond_br %b, ^third, ^second_false
^third:
  %x = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %x, ^fourth, ^third_false
^fourth:
  %y = llvm.icmp "ne" %n, %m : i32
  llvm.cond_br %y, ^then, ^fourth_false
^then:
  %v = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.br ^join(%v : i32)
^fourth_false:
  llvm.br ^join(%zero : i32)
^third_false:
  llvm.br ^join(%zero : i32)
^second_false:
  llvm.br ^join(%zero : i32)
^first_false:
  llvm.br ^join(%zero : i32)
^join(%r: i32):
  llvm.return %r : i32
}
