// RUN: nvvm-opt %s -p 'structurize-cfg' | filecheck %s

// ^y costs less to copy than ^x. Edges from outside get their own ^y, and %u, which ^x uses, becomes a
// register that both write. Each copy has its own %d.
// CHECK-LABEL: @two_entries
// CHECK-NEXT: %u = nvptx.register : !nvptx.b32<1>
// CHECK: nvptx.cbra %c : !nvptx.pred, ^x, ^[[Y2:.*]]
// CHECK-NEXT: ^x:
// CHECK-NEXT: nvptx.st global.b32 [%p], 1
// CHECK-NEXT: nvptx.st global.b32 [%p], 2
// CHECK-NEXT: nvptx.st global.b32 [%p], 3
// CHECK-NEXT: nvptx.bra ^y
// CHECK-NEXT: ^y:
// CHECK-NEXT: nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32<1>
// CHECK-NEXT: %d = nvptx.setp ne.s32 %u, 0
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^x, ^exit
// CHECK-NEXT: ^[[Y2]]:
// CHECK-NEXT: nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32<1>
// CHECK-NEXT: %[[D:.*]] = nvptx.setp ne.s32 %u, 0
// CHECK-NEXT: nvptx.cbra %[[D]] : !nvptx.pred, ^x, ^exit
// CHECK-NEXT: ^exit:
// CHECK-NEXT: nvptx.st global.b32 [%p], %u
nvptx.func @two_entries(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@two_entries_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], 3 : (!nvptx.b64) -> ()
  nvptx.bra ^y
^y:
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// A barrier must not be copied: ^y becomes the header although ^x is longer. A call may be copied.
// CHECK-LABEL: @barrier
// CHECK: nvptx.cbra %c : !nvptx.pred, ^[[X2:.*]], ^y
// CHECK-NEXT: ^x:
// CHECK: ^[[X2]]:
// CHECK-NEXT: nvptx.st global.b32 [%p], 1
// CHECK-NEXT: nvptx.st global.b32 [%p], 2
// CHECK-NEXT: nvptx.st global.b32 [%p], 3
// CHECK-NEXT: nvptx.bra ^y
// CHECK-NEXT: ^y:
// CHECK-NEXT: nvptx.bar.sync
// CHECK-NOT: nvptx.bar.sync
// CHECK: nvptx.ret
nvptx.func @barrier(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@barrier_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], 3 : (!nvptx.b64) -> ()
  nvptx.bra ^y
^y:
  nvptx.bar.sync "" 0 : () -> ()
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}

// A barrier that is not aligned counts threads by its number, so it may be copied.
// CHECK-LABEL: @unaligned
// CHECK-COUNT-3: nvptx.barrier.sync "" 0
// CHECK-LABEL: @reducible
nvptx.func @unaligned(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@unaligned_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.barrier.sync "" 0 : () -> ()
  nvptx.bra ^y
^y:
  nvptx.barrier.sync "" 0 : () -> ()
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}

// A loop with one entry is not changed, whatever the number of its exits.
// CHECK: nvptx.bra ^head
// CHECK-NEXT: ^head:
// CHECK: nvptx.cbra %c : !nvptx.pred, ^latch, ^exit
// CHECK-NEXT: ^latch:
// CHECK: nvptx.cbra %d : !nvptx.pred, ^head, ^exit
// CHECK-NEXT: ^exit:
// CHECK-NEXT: nvptx.ret
nvptx.func @reducible(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@reducible_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^latch, ^exit
^latch:
  %d = nvptx.setp eq.s32 %t, 1 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^head, ^exit
^exit:
  nvptx.ret
}
