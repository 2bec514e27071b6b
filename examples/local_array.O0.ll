; ModuleID = 'examples/local_array.cu'
source_filename = "examples/local_array.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.threadIdx_t = type { i8 }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @median(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca [9 x i32], align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %15 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %16 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %17 = mul i32 %15, %16
  %18 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %19 = add i32 %17, %18
  store i32 %19, ptr %7, align 4, !tbaa !4
  %20 = load i32, ptr %7, align 4, !tbaa !4
  %21 = load i32, ptr %6, align 4, !tbaa !4
  %22 = icmp sge i32 %20, %21
  br i1 %22, label %23, label %24

23:                                               ; preds = %3
  store i32 1, ptr %8, align 4
  br label %110

24:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr %9) #4
  call void @llvm.lifetime.start.p0(ptr %10) #4
  store i32 0, ptr %10, align 4, !tbaa !4
  br label %25

25:                                               ; preds = %57, %24
  %26 = load i32, ptr %10, align 4, !tbaa !4
  %27 = icmp slt i32 %26, 9
  br i1 %27, label %29, label %28

28:                                               ; preds = %25
  store i32 2, ptr %8, align 4
  call void @llvm.lifetime.end.p0(ptr %10) #4
  br label %60

29:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(ptr %11) #4
  %30 = load i32, ptr %7, align 4, !tbaa !4
  %31 = load i32, ptr %10, align 4, !tbaa !4
  %32 = add nsw i32 %30, %31
  %33 = sub nsw i32 %32, 4
  store i32 %33, ptr %11, align 4, !tbaa !4
  %34 = load ptr, ptr %4, align 8, !tbaa !8
  %35 = load i32, ptr %11, align 4, !tbaa !4
  %36 = icmp slt i32 %35, 0
  br i1 %36, label %37, label %38

37:                                               ; preds = %29
  br label %49

38:                                               ; preds = %29
  %39 = load i32, ptr %11, align 4, !tbaa !4
  %40 = load i32, ptr %6, align 4, !tbaa !4
  %41 = icmp sge i32 %39, %40
  br i1 %41, label %42, label %45

42:                                               ; preds = %38
  %43 = load i32, ptr %6, align 4, !tbaa !4
  %44 = sub nsw i32 %43, 1
  br label %47

45:                                               ; preds = %38
  %46 = load i32, ptr %11, align 4, !tbaa !4
  br label %47

47:                                               ; preds = %45, %42
  %48 = phi i32 [ %44, %42 ], [ %46, %45 ]
  br label %49

49:                                               ; preds = %47, %37
  %50 = phi i32 [ 0, %37 ], [ %48, %47 ]
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %34, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !4
  %54 = load i32, ptr %10, align 4, !tbaa !4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %55
  store i32 %53, ptr %56, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %11) #4
  br label %57

57:                                               ; preds = %49
  %58 = load i32, ptr %10, align 4, !tbaa !4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %10, align 4, !tbaa !4
  br label %25, !llvm.loop !11

60:                                               ; preds = %28
  call void @llvm.lifetime.start.p0(ptr %12) #4
  store i32 1, ptr %12, align 4, !tbaa !4
  br label %61

61:                                               ; preds = %100, %60
  %62 = load i32, ptr %12, align 4, !tbaa !4
  %63 = icmp slt i32 %62, 9
  br i1 %63, label %65, label %64

64:                                               ; preds = %61
  store i32 5, ptr %8, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #4
  br label %103

65:                                               ; preds = %61
  call void @llvm.lifetime.start.p0(ptr %13) #4
  %66 = load i32, ptr %12, align 4, !tbaa !4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %67
  %69 = load i32, ptr %68, align 4, !tbaa !4
  store i32 %69, ptr %13, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %14) #4
  %70 = load i32, ptr %12, align 4, !tbaa !4
  store i32 %70, ptr %14, align 4, !tbaa !4
  br label %71

71:                                               ; preds = %84, %65
  %72 = load i32, ptr %14, align 4, !tbaa !4
  %73 = icmp sgt i32 %72, 0
  br i1 %73, label %74, label %82

74:                                               ; preds = %71
  %75 = load i32, ptr %14, align 4, !tbaa !4
  %76 = sub nsw i32 %75, 1
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4, !tbaa !4
  %80 = load i32, ptr %13, align 4, !tbaa !4
  %81 = icmp sgt i32 %79, %80
  br label %82

82:                                               ; preds = %74, %71
  %83 = phi i1 [ false, %71 ], [ %81, %74 ]
  br i1 %83, label %84, label %95

84:                                               ; preds = %82
  %85 = load i32, ptr %14, align 4, !tbaa !4
  %86 = sub nsw i32 %85, 1
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %87
  %89 = load i32, ptr %88, align 4, !tbaa !4
  %90 = load i32, ptr %14, align 4, !tbaa !4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %91
  store i32 %89, ptr %92, align 4, !tbaa !4
  %93 = load i32, ptr %14, align 4, !tbaa !4
  %94 = add nsw i32 %93, -1
  store i32 %94, ptr %14, align 4, !tbaa !4
  br label %71, !llvm.loop !13

95:                                               ; preds = %82
  %96 = load i32, ptr %13, align 4, !tbaa !4
  %97 = load i32, ptr %14, align 4, !tbaa !4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 %98
  store i32 %96, ptr %99, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %14) #4
  call void @llvm.lifetime.end.p0(ptr %13) #4
  br label %100

100:                                              ; preds = %95
  %101 = load i32, ptr %12, align 4, !tbaa !4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %12, align 4, !tbaa !4
  br label %61, !llvm.loop !14

103:                                              ; preds = %64
  %104 = getelementptr inbounds [9 x i32], ptr %9, i64 0, i64 4
  %105 = load i32, ptr %104, align 4, !tbaa !4
  %106 = load ptr, ptr %5, align 8, !tbaa !8
  %107 = load i32, ptr %7, align 4, !tbaa !4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds i32, ptr %106, i64 %108
  store i32 %105, ptr %109, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  store i32 0, ptr %8, align 4
  br label %110

110:                                              ; preds = %103, %23
  call void @llvm.lifetime.end.p0(ptr %7) #4
  %111 = load i32, ptr %8, align 4
  switch i32 %111, label %113 [
    i32 0, label %112
    i32 1, label %112
  ]

112:                                              ; preds = %110, %110
  ret void

113:                                              ; preds = %110
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @permute(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [16 x double], align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !8
  store ptr %1, ptr %4, align 8, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %5) #4
  call void @llvm.lifetime.start.p0(ptr %6) #4
  store i32 0, ptr %6, align 4, !tbaa !4
  br label %8

8:                                                ; preds = %24, %2
  %9 = load i32, ptr %6, align 4, !tbaa !4
  %10 = icmp slt i32 %9, 16
  br i1 %10, label %12, label %11

11:                                               ; preds = %8
  call void @llvm.lifetime.end.p0(ptr %6) #4
  br label %27

12:                                               ; preds = %8
  %13 = load ptr, ptr %4, align 8, !tbaa !15
  %14 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %15 = mul i32 %14, 16
  %16 = load i32, ptr %6, align 4, !tbaa !4
  %17 = add i32 %15, %16
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw double, ptr %13, i64 %18
  %20 = load double, ptr %19, align 8, !tbaa !17
  %21 = load i32, ptr %6, align 4, !tbaa !4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [16 x double], ptr %5, i64 0, i64 %22
  store double %20, ptr %23, align 8, !tbaa !17
  br label %24

24:                                               ; preds = %12
  %25 = load i32, ptr %6, align 4, !tbaa !4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %6, align 4, !tbaa !4
  br label %8, !llvm.loop !19

27:                                               ; preds = %11
  call void @llvm.lifetime.start.p0(ptr %7) #4
  store i32 0, ptr %7, align 4, !tbaa !4
  br label %28

28:                                               ; preds = %49, %27
  %29 = load i32, ptr %7, align 4, !tbaa !4
  %30 = icmp slt i32 %29, 16
  br i1 %30, label %32, label %31

31:                                               ; preds = %28
  call void @llvm.lifetime.end.p0(ptr %7) #4
  br label %52

32:                                               ; preds = %28
  %33 = load ptr, ptr %3, align 8, !tbaa !8
  %34 = load i32, ptr %7, align 4, !tbaa !4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %33, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !4
  %38 = and i32 %37, 15
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [16 x double], ptr %5, i64 0, i64 %39
  %41 = load double, ptr %40, align 8, !tbaa !17
  %42 = load ptr, ptr %4, align 8, !tbaa !15
  %43 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %44 = mul i32 %43, 16
  %45 = load i32, ptr %7, align 4, !tbaa !4
  %46 = add i32 %44, %45
  %47 = zext i32 %46 to i64
  %48 = getelementptr inbounds nuw double, ptr %42, i64 %47
  store double %41, ptr %48, align 8, !tbaa !17
  br label %49

49:                                               ; preds = %32
  %50 = load i32, ptr %7, align 4, !tbaa !4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %7, align 4, !tbaa !4
  br label %28, !llvm.loop !20

52:                                               ; preds = %31
  call void @llvm.lifetime.end.p0(ptr %5) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }

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
!9 = !{!"p1 int", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 double", !10, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"double", !6, i64 0}
!19 = distinct !{!19, !12}
!20 = distinct !{!20, !12}
