// RUN: nvvm-opt %s | nvvm-opt | filecheck %s
// RUN: nvvm-opt %s --print-op-generic | nvvm-opt | filecheck %s

// Every form of operand, op and property that the dialect has.

builtin.module attributes {nvptx.target = "sm_90a", nvptx.ptx = "8.3"} {
  // CHECK: nvptx.global visible @table "const" "b32" x 2 <{align = 4 : i32, init = array<i8: 1, 2, 3, 4, 5, 0, 0, 0>}>
  // PTX: .visible .const .align 4 .b32 table[2] = {67305985, 5};
  nvptx.global visible @table "const" "b32" x 2 <{align = 4 : i32, init = array<i8: 1, 2, 3, 4, 5, 0, 0, 0>}>
  // CHECK: nvptx.global @pi "global" "f32" <{init = array<i8: -37, 15, 73, 64>}>
  // PTX: .global .f32 pi = 0f40490FDB;
  nvptx.global @pi "global" "f32" <{init = array<i8: -37, 15, 73, 64>}>
  // CHECK: nvptx.global extern @dynamic "shared" "b8" x 0 <{align = 16 : i32}>
  // PTX: .extern .shared .align 16 .b8 dynamic[];
  nvptx.global extern @dynamic "shared" "b8" x 0 <{align = 16 : i32}>
  // CHECK: relocs = [#nvptx.reloc<0, low 3 @table + 4, generic>]
  nvptx.global @part "global" "b8" x 4 <{init = array<i8: 0, 0, 0, 1>, relocs = [#nvptx.reloc<0, low 3 @table + 4, generic>]}>
  // CHECK: nvptx.global @texture "global" "b64" <{kind = "texref"}>
  // PTX: .global .texref texture;
  nvptx.global @texture "global" "b64" <{kind = "texref"}>

  // CHECK: nvptx.func kernel visible @forms(#nvptx.param<b64, name = "forms_param_0", ptr = global, ptr_align = 16>, #nvptx.param<b8 x 12, align = 4, name = "forms_param_1">) <{maxntid = array<i32: 128, 1, 1>, minnctapersm = 2 : i32}> {
  // PTX: .visible .entry forms(
  // PTX-NEXT: .param .b64 .ptr .global .align 16 forms_param_0,
  // PTX-NEXT: .param .align 4 .b8 forms_param_1[12]
  // PTX-NEXT: )
  // PTX-NEXT: .maxntid 128, 1, 1
  // PTX-NEXT: .minnctapersm 2
  nvptx.func kernel visible @forms(#nvptx.param<b64, name = "forms_param_0", ptr = global, ptr_align = 16>, #nvptx.param<b8 x 12, align = 4, name = "forms_param_1">) <{maxntid = array<i32: 128, 1, 1>, minnctapersm = 2 : i32}> {
    // CHECK-NEXT: nvptx.local @depot 16 align 8
    // PTX: .local .align 8 .b8 depot[16];
    nvptx.local @depot 16 align 8
    // CHECK-NEXT: %p = nvptx.ld param.b64 [@forms_param_0] : () -> !nvptx.b64
    // PTX: ld.param.b64 %rd1, [forms_param_0];
    %p = nvptx.ld param.b64 [@forms_param_0] : () -> !nvptx.b64
    // CHECK-NEXT: %n = nvptx.ld param.b32 [@forms_param_1 + 8] : () -> !nvptx.b32
    // PTX: ld.param.b32 %r1, [forms_param_1+8];
    %n = nvptx.ld param.b32 [@forms_param_1 + 8] : () -> !nvptx.b32
    // CHECK-NEXT: %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
    // PTX: mov.u32 %r2, %tid.x;
    %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
    // CHECK-NEXT: %s = nvptx.mov b64 @table + 4 : () -> !nvptx.b64
    // PTX: mov.b64 %rd2, table+4;
    %s = nvptx.mov b64 @table + 4 : () -> !nvptx.b64
    // CHECK-NEXT: %c = nvptx.setp lt.s32 %t, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
    // PTX: setp.lt.s32 %p1, %r2, %r1;
    %c = nvptx.setp lt.s32 %t, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
    // CHECK-NEXT: %d, %e = nvptx.setp gt.and.s32 %t, %n, not %c : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> (!nvptx.pred, !nvptx.pred)
    // PTX: setp.gt.and.s32 %p2|%p3, %r2, %r1, !%p1;
    %d, %e = nvptx.setp gt.and.s32 %t, %n, not %c : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> (!nvptx.pred, !nvptx.pred)
    // CHECK-NEXT: %lo, %hi = nvptx.mov b64 %p : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
    // PTX: mov.b64 {%r3, %r4}, %rd1;
    %lo, %hi = nvptx.mov b64 %p : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
    // CHECK-NEXT: %j = nvptx.mov b64 {%lo, 0} : (!nvptx.b32) -> !nvptx.b64
    // PTX: mov.b64 %rd3, {%r3, 0};
    %j = nvptx.mov b64 {%lo, 0} : (!nvptx.b32) -> !nvptx.b64
    // CHECK-NEXT: %v, %w = nvptx.ld "global.L1::no_allocate.v2.f32" [%p - 16] : (!nvptx.b64) -> (!nvptx.f32, !nvptx.f32)
    // PTX: ld.global.L1::no_allocate.v2.f32 {%f1, %f2}, [%rd1+-16];
    %v, %w = nvptx.ld "global.L1::no_allocate.v2.f32" [%p - 16] : (!nvptx.b64) -> (!nvptx.f32, !nvptx.f32)
    // CHECK-NEXT: %x = nvptx.fma rn.ftz.f32 %v, f32 0x3F800000, %w if %c : (!nvptx.f32, !nvptx.f32, !nvptx.pred) -> !nvptx.f32
    // PTX: @%p1 fma.rn.ftz.f32 %f3, %f1, 0f3F800000, %f2;
    %x = nvptx.fma rn.ftz.f32 %v, f32 0x3F800000, %w if %c : (!nvptx.f32, !nvptx.f32, !nvptx.pred) -> !nvptx.f32
    // CHECK-NEXT: nvptx.st global.v2.f32 [%p], {%x, %w} if not %c : (!nvptx.b64, !nvptx.f32, !nvptx.f32, !nvptx.pred) -> () attributes {note = "kept"}
    // PTX: @!%p1 st.global.v2.f32 [%rd1], {%f3, %f2};
    nvptx.st global.v2.f32 [%p], {%x, %w} if not %c : (!nvptx.b64, !nvptx.f32, !nvptx.f32, !nvptx.pred) -> () attributes {note = "kept"}
    // CHECK-NEXT: %h, %i = nvptx.shfl.sync bfly.b32 %t, 1, 31, -1 : (!nvptx.b32) -> (!nvptx.b32, !nvptx.pred)
    // PTX: shfl.sync.bfly.b32 %r5|%p4, %r2, 1, 31, -1;
    %h, %i = nvptx.shfl.sync bfly.b32 %t, 1, 31, -1 : (!nvptx.b32) -> (!nvptx.b32, !nvptx.pred)
    // CHECK-NEXT: nvptx.mbarrier.arrive "release.cluster.shared::cluster.b64" _, [%t] : (!nvptx.b32) -> ()
    // PTX: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];
    nvptx.mbarrier.arrive "release.cluster.shared::cluster.b64" _, [%t] : (!nvptx.b32) -> ()
    // CHECK-NEXT: %q0, %q1, %q2, %q3 = nvptx.tex "2d.v4.f32.f32" [@texture, {%v, %w}] : (!nvptx.f32, !nvptx.f32) -> (!nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.f32)
    // PTX: tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [texture, {%f1, %f2}];
    %q0, %q1, %q2, %q3 = nvptx.tex "2d.v4.f32.f32" [@texture, {%v, %w}] : (!nvptx.f32, !nvptx.f32) -> (!nvptx.f32, !nvptx.f32, !nvptx.f32, !nvptx.f32)
    // CHECK-NEXT: %g0, %g1 = nvptx.wgmma.mma_async sync.aligned.m64n8k16.f16.f16.f16 tied (%lo, %hi) %p, %s, %c, 1, -1, 0, 1
    // PTX: mov.b32 %r7, %r4;
    // PTX-NEXT: mov.b32 %r6, %r3;
    // PTX-NEXT: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r6, %r7}, %rd1, %rd2, %p1, 1, -1, 0, 1;
    %g0, %g1 = nvptx.wgmma.mma_async sync.aligned.m64n8k16.f16.f16.f16 tied (%lo, %hi) %p, %s, %c, 1, -1, 0, 1 : (!nvptx.b32, !nvptx.b32, !nvptx.b64, !nvptx.b64, !nvptx.pred) -> (!nvptx.b32, !nvptx.b32)
    // CHECK-NEXT: %k = nvptx.cvt rn.satfinite.e2m1x2.f32 %v, %w : (!nvptx.f32, !nvptx.f32) -> !nvptx.b16
    // PTX: .reg .b8 %byte;
    // PTX-NEXT: cvt.rn.satfinite.e2m1x2.f32 %byte, %f1, %f2;
    // PTX-NEXT: cvt.u16.u8 %rs1, %byte;
    %k = nvptx.cvt rn.satfinite.e2m1x2.f32 %v, %w : (!nvptx.f32, !nvptx.f32) -> !nvptx.b16
    // CHECK-NEXT: %r = nvptx.call uni @callee(%t, 5) <{
    // PTX: .param .b32 param0;
    // PTX-NEXT: .param .align 4 .b8 param1[8];
    // PTX-NEXT: st.param.b32 [param0], %r2;
    // PTX-NEXT: st.param.b32 [param1+4], 5;
    // PTX-NEXT: .param .b32 retval0;
    // PTX-NEXT: call.uni (retval0), callee, (param0, param1);
    // PTX-NEXT: ld.param.b32 %r8, [retval0];
    %r = nvptx.call uni @callee(%t, 5) <{params = [#nvptx.param<b32>, #nvptx.param<b8 x 8, align = 4>], stores = [#nvptx.piece<0, 0, "b32">, #nvptx.piece<1, 4, "b32">], ret = #nvptx.param<b32>, loads = [#nvptx.piece<0, 0, "b32">]}> : (!nvptx.b32) -> !nvptx.b32
    // CHECK-NEXT: nvptx.call (%s, %v, %w) <{
    // PTX: st.param.v2.f32 [param0], {%f1, %f2};
    // PTX-NEXT: prototype_0_1 : .callprototype _ (.param .align 8 .b8 _[8]);
    // PTX-NEXT: call %rd2, (param0), prototype_0_1;
    nvptx.call (%s, %v, %w) <{params = [#nvptx.param<b8 x 8, align = 8>], stores = [#nvptx.piece<0, 0, "v2.f32">]}> : (!nvptx.b64, !nvptx.f32, !nvptx.f32) -> ()
    // CHECK-NEXT: %a = nvptx.inline_asm "add.s32 $0, ${1:b}, $2; // $$" (%t, 7) <{constraints = "=r,r,n", side_effects}> : (!nvptx.b32) -> !nvptx.b32
    // PTX: add.s32 %r9, %r2, 7; // $
    %a = nvptx.inline_asm "add.s32 $0, ${1:b}, $2; // $$" (%t, 7) <{constraints = "=r,r,n", side_effects}> : (!nvptx.b32) -> !nvptx.b32
    // CHECK-NEXT: %b = nvptx.inline_asm "mad.lo.s32 $0, $1, 3, $0;" (%t, %n) <{tied = array<i32: -1, 0>}> : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    // PTX: mov.b32 %r10, %r1;
    // PTX: mad.lo.s32 %r10, %r2, 3, %r10;
    %b = nvptx.inline_asm "mad.lo.s32 $0, $1, 3, $0;" (%t, %n) <{tied = array<i32: -1, 0>}> : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    // CHECK-NEXT: %u = nvptx.undef : !nvptx.b32
    %u = nvptx.undef : !nvptx.b32
    // CHECK-NEXT: nvptx.membar cta : () -> ()
    nvptx.membar cta : () -> ()
    // CHECK-NEXT: nvptx.bar.sync "" 0 : () -> ()
    // PTX: bar.sync 0;
    nvptx.bar.sync "" 0 : () -> ()
    // CHECK-NEXT: nvptx.brx %t : !nvptx.b32, ^cases, ^joined(%t : !nvptx.b32)
    // PTX: $L_brx_0_2: .branchtargets $L__BB0_1, $L__BB0_e1;
    // PTX-NEXT: brx.idx %r2, $L_brx_0_2;
    // PTX-NEXT: $L__BB0_e1:
    // PTX-NEXT: mov.b32 %r12, %r2;
    // PTX-NEXT: bra.uni $L__BB0_2;
    nvptx.brx %t : !nvptx.b32, ^cases, ^joined(%t : !nvptx.b32)
  ^cases:
    // CHECK: nvptx.bra uni ^joined(%n : !nvptx.b32)
    // PTX: $L__BB0_1:
    // PTX-NEXT: mov.b32 %r12, %r1;
    nvptx.bra uni ^joined(%n : !nvptx.b32)
  ^joined(%arg: !nvptx.b32):
    // CHECK: nvptx.cbra uni %c : !nvptx.pred, ^never, ^done
    // PTX: $L__BB0_2:
    // PTX-NEXT: @!%p1 bra.uni $L__BB0_4;
    nvptx.cbra uni %c : !nvptx.pred, ^never, ^done
  ^never:
    // CHECK: nvptx.unreachable
    // PTX: trap;
    // PTX-NEXT: exit;
    nvptx.unreachable
  ^done:
    // CHECK: nvptx.ret
    // PTX: ret;
    nvptx.ret
  }
  // CHECK: nvptx.func extern @callee(#nvptx.param<b32>, #nvptx.param<b8 x 8, align = 4>) -> #nvptx.param<b32>
  nvptx.func extern @callee(#nvptx.param<b32>, #nvptx.param<b8 x 8, align = 4>) -> #nvptx.param<b32>
  // CHECK: nvptx.func extern @variadic(#nvptx.param<b32>, #nvptx.param<b8 x ?, align = 8>)
  nvptx.func extern @variadic(#nvptx.param<b32>, #nvptx.param<b8 x ?, align = 8>)
}
