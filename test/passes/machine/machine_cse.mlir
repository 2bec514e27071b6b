// RUN: nvvm-opt %s -p 'machine-cse' | filecheck %s
// RUN: nvvm-opt %s -p 'machine-cse{register-limit=0}' | filecheck %s --check-prefix TIGHT
// RUN: nvvm-opt %s -p 'machine-cse' | filecheck %s --check-prefix DIRECTIVE
// RUN: nvvm-opt %s -p 'machine-cse{register-limit=0 maxrregcount=100}' | filecheck %s --check-prefix TIGHT
// RUN: nvvm-opt %s -p 'machine-cse{maxrregcount=8}' | filecheck %s --check-prefix STATED
// RUN: nvvm-opt %s -p 'machine-cse{register-limit=0 no-rp-aware-mcse}' | filecheck %s

// Equal operands, in any order if the instruction commutes; special registers too.
// CHECK-LABEL: @same
// CHECK: %x = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: %y = nvptx.mov.sreg "tid.y"
// CHECK-NEXT: %a = nvptx.mul lo.s32 %x, %y
// CHECK-NEXT: nvptx.st local.b32 [@s], %a
// CHECK-NEXT: nvptx.st local.b32 [@s], %a
// CHECK-NEXT: nvptx.ret
nvptx.func @same() {
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %y = nvptx.mov.sreg "tid.y" : !nvptx.b32
  %x2 = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.mul lo.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.mul lo.s32 %y, %x2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %a : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@s], %b : (!nvptx.b32) -> ()
  nvptx.ret
}

// Operands in another order, other modifiers, another immediate, another register class.
// CHECK-LABEL: @different
// CHECK: nvptx.sub s32 %x, %y
// CHECK-NEXT: nvptx.sub s32 %y, %x
// CHECK-NEXT: nvptx.mul lo.s32
// CHECK-NEXT: nvptx.mul hi.s32
// CHECK-NEXT: nvptx.add s32 %x, 1
// CHECK-NEXT: nvptx.add s32 %x, 2
// CHECK-NEXT: nvptx.mov b32 %x : (!nvptx.b32) -> !nvptx.f32
// CHECK-NEXT: nvptx.mov b32 %x : (!nvptx.b32) -> !nvptx.b32
nvptx.func @different() {
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %y = nvptx.mov.sreg "tid.y" : !nvptx.b32
  %a = nvptx.sub s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.sub s32 %y, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.mul lo.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %d = nvptx.mul hi.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %e = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.add s32 %x, 2 : (!nvptx.b32) -> !nvptx.b32
  %g = nvptx.mov b32 %x : (!nvptx.b32) -> !nvptx.f32
  %h = nvptx.mov b32 %x : (!nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// A dominating value is reused; one in the other arm of a branch is not.
// CHECK-LABEL: @dominance
// CHECK: %a = nvptx.add s32 %x, %x
// CHECK: ^then:
// CHECK-NEXT: nvptx.st local.b32 [@s], %a
// CHECK-NEXT: %b = nvptx.sub s32 %x, %y
// CHECK: ^else:
// CHECK-NEXT: %c = nvptx.sub s32 %x, %y
nvptx.func @dominance() {
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %y = nvptx.mov.sreg "tid.y" : !nvptx.b32
  %p = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %a = nvptx.add s32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %a : (!nvptx.b32) -> ()
  nvptx.cbra %p : !nvptx.pred, ^then, ^else
^then:
  %a2 = nvptx.add s32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %a2 : (!nvptx.b32) -> ()
  %b = nvptx.sub s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %b : (!nvptx.b32) -> ()
  nvptx.bra ^done
^else:
  %c = nvptx.sub s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@s], %c : (!nvptx.b32) -> ()
  nvptx.bra ^done
^done:
  nvptx.ret
}

// A constant is materialized in each block: a register live across blocks costs more.
// CHECK-LABEL: @constants
// CHECK: %one = nvptx.mov b32 1
// CHECK-NEXT: nvptx.st local.b32 [@s], %one
// CHECK-NEXT: nvptx.st local.b32 [@s], %one
// CHECK-NEXT: nvptx.bra ^next
// CHECK-NEXT: ^next:
// CHECK-NEXT: %three = nvptx.mov b32 1
nvptx.func @constants() {
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  %two = nvptx.mov b32 1 : () -> !nvptx.b32
  nvptx.st local.b32 [@s], %one : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@s], %two : (!nvptx.b32) -> ()
  nvptx.bra ^next
^next:
  %three = nvptx.mov b32 1 : () -> !nvptx.b32
  nvptx.st local.b32 [@s], %three : (!nvptx.b32) -> ()
  nvptx.ret
}

// Loads of read-only memory are merged; other loads, atomics, shuffles and clocks are not, nor are guarded
// ops.
// CHECK-LABEL: @memory
// CHECK: %p = nvptx.ld param.b64
// CHECK-NEXT: nvptx.ld.global.nc b32 [%p]
// CHECK-NEXT: nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.shfl.sync
// CHECK-NEXT: nvptx.shfl.sync
// CHECK-NEXT: nvptx.mov.sreg "clock"
// CHECK-NEXT: nvptx.mov.sreg "clock"
// CHECK-NEXT: nvptx.setp
// CHECK-NEXT: nvptx.add s32 %a, 1 if %c
// CHECK-NEXT: nvptx.add s32 %a, 1 if %c
// CHECK-NEXT: nvptx.ret
nvptx.func @memory() {
  %p = nvptx.ld param.b64 [@memory_param_0] : () -> !nvptx.b64
  %p2 = nvptx.ld param.b64 [@memory_param_0] : () -> !nvptx.b64
  %a = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld.global.nc b32 [%p2] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %s = nvptx.shfl.sync bfly.b32 %a, 1, 31, -1 : (!nvptx.b32) -> !nvptx.b32
  %t = nvptx.shfl.sync bfly.b32 %a, 1, 31, -1 : (!nvptx.b32) -> !nvptx.b32
  %k = nvptx.mov.sreg "clock" : !nvptx.b32
  %l = nvptx.mov.sreg "clock" : !nvptx.b32
  %c = nvptx.setp lt.s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %g = nvptx.add s32 %a, 1 if %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %h = nvptx.add s32 %a, 1 if %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.ret
}

// Four results of 64 bits may stay live into the next block, and the one after it, which costs no more; the
// fifth is computed again in each block. Values that are live there anyway are free.
// CHECK-LABEL: @pressure
// CHECK: ^next:
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.bra ^last
// CHECK-NEXT: ^last:
// CHECK-NEXT: nvptx.st
// TIGHT-LABEL: @pressure
// TIGHT: ^next:
// TIGHT-NEXT: nvptx.st global.v2.b64 [@g], {%a, %b}
// TIGHT-NEXT: %e2 = nvptx.add s64 %p, 5
// TIGHT-NEXT: nvptx.st global.v2.b64 [@g], {%c, %d}
// TIGHT-NEXT: nvptx.st global.v2.b64 [@g], {%e2, %f}
// TIGHT-NEXT: nvptx.bra ^last
// TIGHT-NEXT: ^last:
// TIGHT-NEXT: %e3 = nvptx.add s64 %p, 5
// TIGHT-NEXT: nvptx.st global.v2.b64 [@g], {%a, %e3}
// A stated limit of 8 registers is not exceeded: only values that are live anyway are reused.
// STATED-LABEL: @pressure
// STATED: ^next:
// STATED-NEXT: %a2 = nvptx.add s64 %p, 1
// STATED: ^last:
// STATED-NEXT: %a3 = nvptx.add s64 %p, 1
// STATED-NEXT: %e3 = nvptx.add s64 %p, 5
nvptx.func @pressure() {
  %p = nvptx.ld param.b64 [@pressure_param_0] : () -> !nvptx.b64
  %a = nvptx.add s64 %p, 1 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %p, 2 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.add s64 %p, 3 : (!nvptx.b64) -> !nvptx.b64
  %d = nvptx.add s64 %p, 4 : (!nvptx.b64) -> !nvptx.b64
  %e = nvptx.add s64 %p, 5 : (!nvptx.b64) -> !nvptx.b64
  %f = nvptx.add s64 %p, 6 : (!nvptx.b64) -> !nvptx.b64
  nvptx.bra ^next
^next:
  %a2 = nvptx.add s64 %p, 1 : (!nvptx.b64) -> !nvptx.b64
  %b2 = nvptx.add s64 %p, 2 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.v2.b64 [@g], {%a2, %b2} : (!nvptx.b64, !nvptx.b64) -> ()
  %c2 = nvptx.add s64 %p, 3 : (!nvptx.b64) -> !nvptx.b64
  %d2 = nvptx.add s64 %p, 4 : (!nvptx.b64) -> !nvptx.b64
  %e2 = nvptx.add s64 %p, 5 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.v2.b64 [@g], {%c2, %d2} : (!nvptx.b64, !nvptx.b64) -> ()
  %f2 = nvptx.add s64 %p, 6 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.v2.b64 [@g], {%e2, %f2} : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.bra ^last
^last:
  %a3 = nvptx.add s64 %p, 1 : (!nvptx.b64) -> !nvptx.b64
  %e3 = nvptx.add s64 %p, 5 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.v2.b64 [@g], {%a3, %e3} : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  nvptx.ret
}

// The address of a variable is reused in other blocks, unless registers are scarce.
// CHECK-LABEL: @address
// CHECK: %a = nvptx.mov b64 @tile
// CHECK: ^next:
// CHECK-NEXT: nvptx.st shared.b64 [%a], %x
// TIGHT-LABEL: @address
nvptx.global @tile "shared" "b8" x 64
nvptx.func @address() {
  %x = nvptx.mov.sreg "clock64" : !nvptx.b64
  %a = nvptx.mov b64 @tile : () -> !nvptx.b64
  nvptx.st shared.b64 [%a], %x : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.bra ^next
^next:
  %b = nvptx.mov b64 @tile : () -> !nvptx.b64
  nvptx.st shared.b64 [%b], %x : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// An immediate is not exchanged with a register, nor is an operand on the other side of an immediate.
// CHECK-LABEL: @immediates
// CHECK: nvptx.mad lo.s32 %x, 5, %y
// CHECK-NEXT: nvptx.mad lo.s32 %y, 5, %x
// CHECK-NEXT: nvptx.mad lo.s32 5, %x, %y
// CHECK-NEXT: nvptx.mad lo.s32 5, %y, %x
// CHECK-NEXT: nvptx.ret
nvptx.func @immediates() {
  %x = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %y = nvptx.mov.sreg "tid.y" : !nvptx.b32
  %a = nvptx.mad lo.s32 %x, 5, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.mad lo.s32 %y, 5, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.mad lo.s32 5, %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %d = nvptx.mad lo.s32 5, %y, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// A volatile load is repeated although its memory does not change.
// CHECK-LABEL: @volatile
// CHECK-COUNT-2: nvptx.ld.global.nc
// CHECK-NEXT: nvptx.ret
nvptx.func @volatile() {
  %p = nvptx.ld param.b64 [@volatile_param_0] : () -> !nvptx.b64
  %a = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32 attributes {volatile}
  %b = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32 attributes {volatile}
  nvptx.ret
}

// A numbered register may change between two reads, and a write of one is kept.
// CHECK-LABEL: @numbered
// CHECK: nvptx.add s32 %i, 1
// CHECK-NEXT: nvptx.add s32 %t, 2
// CHECK-NEXT: nvptx.add s32 %i, 1
// CHECK-NEXT: nvptx.add s32 %t, 2
// CHECK-NEXT: nvptx.ret
nvptx.func @numbered() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %i = nvptx.register : !nvptx.b32<1>
  %a = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32
  %b = nvptx.add s32 %t, 2 : (!nvptx.b32) -> !nvptx.b32<1>
  %c = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32
  %d = nvptx.add s32 %t, 2 : (!nvptx.b32) -> !nvptx.b32<1>
  nvptx.ret
}

// CHECK-LABEL: @calls
// CHECK-COUNT-2: nvptx.call uni @callee
nvptx.func @calls() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %r = nvptx.call uni @callee(%t) <{params = [#nvptx.param<b32>], stores = [#nvptx.piece<0, 0, "b32">], ret = #nvptx.param<b32>, loads = [#nvptx.piece<0, 0, "b32">]}> : (!nvptx.b32) -> !nvptx.b32
  %s = nvptx.call uni @callee(%t) <{params = [#nvptx.param<b32>], stores = [#nvptx.piece<0, 0, "b32">], ret = #nvptx.param<b32>, loads = [#nvptx.piece<0, 0, "b32">]}> : (!nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// The limit of a function's directive.
// DIRECTIVE-LABEL: @directive
// DIRECTIVE: ^next:
// DIRECTIVE-NEXT: %b = nvptx.add s64 %p, 1
nvptx.func kernel @directive(#nvptx.param<b64, name = "directive_param_0">) <{maxnreg = 4 : i32}> {
  %p = nvptx.ld param.b64 [@directive_param_0] : () -> !nvptx.b64
  %a = nvptx.add s64 %p, 1 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%p], %a : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.bra ^next
^next:
  %b = nvptx.add s64 %p, 1 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%p], %b : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
