// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s

// A numbered register may change between a definition and its use; an instruction that writes one is not replaced, and a
// guarded one is not looked through.
// CHECK-LABEL: @numbered
// CHECK: %a = nvptx.add s32 %r, 4
// CHECK-NEXT: nvptx.mov b32 7
// CHECK-NEXT: %b = nvptx.add s32 %a, 8
// CHECK: %d = nvptx.add s32 %x, 4
// CHECK-NEXT: nvptx.add s32 %d, 8 : (!nvptx.b32) -> !nvptx.b32<1>
// CHECK: %n = nvptx.not pred %p if %q
// CHECK-NEXT: nvptx.cbra %n : !nvptx.pred, ^then, ^else
nvptx.func @numbered() {
  %r = nvptx.register : !nvptx.b32<1>
  %x = nvptx.ld param.b32 [@numbered_param_0] : () -> !nvptx.b32
  %a = nvptx.add s32 %r, 4 : (!nvptx.b32<1>) -> !nvptx.b32
  nvptx.mov b32 7 : () -> !nvptx.b32<1>
  %b = nvptx.add s32 %a, 8 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %d = nvptx.add s32 %x, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.add s32 %d, 8 : (!nvptx.b32) -> !nvptx.b32<1>
  %p = nvptx.setp lt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %q = nvptx.setp gt.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], %r if %q : (!nvptx.b32<1>, !nvptx.pred) -> ()
  %n = nvptx.not pred %p if %q : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  nvptx.cbra %n : !nvptx.pred, ^then, ^else
^then:
  nvptx.st global.b32 [@g], 1 if %p : (!nvptx.pred) -> ()
  nvptx.bra ^else
^else:
  nvptx.ret
}
