; ModuleID = 'examples/histogram.cu'
source_filename = "examples/histogram.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.threadIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.gridDim_t = type { i8 }
%struct.blockIdx_t = type { i8 }
%union.anon = type { i64 }

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN9gridDim_t6read_xEv = comdat any

$_ZN10blockIdx_t6read_xEv = comdat any

@_ZZ9histogramE5local = internal addrspace(3) global [256 x i32] undef, align 4
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@gridDim = extern_weak dso_local addrspace(1) global %struct.gridDim_t, align 1
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @histogram(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store i64 %1, ptr %5, align 8, !tbaa !11
  store ptr %2, ptr %6, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  store i32 %11, ptr %7, align 4, !tbaa !4
  br label %12

12:                                               ; preds = %20, %3
  %13 = load i32, ptr %7, align 4, !tbaa !4
  %14 = icmp slt i32 %13, 256
  br i1 %14, label %16, label %15

15:                                               ; preds = %12
  call void @llvm.lifetime.end.p0(ptr %7) #6
  br label %24

16:                                               ; preds = %12
  %17 = load i32, ptr %7, align 4, !tbaa !4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 0, i64 %18
  store i32 0, ptr %19, align 4, !tbaa !4
  br label %20

20:                                               ; preds = %16
  %21 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %22 = load i32, ptr %7, align 4, !tbaa !4
  %23 = add i32 %22, %21
  store i32 %23, ptr %7, align 4, !tbaa !4
  br label %12, !llvm.loop !15

24:                                               ; preds = %15
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %25 = call noundef i32 @_ZN9gridDim_t6read_xEv() #7
  %26 = zext i32 %25 to i64
  %27 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %28 = zext i32 %27 to i64
  %29 = mul i64 %26, %28
  store i64 %29, ptr %8, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %30 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #7
  %31 = zext i32 %30 to i64
  %32 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %33 = zext i32 %32 to i64
  %34 = mul i64 %31, %33
  %35 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %36 = zext i32 %35 to i64
  %37 = add i64 %34, %36
  store i64 %37, ptr %9, align 8, !tbaa !11
  br label %38

38:                                               ; preds = %51, %24
  %39 = load i64, ptr %9, align 8, !tbaa !11
  %40 = load i64, ptr %5, align 8, !tbaa !11
  %41 = icmp ult i64 %39, %40
  br i1 %41, label %43, label %42

42:                                               ; preds = %38
  call void @llvm.lifetime.end.p0(ptr %9) #6
  br label %55

43:                                               ; preds = %38
  %44 = load ptr, ptr %4, align 8, !tbaa !8
  %45 = load i64, ptr %9, align 8, !tbaa !11
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 %45
  %47 = load i8, ptr %46, align 1, !tbaa !17
  %48 = zext i8 %47 to i64
  %49 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 0, i64 %48
  %50 = call noundef i32 @_ZL9atomicAddPjj(ptr noundef %49, i32 noundef 1) #7
  br label %51

51:                                               ; preds = %43
  %52 = load i64, ptr %8, align 8, !tbaa !11
  %53 = load i64, ptr %9, align 8, !tbaa !11
  %54 = add i64 %53, %52
  store i64 %54, ptr %9, align 8, !tbaa !11
  br label %38, !llvm.loop !18

55:                                               ; preds = %42
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %10) #6
  %56 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  store i32 %56, ptr %10, align 4, !tbaa !4
  br label %57

57:                                               ; preds = %78, %55
  %58 = load i32, ptr %10, align 4, !tbaa !4
  %59 = icmp slt i32 %58, 256
  br i1 %59, label %61, label %60

60:                                               ; preds = %57
  call void @llvm.lifetime.end.p0(ptr %10) #6
  br label %82

61:                                               ; preds = %57
  %62 = load i32, ptr %10, align 4, !tbaa !4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 0, i64 %63
  %65 = load i32, ptr %64, align 4, !tbaa !4
  %66 = icmp ne i32 %65, 0
  br i1 %66, label %67, label %77

67:                                               ; preds = %61
  %68 = load ptr, ptr %6, align 8, !tbaa !13
  %69 = load i32, ptr %10, align 4, !tbaa !4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds i32, ptr %68, i64 %70
  %72 = load i32, ptr %10, align 4, !tbaa !4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 0, i64 %73
  %75 = load i32, ptr %74, align 4, !tbaa !4
  %76 = call noundef i32 @_ZL9atomicAddPjj(ptr noundef %71, i32 noundef %75) #7
  br label %77

77:                                               ; preds = %67, %61
  br label %78

78:                                               ; preds = %77
  %79 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %80 = load i32, ptr %10, align 4, !tbaa !4
  %81 = add i32 %80, %79
  store i32 %81, ptr %10, align 4, !tbaa !4
  br label %57, !llvm.loop !19

82:                                               ; preds = %60
  call void @llvm.lifetime.end.p0(ptr %8) #6
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
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN9gridDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL9atomicAddPjj(ptr noundef %0, i32 noundef %1) #2 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !13
  store i32 %1, ptr %4, align 4, !tbaa !4
  %7 = load ptr, ptr %3, align 8, !tbaa !13
  %8 = load i32, ptr %4, align 4, !tbaa !4
  store i32 %8, ptr %5, align 4, !tbaa !4
  %9 = load i32, ptr %5, align 4
  %10 = atomicrmw add ptr %7, i32 %9 monotonic, align 4
  store i32 %10, ptr %6, align 4
  %11 = load i32, ptr %6, align 4, !tbaa !4
  ret i32 %11
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @weighted(ptr noundef %0, ptr noundef %1, i32 noundef %2, ptr noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca ptr, align 8
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  %14 = alloca %union.anon, align 8
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !20
  store i32 %2, ptr %7, align 4, !tbaa !4
  store ptr %3, ptr %8, align 8, !tbaa !20
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %15 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #7
  %16 = call noundef i32 @_ZN10blockDim_t6read_xEv() #7
  %17 = mul i32 %15, %16
  %18 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #7
  %19 = add i32 %17, %18
  store i32 %19, ptr %9, align 4, !tbaa !4
  %20 = load i32, ptr %9, align 4, !tbaa !4
  %21 = load i32, ptr %7, align 4, !tbaa !4
  %22 = icmp sge i32 %20, %21
  br i1 %22, label %23, label %24

23:                                               ; preds = %4
  store i32 1, ptr %10, align 4
  br label %54

24:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  %25 = load ptr, ptr %8, align 8, !tbaa !20
  %26 = load ptr, ptr %5, align 8, !tbaa !8
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = load i8, ptr %29, align 1, !tbaa !17
  %31 = zext i8 %30 to i64
  %32 = getelementptr inbounds nuw double, ptr %25, i64 %31
  store ptr %32, ptr %11, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(ptr %12) #6
  %33 = load ptr, ptr %11, align 8, !tbaa !22
  %34 = load i64, ptr %33, align 8, !tbaa !24
  store i64 %34, ptr %12, align 8, !tbaa !24
  call void @llvm.lifetime.start.p0(ptr %13) #6
  br label %35

35:                                               ; preds = %49, %24
  %36 = load i64, ptr %12, align 8, !tbaa !24
  store i64 %36, ptr %13, align 8, !tbaa !24
  call void @llvm.lifetime.start.p0(ptr %14) #6
  %37 = load i64, ptr %13, align 8, !tbaa !24
  store i64 %37, ptr %14, align 8, !tbaa !17
  %38 = load ptr, ptr %6, align 8, !tbaa !20
  %39 = load i32, ptr %9, align 4, !tbaa !4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds double, ptr %38, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !26
  %43 = load double, ptr %14, align 8, !tbaa !17
  %44 = fadd contract double %43, %42
  store double %44, ptr %14, align 8, !tbaa !17
  %45 = load ptr, ptr %11, align 8, !tbaa !22
  %46 = load i64, ptr %13, align 8, !tbaa !24
  %47 = load i64, ptr %14, align 8, !tbaa !17
  %48 = call noundef i64 @_ZL9atomicCASPyyy(ptr noundef %45, i64 noundef %46, i64 noundef %47) #7
  store i64 %48, ptr %12, align 8, !tbaa !24
  call void @llvm.lifetime.end.p0(ptr %14) #6
  br label %49

49:                                               ; preds = %35
  %50 = load i64, ptr %12, align 8, !tbaa !24
  %51 = load i64, ptr %13, align 8, !tbaa !24
  %52 = icmp ne i64 %50, %51
  br i1 %52, label %35, label %53, !llvm.loop !28

53:                                               ; preds = %49
  call void @llvm.lifetime.end.p0(ptr %13) #6
  call void @llvm.lifetime.end.p0(ptr %12) #6
  call void @llvm.lifetime.end.p0(ptr %11) #6
  store i32 0, ptr %10, align 4
  br label %54

54:                                               ; preds = %53, %23
  call void @llvm.lifetime.end.p0(ptr %9) #6
  %55 = load i32, ptr %10, align 4
  switch i32 %55, label %57 [
    i32 0, label %56
    i32 1, label %56
  ]

56:                                               ; preds = %54, %54
  ret void

57:                                               ; preds = %54
  unreachable
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i64 @_ZL9atomicCASPyyy(ptr noundef %0, i64 noundef %1, i64 noundef %2) #2 {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca i64, align 8
  %8 = alloca i8, align 1
  store ptr %0, ptr %4, align 8, !tbaa !22
  store i64 %1, ptr %5, align 8, !tbaa !24
  store i64 %2, ptr %6, align 8, !tbaa !24
  %9 = load ptr, ptr %4, align 8, !tbaa !22
  %10 = load i64, ptr %6, align 8, !tbaa !24
  store i64 %10, ptr %7, align 8, !tbaa !24
  %11 = load i64, ptr %5, align 8
  %12 = load i64, ptr %7, align 8
  %13 = cmpxchg ptr %9, i64 %11, i64 %12 monotonic monotonic, align 8
  %14 = extractvalue { i64, i1 } %13, 0
  %15 = extractvalue { i64, i1 } %13, 1
  br i1 %15, label %17, label %16

16:                                               ; preds = %3
  store i64 %14, ptr %5, align 8
  br label %17

17:                                               ; preds = %16, %3
  %18 = zext i1 %15 to i8
  store i8 %18, ptr %8, align 1, !tbaa !29
  %19 = load i8, ptr %8, align 1, !tbaa !29, !range !31, !noundef !32
  %20 = trunc i8 %19 to i1
  %21 = load i64, ptr %5, align 8, !tbaa !24
  ret i64 %21
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scoped(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca float, align 4
  store ptr %0, ptr %4, align 8, !tbaa !13
  store ptr %1, ptr %5, align 8, !tbaa !13
  store ptr %2, ptr %6, align 8, !tbaa !33
  %18 = load ptr, ptr %4, align 8, !tbaa !13
  store i32 1, ptr %7, align 4, !tbaa !4
  %19 = load i32, ptr %7, align 4
  %20 = atomicrmw add ptr %18, i32 %19 monotonic, align 4
  store i32 %20, ptr %8, align 4
  %21 = load i32, ptr %8, align 4, !tbaa !4
  %22 = load ptr, ptr %5, align 8, !tbaa !13
  store i32 4, ptr %9, align 4, !tbaa !4
  %23 = load i32, ptr %9, align 4
  %24 = atomicrmw or ptr %22, i32 %23 acq_rel, align 4
  store i32 %24, ptr %10, align 4
  %25 = load i32, ptr %10, align 4, !tbaa !4
  %26 = load ptr, ptr %4, align 8, !tbaa !13
  %27 = getelementptr inbounds i32, ptr %26, i64 1
  store i32 7, ptr %11, align 4, !tbaa !4
  %28 = load i32, ptr %11, align 4
  %29 = atomicrmw min ptr %27, i32 %28 release, align 4
  store i32 %29, ptr %12, align 4
  %30 = load i32, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #6
  %31 = load ptr, ptr %5, align 8, !tbaa !13
  %32 = getelementptr inbounds i32, ptr %31, i64 1
  store i32 1, ptr %14, align 4, !tbaa !4
  %33 = load i32, ptr %14, align 4
  %34 = atomicrmw xchg ptr %32, i32 %33 acquire, align 4
  store i32 %34, ptr %15, align 4
  %35 = load i32, ptr %15, align 4, !tbaa !4
  store i32 %35, ptr %13, align 4, !tbaa !4
  %36 = load i32, ptr %13, align 4, !tbaa !4
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %41

38:                                               ; preds = %3
  %39 = load ptr, ptr %5, align 8, !tbaa !13
  store i32 0, ptr %16, align 4, !tbaa !4
  %40 = load i32, ptr %16, align 4
  store atomic i32 %40, ptr %39 release, align 4
  br label %41

41:                                               ; preds = %38, %3
  call void @llvm.lifetime.start.p0(ptr %17) #6
  %42 = load ptr, ptr %6, align 8, !tbaa !33
  %43 = load atomic i32, ptr %42 acquire, align 4
  store i32 %43, ptr %17, align 4
  %44 = load float, ptr %17, align 4, !tbaa !35
  %45 = load ptr, ptr %6, align 8, !tbaa !33
  %46 = getelementptr inbounds float, ptr %45, i64 1
  store float %44, ptr %46, align 4, !tbaa !35
  call void @_ZL13__threadfencev() #7
  call void @llvm.lifetime.end.p0(ptr %17) #6
  call void @llvm.lifetime.end.p0(ptr %13) #6
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal void @_ZL13__threadfencev() #2 {
  call void @llvm.nvvm.membar.gl()
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nounwind }
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
!9 = !{!"p1 omnipotent char", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"long", !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 int", !10, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
!17 = !{!6, !6, i64 0}
!18 = distinct !{!18, !16}
!19 = distinct !{!19, !16}
!20 = !{!21, !21, i64 0}
!21 = !{!"p1 double", !10, i64 0}
!22 = !{!23, !23, i64 0}
!23 = !{!"p1 long long", !10, i64 0}
!24 = !{!25, !25, i64 0}
!25 = !{!"long long", !6, i64 0}
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !6, i64 0}
!28 = distinct !{!28, !16}
!29 = !{!30, !30, i64 0}
!30 = !{!"bool", !6, i64 0}
!31 = !{i8 0, i8 2}
!32 = !{}
!33 = !{!34, !34, i64 0}
!34 = !{!"p1 float", !10, i64 0}
!35 = !{!36, !36, i64 0}
!36 = !{!"float", !6, i64 0}
