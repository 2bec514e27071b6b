// RUN: nvvm-opt %s -p machine-sink | filecheck %s

// %b is loaded from the cache line of %a, which the block uses, and stays with its user. A load from another line, one with another base, and
// one from shared memory are sunk.
// CHECK-LABEL: @near
// CHECK:         %a = nvptx.ld global.b32 [%p]
// CHECK:         %b = nvptx.ld global.b32 [%p + 124]
// CHECK:         %s = nvptx.sub s32 %b, %n
// CHECK:         nvptx.cbra
// CHECK-NEXT:  ^then:
// CHECK-DAG:     nvptx.mul lo.s32 %s
// CHECK-DAG:     nvptx.ld global.b32 [%p + 252]
// CHECK-DAG:     nvptx.ld global.b32 [%q + 4]
// CHECK-DAG:     nvptx.ld shared.b32 [%p + 8]
// CHECK:         nvptx.bra ^exit
nvptx.func @near(#nvptx.param<b64>, #nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@near_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@near_param_1] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@near_param_2] : () -> !nvptx.b32
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 124] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.ld global.b32 [%p + 252] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld global.b32 [%q + 4] : (!nvptx.b64) -> !nvptx.b32
  %f = nvptx.ld shared.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %s = nvptx.sub s32 %b, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %u = nvptx.mul lo.s32 %s, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %a, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%q], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%q], %d : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%q], %e : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%q], %f : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Neither load is used in the block. A store to the line is no use.
// CHECK-LABEL: @unused
// CHECK-NOT:     nvptx.ld global
// CHECK:         nvptx.cbra
nvptx.func @unused(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@unused_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@unused_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 12], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 16], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// A load that is only used after the loop leaves it.
// CHECK-LABEL: @after_loop
// CHECK:       ^loop(%o
// CHECK-NEXT:    %a = nvptx.ld global
// CHECK-NOT:     nvptx.ld global
// CHECK:       ^found:
// CHECK-NEXT:    %b = nvptx.ld global
nvptx.func @after_loop(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@after_loop_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@after_loop_param_1] : () -> !nvptx.b32
  nvptx.bra ^loop(%p : !nvptx.b64)
^loop(%o: !nvptx.b64):
  %a = nvptx.ld global.b32 [%o] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%o + 4] : (!nvptx.b64) -> !nvptx.b32
  %j = nvptx.add s64 %o, 4 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp gt.s32 %a, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^next, ^found
^next:
  %d = nvptx.setp gt.s32 %a, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^loop(%j : !nvptx.b64), ^exit
^found:
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Loads from shared memory are fast. %w is sunk, because %v has another user in its block; %s, because the load of %b stays anyway.
// CHECK-LABEL: @others
// CHECK:         %v = nvptx.ld global
// CHECK-NOT:     nvptx.sub
// CHECK:       ^mid:
// CHECK-NEXT:    nvptx.ld shared.b32 [%g + 4]
// CHECK-NOT:     nvptx.sub
// CHECK:       ^then:
// CHECK-DAG:     nvptx.sub s32 %v
// CHECK-DAG:     nvptx.sub s32 %b
// CHECK:         nvptx.bra ^exit
nvptx.func @others(#nvptx.param<b64>, #nvptx.param<b32>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@others_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@others_param_1] : () -> !nvptx.b32
  %g = nvptx.ld param.b32 [@others_param_2] : () -> !nvptx.b32
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %v = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %h = nvptx.ld shared.b32 [%g] : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.ld shared.b32 [%g + 4] : (!nvptx.b32) -> !nvptx.b32
  %w = nvptx.sub s32 %v, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %k = nvptx.add s32 %v, %h : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %a, %k : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^mid, ^exit
^mid:
  %s = nvptx.sub s32 %b, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %d = nvptx.setp gt.s32 %g, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %w : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %s : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// A use in another block does not keep the load in its block: the user stays.
// CHECK-LABEL: @used_elsewhere
// CHECK:         %b = nvptx.ld global.b32 [%p + 4]
// CHECK-NEXT:    %s = nvptx.sub s32 %b, %n
// CHECK:         nvptx.cbra
nvptx.func @used_elsewhere(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@used_elsewhere_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@used_elsewhere_param_1] : () -> !nvptx.b32
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %s = nvptx.sub s32 %b, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %a, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %s : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.st global.b32 [%p + 8], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
