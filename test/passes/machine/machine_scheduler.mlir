// RUN: nvvm-opt %s -p 'machine-scheduler{register-target=1}' | filecheck %s
// RUN: nvvm-opt %s -p 'machine-scheduler' | filecheck %s --check-prefix IDLE
// RUN: nvvm-opt %s -p 'machine-scheduler{register-target=1 no-nvptx-sched4reg}' | filecheck %s --check-prefix IDLE
// RUN: nvvm-opt %s -p 'machine-scheduler' | filecheck %s --check-prefix SIZES

// A value is computed just before its use: the loads do not all come first.
// CHECK-LABEL: @sums
// CHECK: %a = nvptx.ld global.b32 [%p]
// CHECK-NEXT: %b = nvptx.ld global.b32 [%p + 4]
// CHECK-NEXT: %d = nvptx.add s32 %a, %b
// CHECK-NEXT: %c = nvptx.ld global.b32 [%p + 8]
// CHECK-NEXT: %e = nvptx.add s32 %d, %c
// CHECK-NEXT: nvptx.st
// IDLE-LABEL: @sums
// IDLE: %c = nvptx.ld global.b32 [%p + 8]
// IDLE-NEXT: %d = nvptx.add
nvptx.func @sums(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@sums_param_0] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.add s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %e = nvptx.add s32 %d, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %e : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Without a gain the order is unchanged.
// CHECK-LABEL: @as_it_is
// CHECK: %a = nvptx.add s32 %n, 1
// CHECK-NEXT: %b = nvptx.add s32 %n, 2
// CHECK-NEXT: %c = nvptx.mul lo.s32 %a, %b
// CHECK-NEXT: %p = nvptx.ld
// CHECK-NEXT: nvptx.st
nvptx.func @as_it_is(#nvptx.param<b64>, #nvptx.param<b32>) {
  %n = nvptx.ld param.b32 [@as_it_is_param_1] : () -> !nvptx.b32
  %a = nvptx.add s32 %n, 1 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 %n, 2 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.mul lo.s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %p = nvptx.ld param.b64 [@as_it_is_param_0] : () -> !nvptx.b64
  nvptx.st global.b32 [%p], %c : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Sums move up to their operands, so that fewer loaded values are live. No load passes a possibly aliasing
// store or a barrier, and side effects stay in order. Stores to other bytes of the same base, and to other
// spaces, are passed.
// CHECK-LABEL: @memory
// CHECK: %d = nvptx.add s32 %a, %b
// CHECK: %c = nvptx.ld global.b32 [%q]
// CHECK: nvptx.st global.b32 [%p], 1
// CHECK-NEXT: %f = nvptx.ld global.b32 [%q + 4]
// CHECK-NEXT: %g = nvptx.add s32 %e, %f
// CHECK-NEXT: nvptx.bar.sync
// CHECK-NEXT: nvptx.st volatile.global.b32 [%q], 4
// CHECK-NEXT: %i = nvptx.ld global.b32 [%p + 12]
// CHECK-NEXT: %h = nvptx.add s32 %g, %i
// CHECK-NEXT: nvptx.st global.b32 [%p], %h
// CHECK: nvptx.st global.b32 [%p + 8], 2
// CHECK-NEXT: nvptx.st shared.b32 [%q], 3
nvptx.func @memory(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@memory_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@memory_param_1] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 16] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  %d = nvptx.add s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %e = nvptx.add s32 %d, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %f = nvptx.ld global.b32 [%q + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.st volatile.global.b32 [%q], 4 : (!nvptx.b64) -> ()
  %g = nvptx.add s32 %e, %f : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %i = nvptx.ld global.b32 [%p + 12] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], 2 : (!nvptx.b64) -> ()
  nvptx.st shared.b32 [%q], 3 : (!nvptx.b64) -> ()
  %h = nvptx.add s32 %g, %i : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %h : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The next value of an argument reuses its register: users of the argument stay before
// it, though %y would be better made where it is stored. A pragma stays where it is.
// CHECK-LABEL: @taken_over
// CHECK: ^{{.*}}(%i: !nvptx.b32, %s: !nvptx.b32):
// CHECK-NEXT: nvptx.pragma "nounroll"
// CHECK: %y = nvptx.mul wide.s32 %s, %s
// CHECK: %t = nvptx.add s32 %s, %x
// CHECK: %e = nvptx.add s32 %a, %b
// CHECK-NEXT: %c = nvptx.ld
nvptx.func @taken_over(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@taken_over_param_0] : () -> !nvptx.b64
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero, %zero : !nvptx.b32, !nvptx.b32)
^loop(%i: !nvptx.b32, %s: !nvptx.b32):
  nvptx.pragma "nounroll"
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.mul wide.s32 %s, %s : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  %t = nvptx.add s32 %s, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st volatile.global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%p + 12] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.add s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %f = nvptx.add s32 %e, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st volatile.global.b32 [%p], %f : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 16], %y : (!nvptx.b64, !nvptx.b64) -> ()
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %g = nvptx.setp ne.s32 %next, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %g : !nvptx.pred, ^loop(%next, %t : !nvptx.b32, !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// Block sizes are read before block numbers of the same dimension and block.
// SIZES-LABEL: @sizes
// SIZES: %n = nvptx.mov.sreg "ntid.x"
// SIZES-NEXT: %b = nvptx.mov.sreg "ctaid.x"
// SIZES-NEXT: %t = nvptx.mov.sreg "tid.x"
// SIZES-NEXT: %c = nvptx.mov.sreg "ctaid.y"
// SIZES-NEXT: %m = nvptx.mov.sreg "ntid.z"
// SIZES: ^next:
// SIZES-NEXT: %o = nvptx.mov.sreg "ntid.y"
nvptx.func @sizes(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@sizes_param_0] : () -> !nvptx.b64
  %b = nvptx.mov.sreg "ctaid.x" : !nvptx.b32
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.mov.sreg "ctaid.y" : !nvptx.b32
  %m = nvptx.mov.sreg "ntid.z" : !nvptx.b32
  %n = nvptx.mov.sreg "ntid.x" : !nvptx.b32
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %c : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 12], %m : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^next
^next:
  %o = nvptx.mov.sreg "ntid.y" : !nvptx.b32
  nvptx.st global.b32 [%p + 20], %o : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The registers of a warpgroup's product are written until the wait: no addition moves above
// it.
// CHECK-LABEL: @asynchronous
// CHECK: nvptx.wgmma.wait_group
// CHECK: nvptx.add f32 %d0, %d1
nvptx.func @asynchronous(#nvptx.param<b64>, #nvptx.param<b64>) {
  %q = nvptx.ld param.b64 [@asynchronous_param_1] : () -> !nvptx.b64
  %z = nvptx.ld const.f32 [@zero] : () -> !nvptx.f32
  %one = nvptx.setp eq.f32 %z, %z : (!nvptx.f32, !nvptx.f32) -> !nvptx.pred
  nvptx.wgmma.fence sync.aligned : () -> ()
  %d0, %d1, %d2, %d3 = nvptx.wgmma.mma_async sync.aligned.m64n8k16.f32.f16.f16 tied (%z, %z, %z, %z) %q, %q, %one, 1, 1, 0, 0 : (!nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.b64, !nvptx.b64, !nvptx.pred) -> (!nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.f32)
  nvptx.wgmma.commit_group sync.aligned : () -> ()
  %p = nvptx.ld param.b64 [@asynchronous_param_0] : () -> !nvptx.b64
  nvptx.wgmma.wait_group sync.aligned 0 : () -> ()
  %e = nvptx.add f32 %d0, %d1 : (!nvptx.f32, !nvptx.f32) -> !nvptx.f32
  %f = nvptx.add f32 %d2, %d3 : (!nvptx.f32, !nvptx.f32) -> !nvptx.f32
  nvptx.st global.f32 [%p], %e : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.st global.f32 [%p + 4], %f : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.ret
}
nvptx.global @zero "const" "f32"
