; ModuleID = 'examples/vectors.cu'
source_filename = "examples/vectors.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.threadIdx_t = type { i8 }
%struct.Particle = type { %struct.float4, %struct.int2, [24 x i8] }
%struct.float4 = type { float, float, float, float }
%struct.int2 = type { i32, i32 }

$_ZN11threadIdx_t6read_xEv = comdat any

@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scale(ptr noundef %0, ptr noundef %1, float noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca float, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store float %2, ptr %6, align 4, !tbaa !10
  %7 = load ptr, ptr %4, align 8, !tbaa !8
  %8 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds nuw <4 x float>, ptr %7, i64 %9
  %11 = load <4 x float>, ptr %10, align 16, !tbaa !12
  %12 = load float, ptr %6, align 4, !tbaa !10
  %13 = insertelement <4 x float> poison, float %12, i64 0
  %14 = shufflevector <4 x float> %13, <4 x float> poison, <4 x i32> zeroinitializer
  %15 = fmul contract <4 x float> %11, %14
  %16 = load ptr, ptr %4, align 8, !tbaa !8
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw <4 x float>, ptr %16, i64 %18
  %20 = load <4 x float>, ptr %19, align 16
  %21 = shufflevector <4 x float> %20, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %22 = fadd contract <4 x float> %15, %21
  %23 = load ptr, ptr %5, align 8, !tbaa !8
  %24 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds nuw <4 x float>, ptr %23, i64 %25
  store <4 x float> %22, ptr %26, align 16, !tbaa !12
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #1 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @narrow(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca <4 x float>, align 16
  store ptr %0, ptr %3, align 8, !tbaa !8
  store ptr %1, ptr %4, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %5) #7
  %6 = load ptr, ptr %3, align 8, !tbaa !8
  %7 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw <4 x float>, ptr %6, i64 %8
  %10 = load <4 x float>, ptr %9, align 16, !tbaa !12
  %11 = fmul contract <4 x float> %10, splat (float 2.550000e+02)
  store <4 x float> %11, ptr %5, align 16, !tbaa !12
  %12 = load <4 x float>, ptr %5, align 16
  %13 = extractelement <4 x float> %12, i64 0
  %14 = fptoui float %13 to i8
  %15 = insertelement <4 x i8> poison, i8 %14, i32 0
  %16 = load <4 x float>, ptr %5, align 16
  %17 = extractelement <4 x float> %16, i64 1
  %18 = fptoui float %17 to i8
  %19 = insertelement <4 x i8> %15, i8 %18, i32 1
  %20 = load <4 x float>, ptr %5, align 16
  %21 = extractelement <4 x float> %20, i64 2
  %22 = fptoui float %21 to i8
  %23 = insertelement <4 x i8> %19, i8 %22, i32 2
  %24 = load <4 x float>, ptr %5, align 16
  %25 = extractelement <4 x float> %24, i64 3
  %26 = fptoui float %25 to i8
  %27 = insertelement <4 x i8> %23, i8 %26, i32 3
  %28 = load ptr, ptr %4, align 8, !tbaa !8
  %29 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %30 = zext i32 %29 to i64
  %31 = getelementptr inbounds nuw <4 x i8>, ptr %28, i64 %30
  store <4 x i8> %27, ptr %31, align 4, !tbaa !12
  call void @llvm.lifetime.end.p0(ptr %5) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @cross(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca <3 x i32>, align 16
  %8 = alloca <3 x i32>, align 16
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store ptr %2, ptr %6, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %9 = load ptr, ptr %4, align 8, !tbaa !8
  %10 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %11 = zext i32 %10 to i64
  %12 = getelementptr inbounds nuw <3 x i32>, ptr %9, i64 %11
  %13 = load <4 x i32>, ptr %12, align 16
  %14 = shufflevector <4 x i32> %13, <4 x i32> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %15 = shufflevector <3 x i32> %14, <3 x i32> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %15, ptr %7, align 16, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %8) #7
  %16 = load ptr, ptr %5, align 8, !tbaa !8
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw <3 x i32>, ptr %16, i64 %18
  %20 = load <4 x i32>, ptr %19, align 16
  %21 = shufflevector <4 x i32> %20, <4 x i32> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %22 = shufflevector <3 x i32> %21, <3 x i32> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %22, ptr %8, align 16, !tbaa !12
  %23 = load <3 x i32>, ptr %7, align 16
  %24 = shufflevector <3 x i32> %23, <3 x i32> poison, <3 x i32> <i32 1, i32 2, i32 0>
  %25 = load <3 x i32>, ptr %8, align 16
  %26 = shufflevector <3 x i32> %25, <3 x i32> poison, <3 x i32> <i32 2, i32 0, i32 1>
  %27 = mul <3 x i32> %24, %26
  %28 = load <3 x i32>, ptr %7, align 16
  %29 = shufflevector <3 x i32> %28, <3 x i32> poison, <3 x i32> <i32 2, i32 0, i32 1>
  %30 = load <3 x i32>, ptr %8, align 16
  %31 = shufflevector <3 x i32> %30, <3 x i32> poison, <3 x i32> <i32 1, i32 2, i32 0>
  %32 = mul <3 x i32> %29, %31
  %33 = sub <3 x i32> %27, %32
  %34 = load ptr, ptr %6, align 8, !tbaa !8
  %35 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %36 = zext i32 %35 to i64
  %37 = getelementptr inbounds nuw <3 x i32>, ptr %34, i64 %36
  %38 = shufflevector <3 x i32> %33, <3 x i32> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %38, ptr %37, align 16, !tbaa !12
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @move(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca %struct.Particle, align 16
  store ptr %0, ptr %4, align 8, !tbaa !13
  store ptr %1, ptr %5, align 8, !tbaa !13
  store ptr %2, ptr %6, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %8 = load ptr, ptr %4, align 8, !tbaa !13
  %9 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw %struct.Particle, ptr %8, i64 %10
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %7, ptr align 16 %11, i64 48, i1 false), !tbaa.struct !15
  %12 = load ptr, ptr %6, align 8, !tbaa !8
  %13 = load <2 x float>, ptr %12, align 8
  %14 = extractelement <2 x float> %13, i64 0
  %15 = getelementptr inbounds nuw %struct.Particle, ptr %7, i32 0, i32 0
  %16 = getelementptr inbounds nuw %struct.float4, ptr %15, i32 0, i32 0
  %17 = load float, ptr %16, align 16, !tbaa !16
  %18 = fadd contract float %17, %14
  store float %18, ptr %16, align 16, !tbaa !16
  %19 = load ptr, ptr %6, align 8, !tbaa !8
  %20 = load <2 x float>, ptr %19, align 8
  %21 = extractelement <2 x float> %20, i64 1
  %22 = getelementptr inbounds nuw %struct.Particle, ptr %7, i32 0, i32 0
  %23 = getelementptr inbounds nuw %struct.float4, ptr %22, i32 0, i32 1
  %24 = load float, ptr %23, align 4, !tbaa !20
  %25 = fadd contract float %24, %21
  store float %25, ptr %23, align 4, !tbaa !20
  %26 = getelementptr inbounds nuw %struct.Particle, ptr %7, i32 0, i32 0
  %27 = getelementptr inbounds nuw %struct.float4, ptr %26, i32 0, i32 0
  %28 = load float, ptr %27, align 16, !tbaa !16
  %29 = fptosi float %28 to i32
  %30 = getelementptr inbounds nuw %struct.Particle, ptr %7, i32 0, i32 1
  %31 = getelementptr inbounds nuw %struct.int2, ptr %30, i32 0, i32 0
  store i32 %29, ptr %31, align 16, !tbaa !21
  %32 = getelementptr inbounds nuw %struct.Particle, ptr %7, i32 0, i32 2
  %33 = getelementptr inbounds [24 x i8], ptr %32, i64 0, i64 0
  call void @llvm.memset.p0.i64(ptr align 8 %33, i8 0, i64 24, i1 false)
  %34 = load ptr, ptr %5, align 8, !tbaa !13
  %35 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %36 = zext i32 %35 to i64
  %37 = getelementptr inbounds nuw %struct.Particle, ptr %34, i64 %36
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %37, ptr align 16 %7, i64 48, i1 false), !tbaa.struct !15
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"any pointer", !6, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"float", !6, i64 0}
!12 = !{!6, !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 _ZTS8Particle", !9, i64 0}
!15 = !{i64 0, i64 4, !10, i64 4, i64 4, !10, i64 8, i64 4, !10, i64 12, i64 4, !10, i64 16, i64 4, !4, i64 20, i64 4, !4, i64 24, i64 24, !12}
!16 = !{!17, !11, i64 0}
!17 = !{!"_ZTS8Particle", !18, i64 0, !19, i64 16, !6, i64 24}
!18 = !{!"_ZTS6float4", !11, i64 0, !11, i64 4, !11, i64 8, !11, i64 12}
!19 = !{!"_ZTS4int2", !5, i64 0, !5, i64 4}
!20 = !{!17, !11, i64 4}
!21 = !{!17, !5, i64 16}
