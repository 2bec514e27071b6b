// RUN: nvvm-opt %s -p 'early-machinelicm' | filecheck %s
// RUN: nvvm-opt %s -p 'early-machinelicm{register-limit=0}' | filecheck %s --check-prefix FEW

// Loop-invariant values are computed in the preheader, operands first. A constant is not moved.
// CHECK-LABEL: @preheader
// CHECK: %a = nvptx.mul lo.s32 %n, %n
// CHECK-NEXT: %b = nvptx.add s32 %a, 7
// CHECK-NEXT: nvptx.bra ^head
// CHECK-NEXT: ^head(%i: !nvptx.b32):
// CHECK-NEXT: %k = nvptx.mov b32 9
// CHECK-NEXT: %v = nvptx.add s32 %i, %b
// CHECK: nvptx.cbra
// If no registers are free, no value that needs another one is hoisted.
// FEW-LABEL: @preheader
// FEW: ^head(%i: !nvptx.b32):
// FEW: %a = nvptx.mul
// FEW: %b = nvptx.add
nvptx.func @preheader(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@preheader_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@preheader_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %k = nvptx.mov b32 9 : () -> !nvptx.b32
  %b = nvptx.add s32 %a, 7 : (!nvptx.b32) -> !nvptx.b32
  %v = nvptx.add s32 %i, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %k : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// A value that is live in the loop instead of its operand needs no register.
// CHECK-LABEL: @replaces
// FEW-LABEL: @replaces
// FEW: %a = nvptx.add s32 %m, 1
// FEW: nvptx.bra ^head
nvptx.func @replaces(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@replaces_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@replaces_param_1] : () -> !nvptx.b32
  %m = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %a = nvptx.add s32 %m, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// A loop entered by a conditional branch gets a preheader on that edge, which keeps its values. There is none
// if no op is hoisted, or if the loop is entered from two blocks.
// CHECK-LABEL: @guarded
// CHECK: nvptx.cbra %g : !nvptx.pred, ^[[PRE:.*]], ^exit
// CHECK-NEXT: ^[[PRE]]:
// CHECK-NEXT: %a = nvptx.mul
// CHECK-NEXT: nvptx.bra ^head(%n : !nvptx.b32)
// CHECK-NEXT: ^head(%i: !nvptx.b32):
// CHECK-LABEL: @nothing_to_do
// CHECK: nvptx.cbra %g : !nvptx.pred, ^head(%n : !nvptx.b32), ^exit
// CHECK-LABEL: @two_ways_in
// CHECK: ^head(%i: !nvptx.b32):
// CHECK-NEXT: %a = nvptx.mul
nvptx.func @guarded(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@guarded_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@guarded_param_1] : () -> !nvptx.b32
  %g = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^head(%n : !nvptx.b32), ^exit
^head(%i: !nvptx.b32):
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
nvptx.func @nothing_to_do(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@nothing_to_do_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@nothing_to_do_param_1] : () -> !nvptx.b32
  %g = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^head(%n : !nvptx.b32), ^exit
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
nvptx.func @two_ways_in(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@two_ways_in_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@two_ways_in_param_1] : () -> !nvptx.b32
  %g = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^one, ^two
^one:
  nvptx.bra ^head(%n : !nvptx.b32)
^two:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Out of both loops, through the inner loop's preheader; values that the outer loop changes stay
// there.
// CHECK-LABEL: @nest
// CHECK: %a = nvptx.mul lo.s32 %n, %n
// CHECK-NEXT: nvptx.bra ^outer
// CHECK-NEXT: ^outer(%i: !nvptx.b32):
// CHECK-NEXT: %b = nvptx.mul lo.s32 %i, %n
// CHECK-NEXT: nvptx.bra ^inner
// CHECK-NEXT: ^inner(%j: !nvptx.b32):
// CHECK-NEXT: nvptx.st global.b32 [%p], %a
// CHECK-NEXT: nvptx.st global.b32 [%p], %b
nvptx.func @nest(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@nest_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@nest_param_1] : () -> !nvptx.b32
  nvptx.bra ^outer(%n : !nvptx.b32)
^outer(%i: !nvptx.b32):
  nvptx.bra ^inner(%n : !nvptx.b32)
^inner(%j: !nvptx.b32):
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.mul lo.s32 %i, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %j, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^inner(%next : !nvptx.b32), ^latch
^latch:
  %after = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.setp gt.s32 %after, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^outer(%after : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Loads: of parameters from anywhere in the loop; of read-only memory if every iteration executes them; never
// of memory that may change. No vote, and no guarded instruction.
// CHECK-LABEL: @loads
// CHECK: %x = nvptx.ld.global.nc b32 [%p]
// CHECK-NEXT: %q = nvptx.ld param.b32
// CHECK-NEXT: nvptx.bra ^head
// CHECK: ^head(%i: !nvptx.b32):
// CHECK-NEXT: %y = nvptx.ld global.b32 [%p]
// CHECK-NEXT: %u = nvptx.add s32 %n, 1 if %g
// CHECK: ^then:
// CHECK-NEXT: %z = nvptx.ld.global.nc b32 [%p + 4]
// CHECK-LABEL: @barrier
// CHECK: ^head(%i: !nvptx.b32):
// CHECK-NEXT: nvptx.bar.sync
// CHECK-NEXT: %x = nvptx.ld.global.nc
// CHECK-NEXT: %v = nvptx.activemask
nvptx.func @loads(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@loads_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@loads_param_1] : () -> !nvptx.b32
  %g = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %x = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %u = nvptx.add s32 %n, 1 if %g : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %y : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %g : !nvptx.pred, ^then, ^latch
^then:
  %z = nvptx.ld.global.nc b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %q = nvptx.ld param.b32 [@loads_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p], %z : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %q : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^latch
^latch:
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
nvptx.func @barrier(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@barrier_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@barrier_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.bar.sync "" 0 : () -> ()
  %x = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %v = nvptx.activemask b32 : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// The address of a variable, in a block that not all threads execute: three machine instructions on sm_90 if
// the variable is shared. Loads that name the variable are not changed.
// CHECK-LABEL: @address
// CHECK: %a = nvptx.mov b64 @tile
// CHECK-NEXT: nvptx.bra ^head
// CHECK: nvptx.ld shared.b32 [@tile + 4]
// CHECK: ^then:
// CHECK-NEXT: nvptx.add s64 %a, %i
nvptx.global @tile "shared" "b8" x 64
nvptx.func @address(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@address_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b64 [@address_param_1] : () -> !nvptx.b64
  nvptx.bra ^head(%n : !nvptx.b64)
^head(%i: !nvptx.b64):
  %x = nvptx.ld shared.b32 [@tile + 4] : () -> !nvptx.b32
  %g = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^then, ^latch
^then:
  %a = nvptx.mov b64 @tile : () -> !nvptx.b64
  %q = nvptx.add s64 %a, %i : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%q], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^latch
^latch:
  %next = nvptx.add s64 %i, -4 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp gt.s64 %next, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b64), ^exit
^exit:
  nvptx.ret
}

// A load may be speculated if its bytes are in the parameter or variable.
// CHECK-LABEL: @speculates_within_variables
// CHECK: nvptx.ld const.b32 [@words + 4]
// CHECK: nvptx.ld param.b32 [@speculates_within_variables_param_1 + 4]
// CHECK: ^head
// CHECK: ^then:
// CHECK: nvptx.ld const.b32 [@words + 8]
// CHECK: nvptx.ld const.b64 [@words + 4]
// CHECK: nvptx.ld const.b32 [@words - 4]
// CHECK: nvptx.ld const.b32 [@unknown]
// CHECK: nvptx.ld param.b32 [@speculates_within_variables_param_1 + 8]
nvptx.global @words "const" "b32" x 2
nvptx.global extern @unknown "const" "b32" x 0
nvptx.func @speculates_within_variables(#nvptx.param<b64>, #nvptx.param<b8 x 8>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@speculates_within_variables_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@speculates_within_variables_param_2] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %g = nvptx.setp lt.s32 %i, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^then, ^latch
^then:
  %a = nvptx.ld const.b32 [@words + 4] : () -> !nvptx.b32
  %b = nvptx.ld param.b32 [@speculates_within_variables_param_1 + 4] : () -> !nvptx.b32
  %c = nvptx.ld const.b32 [@words + 8] : () -> !nvptx.b32
  %d = nvptx.ld const.b64 [@words + 4] : () -> !nvptx.b64
  %e = nvptx.ld const.b32 [@words + -4] : () -> !nvptx.b32
  %f = nvptx.ld const.b32 [@unknown] : () -> !nvptx.b32
  %h = nvptx.ld param.b32 [@speculates_within_variables_param_1 + 8] : () -> !nvptx.b32
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %c : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p], %d : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %e : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %f : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %h : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^latch
^latch:
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %k = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %k : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}
