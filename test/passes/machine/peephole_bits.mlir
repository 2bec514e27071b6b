// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s

// A clamp to a range from zero has the maximum last, which ptxas merges with the minimum.
// CHECK-LABEL: @clamps
// CHECK: %[[A:.*]] = nvptx.min s32 %x, 255
// CHECK-NEXT: %{{.*}} = nvptx.max s32 %[[A]], 0
// CHECK: %[[B:.*]] = nvptx.min s32 %x, 7
// CHECK-NEXT: %{{.*}} = nvptx.max s32 %[[B]], 0
// Not from one, to a negative number, of unsigned numbers, or if the maximum has another use.
// CHECK: %e = nvptx.max s32 %x, 1
// CHECK-NEXT: %{{.*}} = nvptx.min s32 %e, 7
// CHECK: %h = nvptx.max s32 %x, 0
// CHECK-NEXT: %{{.*}} = nvptx.min s32 %h, -7
// CHECK: %j = nvptx.max u32 %x, 0
// CHECK-NEXT: %{{.*}} = nvptx.min u32 %j, 7
// CHECK: %l = nvptx.max s32 %x, 0
// CHECK-NEXT: %{{.*}} = nvptx.min s32 %l, 7
nvptx.func @clamps() {
  %x = nvptx.ld param.b32 [@clamps_param_0] : () -> !nvptx.b32
  %a = nvptx.max s32 %x, 0 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.min s32 %a, 255 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %c = nvptx.max s32 0, %x : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.min u32 %c, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %e = nvptx.max s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.min s32 %e, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %h = nvptx.max s32 %x, 0 : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.min s32 %h, -7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %j = nvptx.max u32 %x, 0 : (!nvptx.b32) -> !nvptx.b32
  %k = nvptx.min u32 %j, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %k : (!nvptx.b32) -> ()
  %l = nvptx.max s32 %x, 0 : (!nvptx.b32) -> !nvptx.b32
  %m = nvptx.min s32 %l, 7 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %m : (!nvptx.b32) -> ()
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  nvptx.ret
}

// The addend of a sum of an absolute difference is the third operand of `sad`, unless there is one already.
// CHECK-LABEL: @differences
// CHECK: %{{.*}} = nvptx.sad s32 %x, %y, %z
// CHECK: %{{.*}} = nvptx.sad u32 %x, 3, 5
// CHECK: %e = nvptx.sad s32 %x, %y, 7
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %e, %z
// CHECK: %h = nvptx.sad s32 %x, %y, 0
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %h, %z
nvptx.func @differences() {
  %x = nvptx.ld param.b32 [@differences_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@differences_param_1] : () -> !nvptx.b32
  %z = nvptx.ld param.b32 [@differences_param_2] : () -> !nvptx.b32
  %a = nvptx.sad s32 %x, %y, 0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add u32 %z, %a : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %c = nvptx.sad u32 %x, 3, 0 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.add s32 %c, 5 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %e = nvptx.sad s32 %x, %y, 7 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %f = nvptx.add s32 %e, %z : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %h = nvptx.sad s32 %x, %y, 0 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %i = nvptx.add s32 %h, %z : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  nvptx.st global.b32 [@g], %h : (!nvptx.b32) -> ()
  nvptx.ret
}

// The top byte is converted as a field; other shifts, and one with another use, stay.
// CHECK-LABEL: @converted
// CHECK: %[[A:.*]] = nvptx.bfe s32 %x, 24, 8
// CHECK-NEXT: %{{.*}} = nvptx.cvt rn.f32.s32 %[[A]]
// CHECK: %{{.*}} = nvptx.shr s32 %x, 23
// CHECK: %{{.*}} = nvptx.shr s32 %x, 24
// CHECK: %{{.*}} = nvptx.shr u32 %x, 24
nvptx.func @converted() {
  %x = nvptx.ld param.b32 [@converted_param_0] : () -> !nvptx.b32
  %a = nvptx.shr s32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.cvt rn.f32.s32 %a : (!nvptx.b32) -> !nvptx.f32
  nvptx.st global.f32 [@g], %b : (!nvptx.f32) -> ()
  %c = nvptx.shr s32 %x, 23 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.cvt rn.f32.s32 %c : (!nvptx.b32) -> !nvptx.f32
  nvptx.st global.f32 [@g], %d : (!nvptx.f32) -> ()
  %e = nvptx.shr s32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.cvt rn.f32.s32 %e : (!nvptx.b32) -> !nvptx.f32
  nvptx.st global.f32 [@g], %f : (!nvptx.f32) -> ()
  nvptx.st global.b32 [@g], %e : (!nvptx.b32) -> ()
  %h = nvptx.shr u32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.cvt rn.f32.s32 %h : (!nvptx.b32) -> !nvptx.f32
  nvptx.st global.f32 [@g], %i : (!nvptx.f32) -> ()
  nvptx.ret
}

// A rotation of 32 bits in a 64-bit value is two funnel shifts.
// CHECK-LABEL: @rotations
// CHECK: %[[L:.*]], %[[H:.*]] = nvptx.mov b64 %x
// CHECK-NEXT: %[[A:.*]] = nvptx.shf l.wrap.b32 %[[L]], %[[L]], 7
// CHECK-NEXT: %[[B:.*]] = nvptx.shf l.wrap.b32 %[[L]], %[[H]], 7
// CHECK-NEXT: %{{.*}} = nvptx.mov b64 {%[[A]], %[[B]]}
// Not with another mask, another amount, a signed shift, another value, a shift of the whole word, or other uses.
// CHECK: %{{.*}} = nvptx.or b64 %e, %h
// CHECK: %{{.*}} = nvptx.or b64 %j, %l
// CHECK: %{{.*}} = nvptx.or b64 %n, %q
// CHECK: %{{.*}} = nvptx.or b64 %s, %u
// CHECK: %{{.*}} = nvptx.or b64 %w, %w2
// CHECK: %{{.*}} = nvptx.or b64 %z, %z2
nvptx.func @rotations() {
  %x = nvptx.ld param.b64 [@rotations_param_0] : () -> !nvptx.b64
  %y = nvptx.ld param.b64 [@rotations_param_1] : () -> !nvptx.b64
  %a = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.shr u64 %x, 25 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.and b64 %b, 127 : (!nvptx.b64) -> !nvptx.b64
  %d = nvptx.or b64 %c, %a : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %f = nvptx.shr u64 %x, 25 : (!nvptx.b64) -> !nvptx.b64
  %h = nvptx.and b64 %f, 63 : (!nvptx.b64) -> !nvptx.b64
  %i = nvptx.or b64 %e, %h : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %i : (!nvptx.b64) -> ()
  %j = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %k = nvptx.shr u64 %x, 24 : (!nvptx.b64) -> !nvptx.b64
  %l = nvptx.and b64 %k, 127 : (!nvptx.b64) -> !nvptx.b64
  %m = nvptx.or b64 %j, %l : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %m : (!nvptx.b64) -> ()
  %n = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %o = nvptx.shr s64 %x, 25 : (!nvptx.b64) -> !nvptx.b64
  %q = nvptx.and b64 %o, 127 : (!nvptx.b64) -> !nvptx.b64
  %r = nvptx.or b64 %n, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %r : (!nvptx.b64) -> ()
  %s = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %t = nvptx.shr u64 %y, 25 : (!nvptx.b64) -> !nvptx.b64
  %u = nvptx.and b64 %t, 127 : (!nvptx.b64) -> !nvptx.b64
  %v = nvptx.or b64 %s, %u : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %v : (!nvptx.b64) -> ()
  %w = nvptx.shl b64 %x, 32 : (!nvptx.b64) -> !nvptx.b64
  %w1 = nvptx.shr u64 %x, 0 : (!nvptx.b64) -> !nvptx.b64
  %w2 = nvptx.and b64 %w1, 4294967295 : (!nvptx.b64) -> !nvptx.b64
  %w3 = nvptx.or b64 %w, %w2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %w3 : (!nvptx.b64) -> ()
  %z = nvptx.shl b64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  %z1 = nvptx.shr u64 %x, 25 : (!nvptx.b64) -> !nvptx.b64
  %z2 = nvptx.and b64 %z1, 127 : (!nvptx.b64) -> !nvptx.b64
  %z3 = nvptx.or b64 %z, %z2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %z3 : (!nvptx.b64) -> ()
  nvptx.st global.b64 [@g], %z : (!nvptx.b64) -> ()
  nvptx.ret
}
