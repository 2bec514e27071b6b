// RUN: nvvm-opt %s -p 'nvptx-loop-condition' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-loop-condition,nvptx-loop-condition' | filecheck %s

// The counter starts a step earlier; the compared values are unchanged.
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

// A constant start is still one instruction, and wraps.
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

// A counter with other uses keeps its values; the constant is adjusted instead.
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

// So is a bound that is not a constant.
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

// The next value may wrap where this one does not: an ordered comparison gets its own counter, in a loop that
// is small enough.
// RUN: nvvm-opt %s -p 'nvptx-loop-condition{max-size=4}' | filecheck %s --check-prefix SMALL
// CHECK-LABEL: @order
// CHECK: [[START:%[0-9a-z_]+]] = nvptx.add s32 %n, -1
// CHECK-NEXT: nvptx.bra ^{{.*}}(%n, [[START]] : !nvptx.b32, !nvptx.b32)
// CHECK-NEXT: ^{{.*}}(%i: !nvptx.b32, [[OWN:%[0-9a-z_]+]]: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 [[OWN]], 1
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
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// From a constant to a constant the bound is advanced, because nothing wraps.
// CHECK-LABEL: @constant_bounds
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[C:%[0-9a-z_]+]] = nvptx.setp lt.s32 %next, 100
nvptx.func @constant_bounds(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@constant_bounds_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 99 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @down
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, -1
// CHECK-NEXT: [[C:%[0-9a-z_]+]] = nvptx.setp gt.s32 %next, -100
nvptx.func @down(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@down_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %i, -99 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// The bound plus one would wrap, the next value after it would, or the first one after the start.
// CHECK-LABEL: @bound_wraps
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @bound_wraps(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@bound_wraps_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 2147483647 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @next_wraps
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @next_wraps(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@next_wraps_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp le.s32 %i, 2147483646 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @start_wraps
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @start_wraps(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@start_wraps_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 2147483647 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 5 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @down_wraps
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, -1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, -1
nvptx.func @down_wraps(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@down_wraps_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %i, -2147483648 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Other comparisons: unsigned, in the other direction, true at the end, constant on the left.
// CHECK-LABEL: @unsigned_bound
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @unsigned_bound(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@unsigned_bound_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.u32 %i, 99 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @away
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @away(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@away_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %i, -99 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @leaves
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @leaves(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@leaves_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 99 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^exit, ^head(%next : !nvptx.b32)
^exit:
  nvptx.ret
}

// CHECK-LABEL: @left
// CHECK: nvptx.st global.b32 [%p], %i
// CHECK-NEXT: %next = nvptx.add s32 %i, 1
// CHECK-NEXT: [[AFTER:%[0-9a-z_]+]] = nvptx.add s32 %{{.*}}, 1
nvptx.func @left(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@left_param_0] : () -> !nvptx.b64
  %n = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 99, %i : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// CHECK-LABEL: @unrolled
// CHECK: nvptx.setp lt.s32 %i, 100
nvptx.func @unrolled(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@unrolled_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@unrolled_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 100 : (!nvptx.b32) -> !nvptx.pred
  %next = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Left alone is what gains nothing from being unrolled: a loop with a pragma, a barrier, an atomic
// access, inline assembly, a call or another loop in it, and one of 17 instructions that may store to the
// loaded memory.
// CHECK-LABEL: @no_profit
// CHECK: nvptx.setp ne.s32 %i1, 9
// CHECK: nvptx.setp ne.s32 %i2, 9
// CHECK: nvptx.setp ne.s32 %i3, 9
// CHECK: nvptx.setp ne.s32 %i4, 9
// CHECK: nvptx.setp ne.s32 %i5, 9
// CHECK: nvptx.setp ne.s32 %i6, 9
// CHECK: nvptx.setp ne.s32 %i7, 9
// CHECK: nvptx.setp ne.s32 %outer, 9
nvptx.func @no_profit(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@no_profit_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@no_profit_param_1] : () -> !nvptx.b64
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^pragma(%zero : !nvptx.b32)
^pragma(%i1: !nvptx.b32):
  nvptx.pragma "nounroll"
  %c1 = nvptx.setp ne.s32 %i1, 9 : (!nvptx.b32) -> !nvptx.pred
  %n1 = nvptx.add s32 %i1, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c1 : !nvptx.pred, ^pragma(%n1 : !nvptx.b32), ^barrier(%zero : !nvptx.b32)
^barrier(%i2: !nvptx.b32):
  nvptx.bar.sync "" 0 : () -> ()
  %c2 = nvptx.setp ne.s32 %i2, 9 : (!nvptx.b32) -> !nvptx.pred
  %n2 = nvptx.add s32 %i2, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c2 : !nvptx.pred, ^barrier(%n2 : !nvptx.b32), ^atomic(%zero : !nvptx.b32)
^atomic(%i3: !nvptx.b32):
  %old = nvptx.atom global.add.u32 [%p], %i3 : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32
  %c3 = nvptx.setp ne.s32 %i3, 9 : (!nvptx.b32) -> !nvptx.pred
  %n3 = nvptx.add s32 %i3, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c3 : !nvptx.pred, ^atomic(%n3 : !nvptx.b32), ^assembly(%zero : !nvptx.b32)
^assembly(%i4: !nvptx.b32):
  %x = nvptx.inline_asm "popc.b32 $0, $1;" (%i4) : (!nvptx.b32) -> (!nvptx.b32)
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  %c4 = nvptx.setp ne.s32 %i4, 9 : (!nvptx.b32) -> !nvptx.pred
  %n4 = nvptx.add s32 %i4, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c4 : !nvptx.pred, ^assembly(%n4 : !nvptx.b32), ^stored(%zero : !nvptx.b32)
^stored(%i5: !nvptx.b32):
  %v5 = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  %a5_0 = nvptx.add s32 %v5, %v5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_1 = nvptx.add s32 %a5_0, %a5_0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_2 = nvptx.add s32 %a5_1, %a5_1 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_3 = nvptx.add s32 %a5_2, %a5_2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_4 = nvptx.add s32 %a5_3, %a5_3 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_5 = nvptx.add s32 %a5_4, %a5_4 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_6 = nvptx.add s32 %a5_5, %a5_5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_7 = nvptx.add s32 %a5_6, %a5_6 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_8 = nvptx.add s32 %a5_7, %a5_7 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_9 = nvptx.add s32 %a5_8, %a5_8 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_10 = nvptx.add s32 %a5_9, %a5_9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_11 = nvptx.add s32 %a5_10, %a5_10 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a5_12 = nvptx.add s32 %a5_11, %a5_11 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a5_12 : (!nvptx.b64, !nvptx.b32) -> ()
  %c5 = nvptx.setp ne.s32 %i5, 9 : (!nvptx.b32) -> !nvptx.pred
  %n5 = nvptx.add s32 %i5, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c5 : !nvptx.pred, ^stored(%n5 : !nvptx.b32), ^moving(%zero, %p : !nvptx.b32, !nvptx.b64)
^moving(%i6: !nvptx.b32, %r: !nvptx.b64):
  %v6 = nvptx.ld global.b32 [%r] : (!nvptx.b64) -> !nvptx.b32
  %a6_0 = nvptx.add s32 %v6, %v6 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_1 = nvptx.add s32 %a6_0, %a6_0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_2 = nvptx.add s32 %a6_1, %a6_1 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_3 = nvptx.add s32 %a6_2, %a6_2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_4 = nvptx.add s32 %a6_3, %a6_3 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_5 = nvptx.add s32 %a6_4, %a6_4 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_6 = nvptx.add s32 %a6_5, %a6_5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_7 = nvptx.add s32 %a6_6, %a6_6 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_8 = nvptx.add s32 %a6_7, %a6_7 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_9 = nvptx.add s32 %a6_8, %a6_8 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_10 = nvptx.add s32 %a6_9, %a6_9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a6_11 = nvptx.add s32 %a6_10, %a6_10 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%r + 4], %a6_11 : (!nvptx.b64, !nvptx.b32) -> ()
  %s = nvptx.add s64 %r, 4 : (!nvptx.b64) -> !nvptx.b64
  %c6 = nvptx.setp ne.s32 %i6, 9 : (!nvptx.b32) -> !nvptx.pred
  %n6 = nvptx.add s32 %i6, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c6 : !nvptx.pred, ^moving(%n6, %s : !nvptx.b32, !nvptx.b64), ^call(%zero : !nvptx.b32)
^call(%i7: !nvptx.b32):
  nvptx.call @no_profit() : () -> ()
  %c7 = nvptx.setp ne.s32 %i7, 9 : (!nvptx.b32) -> !nvptx.pred
  %n7 = nvptx.add s32 %i7, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c7 : !nvptx.pred, ^call(%n7 : !nvptx.b32), ^outside(%zero : !nvptx.b32)
^outside(%outer: !nvptx.b32):
  nvptx.bra ^inside(%zero : !nvptx.b32)
^inside(%i8: !nvptx.b32):
  %n8 = nvptx.add s32 %i8, 1 : (!nvptx.b32) -> !nvptx.b32
  %c8 = nvptx.setp ne.s32 %n8, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c8 : !nvptx.pred, ^inside(%n8 : !nvptx.b32), ^latch
^latch:
  %c9 = nvptx.setp ne.s32 %outer, 9 : (!nvptx.b32) -> !nvptx.pred
  %n9 = nvptx.add s32 %outer, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c9 : !nvptx.pred, ^outside(%n9 : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Stores to another space, or at other offsets than the loads, do not prevent it; nor do other stores in a
// short loop.
// CHECK-LABEL: @profit
// CHECK: nvptx.setp ne.s32 %n1, 8
// CHECK: nvptx.setp ne.s32 %n2, 8
// CHECK: nvptx.setp ne.s32 %n3, 8
// CHECK: nvptx.setp ne.s32 %n4, 8
nvptx.func @profit(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@profit_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@profit_param_1] : () -> !nvptx.b64
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^space(%zero : !nvptx.b32)
^space(%i1: !nvptx.b32):
  %v1 = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st shared.b32 [%q], %v1 : (!nvptx.b64, !nvptx.b32) -> ()
  %c1 = nvptx.setp ne.s32 %i1, 8 : (!nvptx.b32) -> !nvptx.pred
  %n1 = nvptx.add s32 %i1, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c1 : !nvptx.pred, ^space(%n1 : !nvptx.b32), ^beside(%zero : !nvptx.b32)
^beside(%i2: !nvptx.b32):
  %v2 = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p + 4], %v2 : (!nvptx.b64, !nvptx.b32) -> ()
  %c2 = nvptx.setp ne.s32 %i2, 8 : (!nvptx.b32) -> !nvptx.pred
  %n2 = nvptx.add s32 %i2, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c2 : !nvptx.pred, ^beside(%n2 : !nvptx.b32), ^readonly(%zero : !nvptx.b32)
^readonly(%i3: !nvptx.b32):
  %v3 = nvptx.ld.global.nc b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], %v3 : (!nvptx.b64, !nvptx.b32) -> ()
  %c3 = nvptx.setp ne.s32 %i3, 8 : (!nvptx.b32) -> !nvptx.pred
  %n3 = nvptx.add s32 %i3, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c3 : !nvptx.pred, ^readonly(%n3 : !nvptx.b32), ^short(%zero : !nvptx.b32)
^short(%i4: !nvptx.b32):
  %v4 = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  %a4_0 = nvptx.add s32 %v4, %v4 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_1 = nvptx.add s32 %a4_0, %a4_0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_2 = nvptx.add s32 %a4_1, %a4_1 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_3 = nvptx.add s32 %a4_2, %a4_2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_4 = nvptx.add s32 %a4_3, %a4_3 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_5 = nvptx.add s32 %a4_4, %a4_4 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_6 = nvptx.add s32 %a4_5, %a4_5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_7 = nvptx.add s32 %a4_6, %a4_6 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_8 = nvptx.add s32 %a4_7, %a4_7 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_9 = nvptx.add s32 %a4_8, %a4_8 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_10 = nvptx.add s32 %a4_9, %a4_9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a4_11 = nvptx.add s32 %a4_10, %a4_10 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a4_11 : (!nvptx.b64, !nvptx.b32) -> ()
  %c4 = nvptx.setp ne.s32 %i4, 8 : (!nvptx.b32) -> !nvptx.pred
  %n4 = nvptx.add s32 %i4, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c4 : !nvptx.pred, ^short(%n4 : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// So is a counter that is multiplied, one of another width, a bound that changes, and a counter whose bits
// are compared as a float.
// CHECK-LABEL: @left_alone
// CHECK: nvptx.setp ne.b32 %j, 9
// CHECK: nvptx.setp ne.b64 %k, 8
// CHECK: nvptx.setp lt.s32 %m, %changing
// CHECK: nvptx.setp ne.f32 %bits, %n
nvptx.func @left_alone(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@left_alone_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@left_alone_param_1] : () -> !nvptx.b32
  nvptx.bra ^product(%n : !nvptx.b32)
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
  nvptx.cbra %f : !nvptx.pred, ^bound(%next_m : !nvptx.b32), ^float(%n : !nvptx.b32)
^float(%bits: !nvptx.b32):
  nvptx.st global.b32 [%p], %bits : (!nvptx.b64, !nvptx.b32) -> ()
  %g = nvptx.setp ne.f32 %bits, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %next_bits = nvptx.add s32 %bits, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %g : !nvptx.pred, ^float(%next_bits : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
