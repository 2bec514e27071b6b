// RUN: nvvm-opt %s -p 'block-placement' | filecheck %s
// RUN: nvvm-opt %s -p 'block-placement{no-reverse-loop-conditions}' | filecheck %s --check-prefix ASIS
// RUN: nvvm-opt %s -p 'block-placement{no-branch-fold-placement}' | filecheck %s --check-prefix NOFOLD

// A block without successors is unlikely to be executed: it is placed at the end.
// CHECK-LABEL: @cold
// CHECK: nvptx.cbra %c : !nvptx.pred, ^trap, ^body
// CHECK-NEXT: ^body:
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: ^trap:
// CHECK-NEXT: nvptx.unreachable
nvptx.func @cold(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@cold_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^trap, ^body
^trap:
  nvptx.unreachable
^body:
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The blocks of a loop are contiguous, header first, latch last; blocks outside the loop follow it.
// CHECK-LABEL: @loop
// CHECK: nvptx.bra ^head
// CHECK-NEXT: ^head:
// CHECK: nvptx.cbra %c : !nvptx.pred, ^then, ^latch
// CHECK-NEXT: ^then:
// CHECK: nvptx.bra ^latch
// CHECK-NEXT: ^latch:
// CHECK: nvptx.cbra %d : !nvptx.pred, ^head, ^exit
// CHECK-NEXT: ^exit:
nvptx.func @loop(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@loop_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^exit:
  nvptx.st global.b32 [%p], 3 : (!nvptx.b64) -> ()
  nvptx.ret
^latch:
  %u = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^head, ^exit
^head:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^latch
^then:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^latch
}

// A loop that is tested at its top is not rotated.
// CHECK-LABEL: @top_tested
// CHECK: nvptx.bra ^head
// CHECK-NEXT: ^head:
// CHECK: nvptx.setp eq.s32
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^exit, ^body
// CHECK-NEXT: ^body:
// CHECK: nvptx.bra ^head
// CHECK-NEXT: ^exit:
nvptx.func @top_tested(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@top_tested_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^exit, ^body
^exit:
  nvptx.ret
^body:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^head
}

// With equal probabilities the order is unchanged.
// CHECK-LABEL: @diamond
// CHECK: nvptx.cbra %c : !nvptx.pred, ^b, ^a
// CHECK-NEXT: ^a:
// CHECK: ^b:
// CHECK: ^join:
nvptx.func @diamond(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@diamond_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^b, ^a
^a:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// The backedge of a loop is taken if the condition is true: the comparison is inverted, that of floats to one
// that is true for NaN.
// CHECK-LABEL: @reversed
// CHECK: %c = nvptx.setp ne.s32 %t, 0
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^one, ^next
// CHECK: %d = nvptx.setp geu.ftz.f32 %f, %f
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^two, ^exit
// ASIS-LABEL: @reversed
// ASIS: nvptx.setp eq.s32
// ASIS-NEXT: nvptx.cbra %c : !nvptx.pred, ^next, ^one
// ASIS: nvptx.setp lt.ftz.f32
// ASIS-NEXT: nvptx.cbra %d : !nvptx.pred, ^exit, ^two
nvptx.func @reversed(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@reversed_param_0] : () -> !nvptx.b64
  nvptx.bra ^one
^one:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^next, ^one
^next:
  nvptx.st global.b32 [%p], 4 : (!nvptx.b64) -> ()
  nvptx.bra ^two
^two:
  %f = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.f32
  %d = nvptx.setp lt.ftz.f32 %f, %f : (!nvptx.f32, !nvptx.f32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^exit, ^two
^exit:
  nvptx.ret
}

// A loop that adds with carries, in inline assembly or not, is not unrolled either: the exit edge is taken on
// true.
// CHECK-LABEL: @carries
// CHECK: %c1 = nvptx.setp eq.s32 %n1, 6
// CHECK-NEXT: nvptx.cbra %c1 : !nvptx.pred, ^second, ^first
// CHECK: %c2 = nvptx.setp ge.s32 %n2, 6
// CHECK-NEXT: nvptx.cbra %c2 : !nvptx.pred, ^exit, ^second
// ASIS-LABEL: @carries
// ASIS: nvptx.cbra %c1 : !nvptx.pred, ^first, ^second
// ASIS: nvptx.cbra %c2 : !nvptx.pred, ^second, ^exit
nvptx.func @carries(#nvptx.param<b64>) {
  %i = nvptx.register : !nvptx.b32<1>
  %p = nvptx.ld param.b64 [@carries_param_0] : () -> !nvptx.b64
  nvptx.bra ^first
^first:
  %a = nvptx.inline_asm "{ mad.lo.cc.u32 $0, $1, $1, $1; madc.hi.u32 $0, $1, $1, 0; }" (%i) : (!nvptx.b32<1>) -> (!nvptx.b32)
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %n1 = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %c1 = nvptx.setp ne.s32 %n1, 6 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c1 : !nvptx.pred, ^first, ^second
^second:
  %l = nvptx.add.cc u32 %i, %i : (!nvptx.b32<1>, !nvptx.b32<1>) -> !nvptx.b32
  %h = nvptx.addc u32 %i, 0 : (!nvptx.b32<1>) -> !nvptx.b32
  nvptx.st global.b32 [%p], %h : (!nvptx.b64, !nvptx.b32) -> ()
  %n2 = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %c2 = nvptx.setp lt.s32 %n2, 6 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c2 : !nvptx.pred, ^second, ^exit
^exit:
  nvptx.ret
}

// Not if the predicate has other uses or is combined with another, if the branch is not at the end of a loop,
// and if unrolling the loop has no benefit.
// CHECK-LABEL: @not_reversed
// CHECK: nvptx.setp eq.s32 %w, 0
// CHECK: nvptx.cbra %f : !nvptx.pred, ^first, ^atomic
// CHECK: nvptx.setp eq.s32
// CHECK: nvptx.cbra %c : !nvptx.pred, ^next, ^one
// CHECK: nvptx.setp eq.and.s32
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^after, ^two
// CHECK: nvptx.setp eq.s32
// CHECK-NEXT: nvptx.cbra %e : !nvptx.pred, ^then, ^exit
nvptx.func @not_reversed(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@not_reversed_param_0] : () -> !nvptx.b64
  nvptx.bra ^atomic
^atomic:
  %w = nvptx.atom global.add.u32 [%p], 1 : (!nvptx.b64) -> !nvptx.b32
  %f = nvptx.setp eq.s32 %w, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %f : !nvptx.pred, ^first, ^atomic
^first:
  nvptx.st global.b32 [%p], 5 : (!nvptx.b64) -> ()
  nvptx.bra ^one
^one:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [%p], 1 if %c : (!nvptx.b64, !nvptx.pred) -> ()
  nvptx.cbra %c : !nvptx.pred, ^next, ^one
^next:
  nvptx.st global.b32 [%p], 4 : (!nvptx.b64) -> ()
  nvptx.bra ^two
^two:
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp eq.and.s32 %u, 0, %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^after, ^two
^after:
  %v = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.setp eq.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %e : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Branches are simplified first: an empty block is not placed.
// CHECK-LABEL: @empty
// CHECK-NOT: ^nothing
// CHECK: nvptx.ret
// NOFOLD-LABEL: @empty
// NOFOLD: ^nothing:
nvptx.func @empty(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@empty_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^nothing, ^something
^nothing:
  nvptx.bra ^join
^something:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// Cycles with two entries are placed, too, and so are unreachable blocks.
// NOFOLD-LABEL: @irreducible
// NOFOLD: ^y:
// NOFOLD: ^x:
// NOFOLD: ^exit:
// NOFOLD: ^lost:
nvptx.func @irreducible(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@irreducible_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^lost:
  nvptx.bra ^exit
^x:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.bra ^y
^y:
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}

// Each exit edge of a loop is taken if a condition is true, also in loops tested at the top and in the
// middle. The blocks that clang places before the body are placed after it, and the comparison is inverted,
// that of floats to one that is true for NaN.
// CHECK-LABEL: @exits
// CHECK: %c = nvptx.setp ge.s32 %i, %n
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^exit, ^body
// CHECK-NEXT: ^body:
// CHECK: %d = nvptx.setp geu.f32 %f, %g
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^found, ^latch
// CHECK-NEXT: ^latch:
// CHECK-NEXT: nvptx.add
// CHECK-NEXT: nvptx.bra ^head
// ASIS-LABEL: @exits
// ASIS: nvptx.setp lt.s32
// ASIS-NEXT: nvptx.cbra %c : !nvptx.pred, ^body, ^exit
// ASIS: nvptx.setp lt.f32
// ASIS-NEXT: nvptx.cbra %d : !nvptx.pred, ^latch, ^found
nvptx.func @exits(#nvptx.param<b64>, #nvptx.param<b32>) {
  %i = nvptx.register : !nvptx.b32<1>
  %p = nvptx.ld param.b64 [@exits_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@exits_param_1] : () -> !nvptx.b32
  %0 = nvptx.mov b32 0 : () -> !nvptx.b32<1>
  nvptx.bra ^head
^head:
  %c = nvptx.setp lt.s32 %i, %n : (!nvptx.b32<1>, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^body, ^exit
^exit:
  nvptx.st global.b32 [%p], 3 : (!nvptx.b64) -> ()
  nvptx.ret
^body:
  %f = nvptx.ld global.f32 [%p + 8] : (!nvptx.b64) -> !nvptx.f32
  %g = nvptx.ld global.f32 [%p + 12] : (!nvptx.b64) -> !nvptx.f32
  %d = nvptx.setp lt.f32 %f, %g : (!nvptx.f32, !nvptx.f32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^latch, ^found
^found:
  nvptx.st global.b32 [%p], 4 : (!nvptx.b64) -> ()
  nvptx.ret
^latch:
  %1 = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
  nvptx.bra ^head
}

// Not the exits of a loop without benefit from unrolling, here one that stores the loaded memory and is not
// short, nor those of an outer loop. In a loop that adds with carries the condition is true to stay in the loop.
// CHECK-LABEL: @exits_kept
// CHECK: nvptx.setp lt.s32 %i, %n
// CHECK-NEXT: nvptx.cbra %a : !nvptx.pred, ^inner, ^exit
// CHECK: nvptx.setp lt.s32 %j, %n
// CHECK-NEXT: nvptx.cbra %b : !nvptx.pred, ^body, ^next
// CHECK: nvptx.setp lt.s32 %k, %n
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^sum, ^latch
nvptx.func @exits_kept(#nvptx.param<b64>, #nvptx.param<b32>) {
  %i = nvptx.register : !nvptx.b32<1>
  %j = nvptx.register : !nvptx.b32<2>
  %k = nvptx.register : !nvptx.b32<3>
  %p = nvptx.ld param.b64 [@exits_kept_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@exits_kept_param_1] : () -> !nvptx.b32
  %0 = nvptx.mov b32 0 : () -> !nvptx.b32<1>
  %1 = nvptx.mov b32 0 : () -> !nvptx.b32<2>
  %2 = nvptx.mov b32 0 : () -> !nvptx.b32<3>
  nvptx.bra ^head
^head:
  %a = nvptx.setp lt.s32 %i, %n : (!nvptx.b32<1>, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %a : !nvptx.pred, ^inner, ^exit
^exit:
  nvptx.ret
^inner:
  %b = nvptx.setp lt.s32 %j, %n : (!nvptx.b32<2>, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %b : !nvptx.pred, ^body, ^next
^body:
  %v = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %v0 = nvptx.add s32 %v, %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v1 = nvptx.add s32 %v0, %v0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v2 = nvptx.add s32 %v1, %v1 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v3 = nvptx.add s32 %v2, %v2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v4 = nvptx.add s32 %v3, %v3 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v5 = nvptx.add s32 %v4, %v4 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v6 = nvptx.add s32 %v5, %v5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v7 = nvptx.add s32 %v6, %v6 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v8 = nvptx.add s32 %v7, %v7 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v9 = nvptx.add s32 %v8, %v8 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v10 = nvptx.add s32 %v9, %v9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v11 = nvptx.add s32 %v10, %v10 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %v12 = nvptx.add s32 %v11, %v11 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %v12 : (!nvptx.b64, !nvptx.b32) -> ()
  %3 = nvptx.add s32 %j, 1 : (!nvptx.b32<2>) -> !nvptx.b32<2>
  nvptx.bra ^inner
^next:
  %c = nvptx.setp ge.s32 %k, %n : (!nvptx.b32<3>, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^latch, ^sum
^sum:
  %l = nvptx.add.cc u32 %k, %k : (!nvptx.b32<3>, !nvptx.b32<3>) -> !nvptx.b32
  %4 = nvptx.addc u32 %k, 0 : (!nvptx.b32<3>) -> !nvptx.b32<3>
  nvptx.bra ^next
^latch:
  %5 = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
  nvptx.bra ^head
}

// A backedge from the middle of a loop is taken on true, too.
// CHECK-LABEL: @two_latches
// CHECK: nvptx.setp ne.s32 %t, 0
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^head, ^rest
// CHECK: nvptx.setp ne.s32 %u, 0
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^head, ^exit
nvptx.func @two_latches(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@two_latches_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^rest, ^head
^rest:
  %u = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp eq.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^exit, ^head
^exit:
  nvptx.ret
}
