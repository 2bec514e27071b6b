// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-peephole{no-enable-nvvm-peephole}' | filecheck %s --check-prefix OFF

// OFF-LABEL: @round_trip
// OFF: nvptx.cvta to.global.u64
// OFF: nvptx.cvta global.u64
// OFF: nvptx.cvta to.global.u64

// A round trip to the same space is not a conversion; to another space it is.
// CHECK-LABEL: @round_trip
// CHECK-NEXT: %p = nvptx.ld param.b64 [@round_trip_param_0]
// CHECK-NEXT: %a = nvptx.cvta to.global.u64 %p
// CHECK-NEXT: nvptx.st global.b64 [%a], %p
// CHECK-NEXT: nvptx.st global.b64 [%p], %p
// CHECK-NEXT: %k = nvptx.ld global.b64 [%a]
// CHECK-NEXT: %g = nvptx.cvta global.u64 %k
// CHECK-NEXT: %s = nvptx.cvta to.shared.u64 %g
// CHECK-NEXT: nvptx.st global.b64 [%a], %s
nvptx.func @round_trip() {
  %p = nvptx.ld param.b64 [@round_trip_param_0] : () -> !nvptx.b64
  %a = nvptx.cvta to.global.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.cvta global.u64 %a : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%a], %b : (!nvptx.b64, !nvptx.b64) -> ()
  %h = nvptx.cvta global.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.cvta to.global.u64 %h : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%c], %p : (!nvptx.b64, !nvptx.b64) -> ()
  %k = nvptx.ld global.b64 [%a] : (!nvptx.b64) -> !nvptx.b64
  %g = nvptx.cvta global.u64 %k : (!nvptx.b64) -> !nvptx.b64
  %s = nvptx.cvta to.shared.u64 %g : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%a], %s : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// Generic accesses to the frame, to shared memory and to constants name their space. One with an order or a
// hint stays generic, and there are no stores to constant memory.
// CHECK-LABEL: @through_cvta
// CHECK: %g = nvptx.cvta local.u64 @depot
// CHECK: nvptx.ld local.v2.b32 [@depot + 8]
// CHECK-NEXT: nvptx.st local.f32 [@depot + 4], %{{.*}}
// CHECK: nvptx.ld shared.u8 [%q + 1]
// CHECK: nvptx.ld const.b32 [@table + 8]
// CHECK-NEXT: nvptx.st b32 [%k], %x
// CHECK-NEXT: nvptx.ld acquire.sys.b32 [%g]
// CHECK-NEXT: nvptx.ld "L1::no_allocate.b32" [%g]
nvptx.global @table "const" "b32" x 4
nvptx.func @through_cvta() {
  nvptx.local @depot 16 align 16
  %f = nvptx.mov b32 f32 0x3F800000 : () -> !nvptx.f32
  %g = nvptx.cvta local.u64 @depot : () -> !nvptx.b64
  %a, %b = nvptx.ld v2.b32 [%g + 8] : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  nvptx.st f32 [%g + 4], %f : (!nvptx.b64, !nvptx.f32) -> ()
  %q = nvptx.ld param.b64 [@through_cvta_param_0] : () -> !nvptx.b64
  %h = nvptx.cvta shared.u64 %q : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.ld u8 [%h + 1] : (!nvptx.b64) -> !nvptx.b16
  %k = nvptx.cvta const.u64 @table + 4 : () -> !nvptx.b64
  %x = nvptx.ld b32 [%k + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st b32 [%k], %x : (!nvptx.b64, !nvptx.b32) -> ()
  %d = nvptx.ld acquire.sys.b32 [%g] : (!nvptx.b64) -> !nvptx.b32
  %e = nvptx.ld "L1::no_allocate.b32" [%g] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Constants fold into all addresses that use them, also of atomics.
// CHECK-LABEL: @offsets
// CHECK-NOT: nvptx.add
// CHECK: nvptx.ld global.b32 [%p + 20]
// CHECK-NEXT: nvptx.st global.b32 [%p - 1008]
// CHECK-NEXT: nvptx.atom global.add.u32 [%p + 16]
nvptx.func @offsets() {
  %p = nvptx.ld param.b64 [@offsets_param_0] : () -> !nvptx.b64
  %q = nvptx.add s64 %p, 16 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.ld global.b32 [%q + 4] : (!nvptx.b64) -> !nvptx.b32
  %r = nvptx.add s64 %q, -1024 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%r], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %o = nvptx.atom global.add.u32 [%q], %a : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// Not if the sum has other uses, is stored, or exceeds the offset range; not 32-bit sums, which wrap.
// CHECK-LABEL: @no_offsets
// CHECK: %q = nvptx.add s64 %p, 16
// CHECK-NEXT: nvptx.st global.b64 [%q], %q
// CHECK-NEXT: %r = nvptx.add s64 %p, 2147483648
// CHECK-NEXT: nvptx.ld global.b32 [%r]
// CHECK-NEXT: %s = nvptx.add s64 %p, 2147483640
// CHECK-NEXT: nvptx.ld global.b32 [%s + 8]
// CHECK-NEXT: %n = nvptx.ld param.b32
// CHECK-NEXT: %t = nvptx.add s32 %n, 4
// CHECK-NEXT: nvptx.ld shared.b32 [%t]
nvptx.func @no_offsets() {
  %p = nvptx.ld param.b64 [@no_offsets_param_0] : () -> !nvptx.b64
  %q = nvptx.add s64 %p, 16 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%q], %q : (!nvptx.b64, !nvptx.b64) -> ()
  %r = nvptx.add s64 %p, 2147483648 : (!nvptx.b64) -> !nvptx.b64
  %a = nvptx.ld global.b32 [%r] : (!nvptx.b64) -> !nvptx.b32
  %s = nvptx.add s64 %p, 2147483640 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.ld global.b32 [%s + 8] : (!nvptx.b64) -> !nvptx.b32
  %n = nvptx.ld param.b32 [@no_offsets_param_1] : () -> !nvptx.b32
  %t = nvptx.add s32 %n, 4 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.ld shared.b32 [%t] : (!nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// The sum of constants wraps as the register does.
// CHECK-LABEL: @constants
// CHECK: %[[A:.*]] = nvptx.add s32 %n, -2147483648
// CHECK-NEXT: nvptx.st global.b32 [@g], %[[A]]
// CHECK-NEXT: %c = nvptx.add s32 %n, 1
// CHECK-NEXT: %d = nvptx.add s32 %c, 2
nvptx.func @constants() {
  %n = nvptx.ld param.b32 [@constants_param_0] : () -> !nvptx.b32
  %a = nvptx.add s32 %n, 2147483647 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 1, %a : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %c = nvptx.add s32 %n, 1 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.add s32 %c, 2 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c : (!nvptx.b32) -> ()
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  nvptx.ret
}

// The variable's name can replace a register if the access states the space.
// CHECK-LABEL: @symbols
// CHECK-NEXT: %a = nvptx.ld const.b32 [@table + 12]
// CHECK-NEXT: %q = nvptx.mov b64 @table
// CHECK-NEXT: %b = nvptx.ld b32 [%q]
nvptx.func @symbols() {
  %p = nvptx.mov b64 @table + 8 : () -> !nvptx.b64
  %a = nvptx.ld const.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %q = nvptx.mov b64 @table : () -> !nvptx.b64
  %b = nvptx.ld b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// The address of a parameter is one of local memory in a register, and one of the parameter space as a
// name.
// CHECK-LABEL: @parameter
// CHECK-NEXT: %p = nvptx.mov b64 @parameter_param_0
// CHECK-NEXT: %a = nvptx.ld local.b32 [%p + 4]
nvptx.func @parameter(#nvptx.param<b8 x 8, align = 4, name = "parameter_param_0">) {
  %p = nvptx.mov b64 @parameter_param_0 : () -> !nvptx.b64
  %a = nvptx.ld local.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.ret
}

// Masks of values without higher bits: loaded bytes, thread indices, shifted-down values. Signed loads and
// wider values need the mask.
// CHECK-LABEL: @masks
// CHECK: %b = nvptx.ld global.u8 [@g]
// CHECK-NEXT: nvptx.st global.b16 [@g], %b
// CHECK-NEXT: %t = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: nvptx.st global.b32 [@g], %t
// CHECK-NEXT: %h = nvptx.shr u32 %x, 24
// CHECK-NEXT: nvptx.st global.b32 [@g], %h
// CHECK-NEXT: %s = nvptx.ld global.s8 [@g]
// CHECK-NEXT: nvptx.and b16 %s, 255
// CHECK: nvptx.and b32 %t, 511
// CHECK: nvptx.shr s32 %x, 24
// CHECK-NEXT: nvptx.and b32
// CHECK: %[[PAIR:.*]] = nvptx.mov b64 {-2147483648, %t}
// CHECK-NEXT: nvptx.and b64 %[[PAIR]], 2047
nvptx.func @masks() {
  %x = nvptx.ld param.b32 [@masks_param_0] : () -> !nvptx.b32
  %b = nvptx.ld global.u8 [@g] : () -> !nvptx.b16
  %c = nvptx.and b16 %b, 255 : (!nvptx.b16) -> !nvptx.b16
  nvptx.st global.b16 [@g], %c : (!nvptx.b16) -> ()
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %d = nvptx.and b32 1023, %t : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %h = nvptx.shr u32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %e = nvptx.and b32 %h, 255 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %e : (!nvptx.b32) -> ()
  %s = nvptx.ld global.s8 [@g] : () -> !nvptx.b16
  %i = nvptx.and b16 %s, 255 : (!nvptx.b16) -> !nvptx.b16
  nvptx.st global.b16 [@g], %i : (!nvptx.b16) -> ()
  %j = nvptx.and b32 %t, 511 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %j : (!nvptx.b32) -> ()
  %k = nvptx.shr s32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %l = nvptx.and b32 %k, 127 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  %m = nvptx.mov b64 {-2147483648, %t} : (!nvptx.b32) -> !nvptx.b64
  %n = nvptx.and b64 %m, 2047 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %n : (!nvptx.b64) -> ()
  nvptx.ret
}

// Whole bytes become field extracts; seven bits, and a shifted value with other uses, do not.
// CHECK-LABEL: @fields
// CHECK: nvptx.bfe u32 %x, 8, 8
// CHECK: nvptx.bfe u32 %x, 8, 16
// CHECK: nvptx.shr u32 %x, 5
// CHECK-NEXT: nvptx.and b32
// CHECK: nvptx.shr u32 %x, 16
// CHECK-NEXT: nvptx.and b32
nvptx.func @fields() {
  %x = nvptx.ld param.b32 [@fields_param_0] : () -> !nvptx.b32
  %a = nvptx.shr u32 %x, 8 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.and b32 %a, 255 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %c = nvptx.shr s32 %x, 8 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.and b32 %c, 65535 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %e = nvptx.shr u32 %x, 5 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.and b32 %e, 127 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %h = nvptx.shr u32 %x, 16 : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.and b32 %h, 255 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.v2.b32 [@g], {%h, %i} : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}

// Inserting bits into zeros: masked before the shift, after it, or narrow anyway. A value with bits outside
// the zeros, and zeros in two ranges, are not inserted.
// CHECK-LABEL: @insert
// CHECK: nvptx.bfi b32 %y, %x, 8, 8
// CHECK: nvptx.bfi b32 %y, %x, 5, 7
// CHECK: nvptx.bfi b32 %{{.*}}, %x, 16, 16
// CHECK: %[[A:.*]] = nvptx.and b32 %x, -65281
// CHECK-NEXT: %[[B:.*]] = nvptx.shl b32 %y, 8
// CHECK-NEXT: nvptx.or b32 %[[A]], %[[B]]
// CHECK: %[[C:.*]] = nvptx.and b32 %x, -983281
// CHECK: nvptx.or b32
nvptx.func @insert() {
  %x = nvptx.ld param.b32 [@insert_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@insert_param_1] : () -> !nvptx.b32
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.and b32 %y, 255 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.shl b32 %a, 8 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.and b32 %x, -65281 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.or b32 %b, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %e = nvptx.shl b32 %y, 5 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.and b32 %e, 4064 : (!nvptx.b32) -> !nvptx.b32
  %h = nvptx.and b32 %x, -4065 : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.or b32 %h, %f : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %j = nvptx.shl b32 %t, 16 : (!nvptx.b32) -> !nvptx.b32
  %k = nvptx.and b32 %x, 65535 : (!nvptx.b32) -> !nvptx.b32
  %l = nvptx.or b32 %k, %j : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  %m = nvptx.and b32 %x, -65281 : (!nvptx.b32) -> !nvptx.b32
  %n = nvptx.shl b32 %y, 8 : (!nvptx.b32) -> !nvptx.b32
  %o = nvptx.or b32 %m, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %o : (!nvptx.b32) -> ()
  %p = nvptx.and b32 %x, -983281 : (!nvptx.b32) -> !nvptx.b32
  %q = nvptx.shl b32 %y, 4 : (!nvptx.b32) -> !nvptx.b32
  %r = nvptx.and b32 %q, 983280 : (!nvptx.b32) -> !nvptx.b32
  %s = nvptx.or b32 %p, %r : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %s : (!nvptx.b32) -> ()
  nvptx.ret
}

// CHECK-LABEL: @extend
// CHECK: nvptx.bfe s32 %x, 0, 8
// CHECK: nvptx.bfe s32 %x, 0, 12
// CHECK: nvptx.shl b32 %x, 24
// CHECK-NEXT: nvptx.shr u32
// CHECK: nvptx.shl b32 %x, 20
// CHECK-NEXT: nvptx.shr s32 %{{.*}}, 24
nvptx.func @extend() {
  %x = nvptx.ld param.b32 [@extend_param_0] : () -> !nvptx.b32
  %a = nvptx.shl b32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.shr s32 %a, 24 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %e = nvptx.shl b32 %x, 20 : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.shr s32 %e, 20 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %h = nvptx.shl b32 %x, 24 : (!nvptx.b32) -> !nvptx.b32
  %i = nvptx.shr u32 %h, 24 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %c = nvptx.shl b32 %x, 20 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.shr s32 %c, 24 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  nvptx.ret
}

// Consecutive conversions. A zero extension of a sign extension, and an extension of a truncation, are not
// one conversion; nor is a narrow type.
// CHECK-LABEL: @conversions
// CHECK: nvptx.st global.b32 [@g], %x
// CHECK: nvptx.cvt u64.u16 %h
// CHECK: nvptx.cvt s64.s16 %h
// CHECK: nvptx.cvt u16.u64 %w
// CHECK: nvptx.cvt s32.s16 %h
// CHECK: nvptx.cvt u64.u16 %h
// CHECK: nvptx.cvt s32.s16 %h
// CHECK-NEXT: nvptx.cvt u64.u32
// CHECK: nvptx.cvt u16.u32 %x
// CHECK-NEXT: nvptx.cvt u32.u16
// CHECK: nvptx.cvt u16.u8 %h
// CHECK-NEXT: nvptx.cvt u32.u16
nvptx.func @conversions() {
  %h = nvptx.ld param.b16 [@conversions_param_0] : () -> !nvptx.b16
  %x = nvptx.ld param.b32 [@conversions_param_1] : () -> !nvptx.b32
  %w = nvptx.ld param.b64 [@conversions_param_2] : () -> !nvptx.b64
  %a = nvptx.cvt s64.s32 %x : (!nvptx.b32) -> !nvptx.b64
  %b = nvptx.cvt u32.u64 %a : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %c = nvptx.cvt u32.u16 %h : (!nvptx.b16) -> !nvptx.b32
  %d = nvptx.cvt u64.u32 %c : (!nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %d : (!nvptx.b64) -> ()
  %e = nvptx.cvt s32.s16 %h : (!nvptx.b16) -> !nvptx.b32
  %f = nvptx.cvt s64.s32 %e : (!nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %f : (!nvptx.b64) -> ()
  %i = nvptx.cvt u32.u64 %w : (!nvptx.b64) -> !nvptx.b32
  %j = nvptx.cvt u16.u32 %i : (!nvptx.b32) -> !nvptx.b16
  nvptx.st global.b16 [@g], %j : (!nvptx.b16) -> ()
  %k = nvptx.cvt s64.s16 %h : (!nvptx.b16) -> !nvptx.b64
  %l = nvptx.cvt u32.u64 %k : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  %m = nvptx.cvt u32.u16 %h : (!nvptx.b16) -> !nvptx.b32
  %n = nvptx.cvt s64.s32 %m : (!nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %n : (!nvptx.b64) -> ()
  %o = nvptx.cvt s32.s16 %h : (!nvptx.b16) -> !nvptx.b32
  %p = nvptx.cvt u64.u32 %o : (!nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %p : (!nvptx.b64) -> ()
  %q = nvptx.cvt u16.u32 %x : (!nvptx.b32) -> !nvptx.b16
  %r = nvptx.cvt u32.u16 %q : (!nvptx.b16) -> !nvptx.b32
  nvptx.st global.b32 [@g], %r : (!nvptx.b32) -> ()
  %s = nvptx.cvt u16.u8 %h : (!nvptx.b16) -> !nvptx.b16
  %t = nvptx.cvt u32.u16 %s : (!nvptx.b16) -> !nvptx.b32
  nvptx.st global.b32 [@g], %t : (!nvptx.b32) -> ()
  nvptx.ret
}

// CHECK-LABEL: @packs
// CHECK: nvptx.st global.v2.b32 [@g], {%x, %y}
// CHECK: nvptx.st global.b64 [@g], %w
// CHECK: nvptx.mov b64 {%hi, %lo}
nvptx.func @packs() {
  %x = nvptx.ld param.b32 [@packs_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@packs_param_1] : () -> !nvptx.b32
  %w = nvptx.ld param.b64 [@packs_param_2] : () -> !nvptx.b64
  %v = nvptx.mov b64 {%x, %y} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  %a, %b = nvptx.mov b64 %v : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  nvptx.st global.v2.b32 [@g], {%a, %b} : (!nvptx.b32, !nvptx.b32) -> ()
  %lo, %hi = nvptx.mov b64 %w : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  %u = nvptx.mov b64 {%lo, %hi} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %u : (!nvptx.b64) -> ()
  %t = nvptx.mov b64 {%hi, %lo} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [@g], %t : (!nvptx.b64) -> ()
  nvptx.ret
}

// Predicates converted to numbers become predicates again. A negation is folded into the comparison, the
// selection, the branch. For floats, not less is greater, equal or unordered.
// CHECK-LABEL: @predicates
// CHECK: %[[P:.*]] = nvptx.setp ge.s32 %x, %y
// CHECK-NEXT: nvptx.selp b32 3, 4, %[[P]]
// CHECK: %[[Q:.*]] = nvptx.setp geu.ftz.f32 %f, %f
// CHECK-NEXT: nvptx.selp b32 3, 4, %[[Q]]
// CHECK: %p = nvptx.setp eq.b32 %x, %y
// CHECK-NEXT: nvptx.selp b32 6, 5, %p
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.selp b32 7, 8, %p
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.selp b32 10, 9, %p
// CHECK-NEXT: nvptx.st
// CHECK-NEXT: nvptx.cbra %p : !nvptx.pred, ^else, ^then
nvptx.func @predicates() {
  %x = nvptx.ld param.b32 [@predicates_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@predicates_param_1] : () -> !nvptx.b32
  %f = nvptx.ld param.f32 [@predicates_param_1] : () -> !nvptx.f32
  %a = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %b = nvptx.not pred %a : (!nvptx.pred) -> !nvptx.pred
  %c = nvptx.selp b32 3, 4, %b : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c : (!nvptx.b32) -> ()
  %d = nvptx.setp lt.ftz.f32 %f, %f : (!nvptx.f32, !nvptx.f32) -> !nvptx.pred
  %e = nvptx.not pred %d : (!nvptx.pred) -> !nvptx.pred
  %h = nvptx.selp b32 3, 4, %e : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %h : (!nvptx.b32) -> ()
  %p = nvptx.setp eq.b32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %n = nvptx.not pred %p : (!nvptx.pred) -> !nvptx.pred
  %i = nvptx.selp b32 5, 6, %n : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %j = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %k = nvptx.setp ne.s32 %j, 0 : (!nvptx.b32) -> !nvptx.pred
  %l = nvptx.selp b32 7, 8, %k : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  %m = nvptx.setp eq.s32 %j, 0 : (!nvptx.b32) -> !nvptx.pred
  %o = nvptx.selp b32 9, 10, %m : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %o : (!nvptx.b32) -> ()
  nvptx.cbra %n : !nvptx.pred, ^then, ^else
^then:
  nvptx.st global.b32 [@g], 1 : () -> ()
  nvptx.bra ^else
^else:
  nvptx.ret
}

// The comparison has other uses, or a second result, or combines; the number is not 0 or 1. A selection still
// folds the negation.
// CHECK-LABEL: @no_predicates
// CHECK: %a = nvptx.setp lt.s32 %x, %y
// CHECK-NEXT: %b = nvptx.not pred %a
// CHECK-NEXT: nvptx.and pred %a, %b
// CHECK-NEXT: %d, %e = nvptx.setp lt.s32 %x, %y
// CHECK-NEXT: %g = nvptx.setp lt.and.s32 %x, %y, %e
// CHECK-NEXT: %j = nvptx.selp b32 2, 1, %d
// CHECK-NEXT: %k = nvptx.setp ne.s32 %j, 0
// CHECK-NEXT: nvptx.selp b32 %x, %y, %k
// CHECK-NEXT: nvptx.selp b32 %y, %x, %g
nvptx.func @no_predicates() {
  %x = nvptx.ld param.b32 [@no_predicates_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@no_predicates_param_1] : () -> !nvptx.b32
  %a = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %b = nvptx.not pred %a : (!nvptx.pred) -> !nvptx.pred
  %c = nvptx.and pred %a, %b : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %d, %e = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> (!nvptx.pred, !nvptx.pred)
  %f = nvptx.not pred %d : (!nvptx.pred) -> !nvptx.pred
  %g = nvptx.setp lt.and.s32 %x, %y, %e : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.pred
  %h = nvptx.not pred %g : (!nvptx.pred) -> !nvptx.pred
  %j = nvptx.selp b32 1, 2, %f : (!nvptx.pred) -> !nvptx.b32
  %k = nvptx.setp ne.s32 %j, 0 : (!nvptx.b32) -> !nvptx.pred
  %l = nvptx.selp b32 %x, %y, %k : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %m = nvptx.selp b32 %x, %y, %h : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %n = nvptx.selp b32 %l, %m, %c : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %n : (!nvptx.b32) -> ()
  nvptx.ret
}

// A register with several definitions is not looked through, nor is a guarded one.
// CHECK-LABEL: @guarded
// CHECK: nvptx.shl b32 %x, 24 if %p
// CHECK-NEXT: nvptx.shr s32
// CHECK: nvptx.shr u32 %x, 24 : (!nvptx.b32) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.and b32 %r, 255
nvptx.func @guarded() {
  %r = nvptx.register : !nvptx.b32<1>
  %x = nvptx.ld param.b32 [@guarded_param_0] : () -> !nvptx.b32
  %p = nvptx.setp lt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.shl b32 %x, 24 if %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %b = nvptx.shr s32 %a, 24 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  nvptx.shr u32 %x, 24 : (!nvptx.b32) -> !nvptx.b32<1>
  %c = nvptx.and b32 %r, 255 : (!nvptx.b32<1>) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c : (!nvptx.b32) -> ()
  nvptx.ret
}
