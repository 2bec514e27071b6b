// RUN: nvvm-opt %s -p nvptx-ssa-construction | filecheck %s

// A loop counter in a register becomes a block argument; a register with a single definition becomes a
// value.

// CHECK-LABEL: @counts
// CHECK-NOT: nvptx.register
// CHECK: %[[ZERO:[0-9a-z]+]] = nvptx.mov b32 0 : () -> !nvptx.b32
// CHECK-NEXT: nvptx.bra ^loop(%[[ZERO]] : !nvptx.b32)
// CHECK-NEXT: ^loop(%[[I:[0-9a-z]+]]: !nvptx.b32):
// CHECK-NEXT: %[[NEXT:[0-9a-z]+]] = nvptx.add s32 %[[I]], 1 : (!nvptx.b32) -> !nvptx.b32
// CHECK-NEXT: %[[C:[0-9a-z]+]] = nvptx.setp lt.s32 %[[NEXT]], 10
// CHECK-NEXT: nvptx.cbra %[[C]] : !nvptx.pred, ^loop(%[[NEXT]] : !nvptx.b32), ^
nvptx.func kernel @counts() {
  %i = nvptx.register : !nvptx.b32<1>
  %c = nvptx.register : !nvptx.pred<1>
  %0 = nvptx.mov b32 0 : () -> !nvptx.b32<1>
  nvptx.bra ^loop
^loop:
  %1 = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
  %2 = nvptx.setp lt.s32 %i, 10 : (!nvptx.b32<1>) -> !nvptx.pred<1>
  nvptx.cbra %c : !nvptx.pred<1>, ^loop, ^done
^done:
  nvptx.ret
}

// A pure instruction under a guard is speculated; `selp`, or logic for a predicate, selects the result.

// CHECK-LABEL: @pure_under_guard
// CHECK: %[[X:[0-9a-z]+]] = nvptx.ld global.b32
// CHECK: %[[P:[0-9a-z]+]] = nvptx.setp
// CHECK: %[[SUM:[0-9a-z]+]] = nvptx.add s32 %[[X]], 1
// CHECK-NEXT: %[[NEW:[0-9a-z]+]] = nvptx.selp b32 %[[X]], %[[SUM]], %[[P]]
// CHECK: %[[Q:[0-9a-z]+]] = nvptx.setp eq.s32
// CHECK-NEXT: %[[A:[0-9a-z]+]] = nvptx.and pred %[[Q]], %[[P]]
// CHECK-NEXT: %[[N:[0-9a-z]+]] = nvptx.not pred %[[P]]
// CHECK-NEXT: %[[B:[0-9a-z]+]] = nvptx.and pred %[[P]], %[[N]]
// CHECK-NEXT: nvptx.or pred %[[A]], %[[B]]
nvptx.func kernel @pure_under_guard(#nvptx.param<b64, name = "p">) {
  %p = nvptx.register : !nvptx.pred<1>
  %x = nvptx.register : !nvptx.b32<1>
  %at = nvptx.register : !nvptx.b64<1>
  %0 = nvptx.ld param.b64 [@p] : () -> !nvptx.b64<1>
  %1 = nvptx.ld global.b32 [%at] : (!nvptx.b64<1>) -> !nvptx.b32<1>
  %2 = nvptx.setp lt.s32 %x, 5 : (!nvptx.b32<1>) -> !nvptx.pred<1>
  %3 = nvptx.add s32 %x, 1 if not %p : (!nvptx.b32<1>, !nvptx.pred<1>) -> !nvptx.b32<1>
  %4 = nvptx.setp eq.s32 %x, 7 if %p : (!nvptx.b32<1>, !nvptx.pred<1>) -> !nvptx.pred<1>
  nvptx.st global.b32 [%at], %x if %p : (!nvptx.b64<1>, !nvptx.b32<1>, !nvptx.pred<1>) -> ()
  nvptx.ret
}

// A guarded load cannot be speculated: it gets its own block.

// CHECK-LABEL: @load_under_guard
// CHECK: %[[X:[0-9a-z]+]] = nvptx.mov b32 3
// CHECK: nvptx.cbra %{{[0-9a-z]+}} : !nvptx.pred, ^[[IN:bb[0-9]+]], ^[[OUT:bb[0-9]+]](%[[X]] : !nvptx.b32)
// CHECK-NEXT: ^[[IN]]:
// CHECK-NEXT: %[[Y:[0-9a-z]+]] = nvptx.ld global.b32 [%{{[0-9a-z]+}}] : (!nvptx.b64) -> !nvptx.b32
// CHECK-NEXT: nvptx.bra ^[[OUT]](%[[Y]] : !nvptx.b32)
// CHECK-NEXT: ^[[OUT]](%[[Z:[0-9a-z]+]]: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%{{[0-9a-z]+}}], %[[Z]]
nvptx.func kernel @load_under_guard(#nvptx.param<b64, name = "q">) {
  %p = nvptx.register : !nvptx.pred<1>
  %x = nvptx.register : !nvptx.b32<1>
  %at = nvptx.register : !nvptx.b64<1>
  %0 = nvptx.ld param.b64 [@q] : () -> !nvptx.b64<1>
  %1 = nvptx.mov b32 3 : () -> !nvptx.b32<1>
  %2 = nvptx.setp ne.s64 %at, 0 : (!nvptx.b64<1>) -> !nvptx.pred<1>
  %3 = nvptx.ld global.b32 [%at] if %p : (!nvptx.b64<1>, !nvptx.pred<1>) -> !nvptx.b32<1>
  nvptx.st global.b32 [%at], %x : (!nvptx.b64<1>, !nvptx.b32<1>) -> ()
  nvptx.ret
}

// A register without definition is undefined, and an unreachable block is removed.

// CHECK-LABEL: @undefined
// CHECK-NEXT: %[[U:[0-9a-z]+]] = nvptx.undef : !nvptx.b32
// CHECK-NEXT: nvptx.st global.b32 [@somewhere], %[[U]]
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: }
nvptx.global @somewhere "global" "b32"
nvptx.func kernel @undefined() {
  %x = nvptx.register : !nvptx.b32<1>
  nvptx.st global.b32 [@somewhere], %x : (!nvptx.b32<1>) -> ()
  nvptx.ret
^nowhere:
  %0 = nvptx.mov b32 3 : () -> !nvptx.b32<1>
  nvptx.ret
}
