// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s

// Not folded into an address: a guarded sum, a sum of two registers, a sum of floats, and a sum that saturates.
// CHECK-LABEL: @sums
// CHECK: %a = nvptx.add s64 %p, 16 if %c
// CHECK: nvptx.ld global.b32 [%a]
// CHECK: %b = nvptx.add s64 %p, %w
// CHECK: nvptx.ld global.b32 [%b]
// CHECK: %e = nvptx.add sat.s32 %x, 4
// CHECK-NEXT: nvptx.add s32 %e, 8
// CHECK: %g = nvptx.add s32 %x, 4 if %c
// CHECK-NEXT: nvptx.add s32 %g, 8
// CHECK: %i = nvptx.add s32 %x, %x
// CHECK-NEXT: nvptx.add s32 %i, 8
nvptx.func @sums() {
  %p = nvptx.ld param.b64 [@sums_param_0] : () -> !nvptx.b64
  %w = nvptx.ld param.b64 [@sums_param_1] : () -> !nvptx.b64
  %c = nvptx.setp lt.s64 %w, 0 : (!nvptx.b64) -> !nvptx.pred
  %a = nvptx.add s64 %p, 16 if %c : (!nvptx.b64, !nvptx.pred) -> !nvptx.b64
  %x = nvptx.ld global.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.add s64 %p, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %d = nvptx.ld global.b32 [%b] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %e = nvptx.add sat.s32 %x, 4 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.add s32 %e, 8 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %g = nvptx.add s32 %x, 4 if %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %h = nvptx.add s32 %g, 8 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %h : (!nvptx.b32) -> ()
  %i = nvptx.add s32 %x, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %j = nvptx.add s32 %i, 8 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %j : (!nvptx.b32) -> ()
  nvptx.ret
}

// An offset that leaves the range of addresses stays in a register.
// CHECK-LABEL: @beyond
// CHECK: %p = nvptx.mov b64 @table + 2147483646
// CHECK: nvptx.ld const.b32 [%p + 4]
nvptx.global @table "const" "b32" x 4
nvptx.func @beyond() {
  %p = nvptx.mov b64 @table + 2147483646 : () -> !nvptx.b64
  %x = nvptx.ld const.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %x : (!nvptx.b32) -> ()
  nvptx.ret
}

// The same conversion twice is no round trip; the address of a variable is. An access through a conversion to another
// space than the generic one stays.
// CHECK-LABEL: @conversions
// CHECK: %a = nvptx.cvta to.global.u64 %p
// CHECK-NEXT: %b = nvptx.cvta to.global.u64 %a
// CHECK-NEXT: nvptx.st global.b64 [@g], %b
// CHECK-NEXT: %[[V:.*]] = nvptx.mov b64 @v
// CHECK-NEXT: nvptx.st global.b64 [@g], %[[V]]
// CHECK-NEXT: %e = nvptx.cvta to.shared.u64 %p
// CHECK-NEXT: nvptx.ld b32 [%e]
nvptx.global @v "global" "b32" x 4
nvptx.func @conversions() {
  %p = nvptx.ld param.b64 [@conversions_param_0] : () -> !nvptx.b64
  %a = nvptx.cvta to.global.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.cvta to.global.u64 %a : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %b : (!nvptx.b64) -> ()
  %c = nvptx.cvta global.u64 @v : () -> !nvptx.b64
  %d = nvptx.cvta to.global.u64 %c : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.cvta to.shared.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %f = nvptx.ld b32 [%e] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  nvptx.ret
}

// The address of a parameter with a name of its own is no address in the space of the access.
// CHECK-LABEL: @named
// CHECK: %a = nvptx.mov b64 @own
// CHECK-NEXT: nvptx.ld local.b32 [%a]
nvptx.func kernel @named(#nvptx.param<b32, name = "own">) {
  %a = nvptx.mov b64 @own : () -> !nvptx.b64
  %x = nvptx.ld local.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %x : (!nvptx.b32) -> ()
  nvptx.ret
}
