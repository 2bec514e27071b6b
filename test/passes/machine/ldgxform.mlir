// RUN: nvvm-opt %s -p 'ldgxform' | filecheck %s

// The first parameter is the only pointer to its memory and has no stores; the second is stored through, and
// the third may alias any memory.
// CHECK-LABEL: @straight
// CHECK: nvptx.ld.global.nc f32 [%a + 4]
// CHECK-NEXT: nvptx.ld.global.nc v2.b32 [%i]
// CHECK-NEXT: nvptx.ld global.f32 [%b]
// CHECK-NEXT: nvptx.ld global.f32 [%c]
nvptx.func kernel @straight(#nvptx.param<b64, name = "straight_param_0">, #nvptx.param<b64, name = "straight_param_1">, #nvptx.param<b64, name = "straight_param_2">) attributes {nvptx.noalias = array<i32: 0, 1>} {
  %p = nvptx.ld param.b64 [@straight_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@straight_param_1] : () -> !nvptx.b64
  %r = nvptx.ld param.b64 [@straight_param_2] : () -> !nvptx.b64
  %a = nvptx.cvta to.global.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.cvta to.global.u64 %q : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.cvta to.global.u64 %r : (!nvptx.b64) -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %i = nvptx.mad wide.u32 %t, 8, %a : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
  %u = nvptx.ld global.f32 [%a + 4] : (!nvptx.b64) -> !nvptx.f32
  %v, %w = nvptx.ld global.v2.b32 [%i] : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  %x = nvptx.ld global.f32 [%b] : (!nvptx.b64) -> !nvptx.f32
  %y = nvptx.ld global.f32 [%c] : (!nvptx.b64) -> !nvptx.f32
  nvptx.st global.f32 [%b], %u : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.st global.f32 [%c], %u : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.ret
}

// Loop-carried, and selected between two such pointers.
// CHECK-LABEL: @loop
// CHECK: ^loop(%i: !nvptx.b64, %n: !nvptx.b32):
// CHECK-NEXT: nvptx.ld.global.nc b32 [%i]
// CHECK: %s = nvptx.selp b64 %i, %q
// CHECK-NEXT: nvptx.ld.global.nc b32 [%s]
nvptx.func kernel @loop(#nvptx.param<b64, name = "loop_param_0">, #nvptx.param<b64, name = "loop_param_1">) attributes {nvptx.noalias = array<i32: 0, 1>} {
  %p = nvptx.ld param.b64 [@loop_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@loop_param_1] : () -> !nvptx.b64
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%p, %zero : !nvptx.b64, !nvptx.b32)
^loop(%i: !nvptx.b64, %n: !nvptx.b32):
  %v = nvptx.ld global.b32 [%i] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %n, %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %s = nvptx.selp b64 %i, %q, %c : (!nvptx.b64, !nvptx.b64, !nvptx.pred) -> !nvptx.b64
  %w = nvptx.ld global.b32 [%s] : (!nvptx.b64) -> !nvptx.b32
  %next = nvptx.add s64 %i, 4 : (!nvptx.b64) -> !nvptx.b64
  %m = nvptx.add s32 %n, %w : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^loop(%next, %m : !nvptx.b64, !nvptx.b32), ^done
^done:
  nvptx.ret
}

// On one path it is another pointer; the difference of two pointers makes a third one.
// CHECK-LABEL: @other_pointer
// CHECK-NOT: nvptx.ld.global.nc
nvptx.func kernel @other_pointer(#nvptx.param<b64, name = "other_pointer_param_0">, #nvptx.param<b64, name = "other_pointer_param_1">) attributes {nvptx.noalias = array<i32: 0>} {
  %p = nvptx.ld param.b64 [@other_pointer_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@other_pointer_param_1] : () -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp lt.s32 %t, 7 : (!nvptx.b32) -> !nvptx.pred
  %s = nvptx.selp b64 %p, %q, %c : (!nvptx.b64, !nvptx.b64, !nvptx.pred) -> !nvptx.b64
  %v = nvptx.ld global.b32 [%s] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.sub s64 %p, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %r = nvptx.add s64 %q, %d : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %w = nvptx.ld global.b32 [%r] : (!nvptx.b64) -> !nvptx.b32
  %m = nvptx.sub s64 64, %p : (!nvptx.b64) -> !nvptx.b64
  %x = nvptx.ld global.b32 [%m] : (!nvptx.b64) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^join(%p : !nvptx.b64), ^join(%q : !nvptx.b64)
^join(%j: !nvptx.b64):
  %y = nvptx.ld global.b32 [%j] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Derived pointers are stored through in a later block, changed atomically, stored to memory, passed to
// inline assembly; the parameter's own address is taken.
// CHECK-LABEL: @written
// CHECK-NOT: nvptx.ld.global.nc
nvptx.func kernel @written(#nvptx.param<b64, name = "written_param_0">, #nvptx.param<b64, name = "written_param_1">, #nvptx.param<b64, name = "written_param_2">, #nvptx.param<b64, name = "written_param_3">, #nvptx.param<b64, name = "written_param_4">) attributes {nvptx.noalias = array<i32: 0, 1, 2, 3, 4>} {
  nvptx.local @x 8 align 8
  %a = nvptx.ld param.b64 [@written_param_0] : () -> !nvptx.b64
  %b = nvptx.ld param.b64 [@written_param_1] : () -> !nvptx.b64
  %c = nvptx.ld param.b64 [@written_param_2] : () -> !nvptx.b64
  %d = nvptx.ld param.b64 [@written_param_3] : () -> !nvptx.b64
  %e = nvptx.ld param.b64 [@written_param_4] : () -> !nvptx.b64
  %f = nvptx.mov b64 @written_param_4 : () -> !nvptx.b64
  %v = nvptx.ld global.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b32 [%b] : (!nvptx.b64) -> !nvptx.b32
  %x = nvptx.ld global.b32 [%c] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b32 [%d] : (!nvptx.b64) -> !nvptx.b32
  %z = nvptx.ld global.b32 [%e] : (!nvptx.b64) -> !nvptx.b32
  %g = nvptx.add s64 %a, 64 : (!nvptx.b64) -> !nvptx.b64
  nvptx.bra ^next(%g : !nvptx.b64)
^next(%h: !nvptx.b64):
  nvptx.st global.b32 [%h], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %o = nvptx.atom global.add.u32 [%b + 4], %w : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b64 [@x], %c : (!nvptx.b64) -> ()
  nvptx.inline_asm "st.global.b32 [$0], 1;" (%d) <{side_effects}> : (!nvptx.b64) -> ()
  nvptx.ret
}

// Ordered loads are kept, and prevent the change of the others: another thread writes. Functions are not
// kernels.
// CHECK-LABEL: @ordered
// CHECK-NOT: nvptx.ld.global.nc
nvptx.func kernel @ordered(#nvptx.param<b64, name = "ordered_param_0">) attributes {nvptx.noalias = array<i32: 0>} {
  %p = nvptx.ld param.b64 [@ordered_param_0] : () -> !nvptx.b64
  %v = nvptx.ld volatile.global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}
nvptx.func @function(#nvptx.param<b64, name = "function_param_0">) attributes {nvptx.noalias = array<i32: 0>} {
  %p = nvptx.ld param.b64 [@function_param_0] : () -> !nvptx.b64
  %w = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}
