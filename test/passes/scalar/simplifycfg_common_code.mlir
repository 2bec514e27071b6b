// RUN: nvvm-opt %s -p 'simplifycfg<hoist-common-insts>' --verify-each | filecheck %s --check-prefix HOIST
// RUN: nvvm-opt %s -p 'simplifycfg<sink-common-insts>' --verify-each | filecheck %s --check-prefix SINK

llvm.func @pure(i32) -> i32
llvm.func @stop()

// Constants and calls are not hoisted.
// HOIST-LABEL: llvm.func @fixed
// HOIST-NEXT:    llvm.cond_br
// HOIST:         llvm.mlir.constant(77
// HOIST:         llvm.call @pure
// HOIST:         llvm.mlir.constant(77
// HOIST:         llvm.call @pure
llvm.func @fixed(%c: i1, %n: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %0 = llvm.mlir.constant(77 : i32) : i32
  %x = llvm.call @pure(%n) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return, nvvm.noconvergent} : (i32) -> i32
  llvm.store volatile %0, %p : i32, !llvm.ptr
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^end
^b:
  %1 = llvm.mlir.constant(77 : i32) : i32
  %y = llvm.call @pure(%n) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return, nvvm.noconvergent} : (i32) -> i32
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.store volatile %1, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// Ops of equal operands that differ in a predicate, a constant or a type are not hoisted.
// HOIST-LABEL: llvm.func @unequal
// HOIST-NEXT:    llvm.cond_br
// HOIST:         llvm.icmp "slt"
// HOIST-NEXT:    llvm.getelementptr %p[1]
// HOIST-NEXT:    llvm.trunc %n : i32 to i8
// HOIST-NEXT:    llvm.load %p : !llvm.ptr -> i8
// HOIST:         llvm.icmp "ult"
// HOIST-NEXT:    llvm.getelementptr %p[2]
// HOIST-NEXT:    llvm.trunc %n : i32 to i16
// HOIST-NEXT:    llvm.load %p : !llvm.ptr -> i16
llvm.func @unequal(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %x = llvm.icmp "slt" %n, %m : i32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %t = llvm.trunc %n : i32 to i8
  %l = llvm.load %p : !llvm.ptr -> i8
  llvm.store volatile %x, %q : i1, !llvm.ptr
  llvm.store volatile %t, %q : i8, !llvm.ptr
  llvm.store volatile %l, %q : i8, !llvm.ptr
  llvm.br ^end
^b:
  %y = llvm.icmp "ult" %n, %m : i32
  %r = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %u = llvm.trunc %n : i32 to i16
  %k = llvm.load %p : !llvm.ptr -> i16
  llvm.store volatile %k, %r : i16, !llvm.ptr
  llvm.store volatile %u, %r : i16, !llvm.ptr
  llvm.store volatile %y, %r : i1, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A store is hoisted above a division, but not above a load, a store, a shuffle, a call that may not
// return, or a texture fetch.
// HOIST-LABEL: llvm.func @stores
// HOIST-NEXT:    llvm.store %n, %p
// HOIST-NEXT:    llvm.cond_br
// HOIST:       ^a:
// HOIST-NEXT:    llvm.sdiv
// HOIST:       ^d:
// HOIST-NEXT:    llvm.load
// HOIST-NEXT:    llvm.store %m, %p
// HOIST:       ^f:
// HOIST-NEXT:    llvm.store %n, %q
// HOIST-NEXT:    llvm.store %n, %p
// HOIST:       ^h:
// HOIST-NEXT:    nvvm.shfl.sync
// HOIST-NEXT:    llvm.store %m, %p
// HOIST:       ^j:
// HOIST-NEXT:    llvm.call @stop
// HOIST-NEXT:    llvm.store %n, %p
// HOIST:       ^l:
// HOIST-NEXT:    llvm.call_intrinsic
// HOIST-NEXT:    llvm.store %m, %p
llvm.func @stores(%c: i1, %n: i32, %m: i32, %h: i64, %p: !llvm.ptr, %q: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %d = llvm.sdiv %n, %m : i32
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %d, %q : i32, !llvm.ptr
  llvm.br ^j1
^b:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^j1
^j1:
  llvm.cond_br %c, ^d, ^e
^d:
  %l = llvm.load %q : !llvm.ptr -> i32
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %l, %q : i32, !llvm.ptr
  llvm.br ^j2
^e:
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^j2
^j2:
  llvm.cond_br %c, ^f, ^g
^f:
  llvm.store %n, %q : i32, !llvm.ptr
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %q : i32, !llvm.ptr
  llvm.br ^j3
^g:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^j3
^j3:
  llvm.cond_br %c, ^h, ^i
^h:
  %s = nvvm.shfl.sync bfly %n, %n, %n, %n : i32 -> i32
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %s, %q : i32, !llvm.ptr
  llvm.br ^j4
^i:
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^j4
^j4:
  llvm.cond_br %c, ^j, ^k
^j:
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %q : i32, !llvm.ptr
  llvm.br ^j5
^k:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^j5
^j5:
  llvm.cond_br %c, ^l, ^m
^l:
  %t = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4s32.s32"(%h, %n) : (i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %t, %q : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
  llvm.br ^end
^m:
  llvm.store %m, %p : i32, !llvm.ptr
  llvm.store volatile %m, %q : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A sum is hoisted above a call that may not return; a division is not, whichever arm has the call.
// HOIST-LABEL: llvm.func @may_not_return
// HOIST-NEXT:    llvm.add
// HOIST-NEXT:    llvm.cond_br
// HOIST:       ^b:
// HOIST-NEXT:    llvm.call @stop
// HOIST-NEXT:    llvm.sdiv
llvm.func @may_not_return(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %s = llvm.add %n, %m : i32
  %d = llvm.sdiv %n, %m : i32
  llvm.store volatile %s, %p : i32, !llvm.ptr
  llvm.store volatile %d, %p : i32, !llvm.ptr
  llvm.br ^end
^b:
  llvm.call @stop() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : () -> ()
  %t = llvm.add %n, %m : i32
  %e = llvm.sdiv %n, %m : i32
  llvm.store volatile %e, %p : i32, !llvm.ptr
  llvm.store volatile %t, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A load is hoisted above a load and not above a store, whichever arm has it.
// HOIST-LABEL: llvm.func @loads
// HOIST-NEXT:    llvm.load %p
// HOIST-NEXT:    llvm.cond_br
// HOIST:       ^d:
// HOIST-NEXT:    llvm.load %q
// HOIST:       ^e:
// HOIST-NEXT:    llvm.store
// HOIST-NEXT:    llvm.load %q
llvm.func @loads(%c: i1, %n: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.store volatile %x, %q : i32, !llvm.ptr
  llvm.br ^j1
^b:
  %l = llvm.load %q : !llvm.ptr -> i64
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.store volatile %l, %p : i64, !llvm.ptr
  llvm.br ^j1
^j1:
  llvm.cond_br %c, ^d, ^e
^d:
  %z = llvm.load %q : !llvm.ptr -> i32
  llvm.store volatile %z, %q : i32, !llvm.ptr
  llvm.br ^end
^e:
  llvm.store %n, %p : i32, !llvm.ptr
  %w = llvm.load %q : !llvm.ptr -> i32
  llvm.store volatile %w, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// Two equal ops of one arm and one of the other: one is hoisted.
// HOIST-LABEL: llvm.func @twice
// HOIST-NEXT:    nvvm.read.ptx.sreg.tid.x
// HOIST-NEXT:    llvm.cond_br
// HOIST:       ^a:
// HOIST-NEXT:    nvvm.read.ptx.sreg.tid.x
// HOIST:       ^b:
// HOIST-NEXT:    llvm.store
llvm.func @twice(%c: i1, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %y = nvvm.read.ptx.sreg.tid.x : i32
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.br ^end
^b:
  %z = nvvm.read.ptx.sreg.tid.x : i32
  llvm.store volatile %z, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// Of each arm 20 ops are compared.
// HOIST-LABEL: llvm.func @many
// HOIST-NEXT:    llvm.mul %n, %m
// HOIST-NEXT:    llvm.cond_br
// HOIST:         llvm.mul %m, %m
// HOIST:         llvm.mul %m, %m
llvm.func @many(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %x = llvm.mul %n, %m : i32
  llvm.store volatile %x, %p : i32, !llvm.ptr
  %z = llvm.mul %m, %m : i32
  llvm.store volatile %z, %p : i32, !llvm.ptr
  llvm.br ^end
^b:
  %y = llvm.mul %n, %m : i32
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %w = llvm.mul %m, %m : i32
  llvm.store volatile %w, %p : i32, !llvm.ptr
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A block with other predecessors keeps its code.
// HOIST-LABEL: llvm.func @other_predecessor
// HOIST:       ^a:
// HOIST-NEXT:    llvm.mul
// HOIST:       ^b:
// HOIST-NEXT:    llvm.mul
llvm.func @other_predecessor(%c: i1, %d: i1, %n: i32, %p: !llvm.ptr) {
  llvm.cond_br %d, ^start, ^b
^start:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^a, ^b
^a:
  %x = llvm.mul %n, %n : i32
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^end
^b:
  %y = llvm.mul %n, %n : i32
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.return
^end:
  llvm.return
}

// A texture fetch is hoisted like a load.
// HOIST-LABEL: llvm.func @fetch
// HOIST:         llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4s32.s32"
// HOIST-NEXT:    llvm.cond_br
llvm.func @fetch(%c: i1, %n: i32, %h: i64, %p: !llvm.ptr<1>) {
  llvm.cond_br %c, ^a, ^b
^a:
  %x = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4s32.s32"(%h, %n) : (i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store volatile %x, %p : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.br ^end
^b:
  %y = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4s32.s32"(%h, %n) : (i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store volatile %n, %p : i32, !llvm.ptr<1>
  llvm.store volatile %y, %p : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// The sunk op keeps the common flags. Constants after it do not prevent this, and an argument of the join
// that already has the operands is reused.
// SINK-LABEL: llvm.func @sunk
// SINK:       ^b:
// SINK-NOT:     llvm.add
// SINK:       ^end(%{{.*}}: i32, [[V:%.*]]: i32):
// SINK-NEXT:    [[S:%.*]] = llvm.add [[V]], %n : i32
// SINK:         llvm.return [[S]]
llvm.func @sunk(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %k = llvm.load volatile %p : !llvm.ptr -> i32
  %x = llvm.add %k, %n overflow<nsw> : i32
  %1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^end(%1, %k, %x : i32, i32, i32)
^b:
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %l = llvm.load volatile %p : !llvm.ptr -> i32
  %y = llvm.add %l, %n overflow<nuw> : i32
  llvm.br ^end(%n, %l, %y : i32, i32, i32)
^end(%u: i32, %v: i32, %s: i32):
  llvm.store volatile %u, %p : i32, !llvm.ptr
  llvm.store volatile %v, %p : i32, !llvm.ptr
  llvm.return %s : i32
}

// An argument that receives the operand of one predecessor only is not reused.
// SINK-LABEL: llvm.func @other_argument
// SINK:       ^end(%u: i32, [[V:%.*]]: i32):
// SINK-NEXT:    llvm.add [[V]], %m
llvm.func @other_argument(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^a, ^b
^a:
  %k = llvm.load volatile %p : !llvm.ptr -> i32
  %x = llvm.add %k, %m : i32
  llvm.br ^end(%k, %x : i32, i32)
^b:
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %l = llvm.load volatile %p : !llvm.ptr -> i32
  %y = llvm.add %l, %m : i32
  llvm.br ^end(%n, %y : i32, i32)
^end(%u: i32, %s: i32):
  llvm.store volatile %u, %p : i32, !llvm.ptr
  llvm.return %s : i32
}

// Not sunk: a result with another use, results for different arguments, ops with two different
// operands, conditions, and stores of pointers.
// SINK-LABEL: llvm.func @not_sunk
// SINK:         llvm.mul %{{.*}}, %n
// SINK:         llvm.mul %{{.*}}, %n
// SINK:       ^j1(
// SINK:         llvm.mul %{{.*}}, %m
// SINK:         llvm.mul %{{.*}}, %m
// SINK:       ^j2(
// SINK:         llvm.mul %n, %n
// SINK:         llvm.mul %m, %m
// SINK:       ^j3(
// SINK:         llvm.and %{{.*}}, %c
// SINK:         llvm.and %{{.*}}, %c
// SINK:       ^j4(
// SINK:         llvm.store %p, %r
// SINK:         llvm.store %q, %r
// SINK:       ^j5:
llvm.func @not_sunk(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr) {
  llvm.cond_br %c, ^a1, ^b1
^a1:
  %k1 = llvm.load volatile %p : !llvm.ptr -> i32
  %x1 = llvm.mul %k1, %n : i32
  llvm.br ^j1(%x1, %x1, %n : i32, i32, i32)
^b1:
  %l1 = llvm.load volatile %q : !llvm.ptr -> i32
  %y1 = llvm.mul %l1, %n : i32
  llvm.br ^j1(%y1, %n, %y1 : i32, i32, i32)
^j1(%u1: i32, %v1: i32, %w1: i32):
  llvm.store volatile %u1, %p : i32, !llvm.ptr
  llvm.store volatile %w1, %p : i32, !llvm.ptr
  llvm.store volatile %v1, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^a2, ^b2
^a2:
  %k2 = llvm.load volatile %p : !llvm.ptr -> i32
  %x2 = llvm.mul %k2, %m : i32
  llvm.br ^j2(%x2, %n : i32, i32)
^b2:
  %l2 = llvm.load volatile %q : !llvm.ptr -> i32
  %y2 = llvm.mul %l2, %m : i32
  llvm.br ^j2(%n, %y2 : i32, i32)
^j2(%u2: i32, %v2: i32):
  llvm.store volatile %u2, %p : i32, !llvm.ptr
  llvm.store volatile %v2, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^a3, ^b3
^a3:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %x3 = llvm.mul %n, %n : i32
  llvm.br ^j3(%x3 : i32)
^b3:
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %y3 = llvm.mul %m, %m : i32
  llvm.br ^j3(%y3 : i32)
^j3(%u3: i32):
  llvm.store volatile %u3, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^a4, ^b4
^a4:
  %k4 = llvm.load volatile %p : !llvm.ptr -> i1
  %x4 = llvm.and %k4, %c : i1
  llvm.br ^j4(%x4 : i1)
^b4:
  %l4 = llvm.load volatile %q : !llvm.ptr -> i1
  %y4 = llvm.and %l4, %c : i1
  llvm.br ^j4(%y4 : i1)
^j4(%u4: i1):
  llvm.store volatile %u4, %p : i1, !llvm.ptr
  llvm.cond_br %c, ^a5, ^b5
^a5:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store %p, %r : !llvm.ptr, !llvm.ptr
  llvm.br ^j5
^b5:
  llvm.store volatile %m, %p : i32, !llvm.ptr
  llvm.store %q, %r : !llvm.ptr, !llvm.ptr
  llvm.br ^j5
^j5:
  llvm.return
}

// Neither are calls, addresses with different indices, and intrinsics whose operand may have to be a constant.
// SINK-LABEL: llvm.func @fixed_operands
// SINK:         llvm.call @pure
// SINK:         llvm.call @pure
// SINK:       ^j1(
// SINK:         llvm.getelementptr %p[%k2]
// SINK:         llvm.getelementptr %p[%l2]
// SINK:       ^j2(
// SINK:         llvm.call_intrinsic "llvm.nvvm.prmt"(%n, %m, %k3)
// SINK:         llvm.call_intrinsic "llvm.nvvm.prmt"(%n, %m, %l3)
// SINK:       ^j3(
llvm.func @fixed_operands(%c: i1, %n: i32, %m: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  llvm.cond_br %c, ^a1, ^b1
^a1:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %x1 = llvm.call @pure(%n) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return, nvvm.noconvergent} : (i32) -> i32
  llvm.br ^j1(%x1 : i32)
^b1:
  llvm.store volatile %m, %p : i32, !llvm.ptr
  %y1 = llvm.call @pure(%n) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return, nvvm.noconvergent} : (i32) -> i32
  llvm.br ^j1(%y1 : i32)
^j1(%u1: i32):
  llvm.store volatile %u1, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^a2, ^b2
^a2:
  %k2 = llvm.load volatile %p : !llvm.ptr -> i32
  %x2 = llvm.getelementptr %p[%k2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^j2(%x2 : !llvm.ptr)
^b2:
  %l2 = llvm.load volatile %q : !llvm.ptr -> i32
  %y2 = llvm.getelementptr %p[%l2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^j2(%y2 : !llvm.ptr)
^j2(%u2: !llvm.ptr):
  llvm.store volatile %n, %u2 : i32, !llvm.ptr
  llvm.cond_br %c, ^a3, ^b3
^a3:
  %k3 = llvm.load volatile %p : !llvm.ptr -> i32
  %x3 = llvm.call_intrinsic "llvm.nvvm.prmt"(%n, %m, %k3) : (i32, i32, i32) -> i32
  llvm.br ^j3(%x3 : i32)
^b3:
  %l3 = llvm.load volatile %q : !llvm.ptr -> i32
  %y3 = llvm.call_intrinsic "llvm.nvvm.prmt"(%n, %m, %l3) : (i32, i32, i32) -> i32
  llvm.br ^j3(%y3 : i32)
^j3(%u3: i32):
  llvm.store volatile %u3, %p : i32, !llvm.ptr
  llvm.return
}

// A predecessor with another successor keeps its code.
// SINK-LABEL: llvm.func @other_successor
// SINK:         llvm.store %n, %p : i32
// SINK-NEXT:    llvm.cond_br
// SINK:         llvm.store %n, %p : i32
// SINK-NEXT:    llvm.br
llvm.func @other_successor(%c: i1, %d: i1, %n: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.cond_br %d, ^end, ^out
^b:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.return
^out:
  llvm.return
}

// No op of a single-block loop is sunk into the loop itself.
// SINK-LABEL: llvm.func @one_block
// SINK:         llvm.store %n, %p : i32
// SINK-NEXT:    llvm.br ^loop
// SINK:       ^loop:
// SINK-NEXT:    llvm.store volatile
// SINK-NEXT:    llvm.store %n, %p : i32
llvm.func @one_block(%n: i32, %p: !llvm.ptr) {
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^loop
^loop:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^loop
}

// The result of the preheader is used in the loop and is not an argument of the header.
// SINK-LABEL: llvm.func @used_below
// SINK:         llvm.mul %n, %n
// SINK-NEXT:    llvm.br ^head
// SINK:         llvm.mul %n, %n
// SINK-NEXT:    llvm.br ^head
llvm.func @used_below(%n: i32, %p: !llvm.ptr) {
  %x = llvm.mul %n, %n : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  llvm.store volatile %x, %p : i32, !llvm.ptr
  %c = llvm.icmp "eq" %i, %n : i32
  llvm.cond_br %c, ^latch, ^out
^latch:
  llvm.store volatile %i, %p : i32, !llvm.ptr
  %y = llvm.mul %n, %n : i32
  llvm.br ^head(%y : i32)
^out:
  llvm.return
}
