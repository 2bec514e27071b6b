// RUN: nvvm-opt %s -p 'opt-phis' | filecheck %s

// An argument that is undefined on one edge and the same on the others is that value.
// CHECK-LABEL: @undefined
// CHECK: nvptx.cbra %c : !nvptx.pred, ^{{.*}}, ^{{.*}}(%x : !nvptx.b32)
// CHECK: nvptx.bra ^{{.*}}(%y : !nvptx.b32)
// CHECK: ^{{.*}}([[V:%[0-9a-z_]+]]: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%p], [[V]]
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], [[V]]
nvptx.func @undefined(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@undefined_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@undefined_param_1] : () -> !nvptx.b32
  %none = nvptx.undef : !nvptx.b32
  %c = nvptx.setp eq.b32 %x, 1 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%none, %x : !nvptx.b32, !nvptx.b32)
^then:
  %y = nvptx.add s32 %x, 2 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%y, %y : !nvptx.b32, !nvptx.b32)
^join(%u: !nvptx.b32, %v: !nvptx.b32):
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Two counters with equal values are merged, and so are their copies afterwards.
// CHECK-LABEL: @same
// CHECK: ^{{.*}}([[I:%[0-9a-z_]+]]: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%p], [[I]]
// CHECK-NEXT: nvptx.st global.b32 [%p], [[I]]
// CHECK-NEXT: %next = nvptx.add s32 [[I]], 1
// CHECK: nvptx.cbra %c : !nvptx.pred, ^{{.*}}(%next : !nvptx.b32), ^{{.*}}
// CHECK: nvptx.st global.b32 [%p + 4], [[I]]
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], [[I]]
nvptx.func @same(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@same_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@same_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n, %n : !nvptx.b32, !nvptx.b32)
^head(%i: !nvptx.b32, %j: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %j : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %next, 100 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next, %next : !nvptx.b32, !nvptx.b32), ^exit(%i, %j : !nvptx.b32, !nvptx.b32)
^exit(%a: !nvptx.b32, %b: !nvptx.b32):
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// An argument that only circulates is removed; different values, and different types, are kept.
// CHECK-LABEL: @apart
// CHECK: ^{{.*}}(%i: !nvptx.b32, %j: !nvptx.b32, %k: !nvptx.b64):
// CHECK-NEXT: nvptx.st global.b32 [%p], %i
// CHECK: nvptx.cbra %c : !nvptx.pred, ^{{.*}}(%j, %i, %k : !nvptx.b32, !nvptx.b32, !nvptx.b64), ^
nvptx.func @apart(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@apart_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@apart_param_1] : () -> !nvptx.b32
  %m = nvptx.add s32 %n, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %n, 100 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%n, %m, %p, %n : !nvptx.b32, !nvptx.b32, !nvptx.b64, !nvptx.b32), ^other
^other:
  %q = nvptx.add s64 %p, 8 : (!nvptx.b64) -> !nvptx.b64
  nvptx.bra ^head(%m, %n, %q, %m : !nvptx.b32, !nvptx.b32, !nvptx.b64, !nvptx.b32)
^head(%i: !nvptx.b32, %j: !nvptx.b32, %k: !nvptx.b64, %round: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%k], %j : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %c : !nvptx.pred, ^head(%j, %i, %k, %round : !nvptx.b32, !nvptx.b32, !nvptx.b64, !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
