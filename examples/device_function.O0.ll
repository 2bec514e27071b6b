; ModuleID = 'examples/device_function.cu'
source_filename = "examples/device_function.cu"
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
@operations = dso_local addrspace(1) externally_initialized global [3 x ptr] [ptr @_Z3adddd, ptr @_Z8subtractdd, ptr @_Z8multiplydd], align 8
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @operations to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local noundef float @_Z6hornerPKfif(ptr noundef %0, i32 noundef %1, float noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca float, align 4
  %7 = alloca float, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store i32 %1, ptr %5, align 4, !tbaa !4
  store float %2, ptr %6, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %9 = load ptr, ptr %4, align 8, !tbaa !8
  %10 = load i32, ptr %5, align 4, !tbaa !4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds float, ptr %9, i64 %11
  %13 = load float, ptr %12, align 4, !tbaa !11
  store float %13, ptr %7, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %14 = load i32, ptr %5, align 4, !tbaa !4
  %15 = sub nsw i32 %14, 1
  store i32 %15, ptr %8, align 4, !tbaa !4
  br label %16

16:                                               ; preds = %30, %3
  %17 = load i32, ptr %8, align 4, !tbaa !4
  %18 = icmp sge i32 %17, 0
  br i1 %18, label %20, label %19

19:                                               ; preds = %16
  call void @llvm.lifetime.end.p0(ptr %8) #6
  br label %33

20:                                               ; preds = %16
  %21 = load float, ptr %7, align 4, !tbaa !11
  %22 = load float, ptr %6, align 4, !tbaa !11
  %23 = fmul contract float %21, %22
  %24 = load ptr, ptr %4, align 8, !tbaa !8
  %25 = load i32, ptr %8, align 4, !tbaa !4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds float, ptr %24, i64 %26
  %28 = load float, ptr %27, align 4, !tbaa !11
  %29 = fadd contract float %23, %28
  store float %29, ptr %7, align 4, !tbaa !11
  br label %30

30:                                               ; preds = %20
  %31 = load i32, ptr %8, align 4, !tbaa !4
  %32 = add nsw i32 %31, -1
  store i32 %32, ptr %8, align 4, !tbaa !4
  br label %16, !llvm.loop !13

33:                                               ; preds = %19
  %34 = load float, ptr %7, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %7) #6
  ret float %34
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @evaluate(ptr noundef %0, i32 noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4) #2 {
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %6, align 8, !tbaa !8
  store i32 %1, ptr %7, align 4, !tbaa !4
  store ptr %2, ptr %8, align 8, !tbaa !8
  store ptr %3, ptr %9, align 8, !tbaa !8
  store i32 %4, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  %12 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #7
  %13 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %14 = mul i32 %12, %13
  %15 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %16 = add i32 %14, %15
  store i32 %16, ptr %11, align 4, !tbaa !4
  %17 = load i32, ptr %11, align 4, !tbaa !4
  %18 = load i32, ptr %10, align 4, !tbaa !4
  %19 = icmp slt i32 %17, %18
  br i1 %19, label %20, label %33

20:                                               ; preds = %5
  %21 = load ptr, ptr %6, align 8, !tbaa !8
  %22 = load i32, ptr %7, align 4, !tbaa !4
  %23 = load ptr, ptr %8, align 8, !tbaa !8
  %24 = load i32, ptr %11, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %23, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !11
  %28 = call contract noundef float @_Z6hornerPKfif(ptr noundef %21, i32 noundef %22, float noundef %27) #7
  %29 = load ptr, ptr %9, align 8, !tbaa !8
  %30 = load i32, ptr %11, align 4, !tbaa !4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %29, i64 %31
  store float %28, ptr %32, align 4, !tbaa !11
  br label %33

33:                                               ; preds = %20, %5
  call void @llvm.lifetime.end.p0(ptr %11) #6
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #3 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #3 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #3 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @newton_step(ptr noundef %0, i32 noundef %1, ptr noundef %2, i32 noundef %3) #2 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store i32 %1, ptr %6, align 4, !tbaa !4
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %14 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #7
  %15 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %16 = mul i32 %14, %15
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %18 = add i32 %16, %17
  store i32 %18, ptr %9, align 4, !tbaa !4
  %19 = load i32, ptr %9, align 4, !tbaa !4
  %20 = load i32, ptr %8, align 4, !tbaa !4
  %21 = icmp sge i32 %19, %20
  br i1 %21, label %22, label %23

22:                                               ; preds = %4
  store i32 1, ptr %10, align 4
  br label %55

23:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  store float 0x3F50624DE0000000, ptr %11, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %12) #6
  %24 = load ptr, ptr %5, align 8, !tbaa !8
  %25 = load i32, ptr %6, align 4, !tbaa !4
  %26 = load ptr, ptr %7, align 8, !tbaa !8
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds float, ptr %26, i64 %28
  %30 = load float, ptr %29, align 4, !tbaa !11
  %31 = call contract noundef float @_Z6hornerPKfif(ptr noundef %24, i32 noundef %25, float noundef %30) #7
  store float %31, ptr %12, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %13) #6
  %32 = load ptr, ptr %5, align 8, !tbaa !8
  %33 = load i32, ptr %6, align 4, !tbaa !4
  %34 = load ptr, ptr %7, align 8, !tbaa !8
  %35 = load i32, ptr %9, align 4, !tbaa !4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %34, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !11
  %39 = load float, ptr %11, align 4, !tbaa !11
  %40 = fadd contract float %38, %39
  %41 = call contract noundef float @_Z6hornerPKfif(ptr noundef %32, i32 noundef %33, float noundef %40) #7
  %42 = load float, ptr %12, align 4, !tbaa !11
  %43 = fsub contract float %41, %42
  %44 = load float, ptr %11, align 4, !tbaa !11
  %45 = fdiv contract float %43, %44
  store float %45, ptr %13, align 4, !tbaa !11
  %46 = load float, ptr %12, align 4, !tbaa !11
  %47 = load float, ptr %13, align 4, !tbaa !11
  %48 = fdiv contract float %46, %47
  %49 = load ptr, ptr %7, align 8, !tbaa !8
  %50 = load i32, ptr %9, align 4, !tbaa !4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %49, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !11
  %54 = fsub contract float %53, %48
  store float %54, ptr %52, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %13) #6
  call void @llvm.lifetime.end.p0(ptr %12) #6
  call void @llvm.lifetime.end.p0(ptr %11) #6
  store i32 0, ptr %10, align 4
  br label %55

55:                                               ; preds = %23, %22
  call void @llvm.lifetime.end.p0(ptr %9) #6
  %56 = load i32, ptr %10, align 4
  switch i32 %56, label %58 [
    i32 0, label %57
    i32 1, label %57
  ]

57:                                               ; preds = %55, %55
  ret void

58:                                               ; preds = %55
  unreachable
}

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local noundef i32 @_Z9ackermannii(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %4, align 4, !tbaa !4
  store i32 %1, ptr %5, align 4, !tbaa !4
  %6 = load i32, ptr %4, align 4, !tbaa !4
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %11

8:                                                ; preds = %2
  %9 = load i32, ptr %5, align 4, !tbaa !4
  %10 = add nsw i32 %9, 1
  store i32 %10, ptr %3, align 4
  br label %25

11:                                               ; preds = %2
  %12 = load i32, ptr %4, align 4, !tbaa !4
  %13 = sub nsw i32 %12, 1
  %14 = load i32, ptr %5, align 4, !tbaa !4
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %17

16:                                               ; preds = %11
  br label %22

17:                                               ; preds = %11
  %18 = load i32, ptr %4, align 4, !tbaa !4
  %19 = load i32, ptr %5, align 4, !tbaa !4
  %20 = sub nsw i32 %19, 1
  %21 = call noundef i32 @_Z9ackermannii(i32 noundef %18, i32 noundef %20) #7
  br label %22

22:                                               ; preds = %17, %16
  %23 = phi i32 [ 1, %16 ], [ %21, %17 ]
  %24 = call noundef i32 @_Z9ackermannii(i32 noundef %13, i32 noundef %23) #7
  store i32 %24, ptr %3, align 4
  br label %25

25:                                               ; preds = %22, %8
  %26 = load i32, ptr %3, align 4
  ret i32 %26
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @recurse(i32 noundef %0, i32 noundef %1, ptr noundef %2) #2 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  store i32 %0, ptr %4, align 4, !tbaa !4
  store i32 %1, ptr %5, align 4, !tbaa !4
  store ptr %2, ptr %6, align 8, !tbaa !15
  %7 = load i32, ptr %4, align 4, !tbaa !4
  %8 = load i32, ptr %5, align 4, !tbaa !4
  %9 = call noundef i32 @_Z9ackermannii(i32 noundef %7, i32 noundef %8) #7
  %10 = load ptr, ptr %6, align 8, !tbaa !15
  store i32 %9, ptr %10, align 4, !tbaa !4
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef double @_Z3adddd(double noundef %0, double noundef %1) #4 {
  %3 = alloca double, align 8
  %4 = alloca double, align 8
  store double %0, ptr %3, align 8, !tbaa !17
  store double %1, ptr %4, align 8, !tbaa !17
  %5 = load double, ptr %3, align 8, !tbaa !17
  %6 = load double, ptr %4, align 8, !tbaa !17
  %7 = fadd contract double %5, %6
  ret double %7
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef double @_Z8subtractdd(double noundef %0, double noundef %1) #4 {
  %3 = alloca double, align 8
  %4 = alloca double, align 8
  store double %0, ptr %3, align 8, !tbaa !17
  store double %1, ptr %4, align 8, !tbaa !17
  %5 = load double, ptr %3, align 8, !tbaa !17
  %6 = load double, ptr %4, align 8, !tbaa !17
  %7 = fsub contract double %5, %6
  ret double %7
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef double @_Z8multiplydd(double noundef %0, double noundef %1) #4 {
  %3 = alloca double, align 8
  %4 = alloca double, align 8
  store double %0, ptr %3, align 8, !tbaa !17
  store double %1, ptr %4, align 8, !tbaa !17
  %5 = load double, ptr %3, align 8, !tbaa !17
  %6 = load double, ptr %4, align 8, !tbaa !17
  %7 = fmul contract double %5, %6
  ret double %7
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @apply(i32 noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #2 {
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  store i32 %0, ptr %5, align 4, !tbaa !4
  store ptr %1, ptr %6, align 8, !tbaa !19
  store ptr %2, ptr %7, align 8, !tbaa !19
  store ptr %3, ptr %8, align 8, !tbaa !19
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %10 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  store i32 %10, ptr %9, align 4, !tbaa !4
  %11 = load i32, ptr %5, align 4, !tbaa !4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [3 x ptr], ptr addrspacecast (ptr addrspace(1) @operations to ptr), i64 0, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !21
  %15 = load ptr, ptr %6, align 8, !tbaa !19
  %16 = load i32, ptr %9, align 4, !tbaa !4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds double, ptr %15, i64 %17
  %19 = load double, ptr %18, align 8, !tbaa !17
  %20 = load ptr, ptr %7, align 8, !tbaa !19
  %21 = load i32, ptr %9, align 4, !tbaa !4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds double, ptr %20, i64 %22
  %24 = load double, ptr %23, align 8, !tbaa !17
  %25 = call contract noundef double %14(double noundef %19, double noundef %24) #7
  %26 = load ptr, ptr %8, align 8, !tbaa !19
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds double, ptr %26, i64 %28
  store double %25, ptr %29, align 8, !tbaa !17
  call void @llvm.lifetime.end.p0(ptr %9) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

attributes #0 = { convergent mustprogress noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #4 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
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
!8 = !{!9, !9, i64 0}
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 int", !10, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"double", !6, i64 0}
!19 = !{!20, !20, i64 0}
!20 = !{!"p1 double", !10, i64 0}
!21 = !{!10, !10, i64 0}
