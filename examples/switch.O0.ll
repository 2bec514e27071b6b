; ModuleID = 'examples/switch.cu'
source_filename = "examples/switch.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.threadIdx_t = type { i8 }
%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @interpret(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store i32 %1, ptr %5, align 4, !tbaa !4
  store ptr %2, ptr %6, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %10 = load ptr, ptr %6, align 8, !tbaa !11
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds nuw i32, ptr %10, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !4
  store i32 %14, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #4
  store i32 0, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  store i32 0, ptr %9, align 4, !tbaa !4
  br label %15

15:                                               ; preds = %65, %3
  %16 = load i32, ptr %9, align 4, !tbaa !4
  %17 = load i32, ptr %5, align 4, !tbaa !4
  %18 = icmp slt i32 %16, %17
  br i1 %18, label %20, label %19

19:                                               ; preds = %15
  call void @llvm.lifetime.end.p0(ptr %9) #4
  br label %68

20:                                               ; preds = %15
  %21 = load ptr, ptr %4, align 8, !tbaa !8
  %22 = load i32, ptr %9, align 4, !tbaa !4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i8, ptr %21, i64 %23
  %25 = load i8, ptr %24, align 1, !tbaa !13
  %26 = zext i8 %25 to i32
  switch i32 %26, label %63 [
    i32 0, label %27
    i32 1, label %30
    i32 2, label %33
    i32 3, label %36
    i32 4, label %40
    i32 5, label %42
    i32 6, label %45
    i32 7, label %48
    i32 8, label %51
    i32 9, label %61
  ]

27:                                               ; preds = %20
  %28 = load i32, ptr %7, align 4, !tbaa !4
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %7, align 4, !tbaa !4
  br label %64

30:                                               ; preds = %20
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = sub nsw i32 %31, 1
  store i32 %32, ptr %7, align 4, !tbaa !4
  br label %64

33:                                               ; preds = %20
  %34 = load i32, ptr %7, align 4, !tbaa !4
  %35 = mul nsw i32 %34, 3
  store i32 %35, ptr %7, align 4, !tbaa !4
  br label %64

36:                                               ; preds = %20
  %37 = load i32, ptr %8, align 4, !tbaa !4
  %38 = load i32, ptr %7, align 4, !tbaa !4
  %39 = xor i32 %38, %37
  store i32 %39, ptr %7, align 4, !tbaa !4
  br label %64

40:                                               ; preds = %20
  %41 = load i32, ptr %7, align 4, !tbaa !4
  store i32 %41, ptr %8, align 4, !tbaa !4
  br label %64

42:                                               ; preds = %20
  %43 = load i32, ptr %7, align 4, !tbaa !4
  %44 = shl i32 %43, 1
  store i32 %44, ptr %7, align 4, !tbaa !4
  br label %64

45:                                               ; preds = %20
  %46 = load i32, ptr %7, align 4, !tbaa !4
  %47 = ashr i32 %46, 1
  store i32 %47, ptr %7, align 4, !tbaa !4
  br label %64

48:                                               ; preds = %20
  %49 = load i32, ptr %7, align 4, !tbaa !4
  %50 = sub nsw i32 0, %49
  store i32 %50, ptr %7, align 4, !tbaa !4
  br label %64

51:                                               ; preds = %20
  %52 = load i32, ptr %8, align 4, !tbaa !4
  %53 = icmp ne i32 %52, 0
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load i32, ptr %7, align 4, !tbaa !4
  %56 = load i32, ptr %8, align 4, !tbaa !4
  %57 = sdiv i32 %55, %56
  br label %59

58:                                               ; preds = %51
  br label %59

59:                                               ; preds = %58, %54
  %60 = phi i32 [ %57, %54 ], [ 0, %58 ]
  store i32 %60, ptr %7, align 4, !tbaa !4
  br label %64

61:                                               ; preds = %20
  %62 = load i32, ptr %5, align 4, !tbaa !4
  store i32 %62, ptr %9, align 4, !tbaa !4
  br label %64

63:                                               ; preds = %20
  store i32 0, ptr %7, align 4, !tbaa !4
  br label %64

64:                                               ; preds = %63, %61, %59, %48, %45, %42, %40, %36, %33, %30, %27
  br label %65

65:                                               ; preds = %64
  %66 = load i32, ptr %9, align 4, !tbaa !4
  %67 = add nsw i32 %66, 1
  store i32 %67, ptr %9, align 4, !tbaa !4
  br label %15, !llvm.loop !14

68:                                               ; preds = %19
  %69 = load i32, ptr %7, align 4, !tbaa !4
  %70 = load ptr, ptr %6, align 8, !tbaa !11
  %71 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %72 = zext i32 %71 to i64
  %73 = getelementptr inbounds nuw i32, ptr %70, i64 %72
  store i32 %69, ptr %73, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %8) #4
  call void @llvm.lifetime.end.p0(ptr %7) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @classify(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !16
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %9 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %10 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %11 = mul i32 %9, %10
  %12 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %13 = add i32 %11, %12
  store i32 %13, ptr %7, align 4, !tbaa !4
  %14 = load i32, ptr %7, align 4, !tbaa !4
  %15 = load i32, ptr %6, align 4, !tbaa !4
  %16 = icmp sge i32 %14, %15
  br i1 %16, label %17, label %18

17:                                               ; preds = %3
  store i32 1, ptr %8, align 4
  br label %50

18:                                               ; preds = %3
  %19 = load ptr, ptr %4, align 8, !tbaa !16
  %20 = load i32, ptr %7, align 4, !tbaa !4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i64, ptr %19, i64 %21
  %23 = load i64, ptr %22, align 8, !tbaa !18
  switch i64 %23, label %44 [
    i64 -1000000000000, label %24
    i64 0, label %29
    i64 17, label %34
    i64 19, label %34
    i64 23, label %34
    i64 1000000000000, label %39
  ]

24:                                               ; preds = %18
  %25 = load ptr, ptr %5, align 8, !tbaa !8
  %26 = load i32, ptr %7, align 4, !tbaa !4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i8, ptr %25, i64 %27
  store i8 110, ptr %28, align 1, !tbaa !13
  br label %49

29:                                               ; preds = %18
  %30 = load ptr, ptr %5, align 8, !tbaa !8
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i8, ptr %30, i64 %32
  store i8 122, ptr %33, align 1, !tbaa !13
  br label %49

34:                                               ; preds = %18, %18, %18
  %35 = load ptr, ptr %5, align 8, !tbaa !8
  %36 = load i32, ptr %7, align 4, !tbaa !4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i8, ptr %35, i64 %37
  store i8 112, ptr %38, align 1, !tbaa !13
  br label %49

39:                                               ; preds = %18
  %40 = load ptr, ptr %5, align 8, !tbaa !8
  %41 = load i32, ptr %7, align 4, !tbaa !4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i8, ptr %40, i64 %42
  store i8 98, ptr %43, align 1, !tbaa !13
  br label %49

44:                                               ; preds = %18
  %45 = load ptr, ptr %5, align 8, !tbaa !8
  %46 = load i32, ptr %7, align 4, !tbaa !4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i8, ptr %45, i64 %47
  store i8 63, ptr %48, align 1, !tbaa !13
  br label %49

49:                                               ; preds = %44, %39, %34, %29, %24
  store i32 0, ptr %8, align 4
  br label %50

50:                                               ; preds = %49, %17
  call void @llvm.lifetime.end.p0(ptr %7) #4
  %51 = load i32, ptr %8, align 4
  switch i32 %51, label %53 [
    i32 0, label %52
    i32 1, label %52
  ]

52:                                               ; preds = %50, %50
  ret void

53:                                               ; preds = %50
  unreachable
}

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

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

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
!9 = !{!"p1 omnipotent char", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"p1 int", !10, i64 0}
!13 = !{!6, !6, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = !{!17, !17, i64 0}
!17 = !{!"p1 long long", !10, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"long long", !6, i64 0}
