// RUN: nvvm-opt %s -p 'nvptx-load-store-vectorizer' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-mem2reg' | filecheck %s
// RUN: nvvm-opt %s -p 'ldgxform' | filecheck %s
// RUN: nvvm-opt %s -p 'early-ifcvt' | filecheck %s
// RUN: nvvm-opt %s -p 'machine-scheduler{register-target=1}' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-remat-block{nv-remat-default-max-reg=1}' | filecheck %s
// RUN: nvvm-opt %s -p 'stack-coloring' | filecheck %s

// After PHI elimination a register is written more than once, so that one name is several values: the two
// loads %v and %w are from different addresses, %g is written through %a, and the condition changes in the
// middle of ^then. Passes that require SSA form change nothing.
// CHECK-LABEL: @no_phis
// CHECK: %q = nvptx.ld global.b64 [%g]
// CHECK: nvptx.st local.b32 [@x], %s
// CHECK-NEXT: %v = nvptx.ld global.b32 [%a]
// CHECK-NEXT: nvptx.add s64 %a, 64
// CHECK-NEXT: %w = nvptx.ld global.b32 [%a + 4]
// CHECK: %u = nvptx.ld local.b32 [@x]
// CHECK: nvptx.cbra %c : !nvptx.pred<1>, ^then, ^exit
// CHECK-NEXT: ^then:
// CHECK-NEXT: nvptx.setp eq.s32
// CHECK-NEXT: nvptx.st global.b32 [%a], %u
// CHECK-NEXT: nvptx.bra ^exit
nvptx.func kernel @no_phis(#nvptx.param<b64>) attributes {nvptx.noalias = array<i32: 0>} {
  %a = nvptx.register : !nvptx.b64<1>
  %s = nvptx.register : !nvptx.b32<1>
  %c = nvptx.register : !nvptx.pred<1>
  nvptx.local @x 4 align 4
  nvptx.local @y 4 align 4
  %p = nvptx.ld param.b64 [@no_phis_param_0] : () -> !nvptx.b64
  %g = nvptx.cvta to.global.u64 %p : (!nvptx.b64) -> !nvptx.b64
  %a1 = nvptx.mov b64 %g : (!nvptx.b64) -> !nvptx.b64<1>
  %q = nvptx.ld global.b64 [%g] : (!nvptx.b64) -> !nvptx.b64
  %k = nvptx.ld global.b64 [%a] : (!nvptx.b64<1>) -> !nvptx.b64
  %s1 = nvptx.cvt u32.u64 %q : (!nvptx.b64) -> !nvptx.b32<1>
  nvptx.st local.b32 [@x], %s : (!nvptx.b32<1>) -> ()
  %v = nvptx.ld global.b32 [%a] : (!nvptx.b64<1>) -> !nvptx.b32
  %a2 = nvptx.add s64 %a, 64 : (!nvptx.b64<1>) -> !nvptx.b64<1>
  %w = nvptx.ld global.b32 [%a + 4] : (!nvptx.b64<1>) -> !nvptx.b32
  %s2 = nvptx.add s32 %v, %w : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32<1>
  %u = nvptx.ld local.b32 [@x] : () -> !nvptx.b32
  nvptx.st local.b32 [@y], %u : (!nvptx.b32) -> ()
  %c1 = nvptx.setp gt.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.cbra %c : !nvptx.pred<1>, ^then, ^exit
^then:
  %c2 = nvptx.setp eq.s32 %s, 0 : (!nvptx.b32<1>) -> !nvptx.pred<1>
  nvptx.st global.b32 [%a], %u : (!nvptx.b64<1>, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}
