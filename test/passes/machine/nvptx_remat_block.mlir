// RUN: nvvm-opt %s -p 'nvptx-remat-block{nv-remat-default-max-reg=3 nv-remat-threshold-for-spec-reg=0}' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-remat-block' | filecheck %s --check-prefix IDLE
// RUN: nvvm-opt %s -p 'nvptx-remat-block{nv-remat-default-max-reg=3 nv-remat-block=6}' | filecheck %s --check-prefix NOSREG
// RUN: nvvm-opt %s -p 'nvptx-remat-block{nv-remat-default-max-reg=3 no-load-remat}' | filecheck %s --check-prefix NOLOAD
// RUN: nvvm-opt %s -p 'nvptx-remat-block{nv-remat-default-max-reg=3 nv-remat-threshold-for-spec-reg=0 no-mi-remat="good,limit" nv-dump-remat-block}' 2>&1 | filecheck %s --check-prefix DUMP

// Cheap values are computed again at their uses: a load of a parameter, and a chain from a special register
// if enough registers are live.
// CHECK-LABEL: @good
// CHECK-NEXT: nvptx.local @x
// CHECK-NEXT: nvptx.bra ^busy
// CHECK: ^use:
// CHECK-NEXT: %[[N:.*]] = nvptx.ld param.b32 [@good_param_0]
// CHECK-NEXT: nvptx.st local.b32 [@x], %[[N]]
// CHECK-NEXT: %[[T:.*]] = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: %[[A:.*]] = nvptx.mul lo.s32 %[[T]], 12
// CHECK-NEXT: nvptx.st local.b32 [@x], %[[A]]
// NOSREG-LABEL: @good
// NOSREG: %t = nvptx.mov.sreg "tid.x"
// NOSREG-NEXT: %a = nvptx.mul lo.s32 %t, 12
// NOSREG: ^use:
// NOSREG-NEXT: nvptx.ld param.b32
// NOLOAD-LABEL: @good
// NOLOAD: %n = nvptx.ld param.b32
// NOLOAD: ^use:
// NOLOAD-NEXT: nvptx.st local.b32 [@x], %n
// The target of 70 registers is met from the start.
// IDLE-LABEL: @good
// IDLE: %a = nvptx.mul lo.s32 %t, 12
// IDLE: ^use:
// IDLE-NEXT: nvptx.st
// DUMP: Skip machine-instruction rematerialization on good
nvptx.func @good(#nvptx.param<b32, name = "good_param_0">) {
  nvptx.local @x 16 align 4
  %n = nvptx.ld param.b32 [@good_param_0] : () -> !nvptx.b32
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.mul lo.s32 %t, 12 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^busy
^busy:
  %v, %w = nvptx.ld local.v2.b32 [@x] : () -> (!nvptx.b32, !nvptx.b32)
  %y, %z = nvptx.ld local.v2.b32 [@x + 8] : () -> (!nvptx.b32, !nvptx.b32)
  nvptx.st local.v4.b32 [@x], {%v, %w, %y, %z} : (!nvptx.b32, !nvptx.b32, !nvptx.b32, !nvptx.b32) -> ()
  nvptx.bra ^use
^use:
  nvptx.st local.b32 [@x], %n : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x], %a : (!nvptx.b32) -> ()
  nvptx.ret
}

// A sum of values that are live there anyway is computed again. A sum that would extend a live range is not,
// nor is a load of memory that changes.
// CHECK-LABEL: @second_chance
// CHECK: %p = nvptx.ld local.b32 [@x]
// CHECK-NEXT: %q = nvptx.ld local.b32 [@x + 4]
// CHECK-NEXT: %b = nvptx.add s32 %q, 7
// CHECK-NEXT: nvptx.bra ^busy
// CHECK: ^use:
// CHECK-NEXT: %[[A:.*]] = nvptx.add s32 %p, 5
// CHECK-NEXT: nvptx.st local.b32 [@x], %[[A]]
// CHECK-NEXT: nvptx.st local.b32 [@x], %p
// CHECK-NEXT: nvptx.st local.b32 [@x], %b
// DUMP: live-out = 3
// DUMP-NEXT: After pre-check, 0 good candidates, 2 given second-chance
// DUMP-NEXT: ADD 1 candidates from second-chance
// DUMP-NEXT: Total Pullable before considering cost: 1
// DUMP-NEXT: Really Final Pull-in: 1 (1)
// DUMP-NEXT: Max-Live-Function(3) =
nvptx.func @second_chance() {
  nvptx.local @x 16 align 4
  %p = nvptx.ld local.b32 [@x] : () -> !nvptx.b32
  %q = nvptx.ld local.b32 [@x + 4] : () -> !nvptx.b32
  %a = nvptx.add s32 %p, 5 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 %q, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^busy
^busy:
  %v, %w = nvptx.ld local.v2.b32 [@x] : () -> (!nvptx.b32, !nvptx.b32)
  %y, %z = nvptx.ld local.v2.b32 [@x + 8] : () -> (!nvptx.b32, !nvptx.b32)
  nvptx.st local.v4.b32 [@x], {%v, %w, %y, %z} : (!nvptx.b32, !nvptx.b32, !nvptx.b32, !nvptx.b32) -> ()
  nvptx.bra ^use
^use:
  nvptx.st local.b32 [@x], %a : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x], %p : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x], %b : (!nvptx.b32) -> ()
  nvptx.ret
}

// Too expensive: seven instructions at once; in two loops more than the definition, 400 times the cost.
// CHECK-LABEL: @costly
// CHECK: %g = nvptx.add s32 %f, 7
// CHECK-NEXT: nvptx.bra ^busy
// CHECK: ^outer:
// CHECK-NEXT: nvptx.bra ^inner
// CHECK-NEXT: ^inner:
// CHECK-NEXT: nvptx.st local.b32 [@x], %c
nvptx.func @costly() {
  nvptx.local @x 16 align 4
  %c = nvptx.mov b32 3 : () -> !nvptx.b32
  %a = nvptx.mul lo.s32 %c, 3 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 %a, 1 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.mul lo.s32 %b, 3 : (!nvptx.b32) -> !nvptx.b32
  %e = nvptx.add s32 %d, 1 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.mul lo.s32 %e, 3 : (!nvptx.b32) -> !nvptx.b32
  %g = nvptx.add s32 %f, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^busy
^busy:
  %v, %w = nvptx.ld local.v2.b32 [@x] : () -> (!nvptx.b32, !nvptx.b32)
  %y, %z = nvptx.ld local.v2.b32 [@x + 8] : () -> (!nvptx.b32, !nvptx.b32)
  nvptx.st local.v4.b32 [@x], {%v, %w, %y, %z} : (!nvptx.b32, !nvptx.b32, !nvptx.b32, !nvptx.b32) -> ()
  %k = nvptx.setp lt.s32 %v, %w : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.st local.b32 [@x], %g : (!nvptx.b32) -> ()
  nvptx.bra ^outer
^outer:
  nvptx.bra ^inner
^inner:
  nvptx.st local.b32 [@x], %c : (!nvptx.b32) -> ()
  nvptx.cbra %k : !nvptx.pred, ^inner, ^latch
^latch:
  nvptx.cbra %k : !nvptx.pred, ^outer, ^done
^done:
  nvptx.ret
}

// The kernel states its target; a thread of 2 blocks of 1,024 has 32 registers. Values on edges are computed
// again before the branch.
// IDLE-LABEL: @limit
// IDLE: ^busy:
// IDLE: nvptx.st
// IDLE-NEXT: %[[N:.*]] = nvptx.ld param.b32 [@limit_param_0]
// IDLE-NEXT: nvptx.bra ^use(%[[N]] : !nvptx.b32)
// IDLE-LABEL: @bounds
// IDLE: %n = nvptx.ld param.b32
// IDLE: nvptx.bra ^use(%n : !nvptx.b32)
nvptx.func kernel @limit(#nvptx.param<b32, name = "limit_param_0">) <{maxnreg = 4 : i32}> {
  nvptx.local @x 16 align 4
  %n = nvptx.ld param.b32 [@limit_param_0] : () -> !nvptx.b32
  nvptx.bra ^busy
^busy:
  %v, %w = nvptx.ld local.v2.b32 [@x] : () -> (!nvptx.b32, !nvptx.b32)
  %y, %z = nvptx.ld local.v2.b32 [@x + 8] : () -> (!nvptx.b32, !nvptx.b32)
  nvptx.st local.v4.b32 [@x], {%v, %w, %y, %z} : (!nvptx.b32, !nvptx.b32, !nvptx.b32, !nvptx.b32) -> ()
  nvptx.bra ^use(%n : !nvptx.b32)
^use(%m: !nvptx.b32):
  nvptx.st local.b32 [@x], %m : (!nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func kernel @bounds(#nvptx.param<b32, name = "bounds_param_0">) <{maxntid = array<i32: 1024, 1, 1>, minnctapersm = 2 : i32}> {
  nvptx.local @x 16 align 4
  %n = nvptx.ld param.b32 [@bounds_param_0] : () -> !nvptx.b32
  nvptx.bra ^busy
^busy:
  %v, %w = nvptx.ld local.v2.b32 [@x] : () -> (!nvptx.b32, !nvptx.b32)
  %y, %z = nvptx.ld local.v2.b32 [@x + 8] : () -> (!nvptx.b32, !nvptx.b32)
  nvptx.st local.v4.b32 [@x], {%v, %w, %y, %z} : (!nvptx.b32, !nvptx.b32, !nvptx.b32, !nvptx.b32) -> ()
  nvptx.bra ^use(%n : !nvptx.b32)
^use(%m: !nvptx.b32):
  nvptx.st local.b32 [@x], %m : (!nvptx.b32) -> ()
  nvptx.ret
}

// Inline assembly is not duplicated: it may contain a label.
// CHECK-LABEL: @assembly
// CHECK-COUNT-1: nvptx.inline_asm
// CHECK-NOT: nvptx.inline_asm
nvptx.func kernel @assembly(#nvptx.param<b64, name = "assembly_param_0">) {
  %p = nvptx.ld param.b64 [@assembly_param_0] : () -> !nvptx.b64
  %a = nvptx.inline_asm "LABEL: mov.b32 $0, 1;" () : () -> (!nvptx.b32)
  %n = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^busy, ^use
^busy:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^use
^use:
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
