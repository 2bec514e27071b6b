// RUN: nvvm-opt %s -p 'nvptx-load-store-vectorizer' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-load-store-vectorizer' --remarks %t -o /dev/null
// RUN: filecheck %s --check-prefix REMARK < %t

// REMARK: Name: {{ *}}Vectorized
// REMARK: Function: {{ *}}four
// REMARK-NEXT: Args:
// REMARK-NEXT: - Accesses: {{ *}}'4'
// REMARK-NEXT: - String: {{ *}}' accesses merged into one of global.v4.b32'

// Four words of a pointer that is aligned to 16 are one load, at the position of the first. A store to
// another space between them does not matter.
// CHECK-LABEL: @four
// CHECK: %a, %b, %c, %d = nvptx.ld global.v4.b32 [%p] : (!nvptx.b64) -> (!nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.f32)
// CHECK-NEXT: nvptx.st shared.f32 [@s], %a
// CHECK-NEXT: nvptx.st shared.f32 [@s], %d
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @four(#nvptx.param<b64, name = "four_param_0", ptr = global, ptr_align = 16>) {
  %p = nvptx.ld param.b64 [@four_param_0] : () -> !nvptx.b64
  %a = nvptx.ld global.f32 [%p] : (!nvptx.b64) -> !nvptx.f32
  %b = nvptx.ld global.f32 [%p + 4] : (!nvptx.b64) -> !nvptx.f32
  nvptx.st shared.f32 [@s], %a : (!nvptx.f32) -> ()
  %c = nvptx.ld global.f32 [%p + 8] : (!nvptx.b64) -> !nvptx.f32
  %d = nvptx.ld global.f32 [%p + 12] : (!nvptx.b64) -> !nvptx.f32
  nvptx.st shared.f32 [@s], %d : (!nvptx.f32) -> ()
  nvptx.ret
}

// Aligned to 8: pairs. Sixteen bytes at most, so doubles come in pairs too.
// CHECK-LABEL: @pairs
// CHECK: nvptx.ld global.v2.b32 [%p]
// CHECK-NEXT: nvptx.ld global.v2.b32 [%p + 8]
// CHECK-NEXT: nvptx.ld global.v2.b64 [%q]
// CHECK-NEXT: nvptx.ld global.v2.b64 [%q + 16]
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @pairs(#nvptx.param<b64, name = "pairs_param_0", ptr = global, ptr_align = 8>, #nvptx.param<b64, name = "pairs_param_1", ptr = global, ptr_align = 128>) {
  %p = nvptx.ld param.b64 [@pairs_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@pairs_param_1] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.ld global.b32 [%p + 12] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld global.f64 [%q] : (!nvptx.b64) -> !nvptx.f64
  %f = nvptx.ld global.f64 [%q + 8] : (!nvptx.b64) -> !nvptx.f64
  %g = nvptx.ld global.f64 [%q + 16] : (!nvptx.b64) -> !nvptx.f64
  %h = nvptx.ld global.f64 [%q + 24] : (!nvptx.b64) -> !nvptx.f64
  nvptx.ret
}

// An unknown alignment, a gap, an unaligned start.
// CHECK-LABEL: @misaligned
// CHECK-COUNT-6: nvptx.ld global.b32
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @misaligned(#nvptx.param<b64, name = "misaligned_param_0">, #nvptx.param<b64, name = "misaligned_param_1", ptr = global, ptr_align = 16>) {
  %p = nvptx.ld param.b64 [@misaligned_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@misaligned_param_1] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.ld global.b32 [%q + 8] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld global.b32 [%q + 20] : (!nvptx.b64) -> !nvptx.b32
  %f = nvptx.ld global.b32 [%q + 28] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// A wider access to the same base determines its alignment: 4 past a multiple of 8.
// CHECK-LABEL: @learned
// CHECK: nvptx.ld global.b64 [%p + 4]
// CHECK-NEXT: nvptx.ld global.b32 [%p + 16]
// CHECK-NEXT: nvptx.ld global.v2.b32 [%p + 20]
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @learned(#nvptx.param<b64, name = "learned_param_0">) {
  %p = nvptx.ld param.b64 [@learned_param_0] : () -> !nvptx.b64
  %w = nvptx.ld global.b64 [%p + 4] : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p + 16] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 20] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.ld global.b32 [%p + 24] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Stores are merged at the last; immediates become elements of the vector.
// CHECK-LABEL: @stores
// CHECK: %a = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: %b = nvptx.add s32 %a, 1
// CHECK-NEXT: nvptx.st local.v4.b32 [@x], {%a, 7, %b, %a}
// CHECK-NEXT: nvptx.ret
nvptx.func @stores() {
  nvptx.local @x 16 align 16
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.st local.b32 [@x], %a : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 12], %a : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 4], 7 : () -> ()
  %b = nvptx.add s32 %a, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@x + 8], %b : (!nvptx.b32) -> ()
  nvptx.ret
}

// Between them: a store that may overlap, a load of the stored memory, a barrier, a call.
// CHECK-LABEL: @between
// CHECK: nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.st global.b32 [%q], %a
// CHECK-NEXT: nvptx.ld global.b32 [%p + 4]
// CHECK-NEXT: nvptx.st global.b32 [%p + 32]
// CHECK-NEXT: nvptx.ld global.b32 [%q]
// CHECK-NEXT: nvptx.st global.b32 [%p + 36]
// CHECK-NEXT: nvptx.ld shared.b32 [@s]
// CHECK-NEXT: nvptx.bar.sync "" 0
// CHECK-NEXT: nvptx.ld shared.b32 [@s + 4]
nvptx.global @s "shared" "b32" x 4 <{align = 16 : i32}>
nvptx.func kernel @between(#nvptx.param<b64, name = "between_param_0", ptr = global, ptr_align = 16>, #nvptx.param<b64, name = "between_param_1", ptr = global, ptr_align = 16>) {
  %p = nvptx.ld param.b64 [@between_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@between_param_1] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%q], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p + 32], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p + 36], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %d = nvptx.ld shared.b32 [@s] : () -> !nvptx.b32
  nvptx.bar.sync 0 : () -> ()
  %e = nvptx.ld shared.b32 [@s + 4] : () -> !nvptx.b32
  nvptx.ret
}

// Read-only memory may be loaded before any store.
// CHECK-LABEL: @read_only
// CHECK: nvptx.ld.global.nc v2.b32 [%p]
// CHECK-NEXT: nvptx.st global.b32 [%q], %a
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @read_only(#nvptx.param<b64, name = "read_only_param_0", ptr = global, ptr_align = 16>, #nvptx.param<b64, name = "read_only_param_1">) {
  %p = nvptx.ld param.b64 [@read_only_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@read_only_param_1] : () -> !nvptx.b64
  %a = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%q], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %b = nvptx.ld.global.nc b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Volatile accesses, guarded ones, parameters of a kernel, and elements with different sign
// extension.
// CHECK-LABEL: @never
// CHECK: nvptx.ld param.b64 [@never_param_0]
// CHECK-NEXT: nvptx.ld param.b64 [@never_param_0 + 8]
// CHECK-NEXT: nvptx.setp
// CHECK-NEXT: nvptx.ld volatile.global.b32 [%p]
// CHECK-NEXT: nvptx.ld volatile.global.b32 [%p + 4]
// CHECK-NEXT: nvptx.ld shared.b32 [@s] if %c
// CHECK-NEXT: nvptx.ld shared.b32 [@s + 4] if %c
// CHECK-NEXT: nvptx.ld shared.u8 [@s]
// CHECK-NEXT: nvptx.ld shared.s8 [@s + 1]
nvptx.func kernel @never(#nvptx.param<b64 x 2, align = 16, name = "never_param_0">) {
  %p = nvptx.ld param.b64 [@never_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@never_param_0 + 8] : () -> !nvptx.b64
  %c = nvptx.setp lt.u64 %p, %q : (!nvptx.b64, !nvptx.b64) -> !nvptx.pred
  %a = nvptx.ld volatile.global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld volatile.global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.ld shared.b32 [@s] if %c : (!nvptx.pred) -> !nvptx.b32
  %e = nvptx.ld shared.b32 [@s + 4] if %c : (!nvptx.pred) -> !nvptx.b32
  %f = nvptx.ld shared.u8 [@s] : () -> !nvptx.b16
  %g = nvptx.ld shared.s8 [@s + 1] : () -> !nvptx.b16
  nvptx.ret
}

// A function's parameters are in separate memory.
// CHECK-LABEL: @parameters
// CHECK: nvptx.ld param.v2.b64 [@parameters_param_0]
nvptx.func @parameters(#nvptx.param<b64 x 2, align = 16, name = "parameters_param_0">) {
  %p = nvptx.ld param.b64 [@parameters_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@parameters_param_0 + 8] : () -> !nvptx.b64
  nvptx.ret
}

// An access gives the alignment of its base only for accesses that are certain to be executed with it: a thread
// that leaves in between may have another address. An alignment established earlier still holds.
// CHECK-LABEL: @told_too_late
// CHECK: nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.ld global.b32 [%p + 4]
// CHECK: nvptx.exit
// CHECK-NEXT: nvptx.ld global.b64 [%p]
// CHECK-NEXT: nvptx.ld global.v2.b32 [%p]
// CHECK: nvptx.exit
// CHECK-NEXT: nvptx.ld global.v2.b32 [%p + 8]
nvptx.func @told_too_late(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@told_too_late_param_0] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %a, %b : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.exit "" if %c : (!nvptx.pred) -> ()
  %q = nvptx.ld global.b64 [%p] : (!nvptx.b64) -> !nvptx.b64
  %d = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.exit "" if not %c : (!nvptx.pred) -> ()
  %f = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  %g = nvptx.ld global.b32 [%p + 12] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// ptxas accepts no integer immediate beside floating-point elements: it is written as the float with the same
// bits. Floating-point registers may be beside integer ones, and immediates beside those.
// CHECK-LABEL: @mixed
// CHECK: nvptx.st global.v2.b32 [%p], {f32 0x0, f32 0x7}
// CHECK-NEXT: nvptx.st global.v2.b32 [%p + 16], {%f, f32 0x7}
// CHECK-NEXT: nvptx.st global.v2.b32 [%p + 32], {%i, 7}
// CHECK-NEXT: nvptx.st global.v2.b32 [%p + 48], {%f, %i}
// CHECK-NEXT: nvptx.st global.v2.b64 [%p + 64], {f64 0x3FF8000000000000, f64 0x5}
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @mixed(#nvptx.param<b64, name = "mixed_param_0", ptr = global, ptr_align = 16>, #nvptx.param<b32, name = "mixed_param_1">, #nvptx.param<b32, name = "mixed_param_2">) {
  %p = nvptx.ld param.b64 [@mixed_param_0] : () -> !nvptx.b64
  %f = nvptx.ld param.f32 [@mixed_param_1] : () -> !nvptx.f32
  %i = nvptx.ld param.b32 [@mixed_param_2] : () -> !nvptx.b32
  nvptx.st global.f32 [%p], f32 0x0 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], 7 : (!nvptx.b64) -> ()
  nvptx.st global.f32 [%p + 16], %f : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.st global.b32 [%p + 20], 7 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 32], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 36], 7 : (!nvptx.b64) -> ()
  nvptx.st global.f32 [%p + 48], %f : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.st global.b32 [%p + 52], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.f64 [%p + 64], f64 0x3FF8000000000000 : (!nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 72], 5 : (!nvptx.b64) -> ()
  nvptx.ret
}

// All ones is the largest shift amount; the result is zero, so the pair is aligned.
// CHECK-LABEL: @all_shifted_out
// CHECK: nvptx.st global.v2.b32 [%q], {%x, %x}
// CHECK-NEXT: nvptx.ret
nvptx.func kernel @all_shifted_out(#nvptx.param<b64, name = "all_shifted_out_param_0", ptr = global, ptr_align = 8>, #nvptx.param<b32, name = "all_shifted_out_param_1">) {
  %p = nvptx.ld param.b64 [@all_shifted_out_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@all_shifted_out_param_1] : () -> !nvptx.b32
  %zero = nvptx.shl b32 %x, -1 : (!nvptx.b32) -> !nvptx.b32
  %wide = nvptx.cvt u64.u32 %zero : (!nvptx.b32) -> !nvptx.b64
  %q = nvptx.add s64 %p, %wide : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%q], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%q + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
