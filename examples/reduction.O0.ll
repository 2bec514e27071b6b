; ModuleID = 'examples/reduction.cu'
source_filename = "examples/reduction.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.threadIdx_t = type { i8 }
%struct.blockIdx_t = type { i8 }
%struct.gridDim_t = type { i8 }
%struct.blockDim_t = type { i8 }

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN9gridDim_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

@_ZZ10reduce_sumE7partial = internal addrspace(3) global [256 x float] undef, align 4
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@gridDim = extern_weak dso_local addrspace(1) global %struct.gridDim_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @reduce_sum(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca float, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %12 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #8
  store i32 %12, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  store float 0.000000e+00, ptr %8, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %9) #7
  %13 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #8
  %14 = mul i32 %13, 256
  %15 = load i32, ptr %7, align 4, !tbaa !4
  %16 = add i32 %14, %15
  store i32 %16, ptr %9, align 4, !tbaa !4
  br label %17

17:                                               ; preds = %30, %3
  %18 = load i32, ptr %9, align 4, !tbaa !4
  %19 = load i32, ptr %6, align 4, !tbaa !4
  %20 = icmp slt i32 %18, %19
  br i1 %20, label %22, label %21

21:                                               ; preds = %17
  call void @llvm.lifetime.end.p0(ptr %9) #7
  br label %35

22:                                               ; preds = %17
  %23 = load ptr, ptr %4, align 8, !tbaa !8
  %24 = load i32, ptr %9, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %23, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !11
  %28 = load float, ptr %8, align 4, !tbaa !11
  %29 = fadd contract float %28, %27
  store float %29, ptr %8, align 4, !tbaa !11
  br label %30

30:                                               ; preds = %22
  %31 = call noundef i32 @_ZN9gridDim_t6read_xEv() #8
  %32 = mul i32 %31, 256
  %33 = load i32, ptr %9, align 4, !tbaa !4
  %34 = add i32 %33, %32
  store i32 %34, ptr %9, align 4, !tbaa !4
  br label %17, !llvm.loop !13

35:                                               ; preds = %21
  %36 = load float, ptr %8, align 4, !tbaa !11
  %37 = load i32, ptr %7, align 4, !tbaa !4
  %38 = zext i32 %37 to i64
  %39 = getelementptr inbounds nuw [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 0, i64 %38
  store float %36, ptr %39, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %10) #7
  store i32 128, ptr %10, align 4, !tbaa !4
  br label %40

40:                                               ; preds = %61, %35
  %41 = load i32, ptr %10, align 4, !tbaa !4
  %42 = icmp uge i32 %41, 32
  br i1 %42, label %44, label %43

43:                                               ; preds = %40
  call void @llvm.lifetime.end.p0(ptr %10) #7
  br label %64

44:                                               ; preds = %40
  %45 = load i32, ptr %7, align 4, !tbaa !4
  %46 = load i32, ptr %10, align 4, !tbaa !4
  %47 = icmp ult i32 %45, %46
  br i1 %47, label %48, label %60

48:                                               ; preds = %44
  %49 = load i32, ptr %7, align 4, !tbaa !4
  %50 = load i32, ptr %10, align 4, !tbaa !4
  %51 = add i32 %49, %50
  %52 = zext i32 %51 to i64
  %53 = getelementptr inbounds nuw [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 0, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !11
  %55 = load i32, ptr %7, align 4, !tbaa !4
  %56 = zext i32 %55 to i64
  %57 = getelementptr inbounds nuw [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 0, i64 %56
  %58 = load float, ptr %57, align 4, !tbaa !11
  %59 = fadd contract float %58, %54
  store float %59, ptr %57, align 4, !tbaa !11
  br label %60

60:                                               ; preds = %48, %44
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %61

61:                                               ; preds = %60
  %62 = load i32, ptr %10, align 4, !tbaa !4
  %63 = udiv i32 %62, 2
  store i32 %63, ptr %10, align 4, !tbaa !4
  br label %40, !llvm.loop !15

64:                                               ; preds = %43
  %65 = load i32, ptr %7, align 4, !tbaa !4
  %66 = icmp ult i32 %65, 32
  br i1 %66, label %67, label %93

67:                                               ; preds = %64
  %68 = load i32, ptr %7, align 4, !tbaa !4
  %69 = zext i32 %68 to i64
  %70 = getelementptr inbounds nuw [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 0, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !11
  store float %71, ptr %8, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %11) #7
  store i32 16, ptr %11, align 4, !tbaa !4
  br label %72

72:                                               ; preds = %82, %67
  %73 = load i32, ptr %11, align 4, !tbaa !4
  %74 = icmp sgt i32 %73, 0
  br i1 %74, label %76, label %75

75:                                               ; preds = %72
  call void @llvm.lifetime.end.p0(ptr %11) #7
  br label %85

76:                                               ; preds = %72
  %77 = load float, ptr %8, align 4, !tbaa !11
  %78 = load i32, ptr %11, align 4, !tbaa !4
  %79 = call contract noundef float @_ZL15__shfl_xor_syncjfi(i32 noundef -1, float noundef %77, i32 noundef %78) #8
  %80 = load float, ptr %8, align 4, !tbaa !11
  %81 = fadd contract float %80, %79
  store float %81, ptr %8, align 4, !tbaa !11
  br label %82

82:                                               ; preds = %76
  %83 = load i32, ptr %11, align 4, !tbaa !4
  %84 = sdiv i32 %83, 2
  store i32 %84, ptr %11, align 4, !tbaa !4
  br label %72, !llvm.loop !16

85:                                               ; preds = %75
  %86 = load i32, ptr %7, align 4, !tbaa !4
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %88, label %92

88:                                               ; preds = %85
  %89 = load ptr, ptr %5, align 8, !tbaa !8
  %90 = load float, ptr %8, align 4, !tbaa !11
  %91 = call contract noundef float @_ZL9atomicAddPff(ptr noundef %89, float noundef %90) #8
  br label %92

92:                                               ; preds = %88, %85
  br label %93

93:                                               ; preds = %92, %64
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN9gridDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef float @_ZL15__shfl_xor_syncjfi(i32 noundef %0, float noundef %1, i32 noundef %2) #2 {
  %4 = alloca i32, align 4
  %5 = alloca float, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4, !tbaa !4
  store float %1, ptr %5, align 4, !tbaa !11
  store i32 %2, ptr %6, align 4, !tbaa !4
  %7 = load i32, ptr %4, align 4, !tbaa !4
  %8 = load float, ptr %5, align 4, !tbaa !11
  %9 = load i32, ptr %6, align 4, !tbaa !4
  %10 = call contract float @llvm.nvvm.shfl.sync.bfly.f32(i32 %7, float %8, i32 %9, i32 31)
  ret float %10
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef float @_ZL9atomicAddPff(ptr noundef %0, float noundef %1) #2 {
  %3 = alloca ptr, align 8
  %4 = alloca float, align 4
  %5 = alloca float, align 4
  %6 = alloca float, align 4
  store ptr %0, ptr %3, align 8, !tbaa !8
  store float %1, ptr %4, align 4, !tbaa !11
  %7 = load ptr, ptr %3, align 8, !tbaa !8
  %8 = load float, ptr %4, align 4, !tbaa !11
  store float %8, ptr %5, align 4, !tbaa !11
  %9 = load float, ptr %5, align 4
  %10 = atomicrmw fadd ptr %7, float %9 monotonic, align 4
  store float %10, ptr %6, align 4
  %11 = load float, ptr %6, align 4, !tbaa !11
  ret float %11
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @reduce_max(ptr noundef %0, ptr noundef %1, i32 noundef %2) #4 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !17
  store ptr %1, ptr %5, align 8, !tbaa !17
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  store i32 -2147483648, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #8
  store i32 %11, ptr %8, align 4, !tbaa !4
  br label %12

12:                                               ; preds = %35, %3
  %13 = load i32, ptr %8, align 4, !tbaa !4
  %14 = load i32, ptr %6, align 4, !tbaa !4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %17, label %16

16:                                               ; preds = %12
  call void @llvm.lifetime.end.p0(ptr %8) #7
  br label %39

17:                                               ; preds = %12
  %18 = load ptr, ptr %4, align 8, !tbaa !17
  %19 = load i32, ptr %8, align 4, !tbaa !4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !4
  %23 = load i32, ptr %7, align 4, !tbaa !4
  %24 = icmp sgt i32 %22, %23
  br i1 %24, label %25, label %31

25:                                               ; preds = %17
  %26 = load ptr, ptr %4, align 8, !tbaa !17
  %27 = load i32, ptr %8, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %26, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !4
  br label %33

31:                                               ; preds = %17
  %32 = load i32, ptr %7, align 4, !tbaa !4
  br label %33

33:                                               ; preds = %31, %25
  %34 = phi i32 [ %30, %25 ], [ %32, %31 ]
  store i32 %34, ptr %7, align 4, !tbaa !4
  br label %35

35:                                               ; preds = %33
  %36 = call noundef i32 @_ZN10blockDim_t6read_xEv() #8
  %37 = load i32, ptr %8, align 4, !tbaa !4
  %38 = add i32 %37, %36
  store i32 %38, ptr %8, align 4, !tbaa !4
  br label %12, !llvm.loop !19

39:                                               ; preds = %16
  call void @llvm.lifetime.start.p0(ptr %9) #7
  store i32 16, ptr %9, align 4, !tbaa !4
  br label %40

40:                                               ; preds = %57, %39
  %41 = load i32, ptr %9, align 4, !tbaa !4
  %42 = icmp sgt i32 %41, 0
  br i1 %42, label %44, label %43

43:                                               ; preds = %40
  call void @llvm.lifetime.end.p0(ptr %9) #7
  br label %60

44:                                               ; preds = %40
  call void @llvm.lifetime.start.p0(ptr %10) #7
  %45 = load i32, ptr %7, align 4, !tbaa !4
  %46 = load i32, ptr %9, align 4, !tbaa !4
  %47 = call noundef i32 @_ZL16__shfl_down_syncjii(i32 noundef -1, i32 noundef %45, i32 noundef %46) #8
  store i32 %47, ptr %10, align 4, !tbaa !4
  %48 = load i32, ptr %10, align 4, !tbaa !4
  %49 = load i32, ptr %7, align 4, !tbaa !4
  %50 = icmp sgt i32 %48, %49
  br i1 %50, label %51, label %53

51:                                               ; preds = %44
  %52 = load i32, ptr %10, align 4, !tbaa !4
  br label %55

53:                                               ; preds = %44
  %54 = load i32, ptr %7, align 4, !tbaa !4
  br label %55

55:                                               ; preds = %53, %51
  %56 = phi i32 [ %52, %51 ], [ %54, %53 ]
  store i32 %56, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %10) #7
  br label %57

57:                                               ; preds = %55
  %58 = load i32, ptr %9, align 4, !tbaa !4
  %59 = ashr i32 %58, 1
  store i32 %59, ptr %9, align 4, !tbaa !4
  br label %40, !llvm.loop !20

60:                                               ; preds = %43
  %61 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #8
  %62 = and i32 %61, 31
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %68

64:                                               ; preds = %60
  %65 = load ptr, ptr %5, align 8, !tbaa !17
  %66 = load i32, ptr %7, align 4, !tbaa !4
  %67 = call noundef i32 @_ZL9atomicMaxPii(ptr noundef %65, i32 noundef %66) #8
  br label %68

68:                                               ; preds = %64, %60
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL16__shfl_down_syncjii(i32 noundef %0, i32 noundef %1, i32 noundef %2) #2 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4, !tbaa !4
  store i32 %1, ptr %5, align 4, !tbaa !4
  store i32 %2, ptr %6, align 4, !tbaa !4
  %7 = load i32, ptr %4, align 4, !tbaa !4
  %8 = load i32, ptr %5, align 4, !tbaa !4
  %9 = load i32, ptr %6, align 4, !tbaa !4
  %10 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %7, i32 %8, i32 %9, i32 31)
  ret i32 %10
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL9atomicMaxPii(ptr noundef %0, i32 noundef %1) #2 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !17
  store i32 %1, ptr %4, align 4, !tbaa !4
  %7 = load ptr, ptr %3, align 8, !tbaa !17
  %8 = load i32, ptr %4, align 4, !tbaa !4
  store i32 %8, ptr %5, align 4, !tbaa !4
  %9 = load i32, ptr %5, align 4
  %10 = atomicrmw max ptr %7, i32 %9 monotonic, align 4
  store i32 %10, ptr %6, align 4
  %11 = load i32, ptr %6, align 4, !tbaa !4
  ret i32 %11
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #5

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #6

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="256" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #7 = { nounwind }
attributes #8 = { convergent nounwind }

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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !14}
!16 = distinct !{!16, !14}
!17 = !{!18, !18, i64 0}
!18 = !{!"p1 int", !10, i64 0}
!19 = distinct !{!19, !14}
!20 = distinct !{!20, !14}
