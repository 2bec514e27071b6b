; ModuleID = 'examples/printf.cu'
source_filename = "examples/printf.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.threadIdx_t = type { i8 }
%printf_args = type { i32, ptr }
%printf_args.0 = type { i32, i32, double, ptr }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@.str = private unnamed_addr constant [19 x i8] c"%d values from %p\0A\00", align 1
@.str1 = private unnamed_addr constant [32 x i8] c"thread %d of block %u: %f (%s)\0A\00", align 1
@.str2 = private unnamed_addr constant [9 x i8] c"negative\00", align 1
@.str3 = private unnamed_addr constant [9 x i8] c"positive\00", align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @hello(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca %printf_args, align 8
  %7 = alloca %printf_args.0, align 8
  store ptr %0, ptr %3, align 8, !tbaa !8
  store i32 %1, ptr %4, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %5) #4
  %8 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %9 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %10 = mul i32 %8, %9
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %12 = add i32 %10, %11
  store i32 %12, ptr %5, align 4, !tbaa !4
  %13 = load i32, ptr %5, align 4, !tbaa !4
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %21

15:                                               ; preds = %2
  %16 = load i32, ptr %4, align 4, !tbaa !4
  %17 = load ptr, ptr %3, align 8, !tbaa !8
  %18 = getelementptr inbounds nuw %printf_args, ptr %6, i32 0, i32 0
  store i32 %16, ptr %18, align 4
  %19 = getelementptr inbounds nuw %printf_args, ptr %6, i32 0, i32 1
  store ptr %17, ptr %19, align 8
  %20 = call i32 @vprintf(ptr @.str, ptr %6)
  br label %21

21:                                               ; preds = %15, %2
  %22 = load i32, ptr %5, align 4, !tbaa !4
  %23 = load i32, ptr %4, align 4, !tbaa !4
  %24 = icmp slt i32 %22, %23
  br i1 %24, label %25, label %50

25:                                               ; preds = %21
  %26 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %27 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %28 = load ptr, ptr %3, align 8, !tbaa !8
  %29 = load i32, ptr %5, align 4, !tbaa !4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %28, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !11
  %33 = fpext contract float %32 to double
  %34 = load ptr, ptr %3, align 8, !tbaa !8
  %35 = load i32, ptr %5, align 4, !tbaa !4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %34, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !11
  %39 = fcmp contract olt float %38, 0.000000e+00
  br i1 %39, label %40, label %41

40:                                               ; preds = %25
  br label %42

41:                                               ; preds = %25
  br label %42

42:                                               ; preds = %41, %40
  %43 = phi ptr [ @.str2, %40 ], [ @.str3, %41 ]
  %44 = getelementptr inbounds [9 x i8], ptr %43, i64 0, i64 0
  %45 = getelementptr inbounds nuw %printf_args.0, ptr %7, i32 0, i32 0
  store i32 %26, ptr %45, align 4
  %46 = getelementptr inbounds nuw %printf_args.0, ptr %7, i32 0, i32 1
  store i32 %27, ptr %46, align 4
  %47 = getelementptr inbounds nuw %printf_args.0, ptr %7, i32 0, i32 2
  store double %33, ptr %47, align 8
  %48 = getelementptr inbounds nuw %printf_args.0, ptr %7, i32 0, i32 3
  store ptr %44, ptr %48, align 8
  %49 = call i32 @vprintf(ptr @.str1, ptr %7)
  br label %50

50:                                               ; preds = %42, %21
  call void @llvm.lifetime.end.p0(ptr %5) #4
  ret void
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

declare i32 @vprintf(ptr, ptr)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
