// RUN: nvvm-opt %s -p 'stack-coloring' | filecheck %s
// RUN: nvvm-opt %s -p 'stack-coloring' -opt -disable-reuse-local-memory | filecheck %s --check-prefix OFF
// RUN: nvvm-opt %s -p 'stack-coloring{no-stack-coloring}' | filecheck %s --check-prefix OFF

// Disjoint live ranges: the larger variable gives the slot, the stricter one its alignment.
// CHECK-LABEL: @sequence
// CHECK-NEXT: nvptx.local @b 16 align 8
// CHECK-NEXT: nvptx.st local.b32 [@b + 4], 1
// CHECK-NEXT: nvptx.ld local.b32 [@b + 4]
// CHECK-NEXT: nvptx.st local.b32 [@b + 12]
// CHECK-NEXT: nvptx.ld local.b32 [@b + 12]
// OFF-LABEL: @sequence
// OFF-NEXT: nvptx.local @a 8 align 8
// OFF-NEXT: nvptx.local @b 16 align 4
nvptx.func @sequence() {
  nvptx.local @a 8 align 8
  nvptx.local @b 16 align 4
  nvptx.st local.b32 [@a + 4], 1 : () -> ()
  %v = nvptx.ld local.b32 [@a + 4] : () -> !nvptx.b32
  nvptx.st local.b32 [@b + 12], %v : (!nvptx.b32) -> ()
  %w = nvptx.ld local.b32 [@b + 12] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %w : (!nvptx.b32) -> ()
  nvptx.ret
}

// Both hold a value between the first load and the second.
// CHECK-LABEL: @at_once
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func @at_once() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  nvptx.st local.b32 [@a], 1 : () -> ()
  nvptx.st local.b32 [@b], 2 : () -> ()
  %v = nvptx.ld local.b32 [@a] : () -> !nvptx.b32
  %w = nvptx.ld local.b32 [@b] : () -> !nvptx.b32
  nvptx.st global.v2.b32 [@g], {%v, %w} : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}

// In the two arms of a branch.
// CHECK-LABEL: @arms
// CHECK-NEXT: nvptx.local @a
// CHECK-NOT: nvptx.local
// CHECK: nvptx.ret
nvptx.func @arms() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp lt.s32 %t, 7 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^else
^then:
  nvptx.st local.b32 [@a], %t : (!nvptx.b32) -> ()
  %v = nvptx.ld local.b32 [@a] : () -> !nvptx.b32
  nvptx.bra ^done(%v : !nvptx.b32)
^else:
  nvptx.st local.b32 [@b], %t : (!nvptx.b32) -> ()
  %w = nvptx.ld local.b32 [@b] : () -> !nvptx.b32
  nvptx.bra ^done(%w : !nvptx.b32)
^done(%x: !nvptx.b32):
  nvptx.st global.b32 [@g], %x : (!nvptx.b32) -> ()
  nvptx.ret
}

// Consecutive in a loop is simultaneous: the second iteration loads the value that the first stored.
// CHECK-LABEL: @loop
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func @loop() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.bra ^loop(%t : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %v = nvptx.ld local.b32 [@a] : () -> !nvptx.b32
  nvptx.st local.b32 [@a], %i : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@b], %v : (!nvptx.b32) -> ()
  %w = nvptx.ld local.b32 [@b] : () -> !nvptx.b32
  %c = nvptx.setp lt.s32 %w, %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%w : !nvptx.b32), ^done
^done:
  nvptx.ret
}

// Through registers that hold the addresses, carried by a loop.
// CHECK-LABEL: @addresses
// CHECK-NEXT: nvptx.local @a 40 align 4
// CHECK-NEXT: %p = nvptx.mov b64 @a
// CHECK-NEXT: %q = nvptx.cvta local.u64 @a
nvptx.func @addresses() {
  nvptx.local @a 40 align 4
  nvptx.local @b 40 align 4
  %p = nvptx.mov b64 @a : () -> !nvptx.b64
  %q = nvptx.cvta local.u64 @b : () -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.bra ^first(%p, %t : !nvptx.b64, !nvptx.b32)
^first(%i: !nvptx.b64, %n: !nvptx.b32):
  nvptx.st local.b32 [%i], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %v = nvptx.ld local.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %next = nvptx.add s64 %i, 4 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp lt.s32 %v, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^first(%next, %v : !nvptx.b64, !nvptx.b32), ^second
^second:
  nvptx.st b32 [%q], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %w = nvptx.ld b32 [%q + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %w : (!nvptx.b32) -> ()
  nvptx.ret
}

// An escaping address may be used later; two addresses that are compared differ.
// CHECK-LABEL: @kept
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func @kept() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %p = nvptx.mov b64 @a : () -> !nvptx.b64
  nvptx.st global.b64 [@g], %p : (!nvptx.b64) -> ()
  nvptx.st local.b32 [@b], 1 : () -> ()
  %w = nvptx.ld local.b32 [@b] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %w : (!nvptx.b32) -> ()
  nvptx.ret
}
// CHECK-LABEL: @compared
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func @compared() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %p = nvptx.mov b64 @a : () -> !nvptx.b64
  %q = nvptx.mov b64 @b : () -> !nvptx.b64
  %c = nvptx.setp eq.b64 %p, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.pred
  %v = nvptx.selp b32 1, 0, %c : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %v : (!nvptx.b32) -> ()
  nvptx.ret
}

// Buffers of two calls of printf; those of another function, which may keep the address, do not share memory.
// CHECK-LABEL: @printed
// CHECK-NEXT: nvptx.local @a
// CHECK-NOT: nvptx.local
// CHECK: nvptx.ret
// CHECK-LABEL: @kept_by_call
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func extern @vprintf(#nvptx.param<b64>, #nvptx.param<b64>)
nvptx.func extern @keep(#nvptx.param<b64>, #nvptx.param<b64>)
nvptx.func @printed() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %f = nvptx.mov b64 0 : () -> !nvptx.b64
  nvptx.st local.b32 [@a], 1 : () -> ()
  %a = nvptx.mov b64 @a : () -> !nvptx.b64
  nvptx.call uni @vprintf(%f, %a) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st local.b32 [@b], 2 : () -> ()
  %b = nvptx.mov b64 @b : () -> !nvptx.b64
  nvptx.call uni @vprintf(%f, %b) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
nvptx.func @kept_by_call() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %f = nvptx.mov b64 0 : () -> !nvptx.b64
  nvptx.st local.b32 [@a], 1 : () -> ()
  %a = nvptx.mov b64 @a : () -> !nvptx.b64
  nvptx.call uni @keep(%f, %a) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st local.b32 [@b], 2 : () -> ()
  %b = nvptx.mov b64 @b : () -> !nvptx.b64
  nvptx.call uni @keep(%f, %b) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
