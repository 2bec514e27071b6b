// RUN: nvvm-opt %s -p 'nvptx-loop-condition' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-loop-condition,nvptx-loop-condition' | filecheck %s

// The counter starts a step earlier; what is compared is the same number as before.
// CHECK-LABEL: @only_counts
// CHECK: [[START:%[0-9a-z_]+]] = nvptx.add s32 %n, 2
// CHECK-NEXT: nvptx.bra ^{{.*}}([[START]] : !nvptx.b32)
// CHECK-NEXT: ^{{.*}}(%i: !nvptx.b32):
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: %next = nvptx.add s32 %i, -2
// CHECK-NEXT: [[C:%[0-9a-z_]+]] = nvptx.setp gt.s32 %next, 2
// CHECK-NEXT: nvptx.cbra [[C]] : !nvptx.pred, ^{{.*}}(%next : !nvptx.b32)
nvptx.func @only_counts(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@only_counts_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@only_counts_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %i, 2 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, -2 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// A constant start stays one instruction, and wraps.
// CHECK-LABEL: @constant_start
// CHECK: [[START:%[0-9a-z_]+]] = nvptx.mov b32 2147483647
// CHECK-NEXT: nvptx.bra ^{{.*}}([[START]] : !nvptx.b32)
// CHECK: nvptx.setp lo.u32 %next, %n
nvptx.func @constant_start(#nvptx.param<b32>) {
  %n = nvptx.ld param.b32 [@constant_start_param_0] : () -> !nvptx.b32
  %start = nvptx.mov b32 -2147483648 : () -> !nvptx.b32
  nvptx.bra ^head(%start : !nvptx.b32)
^head(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lo.u32 %i, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// A counter that is read elsewhere keeps its values: the constant moves on instead.
// CHECK-LABEL: @read_elsewhere
// CHECK: nvptx.bra ^{{.*}}(%n : !nvptx.b32)
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 4
// CHECK-NEXT: [[C:%[0-9a-z_]+]] = nvptx.setp ne.b32 104, %next
// CHECK-NEXT: nvptx.cbra [[C]]
nvptx.func @read_elsewhere(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@read_elsewhere_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@read_elsewhere_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp ne.b32 100, %i : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// So does a bound that no constant is.
// CHECK-LABEL: @equal_bound
// CHECK: [[BOUND:%[0-9a-z_]+]] = nvptx.add s32 %n, 4
// CHECK-NEXT: nvptx.bra
// CHECK: nvptx.setp ne.b32 %next, [[BOUND]]
nvptx.func @equal_bound(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@equal_bound_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@equal_bound_param_1] : () -> !nvptx.b32
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%zero : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp ne.b32 %i, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// The next value may wrap where this one does not: an order gets a counter of its own, in a loop
// that is small enough.
// RUN: nvvm-opt %s -p 'nvptx-loop-condition{max-size=4}' | filecheck %s --check-prefix SMALL
// CHECK-LABEL: @order
// CHECK: [[START:%[0-9a-z_]+]] = nvptx.add s32 %n, -4
// CHECK-NEXT: nvptx.bra ^{{.*}}(%n, [[START]] : !nvptx.b32, !nvptx.b32)
// CHECK-NEXT: ^{{.*}}(%i: !nvptx.b32, [[OWN:%[0-9a-z_]+]]: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 4
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 [[OWN]], 4
// CHECK-NEXT: [[C:%[0-9a-z_]+]] = nvptx.setp lt.s32 [[AFTER]], 100
// CHECK-NEXT: nvptx.cbra [[C]] : !nvptx.pred, ^{{.*}}(%next, [[AFTER]] : !nvptx.b32, !nvptx.b32)
// SMALL-LABEL: @order
// SMALL: nvptx.setp lt.s32 %i, 100
nvptx.func @order(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@order_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@order_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 100 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Left alone: a loop that must not be unrolled, with a barrier in it, or with another inside; a
// counter that is multiplied, one of another width, and a bound that changes.
// CHECK-LABEL: @left_alone
// CHECK: nvptx.setp lt.s32 %i, 100
// CHECK: nvptx.setp lt.s32 %b, 100
// CHECK: nvptx.setp ne.b32 %j, 9
// CHECK: nvptx.setp ne.b64 %k, 8
// CHECK: nvptx.setp lt.s32 %m, %changing
nvptx.func @left_alone(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@left_alone_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@left_alone_param_1] : () -> !nvptx.b32
  nvptx.bra ^pragma(%n : !nvptx.b32)
^pragma(%i: !nvptx.b32):
  nvptx.pragma "nounroll"
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 100 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^pragma(%next : !nvptx.b32), ^barrier(%n : !nvptx.b32)
^barrier(%b: !nvptx.b32):
  nvptx.bar.sync 0 : () -> ()
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  %cb = nvptx.setp lt.s32 %b, 100 : (!nvptx.b32) -> !nvptx.pred
  %next_b = nvptx.add s32 %b, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %cb : !nvptx.pred, ^barrier(%next_b : !nvptx.b32), ^product(%n : !nvptx.b32)
^product(%j: !nvptx.b32):
  %next_j = nvptx.mul lo.s32 %j, 3 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.setp ne.b32 %j, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^product(%next_j : !nvptx.b32), ^width(%p : !nvptx.b64)
^width(%k: !nvptx.b64):
  %low = nvptx.cvt u32.u64 %k : (!nvptx.b64) -> !nvptx.b32
  %sum = nvptx.add s32 %low, 1 : (!nvptx.b32) -> !nvptx.b32
  %next_k = nvptx.cvt u64.u32 %sum : (!nvptx.b32) -> !nvptx.b64
  %e = nvptx.setp ne.b64 %k, 8 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %e : !nvptx.pred, ^width(%next_k : !nvptx.b64), ^bound(%n : !nvptx.b32)
^bound(%m: !nvptx.b32):
  %changing = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], %m : (!nvptx.b64, !nvptx.b32) -> ()
  %next_m = nvptx.add s32 %m, 1 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.setp lt.s32 %m, %changing : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %f : !nvptx.pred, ^bound(%next_m : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
