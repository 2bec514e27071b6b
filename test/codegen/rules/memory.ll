; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' | filecheck %s
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_100}' | filecheck %s --check-prefix=WIDE

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @vectors(
; CHECK: nvptx.ld global.v4.f32
; CHECK: nvptx.st global.v4.f32
; CHECK: nvptx.ld global.v2.f64
; CHECK: nvptx.st global.v2.f64
; CHECK: nvptx.ld global.v4.b32
; CHECK-NEXT: nvptx.ld global.v4.b32
; WIDE-LABEL: @vectors(
; WIDE: nvptx.ld global.v8.b32
; WIDE: nvptx.st global.v8.b32
define ptx_kernel void @vectors(ptr %p) {
  %a = load <4 x float>, ptr %p, align 16
  store <4 x float> %a, ptr %p, align 16
  %b = load <2 x double>, ptr %p, align 16
  store <2 x double> %b, ptr %p, align 16
  %c = load <8 x i32>, ptr %p, align 32
  store <8 x i32> %c, ptr %p, align 32
  ret void
}

; With half the alignment, vectors have half the size.
; CHECK-LABEL: @less_aligned(
; CHECK: nvptx.ld global.v2.f32
; CHECK: nvptx.ld global.v2.f32
; CHECK: nvptx.st global.f32
; CHECK-COUNT-3: nvptx.st global.f32
; CHECK: nvptx.ld global.b16
; CHECK-NEXT: nvptx.ld global.b16
; CHECK-NEXT: nvptx.mov b32 {
define ptx_kernel void @less_aligned(ptr %p) {
  %a = load <4 x float>, ptr %p, align 8
  store <4 x float> %a, ptr %p, align 4
  %b = load i32, ptr %p, align 2
  store i32 %b, ptr %p
  ret void
}

; CHECK-LABEL: @read_only(
; CHECK: nvptx.ld.global.nc f32
; CHECK: nvptx.ld.global.nc f32
; CHECK: nvptx.ld global.f32
define ptx_kernel void @read_only(ptr noalias readonly %a, ptr %b, ptr noalias %c) {
  %x = load float, ptr %a
  %y = load float, ptr %b, !invariant.load !0
  %z = load float, ptr %b
  %s = fadd float %x, %y
  %t = fadd float %s, %z
  store float %t, ptr %c
  ret void
}
!0 = !{}

; Arguments of a device function guarantee a smaller alignment.
; CHECK-LABEL: @device(
; CHECK-NOT: global.nc
; CHECK: nvptx.ld f32
define float @device(ptr noalias readonly %a) {
  %x = load float, ptr %a
  ret float %x
}

; CHECK-LABEL: @ordered(
; CHECK: nvptx.ld volatile.global.b32
; CHECK: nvptx.ld relaxed.sys.global.b32
; CHECK: nvptx.ld acquire.gpu.global.b32
; CHECK: nvptx.fence sc.sys
; CHECK-NEXT: nvptx.ld acquire.sys.global.b32
; CHECK: nvptx.st release.cta.global.b32
; CHECK: nvptx.fence sc.sys
; CHECK-NEXT: nvptx.st relaxed.sys.global.b32
; CHECK: nvptx.fence acq_rel.gpu
; CHECK: nvptx.fence sc.sys
define ptx_kernel void @ordered(ptr %p) {
  %a = load volatile i32, ptr %p
  %b = load atomic i32, ptr %p monotonic, align 4
  %c = load atomic i32, ptr %p syncscope("device") acquire, align 4
  %d = load atomic i32, ptr %p seq_cst, align 4
  store atomic i32 %d, ptr %p syncscope("block") release, align 4
  store atomic i32 %d, ptr %p seq_cst, align 4
  fence syncscope("device") acquire
  fence seq_cst
  ret void
}

; PTX has no volatile accesses of local memory; a note on the accesses keeps them.
; CHECK-LABEL: @volatile_local(
; CHECK: nvptx.st local.b32 [@__local_0], %{{[0-9]+}} : (!nvptx.b32) -> () attributes {volatile}
; CHECK: nvptx.ld local.b32 [@__local_0] : () -> !nvptx.b32 attributes {volatile}
define i32 @volatile_local(i32 %v) {
  %x = alloca i32
  store volatile i32 %v, ptr %x
  %w = load volatile i32, ptr %x
  ret i32 %w
}

; CHECK-LABEL: @atomics(
; CHECK: nvptx.fence sc.sys
; CHECK-NEXT: nvptx.atom acquire.sys.global.add.u32 [%{{[0-9]+}}], 1
; CHECK: nvptx.atom relaxed.gpu.global.add.u32
; CHECK: nvptx.atom acq_rel.cta.global.or.b32
; CHECK: nvptx.atom relaxed.sys.global.add.f32
; CHECK: nvptx.atom relaxed.sys.shared.inc.u32
; CHECK: nvptx.fence sc.sys
; CHECK-NEXT: nvptx.atom acquire.sys.global.cas.b32
; CHECK: nvptx.atom relaxed.gpu.global.cas.b64
define ptx_kernel void @atomics(ptr %p, ptr addrspace(3) %s, i32 %v, i64 %w, float %f) {
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = atomicrmw add ptr %p, i32 %v syncscope("device") monotonic
  %c = atomicrmw or ptr %p, i32 %v syncscope("block") acq_rel
  %d = atomicrmw fadd ptr %p, float %f monotonic
  %e = atomicrmw uinc_wrap ptr addrspace(3) %s, i32 7 monotonic
  %g = cmpxchg ptr %p, i32 %v, i32 3 seq_cst seq_cst
  %h = cmpxchg ptr %p, i64 %w, i64 3 syncscope("device") monotonic monotonic
  ret void
}

; CHECK-LABEL: @locals(
; CHECK: nvptx.local @[[NAME:[a-z_0-9]+]] 40 align 4
; CHECK: nvptx.st local.b32 [@[[NAME]] + 4], 7
; CHECK: [[BASE:%[0-9]+]] = nvptx.mov b64 @[[NAME]]
; CHECK: nvptx.ld local.b32
; CHECK-NOT: cvta
define ptx_kernel void @locals(i64 %i, ptr addrspace(1) %out) {
  %a = alloca [10 x i32], align 4
  %p = getelementptr [10 x i32], ptr %a, i64 0, i64 1
  store i32 7, ptr %p
  %q = getelementptr [10 x i32], ptr %a, i64 0, i64 %i
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %out
  ret void
}
