// RUN: nvvm-opt %s -p 'nvptx-shared-pointers' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-shared-pointers,nvptx-shared-pointers' | filecheck %s

// The pointer, its sum and the step have 32 bits.
// CHECK-LABEL: @advances
// CHECK:       %p = nvptx.mov b64 @s
// CHECK-NEXT:  [[P:%[0-9a-z_]+]] = nvptx.cvt u32.u64 %p
// CHECK:       %w = nvptx.mul wide.s32 %n, 288
// CHECK-NEXT:  [[W:%[0-9a-z_]+]] = nvptx.cvt u32.u64 %w
// CHECK:       nvptx.bra ^{{.*}}([[P]], %n : !nvptx.b32, !nvptx.b32)
// CHECK:       ^{{.*}}(%a: !nvptx.b32, %i: !nvptx.b32):
// CHECK-NEXT:  nvptx.ld shared.b32 [%a + 4] : (!nvptx.b32) -> !nvptx.b32
// CHECK-NEXT:  nvptx.st shared.b32 [%a], %v : (!nvptx.b32, !nvptx.b32) -> ()
// CHECK-NEXT:  nvptx.red shared.add.u32 [%a + 8], %v : (!nvptx.b32, !nvptx.b32) -> ()
// CHECK-NEXT:  nvptx.atom shared.add.u32 [%a + 8], %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
// CHECK-NEXT:  %b = nvptx.add s32 %a, [[W]] : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
// CHECK-NEXT:  %q = nvptx.add s32 %b, -4 : (!nvptx.b32) -> !nvptx.b32
nvptx.global @s "shared" "b32" x 1024
nvptx.func @advances(#nvptx.param<b32>) {
  %n = nvptx.ld param.b32 [@advances_param_0] : () -> !nvptx.b32
  %p = nvptx.mov b64 @s : () -> !nvptx.b64
  %w = nvptx.mul wide.s32 %n, 288 : (!nvptx.b32) -> !nvptx.b64
  nvptx.bra ^loop(%p, %n : !nvptx.b64, !nvptx.b32)
^loop(%a: !nvptx.b64, %i: !nvptx.b32):
  %v = nvptx.ld shared.b32 [%a + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st shared.b32 [%a], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.red shared.add.u32 [%a + 8], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %o = nvptx.atom shared.add.u32 [%a + 8], %v : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s64 %a, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %q = nvptx.add u64 %b, -4 : (!nvptx.b64) -> !nvptx.b64
  nvptx.st shared.b32 [%q], %o : (!nvptx.b64, !nvptx.b32) -> ()
  %j = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp ne.s32 %j, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%b, %j : !nvptx.b64, !nvptx.b32), ^done
^done:
  nvptx.ret
}

// Each of these pointers has a use that needs 64 bits: a conversion to a generic address, an access of global memory,
// a store of the pointer, a guarded sum, a sum with a constant of 33 bits, and a difference.
// CHECK-LABEL: @wide
// CHECK-NOT:   nvptx.cvt u32
// CHECK:       ^{{.*}}(%a: !nvptx.b64, %d: !nvptx.b64, %e: !nvptx.b64, %f: !nvptx.b64, %g: !nvptx.b64, %h: !nvptx.b64):
// CHECK-NOT:   nvptx.cvt u32
nvptx.func @wide(#nvptx.param<b64>) {
  %n = nvptx.ld param.b64 [@wide_param_0] : () -> !nvptx.b64
  %p = nvptx.mov b64 @s : () -> !nvptx.b64
  %k = nvptx.setp lt.s64 %n, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.bra ^loop(%p, %p, %p, %p, %p, %p : !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64)
^loop(%a: !nvptx.b64, %d: !nvptx.b64, %e: !nvptx.b64, %f: !nvptx.b64, %g: !nvptx.b64, %h: !nvptx.b64):
  %v = nvptx.ld shared.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.cvta shared.u64 %a : (!nvptx.b64) -> !nvptx.b64
  nvptx.st b32 [%w], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%d], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st shared.b64 [%e], %e : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st shared.b32 [%f], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st shared.b32 [%g], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st shared.b32 [%h], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %a1 = nvptx.add s64 %a, 4 : (!nvptx.b64) -> !nvptx.b64
  %d1 = nvptx.add s64 %d, 4 : (!nvptx.b64) -> !nvptx.b64
  %e1 = nvptx.add s64 %e, 8 : (!nvptx.b64) -> !nvptx.b64
  %f1 = nvptx.add s64 %f, 4 if %k : (!nvptx.b64, !nvptx.pred) -> !nvptx.b64
  %g1 = nvptx.add s64 %g, 4294967296 : (!nvptx.b64) -> !nvptx.b64
  %h1 = nvptx.sub s64 %h, 4 : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp ne.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%a1, %d1, %e1, %f1, %g1, %h1 : !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64, !nvptx.b64), ^done
^done:
  nvptx.ret
}

// A sum of floats in 64-bit registers is no sum of addresses.
// CHECK-LABEL: @floats
// CHECK:       ^{{.*}}(%a: !nvptx.b64):
// CHECK:       nvptx.add rn.f64 %a, %n
nvptx.func @floats(#nvptx.param<b64>) {
  %n = nvptx.ld param.b64 [@floats_param_0] : () -> !nvptx.b64
  nvptx.bra ^loop(%n : !nvptx.b64)
^loop(%a: !nvptx.b64):
  %v = nvptx.ld shared.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.add rn.f64 %a, %n : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp ne.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%b : !nvptx.b64), ^done
^done:
  nvptx.ret
}

// A pointer that the loop does not change, and one that it loads, remain.
// CHECK-LABEL: @still
// CHECK-NOT:   nvptx.cvt u32
// CHECK:       ^{{.*}}(%a: !nvptx.b64, %b: !nvptx.b64):
// CHECK-NOT:   nvptx.cvt u32
nvptx.func @still() {
  %p = nvptx.mov b64 @s : () -> !nvptx.b64
  nvptx.bra ^loop(%p, %p : !nvptx.b64, !nvptx.b64)
^loop(%a: !nvptx.b64, %b: !nvptx.b64):
  %v = nvptx.ld shared.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st shared.b32 [%b], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %n = nvptx.ld global.b64 [@next] : () -> !nvptx.b64
  %c = nvptx.setp ne.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%a, %n : !nvptx.b64, !nvptx.b64), ^done
^done:
  nvptx.ret
}

// The pointer of an inner loop starts at that of the outer loop; a block between them passes both on.
// CHECK-LABEL: @nested
// CHECK:       ^{{.*}}(%a: !nvptx.b32, %x: !nvptx.b64):
// CHECK-NEXT:  [[H:%[0-9a-z_]+]] = nvptx.cvt u32.u64 %x
// CHECK:       nvptx.bra ^{{.*}}(%a : !nvptx.b32)
// CHECK:       ^{{.*}}(%b: !nvptx.b32):
// CHECK:       %b1 = nvptx.add s32 %b, [[H]]
// CHECK:       ^{{.*}}(%d: !nvptx.b32):
// CHECK:       %a1 = nvptx.add s32 %d, 256
nvptx.func @nested(#nvptx.param<b64>) {
  %n = nvptx.ld param.b64 [@nested_param_0] : () -> !nvptx.b64
  %p = nvptx.mov b64 @s : () -> !nvptx.b64
  nvptx.bra ^outer(%p, %n : !nvptx.b64, !nvptx.b64)
^outer(%a: !nvptx.b64, %x: !nvptx.b64):
  nvptx.bra ^inner(%a : !nvptx.b64)
^inner(%b: !nvptx.b64):
  %v = nvptx.ld shared.b32 [%b] : (!nvptx.b64) -> !nvptx.b32
  %b1 = nvptx.add s64 %b, %x : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp ne.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^inner(%b1 : !nvptx.b64), ^middle(%a : !nvptx.b64)
^middle(%d: !nvptx.b64):
  %a1 = nvptx.add s64 %d, 256 : (!nvptx.b64) -> !nvptx.b64
  %e = nvptx.setp lt.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %e : !nvptx.pred, ^outer(%a1, %x : !nvptx.b64, !nvptx.b64), ^done
^done:
  nvptx.ret
}

// Two pointers that are exchanged are narrowed together, with one conversion of their start; 32-bit pointers remain.
// CHECK-LABEL: @exchanged
// CHECK:       %p = nvptx.ld param
// CHECK-NEXT:  [[P:%[0-9a-z_]+]] = nvptx.cvt u32.u64 %p
// CHECK-NEXT:  nvptx.bra ^{{.*}}([[P]], [[P]], %q, %q :
// CHECK-NEXT:  ^{{.*}}(%a: !nvptx.b32, %b: !nvptx.b32, %x: !nvptx.b32, %y: !nvptx.b32):
nvptx.func @exchanged(#nvptx.param<b64>) {
  %q = nvptx.mov b32 @s : () -> !nvptx.b32
  %p = nvptx.ld param.b64 [@exchanged_param_0] : () -> !nvptx.b64
  nvptx.bra ^loop(%p, %p, %q, %q : !nvptx.b64, !nvptx.b64, !nvptx.b32, !nvptx.b32)
^loop(%a: !nvptx.b64, %b: !nvptx.b64, %x: !nvptx.b32, %y: !nvptx.b32):
  %v = nvptx.ld shared.b32 [%a] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld shared.b32 [%x] : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp ne.s32 %v, %w : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%b, %a, %y, %x : !nvptx.b64, !nvptx.b64, !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.ret
}
