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

// The constant of an index moves into accesses of shared memory, whose addresses have 32 bits.
// CHECK-LABEL: @wrapped
// CHECK:      %[[W:.*]] = nvptx.mul wide.u32 %i, 4
// CHECK-NEXT: %[[Q:.*]] = nvptx.add s64 %p, %[[W]]
// CHECK-NEXT: %[[R:.*]] = nvptx.cvt u32.u64 %[[Q]]
// CHECK-NEXT: nvptx.ld shared.b32 [%[[R]] + 12] : (!nvptx.b32) -> !nvptx.b32
// CHECK-NEXT: nvptx.st shared.b32 [%[[R]] + 4], %v
// CHECK-NEXT: %[[X:.*]] = nvptx.mul wide.s32 %i, 8
// CHECK-NEXT: %[[Y:.*]] = nvptx.add s64 %p, %[[X]]
// CHECK-NEXT: %[[Z:.*]] = nvptx.cvt u32.u64 %[[Y]]
// CHECK-NEXT: nvptx.st shared.b32 [%[[Z]] - 16], %v
nvptx.func @wrapped() {
  %p = nvptx.ld param.b64 [@wrapped_param_0] : () -> !nvptx.b64
  %i = nvptx.ld param.b32 [@wrapped_param_1] : () -> !nvptx.b32
  %j = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %w = nvptx.mul wide.u32 %j, 4 : (!nvptx.b32) -> !nvptx.b64
  %q = nvptx.add s64 %p, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %v = nvptx.ld shared.b32 [%q + 8] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st shared.b32 [%q], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %k = nvptx.add s32 %i, -2 : (!nvptx.b32) -> !nvptx.b32
  %x = nvptx.mul wide.s32 %k, 8 : (!nvptx.b32) -> !nvptx.b64
  %y = nvptx.add s64 %x, %p : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%y], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The constant remains: an access of global memory, an address that is stored, an index and a product with another use, a
// product of two registers, a 64-bit product, and an offset out of range.
// CHECK-LABEL: @unwrapped
// CHECK-NOT: nvptx.cvt u32
nvptx.func @unwrapped() {
  %p = nvptx.ld param.b64 [@unwrapped_param_0] : () -> !nvptx.b64
  %i = nvptx.ld param.b32 [@unwrapped_param_1] : () -> !nvptx.b32
  %a1 = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %a2 = nvptx.mul wide.u32 %a1, 4 : (!nvptx.b32) -> !nvptx.b64
  %a3 = nvptx.add s64 %p, %a2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%a3], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %b1 = nvptx.add s32 %i, 2 : (!nvptx.b32) -> !nvptx.b32
  %b2 = nvptx.mul wide.u32 %b1, 4 : (!nvptx.b32) -> !nvptx.b64
  %b3 = nvptx.add s64 %p, %b2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b64 [%b3], %b3 : (!nvptx.b64, !nvptx.b64) -> ()
  %c1 = nvptx.add s32 %i, 3 : (!nvptx.b32) -> !nvptx.b32
  %c2 = nvptx.mul wide.u32 %c1, 4 : (!nvptx.b32) -> !nvptx.b64
  %c3 = nvptx.add s64 %p, %c2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%c3], %c1 : (!nvptx.b64, !nvptx.b32) -> ()
  %d1 = nvptx.add s32 %i, 4 : (!nvptx.b32) -> !nvptx.b32
  %d2 = nvptx.mul wide.u32 %d1, 4 : (!nvptx.b32) -> !nvptx.b64
  %d3 = nvptx.add s64 %p, %d2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b64 [%d3], %d2 : (!nvptx.b64, !nvptx.b64) -> ()
  %e1 = nvptx.add s32 %i, 5 : (!nvptx.b32) -> !nvptx.b32
  %e2 = nvptx.mul wide.u32 %e1, %i : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  %e3 = nvptx.add s64 %p, %e2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%e3], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %f1 = nvptx.add s64 %p, 6 : (!nvptx.b64) -> !nvptx.b64
  %f2 = nvptx.mul lo.s64 %f1, 4 : (!nvptx.b64) -> !nvptx.b64
  %f3 = nvptx.add s64 %p, %f2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%f3], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %g1 = nvptx.add s32 %i, 536870912 : (!nvptx.b32) -> !nvptx.b32
  %g2 = nvptx.mul wide.u32 %g1, 4 : (!nvptx.b32) -> !nvptx.b64
  %g3 = nvptx.add s64 %p, %g2 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%g3], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
