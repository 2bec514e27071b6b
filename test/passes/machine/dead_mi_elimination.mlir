// RUN: nvvm-opt %s -p 'dead-mi-elimination' | filecheck %s

// Unused chains, unused loads, and an unused variable of the frame.
// CHECK-LABEL: @chain
// CHECK-NEXT: nvptx.ret
nvptx.func @chain() {
  nvptx.local @unused 4 align 4
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.mul lo.s32 %a, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %p = nvptx.ld param.b64 [@chain_param_0] : () -> !nvptx.b64
  %l = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Ops with effects are kept, with their operands: stores, volatile loads, atomics, synchronization, carries,
// calls.
// CHECK-LABEL: @effects
// CHECK: nvptx.local @s
// CHECK-NEXT: nvptx.mov.sreg "tid.x"
// CHECK-NEXT: nvptx.add s32
// CHECK-NEXT: nvptx.st local.b32 [@s]
// CHECK-NEXT: nvptx.ld volatile.global.b32
// CHECK-NEXT: nvptx.atom global.add.u32
// CHECK-NEXT: nvptx.shfl.sync
// CHECK-NEXT: nvptx.bar.sync "" 0
// CHECK-NEXT: nvptx.add.cc u32
// CHECK-NEXT: nvptx.addc u32
// CHECK-NEXT: nvptx.ret
nvptx.func @effects() {
  nvptx.local @s 4 align 4
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %a : (!nvptx.b32) -> ()
  %v = nvptx.ld volatile.global.b32 [@g] : () -> !nvptx.b32
  %o = nvptx.atom global.add.u32 [@g], %x : (!nvptx.b32) -> !nvptx.b32
  %t = nvptx.shfl.sync bfly.b32 %x, 1, 31, -1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bar.sync 0 : () -> ()
  %lo = nvptx.add.cc u32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %hi = nvptx.addc u32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// An argument used only by itself is removed with its operands; the counter is kept.
// CHECK-LABEL: @cycle
// CHECK: nvptx.bra ^loop(%zero : !nvptx.b32)
// CHECK-NEXT: ^loop(%i: !nvptx.b32):
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: %c = nvptx.setp
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
nvptx.func @cycle() {
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero, %zero : !nvptx.b32, !nvptx.b32)
^loop(%dead: !nvptx.b32, %i: !nvptx.b32):
  %more = nvptx.add s32 %dead, 3 : (!nvptx.b32) -> !nvptx.b32
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%more, %next : !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.ret
}

// After PHI elimination: a shared register with uses keeps all its definitions; one without uses keeps
// none.
// CHECK-LABEL: @registers
// CHECK: %r = nvptx.register : !nvptx.b32<1>
// CHECK-NOT: !nvptx.b32<2>
// CHECK: nvptx.mov b32 1 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^next
// CHECK-NEXT: ^next:
// CHECK-NEXT: nvptx.mov b32 2 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.st local.b32 [@s], %r
nvptx.func @registers() {
  nvptx.local @s 4 align 4
  %r = nvptx.register : !nvptx.b32<1>
  nvptx.mov b32 1 : () -> !nvptx.b32<1>
  nvptx.mov b32 1 : () -> !nvptx.b32<2>
  nvptx.bra ^next
^next:
  nvptx.mov b32 2 : () -> !nvptx.b32<1>
  nvptx.st local.b32 [@s], %r : (!nvptx.b32<1>) -> ()
  nvptx.ret
}
