// RUN: nvvm-opt %s -p 'machine-sink' | filecheck %s

// An operand without other users is sunk with its user if more than 32 registers are live: 30 of `%x`, the
// address and `%w` at the start of ^join. Then only the live range of the 32-bit index extends.
// CHECK-LABEL: @crowded
// CHECK-NOT: nvptx.mul
// CHECK: ^join:
// CHECK-NEXT: %q = nvptx.mul wide.s32 %i, 4
// CHECK-NEXT: %a = nvptx.add s64 %q, %w
// CHECK-NEXT: nvptx.st global.b64 [%a], %w
nvptx.func kernel @crowded(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@crowded_param_0] : () -> !nvptx.b64
  %i = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  %x0 = nvptx.ld global.b64 [%p + 64] : (!nvptx.b64) -> !nvptx.b64
  %x1 = nvptx.ld global.b64 [%p + 72] : (!nvptx.b64) -> !nvptx.b64
  %x2 = nvptx.ld global.b64 [%p + 80] : (!nvptx.b64) -> !nvptx.b64
  %x3 = nvptx.ld global.b64 [%p + 88] : (!nvptx.b64) -> !nvptx.b64
  %x4 = nvptx.ld global.b64 [%p + 96] : (!nvptx.b64) -> !nvptx.b64
  %x5 = nvptx.ld global.b64 [%p + 104] : (!nvptx.b64) -> !nvptx.b64
  %x6 = nvptx.ld global.b64 [%p + 112] : (!nvptx.b64) -> !nvptx.b64
  %x7 = nvptx.ld global.b64 [%p + 120] : (!nvptx.b64) -> !nvptx.b64
  %x8 = nvptx.ld global.b64 [%p + 128] : (!nvptx.b64) -> !nvptx.b64
  %x9 = nvptx.ld global.b64 [%p + 136] : (!nvptx.b64) -> !nvptx.b64
  %x10 = nvptx.ld global.b64 [%p + 144] : (!nvptx.b64) -> !nvptx.b64
  %x11 = nvptx.ld global.b64 [%p + 152] : (!nvptx.b64) -> !nvptx.b64
  %x12 = nvptx.ld global.b64 [%p + 160] : (!nvptx.b64) -> !nvptx.b64
  %x13 = nvptx.ld global.b64 [%p + 168] : (!nvptx.b64) -> !nvptx.b64
  %x14 = nvptx.ld global.b64 [%p + 176] : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp gt.s32 %i, 0 : (!nvptx.b32) -> !nvptx.pred
  %q = nvptx.mul wide.s32 %i, 4 : (!nvptx.b32) -> !nvptx.b64
  %a = nvptx.add s64 %q, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b64 [%a], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 24], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 64], %x0 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 72], %x1 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 80], %x2 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 88], %x3 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 96], %x4 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 104], %x5 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 112], %x6 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 120], %x7 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 128], %x8 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 136], %x9 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 144], %x10 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 152], %x11 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 160], %x12 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 168], %x13 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 176], %x14 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// With 32 registers it stays.
// CHECK-LABEL: @spacious
// CHECK: nvptx.mul
// CHECK: nvptx.add s64
// CHECK: nvptx.cbra
nvptx.func kernel @spacious(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@spacious_param_0] : () -> !nvptx.b64
  %i = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  %x0 = nvptx.ld global.b64 [%p + 64] : (!nvptx.b64) -> !nvptx.b64
  %x1 = nvptx.ld global.b64 [%p + 72] : (!nvptx.b64) -> !nvptx.b64
  %x2 = nvptx.ld global.b64 [%p + 80] : (!nvptx.b64) -> !nvptx.b64
  %x3 = nvptx.ld global.b64 [%p + 88] : (!nvptx.b64) -> !nvptx.b64
  %x4 = nvptx.ld global.b64 [%p + 96] : (!nvptx.b64) -> !nvptx.b64
  %x5 = nvptx.ld global.b64 [%p + 104] : (!nvptx.b64) -> !nvptx.b64
  %x6 = nvptx.ld global.b64 [%p + 112] : (!nvptx.b64) -> !nvptx.b64
  %x7 = nvptx.ld global.b64 [%p + 120] : (!nvptx.b64) -> !nvptx.b64
  %x8 = nvptx.ld global.b64 [%p + 128] : (!nvptx.b64) -> !nvptx.b64
  %x9 = nvptx.ld global.b64 [%p + 136] : (!nvptx.b64) -> !nvptx.b64
  %x10 = nvptx.ld global.b64 [%p + 144] : (!nvptx.b64) -> !nvptx.b64
  %x11 = nvptx.ld global.b64 [%p + 152] : (!nvptx.b64) -> !nvptx.b64
  %x12 = nvptx.ld global.b64 [%p + 160] : (!nvptx.b64) -> !nvptx.b64
  %x13 = nvptx.ld global.b64 [%p + 168] : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp gt.s32 %i, 0 : (!nvptx.b32) -> !nvptx.pred
  %q = nvptx.mul wide.s32 %i, 4 : (!nvptx.b32) -> !nvptx.b64
  %a = nvptx.add s64 %q, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b64 [%a], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 24], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 64], %x0 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 72], %x1 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 80], %x2 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 88], %x3 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 96], %x4 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 104], %x5 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 112], %x6 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 120], %x7 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 128], %x8 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 136], %x9 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 144], %x10 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 152], %x11 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 160], %x12 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 168], %x13 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// It stays if the operand has another user, if the operand's operands occupy as many registers, if the operand
// is a load from memory that may change, and if it is defined in another block.
// CHECK-LABEL: @without_operand
// CHECK: %a = nvptx.add s64
// CHECK: %b = nvptx.add s64
// CHECK: %d = nvptx.add s64
// CHECK: nvptx.cbra
// CHECK: %f = nvptx.add s64
// CHECK: nvptx.cbra
nvptx.func kernel @without_operand(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@without_operand_param_0] : () -> !nvptx.b64
  %i = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %w = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  %v = nvptx.ld global.b64 [%p + 16] : (!nvptx.b64) -> !nvptx.b64
  %x0 = nvptx.ld global.b64 [%p + 64] : (!nvptx.b64) -> !nvptx.b64
  %x1 = nvptx.ld global.b64 [%p + 72] : (!nvptx.b64) -> !nvptx.b64
  %x2 = nvptx.ld global.b64 [%p + 80] : (!nvptx.b64) -> !nvptx.b64
  %x3 = nvptx.ld global.b64 [%p + 88] : (!nvptx.b64) -> !nvptx.b64
  %x4 = nvptx.ld global.b64 [%p + 96] : (!nvptx.b64) -> !nvptx.b64
  %x5 = nvptx.ld global.b64 [%p + 104] : (!nvptx.b64) -> !nvptx.b64
  %x6 = nvptx.ld global.b64 [%p + 112] : (!nvptx.b64) -> !nvptx.b64
  %x7 = nvptx.ld global.b64 [%p + 120] : (!nvptx.b64) -> !nvptx.b64
  %x8 = nvptx.ld global.b64 [%p + 128] : (!nvptx.b64) -> !nvptx.b64
  %x9 = nvptx.ld global.b64 [%p + 136] : (!nvptx.b64) -> !nvptx.b64
  %x10 = nvptx.ld global.b64 [%p + 144] : (!nvptx.b64) -> !nvptx.b64
  %x11 = nvptx.ld global.b64 [%p + 152] : (!nvptx.b64) -> !nvptx.b64
  %x12 = nvptx.ld global.b64 [%p + 160] : (!nvptx.b64) -> !nvptx.b64
  %x13 = nvptx.ld global.b64 [%p + 168] : (!nvptx.b64) -> !nvptx.b64
  %x14 = nvptx.ld global.b64 [%p + 176] : (!nvptx.b64) -> !nvptx.b64
  %x15 = nvptx.ld global.b64 [%p + 184] : (!nvptx.b64) -> !nvptx.b64
  %c = nvptx.setp gt.s32 %i, 0 : (!nvptx.b32) -> !nvptx.pred
  %q = nvptx.mul wide.s32 %i, 4 : (!nvptx.b32) -> !nvptx.b64
  nvptx.st global.b64 [%p + 32], %q : (!nvptx.b64, !nvptx.b64) -> ()
  %a = nvptx.add s64 %q, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %r = nvptx.shl b64 %v, 4 : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %r, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %l = nvptx.ld global.b64 [%p + 40] : (!nvptx.b64) -> !nvptx.b64
  %d = nvptx.add s64 %l, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  %e = nvptx.mul wide.s32 %i, 8 : (!nvptx.b32) -> !nvptx.b64
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32) -> ()
  %f = nvptx.add s64 %e, %w : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.cbra %c : !nvptx.pred, ^other, ^last
^other:
  nvptx.st global.b64 [%p], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.bra ^last
^last:
  nvptx.st global.b32 [%p + 4], %i : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%a], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%b], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%d], %f : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 64], %x0 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 72], %x1 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 80], %x2 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 88], %x3 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 96], %x4 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 104], %x5 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 112], %x6 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 120], %x7 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 128], %x8 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 136], %x9 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 144], %x10 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 152], %x11 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 160], %x12 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 168], %x13 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 176], %x14 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b64 [%p + 184], %x15 : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
