; ModuleID = 'examples/bfloat16.cu'
source_filename = "examples/bfloat16.cu"
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
define dso_local ptx_kernel void @axpy_bfloat16(bfloat noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca bfloat, align 2
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store bfloat %0, ptr %5, align 2, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !10
  store ptr %2, ptr %7, align 8, !tbaa !10
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %10 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %11 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %12 = mul i32 %10, %11
  %13 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %14 = add i32 %12, %13
  store i32 %14, ptr %9, align 4, !tbaa !4
  %15 = load i32, ptr %9, align 4, !tbaa !4
  %16 = load i32, ptr %8, align 4, !tbaa !4
  %17 = icmp slt i32 %15, %16
  br i1 %17, label %18, label %40

18:                                               ; preds = %4
  %19 = load bfloat, ptr %5, align 2, !tbaa !8
  %20 = fpext contract bfloat %19 to float
  %21 = load ptr, ptr %6, align 8, !tbaa !10
  %22 = load i32, ptr %9, align 4, !tbaa !4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds bfloat, ptr %21, i64 %23
  %25 = load bfloat, ptr %24, align 2, !tbaa !8
  %26 = fpext contract bfloat %25 to float
  %27 = fmul contract float %20, %26
  %28 = load ptr, ptr %7, align 8, !tbaa !10
  %29 = load i32, ptr %9, align 4, !tbaa !4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds bfloat, ptr %28, i64 %30
  %32 = load bfloat, ptr %31, align 2, !tbaa !8
  %33 = fpext contract bfloat %32 to float
  %34 = fadd contract float %27, %33
  %35 = fptrunc contract float %34 to bfloat
  %36 = load ptr, ptr %7, align 8, !tbaa !10
  %37 = load i32, ptr %9, align 4, !tbaa !4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds bfloat, ptr %36, i64 %38
  store bfloat %35, ptr %39, align 2, !tbaa !8
  br label %40

40:                                               ; preds = %18, %4
  call void @llvm.lifetime.end.p0(ptr %9) #4
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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @mean_bfloat16(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i32, align 4
  %13 = alloca bfloat, align 2
  store ptr %0, ptr %5, align 8, !tbaa !10
  store ptr %1, ptr %6, align 8, !tbaa !10
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %14 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %15 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %16 = mul i32 %14, %15
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %18 = add i32 %16, %17
  store i32 %18, ptr %9, align 4, !tbaa !4
  %19 = load i32, ptr %9, align 4, !tbaa !4
  %20 = load i32, ptr %7, align 4, !tbaa !4
  %21 = icmp sge i32 %19, %20
  br i1 %21, label %22, label %23

22:                                               ; preds = %4
  store i32 1, ptr %10, align 4
  br label %62

23:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %11) #4
  store float 0.000000e+00, ptr %11, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %12) #4
  store i32 0, ptr %12, align 4, !tbaa !4
  br label %24

24:                                               ; preds = %42, %23
  %25 = load i32, ptr %12, align 4, !tbaa !4
  %26 = load i32, ptr %8, align 4, !tbaa !4
  %27 = icmp slt i32 %25, %26
  br i1 %27, label %29, label %28

28:                                               ; preds = %24
  store i32 2, ptr %10, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #4
  br label %45

29:                                               ; preds = %24
  %30 = load ptr, ptr %5, align 8, !tbaa !10
  %31 = load i32, ptr %9, align 4, !tbaa !4
  %32 = load i32, ptr %8, align 4, !tbaa !4
  %33 = mul nsw i32 %31, %32
  %34 = load i32, ptr %12, align 4, !tbaa !4
  %35 = add nsw i32 %33, %34
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds bfloat, ptr %30, i64 %36
  %38 = load bfloat, ptr %37, align 2, !tbaa !8
  %39 = fpext contract bfloat %38 to float
  %40 = load float, ptr %11, align 4, !tbaa !13
  %41 = fadd contract float %40, %39
  store float %41, ptr %11, align 4, !tbaa !13
  br label %42

42:                                               ; preds = %29
  %43 = load i32, ptr %12, align 4, !tbaa !4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %12, align 4, !tbaa !4
  br label %24, !llvm.loop !15

45:                                               ; preds = %28
  call void @llvm.lifetime.start.p0(ptr %13) #4
  %46 = load float, ptr %11, align 4, !tbaa !13
  %47 = load i32, ptr %8, align 4, !tbaa !4
  %48 = sitofp i32 %47 to float
  %49 = fdiv contract float %46, %48
  %50 = fptrunc contract float %49 to bfloat
  store bfloat %50, ptr %13, align 2, !tbaa !8
  %51 = load bfloat, ptr %13, align 2, !tbaa !8
  %52 = fcmp contract ogt bfloat %51, 0xR0000
  br i1 %52, label %53, label %55

53:                                               ; preds = %45
  %54 = load bfloat, ptr %13, align 2, !tbaa !8
  br label %56

55:                                               ; preds = %45
  br label %56

56:                                               ; preds = %55, %53
  %57 = phi contract bfloat [ %54, %53 ], [ 0xR0000, %55 ]
  %58 = load ptr, ptr %6, align 8, !tbaa !10
  %59 = load i32, ptr %9, align 4, !tbaa !4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds bfloat, ptr %58, i64 %60
  store bfloat %57, ptr %61, align 2, !tbaa !8
  call void @llvm.lifetime.end.p0(ptr %13) #4
  call void @llvm.lifetime.end.p0(ptr %11) #4
  store i32 0, ptr %10, align 4
  br label %62

62:                                               ; preds = %56, %22
  call void @llvm.lifetime.end.p0(ptr %9) #4
  %63 = load i32, ptr %10, align 4
  switch i32 %63, label %65 [
    i32 0, label %64
    i32 1, label %64
  ]

64:                                               ; preds = %62, %62
  ret void

65:                                               ; preds = %62
  unreachable
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
!9 = !{!"__bf16", !6, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"p1 __bf16", !12, i64 0}
!12 = !{!"any pointer", !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !6, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
