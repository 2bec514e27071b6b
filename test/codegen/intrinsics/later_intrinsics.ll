; Intrinsics of LLVM's main branch: PTX 9.1 to 9.4.
; RUN: nvvm-cc -O0 -arch=sm_107a %s | filecheck %s

declare i16 @llvm.nvvm.bf16x2.to.e4m3x2.rn.relu.satfinite(<2 x bfloat>)
declare i16 @llvm.nvvm.f16x2.to.e2m3x2.rn.satfinite(<2 x half>)
declare i16 @llvm.nvvm.ff.to.s2f6x2.rn.satfinite.scale.n2.ue8m0(float, float, i16)
declare <2 x bfloat> @llvm.nvvm.s2f6x2.to.bf16x2.rn.relu.satfinite.scale.n2.ue8m0(i16, i16)
declare i1 @llvm.nvvm.mbarrier.check.layout(ptr addrspace(3), i32)
declare void @llvm.nvvm.applypriority.async.bulk.evict.priority(ptr addrspace(1), i32, i32)
declare void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.tile.2d(ptr, i32, i32, i32)
declare void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.tile.gather4.2d(ptr, i32, i32, i32, i32, i32, i32)
declare void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.im2col.3d(ptr, i32, i32, i32, i16, i32)
declare void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.im2col.w.128.3d(ptr, i32, i32, i32, i16, i16, i32)

; CHECK: .version 9.4
; CHECK: .target sm_107a

; CHECK-LABEL: .entry conversions(
; CHECK: cvt.rn.satfinite.relu.e4m3x2.bf16x2
; CHECK: cvt.rn.satfinite.e2m3x2.f16x2
; CHECK: cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32
; CHECK: cvt.rn.satfinite.relu.scaled::n2::ue8m0.bf16x2.s2f6x2
define ptx_kernel void @conversions(ptr addrspace(1) %out, <2 x bfloat> %b, <2 x half> %h, float %x, float %y, i16 %s) {
  %1 = call i16 @llvm.nvvm.bf16x2.to.e4m3x2.rn.relu.satfinite(<2 x bfloat> %b)
  store i16 %1, ptr addrspace(1) %out
  %2 = call i16 @llvm.nvvm.f16x2.to.e2m3x2.rn.satfinite(<2 x half> %h)
  store i16 %2, ptr addrspace(1) %out
  %3 = call i16 @llvm.nvvm.ff.to.s2f6x2.rn.satfinite.scale.n2.ue8m0(float %x, float %y, i16 %s)
  store i16 %3, ptr addrspace(1) %out
  %4 = call <2 x bfloat> @llvm.nvvm.s2f6x2.to.bf16x2.rn.relu.satfinite.scale.n2.ue8m0(i16 %3, i16 %s)
  store <2 x bfloat> %4, ptr addrspace(1) %out
  ret void
}

@barrier = internal addrspace(3) global i64 undef, align 8

; CHECK-LABEL: .entry layouts(
; CHECK: mbarrier.check_layout.layout::v0.shared
; CHECK: mbarrier.check_layout.layout::v1.shared
define ptx_kernel void @layouts(ptr addrspace(1) %out) {
  %v0 = call i1 @llvm.nvvm.mbarrier.check.layout(ptr addrspace(3) @barrier, i32 0)
  %v1 = call i1 @llvm.nvvm.mbarrier.check.layout(ptr addrspace(3) @barrier, i32 1)
  %both = or i1 %v0, %v1
  %wide = zext i1 %both to i32
  store i32 %wide, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry priorities(
; CHECK: applypriority.async.bulk.global.bulk_group.L2::evict_normal [%rd{{[0-9]+}}], %r{{[0-9]+}};
; CHECK: applypriority.async.bulk.tensor.2d.global.tile.bulk_group.L2::evict_normal [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}];
; CHECK: applypriority.async.bulk.tensor.2d.global.tile::gather4.bulk_group.L2::evict_normal
; CHECK: applypriority.async.bulk.tensor.3d.global.im2col.bulk_group.L2::evict_normal {{.*}}}], {%rs{{[0-9]+}}};
; CHECK: applypriority.async.bulk.tensor.3d.global.im2col::w::128.bulk_group.L2::evict_normal {{.*}}}], {%rs{{[0-9]+}}, %rs{{[0-9]+}}};
define ptx_kernel void @priorities(ptr addrspace(1) %data, ptr %map, i32 %x, i32 %y, i16 %o) {
  call void @llvm.nvvm.applypriority.async.bulk.evict.priority(ptr addrspace(1) %data, i32 128, i32 0)
  call void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.tile.2d(ptr %map, i32 %x, i32 %y, i32 0)
  call void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.tile.gather4.2d(ptr %map, i32 %x, i32 %y, i32 %x, i32 %y, i32 %x, i32 0)
  call void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.im2col.3d(ptr %map, i32 %x, i32 %y, i32 %x, i16 %o, i32 0)
  call void @llvm.nvvm.applypriority.async.bulk.tensor.evict.priority.im2col.w.128.3d(ptr %map, i32 %x, i32 %y, i32 %x, i16 %o, i16 %o, i32 0)
  ret void
}
