; ModuleID = 'examples/struct_argument.cu'
source_filename = "examples/struct_argument.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.threadIdx_t = type { i8 }
%struct.Pair = type { float, float }
%struct.Image = type { ptr, i32, i32, i16, [3 x float], %struct.Pair }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockIdx_t6read_yEv = comdat any

$_ZN10blockDim_t6read_yEv = comdat any

$_ZN11threadIdx_t6read_yEv = comdat any

@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local %struct.Pair @_Z7product4PairS_(ptr noundef byval(%struct.Pair) align 4 %0, ptr noundef byval(%struct.Pair) align 4 %1) #0 {
  %3 = alloca %struct.Pair, align 4
  %4 = getelementptr inbounds nuw %struct.Pair, ptr %3, i32 0, i32 0
  %5 = getelementptr inbounds nuw %struct.Pair, ptr %0, i32 0, i32 0
  %6 = load float, ptr %5, align 4, !tbaa !8
  %7 = getelementptr inbounds nuw %struct.Pair, ptr %1, i32 0, i32 0
  %8 = load float, ptr %7, align 4, !tbaa !8
  %9 = fmul contract float %6, %8
  %10 = getelementptr inbounds nuw %struct.Pair, ptr %0, i32 0, i32 1
  %11 = load float, ptr %10, align 4, !tbaa !11
  %12 = getelementptr inbounds nuw %struct.Pair, ptr %1, i32 0, i32 1
  %13 = load float, ptr %12, align 4, !tbaa !11
  %14 = fmul contract float %11, %13
  %15 = fsub contract float %9, %14
  store float %15, ptr %4, align 4, !tbaa !8
  %16 = getelementptr inbounds nuw %struct.Pair, ptr %3, i32 0, i32 1
  %17 = getelementptr inbounds nuw %struct.Pair, ptr %0, i32 0, i32 0
  %18 = load float, ptr %17, align 4, !tbaa !8
  %19 = getelementptr inbounds nuw %struct.Pair, ptr %1, i32 0, i32 1
  %20 = load float, ptr %19, align 4, !tbaa !11
  %21 = fmul contract float %18, %20
  %22 = getelementptr inbounds nuw %struct.Pair, ptr %0, i32 0, i32 1
  %23 = load float, ptr %22, align 4, !tbaa !11
  %24 = getelementptr inbounds nuw %struct.Pair, ptr %1, i32 0, i32 0
  %25 = load float, ptr %24, align 4, !tbaa !8
  %26 = fmul contract float %23, %25
  %27 = fadd contract float %21, %26
  store float %27, ptr %16, align 4, !tbaa !11
  %28 = load %struct.Pair, ptr %3, align 4
  ret %struct.Pair %28
}

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local %struct.Image @_Z9half_size5Image(ptr noundef byval(%struct.Image) align 8 %0) #0 {
  %2 = alloca %struct.Image, align 8
  %3 = alloca %struct.Pair, align 4
  %4 = alloca %struct.Pair, align 4
  %5 = alloca %struct.Pair, align 4
  %6 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 1
  %7 = load i32, ptr %6, align 8, !tbaa !12
  %8 = sdiv i32 %7, 2
  store i32 %8, ptr %6, align 8, !tbaa !12
  %9 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 2
  %10 = load i32, ptr %9, align 4, !tbaa !17
  %11 = sdiv i32 %10, 2
  store i32 %11, ptr %9, align 4, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %3) #6
  %12 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 5
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %4, ptr align 8 %12, i64 8, i1 false), !tbaa.struct !18
  %13 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 5
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %5, ptr align 8 %13, i64 8, i1 false), !tbaa.struct !18
  %14 = call %struct.Pair @_Z7product4PairS_(ptr noundef byval(%struct.Pair) align 4 %4, ptr noundef byval(%struct.Pair) align 4 %5) #7
  %15 = getelementptr inbounds nuw %struct.Pair, ptr %3, i32 0, i32 0
  %16 = extractvalue %struct.Pair %14, 0
  store float %16, ptr %15, align 4
  %17 = getelementptr inbounds nuw %struct.Pair, ptr %3, i32 0, i32 1
  %18 = extractvalue %struct.Pair %14, 1
  store float %18, ptr %17, align 4
  %19 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 5
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %19, ptr align 4 %3, i64 8, i1 false), !tbaa.struct !18
  call void @llvm.lifetime.end.p0(ptr %3) #6
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 8 %0, i64 40, i1 false), !tbaa.struct !20
  %20 = load %struct.Image, ptr %2, align 8
  ret %struct.Image %20
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @brighten(ptr noundef byval(%struct.Image) align 8 %0) #3 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca float, align 4
  call void @llvm.lifetime.start.p0(ptr %2) #6
  %8 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #7
  %9 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %10 = mul i32 %8, %9
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %12 = add i32 %10, %11
  store i32 %12, ptr %2, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %3) #6
  %13 = call noundef i32 @_ZN10blockIdx_t6read_yEv() #7
  %14 = call noundef i32 @_ZN10blockDim_t6read_yEv() #7
  %15 = mul i32 %13, %14
  %16 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #7
  %17 = add i32 %15, %16
  store i32 %17, ptr %3, align 4, !tbaa !4
  %18 = load i32, ptr %2, align 4, !tbaa !4
  %19 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 1
  %20 = load i32, ptr %19, align 8, !tbaa !12
  %21 = icmp sge i32 %18, %20
  br i1 %21, label %27, label %22

22:                                               ; preds = %1
  %23 = load i32, ptr %3, align 4, !tbaa !4
  %24 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 2
  %25 = load i32, ptr %24, align 4, !tbaa !17
  %26 = icmp sge i32 %23, %25
  br i1 %26, label %27, label %28

27:                                               ; preds = %22, %1
  store i32 1, ptr %4, align 4
  br label %87

28:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr %5) #6
  %29 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 0
  %30 = load ptr, ptr %29, align 8, !tbaa !24
  %31 = load i32, ptr %3, align 4, !tbaa !4
  %32 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 1
  %33 = load i32, ptr %32, align 8, !tbaa !12
  %34 = mul nsw i32 %31, %33
  %35 = load i32, ptr %2, align 4, !tbaa !4
  %36 = add nsw i32 %34, %35
  %37 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 3
  %38 = load i16, ptr %37, align 8, !tbaa !25
  %39 = sext i16 %38 to i32
  %40 = mul nsw i32 %36, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %30, i64 %41
  store ptr %42, ptr %5, align 8, !tbaa !21
  call void @llvm.lifetime.start.p0(ptr %6) #6
  store i32 0, ptr %6, align 4, !tbaa !4
  br label %43

43:                                               ; preds = %83, %28
  %44 = load i32, ptr %6, align 4, !tbaa !4
  %45 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 3
  %46 = load i16, ptr %45, align 8, !tbaa !25
  %47 = sext i16 %46 to i32
  %48 = icmp slt i32 %44, %47
  br i1 %48, label %49, label %52

49:                                               ; preds = %43
  %50 = load i32, ptr %6, align 4, !tbaa !4
  %51 = icmp slt i32 %50, 3
  br label %52

52:                                               ; preds = %49, %43
  %53 = phi i1 [ false, %43 ], [ %51, %49 ]
  br i1 %53, label %55, label %54

54:                                               ; preds = %52
  store i32 2, ptr %4, align 4
  call void @llvm.lifetime.end.p0(ptr %6) #6
  br label %86

55:                                               ; preds = %52
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %56 = load ptr, ptr %5, align 8, !tbaa !21
  %57 = load i32, ptr %6, align 4, !tbaa !4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds i8, ptr %56, i64 %58
  %60 = load i8, ptr %59, align 1, !tbaa !23
  %61 = zext i8 %60 to i32
  %62 = sitofp i32 %61 to float
  %63 = getelementptr inbounds nuw %struct.Image, ptr %0, i32 0, i32 4
  %64 = load i32, ptr %6, align 4, !tbaa !4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [3 x float], ptr %63, i64 0, i64 %65
  %67 = load float, ptr %66, align 4, !tbaa !19
  %68 = fmul contract float %62, %67
  store float %68, ptr %7, align 4, !tbaa !19
  %69 = load float, ptr %7, align 4, !tbaa !19
  %70 = fcmp contract ogt float %69, 2.550000e+02
  br i1 %70, label %71, label %72

71:                                               ; preds = %55
  br label %76

72:                                               ; preds = %55
  %73 = load float, ptr %7, align 4, !tbaa !19
  %74 = fptoui float %73 to i8
  %75 = zext i8 %74 to i32
  br label %76

76:                                               ; preds = %72, %71
  %77 = phi i32 [ 255, %71 ], [ %75, %72 ]
  %78 = trunc i32 %77 to i8
  %79 = load ptr, ptr %5, align 8, !tbaa !21
  %80 = load i32, ptr %6, align 4, !tbaa !4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds i8, ptr %79, i64 %81
  store i8 %78, ptr %82, align 1, !tbaa !23
  call void @llvm.lifetime.end.p0(ptr %7) #6
  br label %83

83:                                               ; preds = %76
  %84 = load i32, ptr %6, align 4, !tbaa !4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %6, align 4, !tbaa !4
  br label %43, !llvm.loop !26

86:                                               ; preds = %54
  call void @llvm.lifetime.end.p0(ptr %5) #6
  store i32 0, ptr %4, align 4
  br label %87

87:                                               ; preds = %86, %27
  call void @llvm.lifetime.end.p0(ptr %3) #6
  call void @llvm.lifetime.end.p0(ptr %2) #6
  %88 = load i32, ptr %4, align 4
  switch i32 %88, label %90 [
    i32 0, label %89
    i32 1, label %89
  ]

89:                                               ; preds = %87, %87
  ret void

90:                                               ; preds = %87
  unreachable
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_yEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_yEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_yEv() #4 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  ret i32 %1
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @shrink(ptr noundef byval(%struct.Image) align 8 %0, ptr noundef %1) #3 {
  %3 = alloca ptr, align 8
  %4 = alloca %struct.Image, align 8
  %5 = alloca %struct.Image, align 8
  store ptr %1, ptr %3, align 8, !tbaa !28
  call void @llvm.lifetime.start.p0(ptr %4) #6
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %5, ptr align 8 %0, i64 40, i1 false), !tbaa.struct !20
  %6 = call %struct.Image @_Z9half_size5Image(ptr noundef byval(%struct.Image) align 8 %5) #7
  %7 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 0
  %8 = extractvalue %struct.Image %6, 0
  store ptr %8, ptr %7, align 8
  %9 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 1
  %10 = extractvalue %struct.Image %6, 1
  store i32 %10, ptr %9, align 8
  %11 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 2
  %12 = extractvalue %struct.Image %6, 2
  store i32 %12, ptr %11, align 4
  %13 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 3
  %14 = extractvalue %struct.Image %6, 3
  store i16 %14, ptr %13, align 8
  %15 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 4
  %16 = extractvalue %struct.Image %6, 4
  store [3 x float] %16, ptr %15, align 4
  %17 = getelementptr inbounds nuw %struct.Image, ptr %4, i32 0, i32 5
  %18 = extractvalue %struct.Image %6, 5
  store %struct.Pair %18, ptr %17, align 8
  %19 = load ptr, ptr %3, align 8, !tbaa !28
  %20 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw %struct.Image, ptr %19, i64 %21
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %22, ptr align 8 %4, i64 40, i1 false), !tbaa.struct !20
  call void @llvm.lifetime.end.p0(ptr %4) #6
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @rotate(ptr noundef %0, ptr noundef byval(%struct.Pair) align 4 %1, i32 noundef %2) #3 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.Pair, align 4
  %8 = alloca %struct.Pair, align 4
  %9 = alloca %struct.Pair, align 4
  store ptr %0, ptr %4, align 8, !tbaa !30
  store i32 %2, ptr %5, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %6) #6
  %10 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  store i32 %10, ptr %6, align 4, !tbaa !4
  %11 = load i32, ptr %6, align 4, !tbaa !4
  %12 = load i32, ptr %5, align 4, !tbaa !4
  %13 = icmp slt i32 %11, %12
  br i1 %13, label %14, label %28

14:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %15 = load ptr, ptr %4, align 8, !tbaa !30
  %16 = load i32, ptr %6, align 4, !tbaa !4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds %struct.Pair, ptr %15, i64 %17
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 4 %18, i64 8, i1 false), !tbaa.struct !18
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %9, ptr align 4 %1, i64 8, i1 false), !tbaa.struct !18
  %19 = call %struct.Pair @_Z7product4PairS_(ptr noundef byval(%struct.Pair) align 4 %8, ptr noundef byval(%struct.Pair) align 4 %9) #7
  %20 = getelementptr inbounds nuw %struct.Pair, ptr %7, i32 0, i32 0
  %21 = extractvalue %struct.Pair %19, 0
  store float %21, ptr %20, align 4
  %22 = getelementptr inbounds nuw %struct.Pair, ptr %7, i32 0, i32 1
  %23 = extractvalue %struct.Pair %19, 1
  store float %23, ptr %22, align 4
  %24 = load ptr, ptr %4, align 8, !tbaa !30
  %25 = load i32, ptr %6, align 4, !tbaa !4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds %struct.Pair, ptr %24, i64 %26
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %27, ptr align 4 %7, i64 8, i1 false), !tbaa.struct !18
  call void @llvm.lifetime.end.p0(ptr %7) #6
  br label %28

28:                                               ; preds = %14, %3
  call void @llvm.lifetime.end.p0(ptr %6) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #5

attributes #0 = { convergent mustprogress noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }
attributes #7 = { convergent nounwind }

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
!8 = !{!9, !10, i64 0}
!9 = !{!"_ZTS4Pair", !10, i64 0, !10, i64 4}
!10 = !{!"float", !6, i64 0}
!11 = !{!9, !10, i64 4}
!12 = !{!13, !5, i64 8}
!13 = !{!"_ZTS5Image", !14, i64 0, !5, i64 8, !5, i64 12, !16, i64 16, !6, i64 20, !9, i64 32}
!14 = !{!"p1 omnipotent char", !15, i64 0}
!15 = !{!"any pointer", !6, i64 0}
!16 = !{!"short", !6, i64 0}
!17 = !{!13, !5, i64 12}
!18 = !{i64 0, i64 4, !19, i64 4, i64 4, !19}
!19 = !{!10, !10, i64 0}
!20 = !{i64 0, i64 8, !21, i64 8, i64 4, !4, i64 12, i64 4, !4, i64 16, i64 2, !22, i64 20, i64 12, !23, i64 32, i64 4, !19, i64 36, i64 4, !19}
!21 = !{!14, !14, i64 0}
!22 = !{!16, !16, i64 0}
!23 = !{!6, !6, i64 0}
!24 = !{!13, !14, i64 0}
!25 = !{!13, !16, i64 16}
!26 = distinct !{!26, !27}
!27 = !{!"llvm.loop.mustprogress"}
!28 = !{!29, !29, i64 0}
!29 = !{!"p1 _ZTS5Image", !15, i64 0}
!30 = !{!31, !31, i64 0}
!31 = !{!"p1 _ZTS4Pair", !15, i64 0}
